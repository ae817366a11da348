// Messages as the trace shows them: error codes by name, record batches by their headers.
#pragma once

#include <string>

#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

// One line of JSON. Values are shortened, so this does not read back; schema::to_text does.
std::string trace_text(const schema::Table& table, const void* object, schema::Version version);

}  // namespace wt::kafka
