#include "tests/conformance/runner/row.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace wt::conformance {

namespace {

absl::Status bad(const std::string& file, std::string_view row, std::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(file, ": row ", absl::string_view(row.data(), row.size()),
                                                 ": ", absl::string_view(what.data(), what.size())));
}

absl::StatusOr<ClusterSpec> read_cluster(const json::object& row) {
  ClusterSpec spec;
  const json::value* cluster = row.if_contains("cluster");
  if (cluster == nullptr) return spec;
  if (!cluster->is_object()) return absl::InvalidArgumentError("cluster is no object");
  if (const json::value* brokers = cluster->get_object().if_contains("brokers")) {
    if (!brokers->is_int64()) return absl::InvalidArgumentError("brokers is no number");
    spec.brokers = static_cast<int>(brokers->get_int64());
  }
  const json::value* users = cluster->get_object().if_contains("users");
  if (users != nullptr && !users->is_object()) return absl::InvalidArgumentError("users is no object");
  if (users != nullptr) {
    for (const auto& [name, password] : users->get_object()) {
      if (!password.is_string()) return absl::InvalidArgumentError("passwords are strings");
      spec.users.emplace(name, view(password.get_string()));
    }
  }
  const json::value* config = cluster->get_object().if_contains("config");
  if (config != nullptr && !config->is_object()) return absl::InvalidArgumentError("config is no object");
  if (config != nullptr) {
    for (const auto& [key, value] : config->get_object()) {
      if (!value.is_string()) return absl::InvalidArgumentError("config values are strings");
      spec.settings.push_back(std::string(key) + "=" + std::string(view(value.get_string())));
    }
  }
  return spec;
}

absl::Status read_file(const std::string& file, std::set<std::string>& names, std::vector<Row>& rows) {
  absl::StatusOr<json::value> content = read_json_file(file);
  if (!content.ok()) return content.status();
  const json::value* list = find(*content, "rows");
  if (list == nullptr || !list->is_array()) return absl::InvalidArgumentError(file + ": no array \"rows\"");
  for (const json::value& value : list->get_array()) {
    const json::value* name = find(value, "name");
    const json::value* steps = find(value, "steps");
    if (name == nullptr || !name->is_string()) return bad(file, "?", "no name");
    Row row;
    row.name = std::string(view(name->get_string()));
    row.file = file;
    if (steps == nullptr || !steps->is_array()) return bad(file, row.name, "no steps");
    for (const json::value& step : steps->get_array()) {
      if (!step.is_object()) return bad(file, row.name, "a step is no object");
    }
    row.source = value.get_object();
    absl::StatusOr<ClusterSpec> cluster = read_cluster(row.source);
    if (!cluster.ok()) return bad(file, row.name, std::string(cluster.status().message()));
    row.cluster = *std::move(cluster);
    if (!names.insert(row.name).second) return bad(file, row.name, "this name exists already");
    rows.push_back(std::move(row));
  }
  return absl::OkStatus();
}

}  // namespace

std::string ClusterSpec::text() const {
  return absl::StrCat(brokers, " brokers", settings.empty() ? "" : ", ", absl::StrJoin(settings, ", "),
                      users.empty() ? "" : ", users");
}

absl::StatusOr<std::vector<Row>> load_rows(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  }
  if (error) return absl::NotFoundError(absl::StrCat("cannot read the folder ", folder));
  std::sort(files.begin(), files.end());
  std::vector<Row> rows;
  std::set<std::string> names;
  for (const std::string& file : files) {
    const absl::Status status = read_file(file, names, rows);
    if (!status.ok()) return status;
  }
  return rows;
}

absl::Status save_rows(const std::string& file, const std::vector<Row>& rows) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << "{\"rows\": [\n";
  bool first = true;
  for (const Row& row : rows) {
    if (row.file != file) continue;
    if (!first) out << ",\n\n";
    out << pretty(row.source);
    first = false;
  }
  out << "\n]}\n";
  out.close();
  return out ? absl::OkStatus() : absl::InternalError(absl::StrCat("cannot write ", file));
}

}  // namespace wt::conformance
