// How far a connection on a SASL listener has come in saying who its client is, and what it may ask
// meanwhile. One for each connection; connections on other listeners have none.
//
// First ApiVersions, if the client wants, then SaslHandshake with a mechanism, then its messages: in
// SaslAuthenticate requests, or bare in frames when the handshake had version 0. With a session lifetime
// the client does it again before the time is over, on the same connection, from the handshake on.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/kafka/sasl/mechanism.h"
#include "sim/kernel/time.h"

namespace wt::kafka {

struct SaslSettings {
  std::vector<sasl::Mechanism> mechanisms = sasl::all_mechanisms();  // sasl.enabled.mechanisms
  std::map<std::string, std::string, std::less<>> plain_users;       // passwords by name
  DurationNs max_reauth_ns = 0;              // connections.max.reauth.ms; 0: a session has no end
  std::int64_t max_receive_bytes = 524'288;  // sasl.server.max.receive.size
};

class SaslSession {
 public:
  // The settings outlive the session.
  explicit SaslSession(const SaslSettings& settings) : settings_(settings) {}

  enum class Admission : std::uint8_t {
    pass,             // the request goes to its handler
    wrong_state,      // it is answered with ILLEGAL_SASL_STATE, then the connection ends
    unauthenticated,  // the connection ends
    expired,          // … because the session's time is over
  };
  // Asked once for every request, before its handler. A handshake on a session with an end begins anew.
  Admission admit(std::int16_t api_key, TimeNs now_ns);

  bool complete() const noexcept { return state_ == State::complete; }
  bool again() const noexcept { return again_; }  // this is not the first time
  // The next frame is no request but a message of the mechanism.
  bool awaits_bare_message() const noexcept { return state_ == State::bare_messages; }
  bool awaits_handshake() const noexcept {
    return state_ == State::versions_or_handshake || state_ == State::handshake;
  }
  bool takes_api_versions() const noexcept {
    return state_ == State::versions_or_handshake || state_ == State::complete;
  }

  // What happened.
  void versions_told() noexcept;
  bool offers(sasl::Mechanism mechanism) const;
  // `bare`: messages come without requests around them.
  void begin(sasl::Mechanism mechanism, bool bare, std::string nonce);
  sasl::Step evaluate(std::string_view message, const sasl::Users& users);
  // After a complete exchange: returns the lifetime that the client is told.
  std::int64_t finish(TimeNs now_ns);

  // What a client is told about a failure that has no sentence of its own.
  std::string failure_text() const;
  // Who the client is; empty before it has said so.
  const std::string& user() const noexcept { return user_; }
  const SaslSettings& settings() const noexcept { return settings_; }

 private:
  enum class State : std::uint8_t {
    versions_or_handshake,
    handshake,
    messages,
    bare_messages,
    other_mechanism,  // than the first time: whatever comes, the connection ends
    complete,
  };
  bool begins_again(TimeNs now_ns);

  const SaslSettings& settings_;
  State state_ = State::versions_or_handshake;
  bool again_ = false;
  sasl::Mechanism mechanism_ = sasl::Mechanism::plain;
  std::unique_ptr<sasl::Exchange> exchange_;
  std::string user_;
  TimeNs expires_ns_ = kNever_ns;
  std::optional<TimeNs> began_again_ns_;
};

}  // namespace wt::kafka
