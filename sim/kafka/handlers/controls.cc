#include "sim/kafka/handlers/controls.h"

#include <algorithm>
#include <utility>

namespace wt::kafka {

void RequestLog::start(std::size_t limit) {
  limit_ = limit;
  while (seen_.size() > limit_) {
    seen_.pop_front();
    ++dropped_;
  }
}

void RequestLog::clear() {
  seen_.clear();
  dropped_ = 0;
}

void RequestLog::add(SeenRequest request) {
  if (!on()) return;
  request.number = ++last_;
  if (seen_.size() >= limit_) {
    seen_.pop_front();
    ++dropped_;
  }
  seen_.push_back(std::move(request));
}

bool ApiCaps::allows(std::int16_t api_key, schema::Version version) const {
  const auto found = caps_.find(api_key);
  return found == caps_.end() || found->second.contains(version);
}

void ApiCaps::apply(ApiVersionsResponse& response) const {
  if (caps_.empty()) return;
  for (ApiVersionsResponse::ApiVersion& api : response.api_keys) {
    const auto found = caps_.find(api.api_key);
    if (found == caps_.end()) continue;
    api.min_version = std::max(api.min_version, found->second.first);
    api.max_version = std::min(api.max_version, found->second.last);
  }
  std::erase_if(response.api_keys, [](const auto& api) { return api.min_version > api.max_version; });
}

}  // namespace wt::kafka
