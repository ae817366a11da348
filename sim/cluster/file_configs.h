// What a broker's properties file would say of the options of a cluster.
#pragma once

#include <map>
#include <string>

#include "sim/cluster/options.h"

namespace wt::cluster {

// Configs and values, of the options that are not Kafka's defaults and that Kafka's configs have words for.
// Those of groups are not among them (kafka::group_config_text).
std::map<std::string, std::string> file_configs(const ClusterOptions& options);

}  // namespace wt::cluster
