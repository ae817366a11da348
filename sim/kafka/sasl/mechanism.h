// SASL as a broker offers it: the mechanisms, the users, and one exchange of messages with a client.
//
// Pure: what an exchange answers is a function of the client's bytes, the users and the nonce.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/controller/scram.h"

namespace wt::kafka::sasl {

using controller::ScramCredential;

enum class Mechanism : std::uint8_t { plain, scram_sha_256, scram_sha_512 };

// "SCRAM-SHA-256"
std::string_view mechanism_name(Mechanism mechanism) noexcept;
std::optional<Mechanism> mechanism_from_name(std::string_view name) noexcept;
// In the order in which a broker lists them.
std::vector<Mechanism> all_mechanisms();
// The number of a SCRAM mechanism in requests and records; 0 for others.
std::int8_t scram_type(Mechanism mechanism) noexcept;
std::optional<Mechanism> scram_from_type(std::int8_t type) noexcept;

class Users {
 public:
  virtual ~Users() = default;
  virtual std::optional<std::string> plain_password(std::string_view user) const = 0;
  virtual std::optional<ScramCredential> scram(std::string_view user, Mechanism mechanism) const = 0;
};

struct Step {
  enum class Kind : std::uint8_t {
    challenge,  // `bytes` go to the client, which answers
    complete,   // the client has proved who it is; `bytes` go to it
    failed,     // `message` is for the client; empty: it is told no more than that it failed
    broken,     // nothing is answered, the connection ends
  };
  Kind kind = Kind::failed;
  std::string bytes;
  std::string message;
};

// The server's side of one exchange. After anything but a challenge it is over.
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual Step evaluate(std::string_view message, const Users& users) = 0;
  // Who the client is, once it is complete.
  const std::string& user() const noexcept { return user_; }

 protected:
  std::string user_;
};

// The nonce is the server's part, for SCRAM: printable, without commas.
std::unique_ptr<Exchange> begin_exchange(Mechanism mechanism, std::string nonce);

}  // namespace wt::kafka::sasl
