// The compiled half of Boost.JSON, once for the whole program.
#include <boost/json/src.hpp>
