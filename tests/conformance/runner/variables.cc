#include "tests/conformance/runner/variables.h"

#include <cctype>
#include <charconv>

#include "absl/strings/str_cat.h"

namespace wt::conformance {

namespace {

constexpr std::string_view kZeroId = "AAAAAAAAAAAAAAAAAAAAAA";
constexpr std::int64_t kDay_ms = 86'400'000;
constexpr std::size_t kShortestName = 16;  // shorter texts are the same by chance
constexpr std::size_t kLongId = 36;

json::value text_value(std::string_view text) {
  return json::value(json::string_view(text.data(), text.size()));
}

bool one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  for (const std::string_view candidate : names) {
    if (name == candidate) return true;
  }
  return false;
}

// T+5 → 5.
std::optional<std::int64_t> relative_time(std::string_view text) {
  if (text.size() < 3 || text[0] != 'T' || (text[1] != '+' && text[1] != '-')) return std::nullopt;
  std::int64_t number = 0;
  const auto parsed = std::from_chars(text.data() + 2, text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return text[1] == '-' ? -number : number;
}

std::string plain(const json::value& value) {
  return value.is_string() ? std::string(view(value.get_string())) : json::serialize(value);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

void collect_ids(const json::value& value, std::set<std::string>& ids) {
  if (value.is_object()) {
    for (const auto& [key, inner] : value.get_object()) {
      collect_ids(inner, ids);
      if (key == "producerId" && inner.is_int64()) ids.insert(std::to_string(inner.get_int64()));
    }
  } else if (value.is_array()) {
    for (const json::value& inner : value.get_array()) collect_ids(inner, ids);
  } else if (value.is_string() && value.get_string().size() == kZeroId.size()) {
    ids.emplace(view(value.get_string()));
  }
}

}  // namespace

bool is_long_id_at_end(std::string_view text) {
  if (text.size() < kLongId) return false;
  const std::string_view id = text.substr(text.size() - kLongId);
  for (std::size_t i = 0; i < kLongId; ++i) {
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool is_digit = (id[i] >= '0' && id[i] <= '9') || (id[i] >= 'a' && id[i] <= 'f');
    if (is_dash ? id[i] != '-' : !is_digit) return false;
  }
  return true;
}

std::string without_long_numbers(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    if (text[end] == '-') ++end;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (end - i >= 12) {
      out += "#";
      i = end;
    } else {
      out += text[i++];
    }
  }
  return out;
}

void Variables::set(const std::string& name, json::value value, std::string field) {
  values_[name] = {std::move(value), std::move(field)};
}

void Variables::keep_constants_of(const json::value& source) {
  collect_ids(source, constants_);
}

absl::StatusOr<json::value> Variables::fill_in(const json::value& value) const {
  if (value.is_object()) {
    json::object out;
    for (const auto& [key, inner] : value.get_object()) {
      absl::StatusOr<json::value> filled = fill_in(inner);
      if (!filled.ok()) return filled.status();
      out[key] = *std::move(filled);
    }
    return json::value(std::move(out));
  }
  if (value.is_array()) {
    json::array out;
    for (const json::value& inner : value.get_array()) {
      absl::StatusOr<json::value> filled = fill_in(inner);
      if (!filled.ok()) return filled.status();
      out.push_back(*std::move(filled));
    }
    return json::value(std::move(out));
  }
  if (!value.is_string()) return value;
  const std::string_view text = view(value.get_string());
  if (const auto offset = relative_time(text)) return json::value(row_time_ms_ + *offset);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find("${", at);
    const std::size_t close = text.find('}', open);
    if (open == std::string_view::npos || close == std::string_view::npos) {
      out += text.substr(at);
      break;
    }
    const auto found = values_.find(std::string(text.substr(open + 2, close - open - 2)));
    if (found == values_.end()) {
      const std::string_view name = text.substr(open, close - open + 1);
      return absl::NotFoundError(absl::StrCat("unknown name ", absl::string_view(name.data(), name.size())));
    }
    if (open == 0 && close + 1 == text.size()) return found->second.value;
    out += text.substr(at, open - at);
    out += plain(found->second.value);
    at = close + 1;
  }
  return text_value(out);
}

