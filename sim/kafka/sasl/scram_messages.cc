#include "sim/kafka/sasl/scram_messages.h"

#include <algorithm>

#include "sim/formats/base64.h"

namespace wt::kafka::sasl {
namespace {

std::vector<std::string_view> cut_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t comma = text.find(',');
    parts.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

template <class Allowed>
bool consists_of(std::string_view text, Allowed allowed) {
  return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
// ASCII without zero; commas never get here.
bool is_value(std::string_view text) {
  return consists_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 1 && byte <= 0x7F;
  });
}
bool is_printable(std::string_view text) {
  return consists_of(text, [](char c) { return c >= '\x21' && c <= '\x7E'; });
}

// "key=value" without the key and '='; nothing when it begins otherwise.
std::optional<std::string_view> value_of(std::string_view part, std::string_view key) {
  if (part.substr(0, key.size()) != key || part.substr(key.size(), 1) != "=") return std::nullopt;
  return part.substr(key.size() + 1);
}

std::optional<std::pair<std::string, std::string>> extension(std::string_view part) {
  const std::size_t equals = part.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const std::string_view name = part.substr(0, equals);
  const std::string_view value = part.substr(equals + 1);
  if (!consists_of(name, is_letter) || !is_value(value)) return std::nullopt;
  return std::pair(std::string(name), std::string(value));
}

// Strict: padded, and nothing after the padding. Empty is fine.
std::optional<std::string> bytes_of_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const auto bytes = base64_decode(text, Base64Alphabet::kStandard);
  if (!bytes) return std::nullopt;
  return std::string(bytes->begin(), bytes->end());
}

}  // namespace

std::optional<std::string> user_of_sasl_name(std::string_view name) {
  std::string user;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '=') {
      user += name[i];
      continue;
    }
    const std::string_view escape = name.substr(i, 3);
    if (escape != "=2C" && escape != "=3D") return std::nullopt;
    user += escape == "=2C" ? ',' : '=';
    i += 2;
  }
  return user;
}

std::string ClientFirst::without_header() const {
  std::string text = "n=" + sasl_name + ",r=" + nonce;
  for (const auto& [name, value] : extensions) {
    text += ",";
    text += name;
    text += "=";
    text += value;
  }
  return text;
}

std::optional<ClientFirst> parse_client_first(std::string_view message) {
  const std::vector<std::string_view> parts = cut_at_commas(message);
  if (parts.size() < 4 || parts[0] != "n") return std::nullopt;
  ClientFirst out;
  if (!parts[1].empty()) {
    const auto act_as = value_of(parts[1], "a");
    if (!act_as || !is_value(*act_as) || !user_of_sasl_name(*act_as)) return std::nullopt;
    out.act_as = *act_as;
  }
  std::size_t at = 2;
  if (const auto reserved = value_of(parts[at], "m")) {
    if (!is_value(*reserved)) return std::nullopt;
    ++at;
  }
  if (parts.size() < at + 2) return std::nullopt;
  const auto name = value_of(parts[at], "n");
  const auto nonce = value_of(parts[at + 1], "r");
  if (!name || !is_value(*name) || !user_of_sasl_name(*name)) return std::nullopt;
  if (!nonce || !is_printable(*nonce)) return std::nullopt;
  out.sasl_name = *name;
  out.nonce = *nonce;
  for (at += 2; at < parts.size(); ++at) {
    auto more = extension(parts[at]);
    if (!more) return std::nullopt;
    out.extensions.push_back(std::move(*more));
  }
  return out;
}

std::optional<ClientFinal> parse_client_final(std::string_view message) {
  const std::vector<std::string_view> parts = cut_at_commas(message);
  if (parts.size() < 3) return std::nullopt;
  const auto channel = value_of(parts[0], "c");
  const auto nonce = value_of(parts[1], "r");
  const auto proof = value_of(parts.back(), "p");
  if (!channel || !bytes_of_base64(*channel) || !nonce || !is_printable(*nonce) || !proof)
    return std::nullopt;
  for (std::size_t i = 2; i + 1 < parts.size(); ++i) {
    if (!extension(parts[i])) return std::nullopt;
  }
  const auto bytes = bytes_of_base64(*proof);
  if (!bytes) return std::nullopt;
  return ClientFinal{std::string(*channel), std::string(*nonce), *bytes};
}

}  // namespace wt::kafka::sasl
