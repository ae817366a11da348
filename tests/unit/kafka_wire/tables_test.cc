// The tables themselves: what the walkers take for granted about them.
#include <catch2/catch.hpp>
#include <set>

#include "sim/kafka/wire/api.h"
#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/messages/fetch.h"
#include "sim/kafka/wire/schema_text.h"

namespace wt::kafka {
namespace {

using schema::Field;
using schema::FieldType;
using schema::Table;

void check_table(const Table& table, schema::VersionRange flexible) {
  INFO(table.name);
  std::set<std::string> names;
  std::int16_t last_tag = -1;
  for (const Field& field : table.all()) {
    INFO(field.name);
    CHECK(names.insert(schema::camel_name(field.name)).second);
    CHECK_FALSE(field.versions.empty());
    if (!field.nullable.empty()) CHECK(field.optional != nullptr);
    if (field.tag >= 0) {
      CHECK(field.tag > last_tag);
      last_tag = field.tag;
      CHECK(field.tagged.first >= field.versions.first);
      CHECK(field.tagged.first >= flexible.first);
    }
    CHECK((field.element != nullptr) == (field.type == FieldType::kStruct));
    if (field.element != nullptr) check_table(*field.element, flexible);
  }
}

TEST_CASE("every table is well formed") {
  for (const ApiSpec& api : all_apis()) {
    INFO(api.name);
    CHECK(api.request->versions == api.response->versions);
    CHECK(api.request->flexible == api.response->flexible);
    check_table(*api.request, api.request->flexible);
    check_table(*api.response, api.response->flexible);
  }
}

TEST_CASE("the registry finds every API by key, and nothing else") {
  std::int16_t last = -1;
  for (const ApiSpec& api : all_apis()) {
    CHECK(api.key > last);
    last = api.key;
    CHECK(find_api(api.key) == &api);
    CHECK(std::string(api.request->name) == std::string(api.name) + "Request");
    CHECK(std::string(api.response->name) == std::string(api.name) + "Response");
  }
  CHECK(find_api(-1) == nullptr);
  CHECK(find_api(4) == nullptr);
  CHECK(find_api(999) == nullptr);
  CHECK_FALSE(find_api(47)->is_flexible(0));
}

TEST_CASE("describe lists a version's fields in wire order") {
  CHECK(schema::describe(FetchResponse::AbortedTransaction::kTable, 4, false) ==
        "producer_id int64\nfirst_offset int64\n");
  CHECK(schema::describe(FetchRequest::kTable, 12, true).find("cluster_id compact nullable string tag 0\n") !=
        std::string::npos);
}

TEST_CASE("error codes have the protocol's numbers and names") {
  CHECK(static_cast<int>(ErrorCode::kControllerIdNotRegistered) == 136);
  CHECK(error_name(ErrorCode::kNotLeaderOrFollower) == "NOT_LEADER_OR_FOLLOWER");
  CHECK(error_name(static_cast<ErrorCode>(137)) == "UNKNOWN_ERROR_CODE");
  CHECK(error_name(static_cast<ErrorCode>(-2)) == "UNKNOWN_ERROR_CODE");
  for (int code = -1; code <= 136; ++code) {
    const auto error = static_cast<ErrorCode>(code);
    CHECK(error_from_name(error_name(error)) == error);
  }
  CHECK(is_retriable(ErrorCode::kNotLeaderOrFollower));
  CHECK_FALSE(is_retriable(ErrorCode::kInvalidProducerEpoch));
}

}  // namespace
}  // namespace wt::kafka