json::value Variables::generalise(const json::value& answer,
                                  const std::map<std::string, std::string>& saved) {
  json::value out = generalise_field("", answer);
  for (const auto& [path, name] : saved) {
    const json::value* original = find(answer, path);
    auto* general = const_cast<json::value*>(find(out, path));
    if (original == nullptr || general == nullptr) continue;
    hidden_ = name;
    *general = generalise_field(std::string_view(path).substr(path.rfind('.') + 1), *original);
    hidden_.clear();
  }
  return out;
}

json::value Variables::generalise_field(std::string_view field, const json::value& value) const {
  if (value.is_object()) {
    json::object out;
    for (const auto& [key, inner] : value.get_object()) {
      out[key] = generalise_field({key.data(), key.size()}, inner);
    }
    // A coordinator, not an entry in a list of brokers.
    const json::value* node = out.if_contains("nodeId");
    if (node != nullptr && node->is_int64() && node->get_int64() > 0 && out.contains("errorCode")) {
      out["nodeId"] = "$broker";
    }
    return json::value(std::move(out));
  }
  if (value.is_array()) {
    json::array out;
    for (const json::value& inner : value.get_array()) out.push_back(generalise_field(field, inner));
    return json::value(std::move(out));
  }
  if (value.is_string()) return generalise_text(field, view(value.get_string()));
  if (value.is_int64()) return generalise_number(field, value.get_int64());
  return value;
}

json::value Variables::generalise_text(std::string_view field, std::string_view text) const {
  if (one_of(field, {"host"}) && !text.empty()) return text_value("$host");
  // Nonces and salts are in what SASL answers.
  if (one_of(field, {"clusterId", "authBytes"}) && !text.empty()) return text_value("$string");
  std::string out(text);
  for (const auto& [name, known] : values_) {
    if (name == hidden_ || !known.value.is_string() || known.value.get_string().size() < kShortestName)
      continue;
    const std::string_view value = view(known.value.get_string());
    if (value == text) return text_value("${" + name + "}");
    if (is_message_field(field)) replace_all(out, value, "${" + name + "}");
  }
  if (one_of(field, {"topicId", "memberId"}) && text.size() == kZeroId.size() && text != kZeroId &&
      !constants_.contains(out)) {
    return text_value("$uuid");
  }
  if (is_long_id_at_end(out)) out.replace(out.size() - kLongId, kLongId, "$uuid");
  const auto run = values_.find("run");
  replace_all(out, view(run->second.value.get_string()), "${run}");
  if (is_message_field(field)) out = without_long_numbers(out);
  return text_value(out);
}

json::value Variables::generalise_number(std::string_view field, std::int64_t number) const {
  for (const auto& [name, known] : values_) {
    if (name != hidden_ && known.field == field && known.value.is_int64() &&
        known.value.get_int64() == number) {
      return text_value("${" + name + "}");
    }
  }
  if (field == "port" && number > 0) return text_value("$port");
  if (field == "controllerId" && number >= 0) return text_value("$broker");
  if (field == "sessionId" && number > 0) return text_value("$positive");
  if (field == "producerId" && number >= 0 && !constants_.contains(std::to_string(number))) {
    return text_value("$nonnegative");
  }
  if (field == "metadataHash" && number != 0) return text_value("$any");  // of ids of topics
  if (field == "finalizedFeaturesEpoch") return text_value("$nonnegative");
  const std::int64_t offset = number - row_time_ms_;
  const bool is_row_time = (offset >= -200'000 && offset < 30'000) || offset == 7'200'000;
  if (is_row_time)
    return text_value(absl::StrCat("T", offset < 0 ? "-" : "+", offset < 0 ? -offset : offset));
  if (offset > -kDay_ms && offset < kDay_ms) return text_value("$time");
  return json::value(number);
}

}  // namespace wt::conformance
