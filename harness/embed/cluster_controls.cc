// Cluster: coordinators, leaders, round trips, ports, versions and the list of requests.
#include "harness/embed/cluster_impl.h"
#include "harness/embed/rule_request.h"
#include "sim/cluster/json_fields.h"

namespace wavetank {
inline namespace v1 {

namespace json = wt::cluster::json;

namespace {

json::string text(std::string_view from) {
  return json::string(from.data(), from.size());
}

json::object call(const char* verb, const char* what) {
  json::object request;
  request[verb] = what;
  return request;
}

std::string text_in(const json::object& from, std::string_view name) {
  const json::value* value = from.if_contains({name.data(), name.size()});
  return value == nullptr ? std::string() : std::string(wt::cluster::view(value->as_string()));
}

template <class Number>
Number number_in(const json::object& from, std::string_view name, Number otherwise) {
  const json::value* value = from.if_contains({name.data(), name.size()});
  return value == nullptr ? otherwise : value->to_number<Number>();
}

Request request_from(const json::object& from) {
  Request request;
  request.number = number_in<std::uint64_t>(from, "number", 0);
  request.time = detail::to_time_point(number_in<std::int64_t>(from, "time_ns", 0));
  request.broker = number_in(from, "broker", -1);
  request.connection = number_in<std::uint64_t>(from, "connection", 0);
  request.api_key = number_in(from, "api_key", -1);
  request.api = text_in(from, "api");
  request.version = number_in(from, "version", -1);
  request.client_id = text_in(from, "client_id");
  request.topic = text_in(from, "topic");
  request.partition = number_in(from, "partition", -1);
  request.group = text_in(from, "group");
  request.transactional_id = text_in(from, "transactional_id");
  return request;
}

}  // namespace

void Cluster::move_coordinator(std::string_view type, std::string_view key, int to) {
  json::object request = call("do", "move_coordinator");
  request["type"] = text(type);
  request["key"] = text(key);
  request["to"] = to;
  impl_->tell(request);
}

int Cluster::coordinator(std::string_view type, std::string_view key) const {
  json::object question = call("get", "coordinator");
  question["type"] = text(type);
  question["key"] = text(key);
  return impl_->ask(question).at("broker").to_number<int>();
}

std::size_t Cluster::move_leaders(const std::string& topic) {
  json::object request = call("do", "move_leaders");
  request["topic"] = topic;
  return impl_->tell(request).at("moved").to_number<std::size_t>();
}

void Cluster::set_round_trip(int broker, Duration delay) {
  json::object request = call("do", "set_round_trip");
  request["broker"] = broker;
  request["delay_us"] = std::chrono::duration_cast<std::chrono::microseconds>(delay).count();
  impl_->tell(request);
}

void Cluster::close_port(int broker) {
  json::object request = call("do", "close_port");
  request["broker"] = broker;
  impl_->tell(request);
}

void Cluster::open_port(int broker) {
  json::object request = call("do", "open_port");
  request["broker"] = broker;
  impl_->tell(request);
}

void Cluster::set_api_versions(std::string_view api, int min, int max) {
  const auto key = wt::harness::api_key_from_name(api);
  if (!key) throw Error(ErrorCode::invalid_argument, "There is no Kafka API '" + std::string(api) + "'.");
  json::object request = call("do", "set_api_versions");
  request["api_key"] = *key;
  request["min"] = min;
  request["max"] = max;
  impl_->tell(request);
}

void Cluster::reset_api_versions() {
  impl_->tell(call("do", "reset_api_versions"));
}

void Cluster::track_requests(std::size_t limit) {
  json::object request = call("do", "track_requests");
  request["on"] = limit > 0;
  if (limit > 0) request["limit"] = limit;
  impl_->tell(request);
}

std::vector<Request> Cluster::requests() const {
  std::vector<Request> all;
  for (;;) {
    json::object question = call("get", "requests");
    question["after"] = all.empty() ? 0 : all.back().number;
    const json::object answer = impl_->ask(question);
    const json::array& page = answer.at("requests").as_array();
    for (const json::value& one : page) all.push_back(request_from(one.as_object()));
    if (page.empty()) return all;
  }
}

void Cluster::clear_requests() {
  impl_->tell(call("do", "clear_requests"));
}

}  // namespace v1
}  // namespace wavetank
