// Rule and RuleBuilder of the public interface.
#include "harness/embed/cluster_impl.h"
#include "harness/embed/rule_request.h"
#include "sim/cluster/json_fields.h"

namespace wavetank {
inline namespace v1 {

namespace json = wt::cluster::json;
using detail::ClusterImpl;

namespace {

std::shared_ptr<ClusterImpl> alive(const std::weak_ptr<ClusterImpl>& cluster) {
  std::shared_ptr<ClusterImpl> locked = cluster.lock();
  if (locked == nullptr) throw Error(ErrorCode::stopped, "The cluster of this rule is gone.");
  return locked;
}

json::object on_rule(const char* verb, const char* what, std::uint32_t id) {
  json::object request;
  request[verb] = what;
  request["rule"] = id;
  return request;
}

std::int64_t microseconds(Duration duration) {
  return std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
}

json::string text(std::string_view from) {
  return json::string(from.data(), from.size());
}

}  // namespace

// --- Rule ---

std::uint64_t Rule::hits() const {
  return alive(cluster_)->ask(on_rule("get", "rule", id_)).at("hits").to_number<std::uint64_t>();
}

std::uint64_t Rule::passes() const {
  return alive(cluster_)->ask(on_rule("get", "rule", id_)).at("passes").to_number<std::uint64_t>();
}

std::uint64_t Rule::holding() const {
  return alive(cluster_)->ask(on_rule("get", "rule", id_)).at("holding").to_number<std::uint64_t>();
}

std::optional<std::uint64_t> Rule::left() const {
  const json::object state = alive(cluster_)->ask(on_rule("get", "rule", id_));
  const json::value* left = state.if_contains("left");
  if (left == nullptr) return std::nullopt;
  return left->to_number<std::uint64_t>();
}

void Rule::release() const {
  alive(cluster_)->tell(on_rule("do", "release_rule", id_));
}

void Rule::release(std::uint64_t count) const {
  if (count == 0) return;
  json::object request = on_rule("do", "release_rule", id_);
  request["count"] = static_cast<std::int64_t>(count);
  alive(cluster_)->tell(request);
}

void Rule::remove() const {
  alive(cluster_)->tell(on_rule("do", "remove_rule", id_));
}

bool Rule::wait(std::uint64_t hits, Duration timeout) const {
  return alive(cluster_)->wait_until([&](const View& view) { return view.hits(*this) >= hits; }, timeout,
                                     true);
}

bool Rule::wait_held(std::uint64_t count, Duration timeout) const {
  return alive(cluster_)->wait_until([&](const View& view) { return view.holding(*this) >= count; }, timeout,
                                     true);
}

// --- RuleBuilder ---

struct RuleBuilder::State {
  std::weak_ptr<ClusterImpl> cluster;
  json::object body;  // as rule_request() takes it
};

RuleBuilder::RuleBuilder(std::weak_ptr<ClusterImpl> cluster, std::string_view point)
    : state_(new State{std::move(cluster), {}}) {
  state_->body["point"] = text(point);
}
RuleBuilder::RuleBuilder(RuleBuilder&&) noexcept = default;
RuleBuilder& RuleBuilder::operator=(RuleBuilder&&) noexcept = default;
RuleBuilder::~RuleBuilder() = default;

RuleBuilder& RuleBuilder::topic(std::string_view name) {
  state_->body["topic"] = text(name);
  return *this;
}
RuleBuilder& RuleBuilder::partition(int number) {
  state_->body["partition"] = number;
  return *this;
}
RuleBuilder& RuleBuilder::client_id(std::string_view id) {
  state_->body["client_id"] = text(id);
  return *this;
}
RuleBuilder& RuleBuilder::group(std::string_view id) {
  state_->body["group"] = text(id);
  return *this;
}
RuleBuilder& RuleBuilder::transactional_id(std::string_view id) {
  state_->body["transactional_id"] = text(id);
  return *this;
}
RuleBuilder& RuleBuilder::api(std::string_view name) {
  state_->body["api"] = text(name);
  return *this;
}
RuleBuilder& RuleBuilder::api(int key) {
  state_->body["api"] = key;
  return *this;
}
RuleBuilder& RuleBuilder::broker(int id) {
  state_->body["broker"] = id;
  return *this;
}
RuleBuilder& RuleBuilder::connection(std::uint64_t id) {
  state_->body["connection"] = id;
  return *this;
}
RuleBuilder& RuleBuilder::times(std::uint64_t count) {
  state_->body["times"] = static_cast<std::int64_t>(count);
  return *this;
}
RuleBuilder& RuleBuilder::skip(std::uint64_t count) {
  state_->body["skip"] = static_cast<std::int64_t>(count);
  return *this;
}
RuleBuilder& RuleBuilder::every(std::uint64_t number) {
  state_->body["every"] = static_cast<std::int64_t>(number);
  return *this;
}
RuleBuilder& RuleBuilder::after(Duration delay) {
  state_->body["delay_us"] = microseconds(delay);
  return *this;
}
RuleBuilder& RuleBuilder::nth(std::uint64_t number) {
  state_->body["nth"] = static_cast<std::int64_t>(number);
  return *this;
}
RuleBuilder& RuleBuilder::probability(double probability) {
  state_->body["probability"] = probability;
  return *this;
}

Rule RuleBuilder::arm(std::string_view action) {
  const std::shared_ptr<ClusterImpl> cluster = alive(state_->cluster);
  json::object body = state_->body;
  if (!body.contains("answers")) body["action"] = text(action);
  const wt::StatusOr<json::object> request = wt::harness::rule_request(body);
  if (!request.ok()) ClusterImpl::raise(request.status());
  return Rule(state_->cluster, cluster->tell(*request).at("rule").to_number<std::uint32_t>());
}

Rule RuleBuilder::observe() {
  return arm("observe");
}
Rule RuleBuilder::crash() {
  return arm("crash");
}
Rule RuleBuilder::crash_leader() {
  return arm("crash_leader");
}
Rule RuleBuilder::crash_broker(int id) {
  state_->body["to"] = id;
  return arm("crash_broker");
}
Rule RuleBuilder::pause() {
  return arm("pause");
}
Rule RuleBuilder::move_leader(int to) {
  state_->body["to"] = to;
  return arm("move_leader");
}
Rule RuleBuilder::delay(Duration by) {
  state_->body["delay_us"] = microseconds(by);
  return arm("delay");
}
Rule RuleBuilder::hold() {
  return arm("hold");
}
Rule RuleBuilder::answer(int error_code) {
  state_->body["error"] = error_code;
  return arm("answer");
}
Rule RuleBuilder::answer(std::string_view error_name) {
  state_->body["error"] = text(error_name);
  return arm("answer");
}
Rule RuleBuilder::answer_after(int error_code) {
  state_->body["error"] = error_code;
  return arm("answer_after");
}
Rule RuleBuilder::answer_after(std::string_view error_name) {
  state_->body["error"] = text(error_name);
  return arm("answer_after");
}
Rule RuleBuilder::answers(const std::vector<Turn>& turns) {
  json::array list;
  for (const Turn& turn : turns) {
    json::object one;
    one["error"] = text(turn.error);
    one["delay_ms"] = static_cast<double>(microseconds(turn.delay)) / 1000.0;
    list.emplace_back(std::move(one));
  }
  state_->body["answers"] = std::move(list);
  return arm("answer");
}
Rule RuleBuilder::drop_request() {
  return arm("drop_request");
}
Rule RuleBuilder::drop_answer() {
  return arm("drop_answer");
}
Rule RuleBuilder::close() {
  return arm("close");
}
Rule RuleBuilder::close_after() {
  return arm("close_after");
}
Rule RuleBuilder::refuse() {
  return arm("refuse");
}
Rule RuleBuilder::lose_answer() {
  return arm("lose_answer");
}
Rule RuleBuilder::lose_request() {
  return arm("lose_request");
}

}  // namespace v1
}  // namespace wavetank
