// The messages that a SCRAM client sends, as text and taken apart. A real broker's idea of the grammar:
// ASCII only, no channel binding, extensions are read over.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wt::kafka::sasl {

using ScramExtensions = std::vector<std::pair<std::string, std::string>>;

// "n,,n=alice,r=nonce"
struct ClientFirst {
  std::string act_as;     // empty: the user itself
  std::string sasl_name;  // as sent: with =2C and =3D
  std::string nonce;
  ScramExtensions extensions;
  // What proof and signature are made over.
  std::string without_header() const;
};
std::optional<ClientFirst> parse_client_first(std::string_view message);

// "c=biws,r=nonce,p=proof"
struct ClientFinal {
  std::string channel;  // as sent, in base 64
  std::string nonce;
  std::string proof;  // bytes
  std::string without_proof() const { return "c=" + channel + ",r=" + nonce; }
};
std::optional<ClientFinal> parse_client_final(std::string_view message);

// "=2C" and "=3D" back to "," and "="; nothing for any other "=".
std::optional<std::string> user_of_sasl_name(std::string_view name);

}  // namespace wt::kafka::sasl
