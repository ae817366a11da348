// SaslHandshake (17) and SaslAuthenticate (36).
#include "sim/kafka/handlers/sasl.h"

#include "sim/broker/broker.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/handlers/service.h"
#include "sim/kafka/wire/messages/sasl.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

constexpr Version kFirstVersionWithRequests = 1;
constexpr std::size_t kNonceDigits = 25;

// PLAIN's users come from the options, SCRAM's from the metadata.
class BrokerUsers final : public sasl::Users {
 public:
  BrokerUsers(const SaslSettings& settings, const controller::MetadataImage& image)
      : settings_(settings), image_(image) {}
  std::optional<std::string> plain_password(std::string_view user) const override {
    const auto found = settings_.plain_users.find(user);
    if (found == settings_.plain_users.end()) return std::nullopt;
    return found->second;
  }
  std::optional<sasl::ScramCredential> scram(std::string_view user,
                                             sasl::Mechanism mechanism) const override {
    const sasl::ScramCredential* found = image_.scram(user, sasl::scram_type(mechanism));
    if (found == nullptr) return std::nullopt;
    return *found;
  }

 private:
  const SaslSettings& settings_;
  const controller::MetadataImage& image_;
};

std::string draw_nonce(Process& process) {
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
  RandomStream& random = process.random("kafka.sasl.nonce"_label);
  std::string nonce(kNonceDigits, '0');
  for (char& digit : nonce) digit = kDigits[random.below(kDigits.size())];
  return nonce;
}

SaslHandshakeResponse handshake_answer(const SaslSession& session, ErrorCode code) {
  SaslHandshakeResponse response;
  response.error_code = code;
  for (const sasl::Mechanism mechanism : session.settings().mechanisms)
    response.mechanisms.emplace_back(sasl::mechanism_name(mechanism));
  return response;
}

SaslAnswer failure(const SaslSession& session, std::string message) {
  SaslAnswer answer;
  answer.code = ErrorCode::kSaslAuthenticationFailed;
  answer.message = message.empty() ? session.failure_text() : std::move(message);
  return answer;
}

SaslAnswer broken(const SaslSession& session) {
  SaslAnswer answer = failure(session, {});
  answer.silent = true;
  return answer;
}

void log_failure(Process& process, KafkaService& service, const ConnectionState& connection,
                 std::string_view why, std::uint64_t detail) {
  process.trace("kafka.sasl.failed"_label, connection.id, detail);
  service.log_refusal(why, connection.id, static_cast<std::int64_t>(detail));
}

}  // namespace

Task<SaslAnswer> answer_sasl_message(Process& process, broker::Broker& broker, KafkaService& service,
                                     ConnectionState& connection, const Slice& message) {
  SaslSession& session = *connection.sasl;
  const BrokerUsers users(session.settings(), broker.image());
  sasl::Step step = session.evaluate(message.text(), users);
  SaslAnswer answer;
  auto refused_with = ErrorCode::kSaslAuthenticationFailed;
  if (step.kind == sasl::Step::Kind::challenge) {
    answer.bytes = std::move(step.bytes);
    co_return answer;
  }
  if (step.kind == sasl::Step::Kind::complete) {
    FaultSite site("kafka.sasl.authenticated"_label);
    site.broker = broker.id();
    site.connection = connection.id;
    const FaultDecision fault = co_await broker.rules().at(process, site);
    if (fault.is(FaultAction::close)) step.kind = sasl::Step::Kind::broken;
    if (fault.is(FaultAction::answer)) {
      step.kind = sasl::Step::Kind::failed;
      refused_with = static_cast<ErrorCode>(fault.error_code);
    }
  }
  if (step.kind == sasl::Step::Kind::complete) {
    answer.bytes = std::move(step.bytes);
    answer.session_lifetime_ms = session.finish(process.now());
    process.trace("kafka.sasl.authenticated"_label, connection.id, hash_text(session.user()));
    co_return answer;
  }
  answer = step.kind == sasl::Step::Kind::broken ? broken(session) : failure(session, step.message);
  answer.code = refused_with;
  log_failure(process, service, connection, "kafka.refused.credentials", 0);
  co_return answer;
}

Task<Reply> handle_sasl_handshake(RequestContext& context) {
  const auto& request = context.body<SaslHandshakeRequest>();
  SaslSession* const session = context.connection.sasl.get();
  if (session == nullptr || !session->awaits_handshake()) {
    SaslHandshakeResponse response;
    response.error_code = ErrorCode::kIllegalSaslState;
    co_return answer_with(std::move(response));
  }
  const std::optional<sasl::Mechanism> mechanism = sasl::mechanism_from_name(request.mechanism);
  if (mechanism && session->offers(*mechanism)) {
    std::string nonce = draw_nonce(context.process);
    session->begin(*mechanism, context.version() < kFirstVersionWithRequests, std::move(nonce));
    co_return answer_with(handshake_answer(*session, ErrorCode::kNone));
  }
  log_failure(context.process, context.service, context.connection, "kafka.refused.mechanism",
              hash_text(request.mechanism));
  if (session->again()) co_return Reply(Reply::Kind::close);
  Reply reply = answer_with(handshake_answer(*session, ErrorCode::kUnsupportedSaslMechanism));
  reply.last = true;
  co_return reply;
}

Task<Reply> handle_sasl_authenticate(RequestContext& context) {
  const auto& request = context.body<SaslAuthenticateRequest>();
  SaslAuthenticateResponse response;
  if (context.connection.sasl == nullptr || context.connection.sasl->complete()) {
    response.error_code = ErrorCode::kIllegalSaslState;
    response.error_message = "SaslAuthenticate request received after successful authentication";
    co_return answer_with(std::move(response));
  }
  SaslAnswer answer = co_await answer_sasl_message(context.process, context.broker, context.service,
                                                   context.connection, request.auth_bytes);
  if (answer.silent) co_return Reply(Reply::Kind::close);
  response.error_code = answer.code;
  response.error_message = std::move(answer.message);
  response.auth_bytes = Slice::copy_of(answer.bytes);
  response.session_lifetime_ms = answer.session_lifetime_ms;
  Reply reply = answer_with(std::move(response));
  reply.last = answer.code != ErrorCode::kNone;
  co_return reply;
}

}  // namespace wt::kafka
