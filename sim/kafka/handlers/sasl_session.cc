#include "sim/kafka/handlers/sasl_session.h"

#include <algorithm>

#include "sim/kafka/wire/api.h"
#include "sim/kernel/finding.h"

namespace wt::kafka {
namespace {

constexpr std::int16_t kSaslHandshakeKey = 17;
constexpr std::int16_t kSaslAuthenticateKey = 36;
// Between two times that a client begins anew.
constexpr DurationNs kLeastAgain_ns = kSecond_ns;

}  // namespace

bool SaslSession::begins_again(TimeNs now_ns) {
  if (expires_ns_ == kNever_ns) return false;
  if (began_again_ns_ && now_ns - *began_again_ns_ < kLeastAgain_ns) return false;
  began_again_ns_ = now_ns;
  return true;
}

SaslSession::Admission SaslSession::admit(std::int16_t api_key, TimeNs now_ns) {
  switch (state_) {
    case State::versions_or_handshake:
      if (api_key == kApiVersionsKey || api_key == kSaslHandshakeKey) return Admission::pass;
      break;
    case State::handshake:
      if (api_key == kSaslHandshakeKey) return Admission::pass;
      break;
    case State::messages:
      return api_key == kSaslAuthenticateKey ? Admission::pass : Admission::wrong_state;
    case State::bare_messages:
    case State::other_mechanism:
      break;
    case State::complete:
      if (api_key == kSaslHandshakeKey && begins_again(now_ns)) {
        again_ = true;
        state_ = State::handshake;
        return Admission::pass;
      }
      return now_ns > expires_ns_ ? Admission::expired : Admission::pass;
  }
  return Admission::unauthenticated;
}

void SaslSession::versions_told() noexcept {
  if (state_ == State::versions_or_handshake) state_ = State::handshake;
}

bool SaslSession::offers(sasl::Mechanism mechanism) const {
  const auto& offered = settings_.mechanisms;
  return std::find(offered.begin(), offered.end(), mechanism) != offered.end();
}

void SaslSession::begin(sasl::Mechanism mechanism, bool bare, std::string nonce) {
  WT_INVARIANT(awaits_handshake(), "kafka.sasl.state", "a handshake begins where none is awaited");
  if (again_ && mechanism != mechanism_) {
    state_ = State::other_mechanism;
    return;
  }
  mechanism_ = mechanism;
  exchange_ = sasl::begin_exchange(mechanism, std::move(nonce));
  state_ = bare ? State::bare_messages : State::messages;
}

sasl::Step SaslSession::evaluate(std::string_view message, const sasl::Users& users) {
  WT_INVARIANT(exchange_ != nullptr, "kafka.sasl.state", "a message comes before its mechanism");
  sasl::Step step = exchange_->evaluate(message, users);
  if (step.kind != sasl::Step::Kind::complete) return step;
  if (again_ && exchange_->user() != user_) {
    return {sasl::Step::Kind::failed,
            {},
            "Cannot change principals during re-authentication from User." + user_ + ": User." +
                exchange_->user()};
  }
  return step;
}

std::int64_t SaslSession::finish(TimeNs now_ns) {
  user_ = exchange_->user();
  exchange_.reset();
  state_ = State::complete;
  if (settings_.max_reauth_ns <= 0) return 0;
  expires_ns_ = saturating_add(now_ns, settings_.max_reauth_ns);
  return settings_.max_reauth_ns / kMillisecond_ns;
}

std::string SaslSession::failure_text() const {
  return std::string("Authentication failed during ") + (again_ ? "re-authentication" : "authentication") +
         " due to invalid credentials with SASL mechanism " + std::string(sasl::mechanism_name(mechanism_));
}

}  // namespace wt::kafka
