#include "sim/kafka/sasl/plain.h"

namespace wt::kafka::sasl {
namespace {

constexpr std::size_t kTokens = 3;  // whom to act as, user, password

// Cut at the zero bytes, at most one token more than there should be.
std::vector<std::string_view> tokens_of(std::string_view message) {
  std::vector<std::string_view> tokens;
  while (tokens.size() <= kTokens) {
    const std::size_t end = message.find('\0');
    tokens.push_back(message.substr(0, end));
    if (end == std::string_view::npos) break;
    message.remove_prefix(end + 1);
  }
  return tokens;
}

Step failed(std::string message) {
  return {Step::Kind::failed, {}, std::move(message)};
}

}  // namespace

Step PlainExchange::evaluate(std::string_view message, const Users& users) {
  const std::vector<std::string_view> tokens = tokens_of(message);
  if (tokens.size() != kTokens) {
    return failed("Invalid SASL/PLAIN response: expected 3 tokens, got " + std::to_string(tokens.size()));
  }
  const std::string_view act_as = tokens[0];
  const std::string_view user = tokens[1];
  const std::string_view password = tokens[2];
  if (user.empty()) return failed("Authentication failed: username not specified");
  if (password.empty()) return failed("Authentication failed: password not specified");
  if (users.plain_password(user) != password)
    return failed("Authentication failed: Invalid username or password");
  if (!act_as.empty() && act_as != user) {
    return failed(
        "Authentication failed: Client requested an authorization id that is different from username");
  }
  user_ = user;
  return {Step::Kind::complete, {}, {}};
}

}  // namespace wt::kafka::sasl
