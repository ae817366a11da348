// The loggers of one broker. A simulated broker writes no log; what it keeps is which level each logger has,
// as somebody set it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kafka/wire/messages/configs.h"

namespace wt::kafka {

class Loggers {
 public:
  static constexpr std::string_view kRoot = "root";

  // Name and level of every logger, in order of the names. A logger without a level of its own has that of
  // the next one above it ("kafka.server" is above "kafka.server.KafkaApis"), in the end that of the root.
  std::vector<std::pair<std::string_view, std::string_view>> all() const;
  std::string_view level(std::string_view logger) const;

  // Checks all of it, then does all of it, unless it is to be checked only. An answer other than kNone says
  // what is wrong with it, in `why`.
  ErrorCode alter(const std::vector<IncrementalAlterConfigsRequest::AlterableConfig>& changes,
                  bool validate_only, std::string& why);

 private:
  // Of loggers with a level of their own.
  std::map<std::string, std::string, std::less<>> levels_ = {{std::string(kRoot), "INFO"}};
};

}  // namespace wt::kafka
