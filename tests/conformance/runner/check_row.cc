#include "absl/strings/str_cat.h"
#include "tests/conformance/runner/message.h"
#include "tests/conformance/runner/run_row.h"
#include "tests/conformance/runner/variables.h"

namespace wt::conformance {

namespace {

// What a saved value might look like, to build the requests that use it.
json::value stand_in(std::string_view field) {
  if (field == "topicId") return "AAAAAAAAAAAAAAAAAAAAAQ";
  if (field == "clusterId" || field == "memberId" || field == "leader") return "some-text";
  if (field == "authBytes") return "cj1uLHM9c2FsdCxpPTQwOTY=";  // r=n,s=salt,i=4096
  return 1;
}

void learn_names(const json::object& step, Variables& variables) {
  if (const json::value* what = step.if_contains("do"); what != nullptr && *what == "coordinator") {
    for (const char* name : {"coordinator", "other"}) variables.set(name, 1, "");
    const json::value* as = step.if_contains("as");
    if (as != nullptr && as->is_string()) variables.set(std::string(view(as->get_string())), 1, "");
  }
  if (const json::value* topic = step.if_contains("topic"); topic != nullptr && topic->is_string()) {
    const std::string_view name = view(topic->get_string());
    variables.set(std::string(name.substr(0, name.rfind('-'))) + ".id", stand_in("topicId"), "topicId");
  }
  const json::value* saves = step.if_contains("save");
  if (saves == nullptr || !saves->is_object()) return;
  for (const auto& [name, path] : saves->get_object()) {
    const std::string_view where = path.is_string() ? view(path.get_string()) : "";
    const std::string_view field = where.substr(where.rfind('.') + 1);
    variables.set(std::string(name), stand_in(field), std::string(field));
  }
}

absl::Status check_step(const json::object& source, const Variables& variables) {
  const absl::StatusOr<json::value> step = variables.fill_in(json::value(source));
  if (!step.ok()) return step.status();
  const json::value* api_name = find(*step, "api");
  if (api_name == nullptr || find(*step, "do") != nullptr) return absl::OkStatus();
  if (!api_name->is_string()) return absl::InvalidArgumentError("api is no name");
  const auto api = api_by_name(view(api_name->get_string()));
  if (!api.ok()) return api.status();
  const json::value* version = find(*step, "version");
  if (version == nullptr || !version->is_int64()) return absl::InvalidArgumentError("no version");
  const json::value* request = find(*step, "request");
  RequestText header;
  header.api = *api;
  header.version = static_cast<std::int16_t>(version->get_int64());
  return encode_request_text(header, request == nullptr ? json::object() : *request, variables.row_time_ms())
      .status();
}

}  // namespace

absl::Status check_row(const Row& row) {
  Variables variables("r000000", 1'600'000'000'000);
  for (std::size_t i = 0; i < row.steps().size(); ++i) {
    const json::object& step = row.steps()[i].get_object();
    learn_names(step, variables);
    const absl::Status status = check_step(step, variables);
    if (!status.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(row.name, ", step ", i, ": ", status.message()));
    }
  }
  return absl::OkStatus();
}

}  // namespace wt::conformance
