// The name of a broker's log directory. Nothing is kept there: the data is in the shared storage.
#pragma once

#include <string>

#include "sim/broker/broker.h"

namespace wt::kafka {

inline std::string log_dir_of(const broker::Broker& broker) {
  return "/wavetank/broker-" + std::to_string(broker.id());
}

}  // namespace wt::kafka
