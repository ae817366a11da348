// What an operator sets for all brokers of a cluster, and what they report together. It lives as long as the
// cluster: brokers come and go.
#pragma once

#include <deque>
#include <map>
#include <string>

#include "sim/kafka/wire/messages/api_versions.h"
#include "sim/kernel/time.h"

namespace wt::kafka {

// A request that reached a broker, as the operator sees it.
struct SeenRequest {
  std::uint64_t number = 0;  // from 1, in the order in which they came
  TimeNs time_ns = 0;
  std::int32_t broker = -1;
  std::uint64_t connection = 0;
  std::int16_t api_key = 0;
  std::int16_t api_version = 0;
  std::int32_t correlation_id = 0;
  std::string client_id;
  // The first one named, where it names any.
  std::string topic;
  std::int32_t partition = -1;
  std::string group;
  std::string transactional_id;
};

// Off until somebody asks for it; then the last `limit` requests.
class RequestLog {
 public:
  bool on() const noexcept { return limit_ > 0; }
  void start(std::size_t limit);
  // Keeps what was seen.
  void stop() noexcept { limit_ = 0; }
  void clear();
  void add(SeenRequest request);
  const std::deque<SeenRequest>& seen() const noexcept { return seen_; }
  std::uint64_t dropped() const noexcept { return dropped_; }

 private:
  std::size_t limit_ = 0;
  std::uint64_t last_ = 0;
  std::uint64_t dropped_ = 0;  // to make room
  std::deque<SeenRequest> seen_;
};

// Versions of APIs that clients may use, narrower than the release's.
class ApiCaps {
 public:
  // An empty range takes the API away.
  void set(std::int16_t api_key, schema::VersionRange versions) { caps_[api_key] = versions; }
  void reset(std::int16_t api_key) { caps_.erase(api_key); }
  void reset_all() { caps_.clear(); }
  bool allows(std::int16_t api_key, schema::Version version) const;
  const std::map<std::int16_t, schema::VersionRange>& all() const noexcept { return caps_; }
  // Narrows what a broker would tell.
  void apply(ApiVersionsResponse& response) const;

 private:
  std::map<std::int16_t, schema::VersionRange> caps_;
};

struct Controls {
  RequestLog requests;
  ApiCaps api_caps;
};

}  // namespace wt::kafka
