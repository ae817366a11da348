// Any bytes as a client's messages of any mechanism: [0] the mechanism; the rest, cut at the first line end
// into two messages. Nobody without the password gets in.
#include <cstdlib>

#include "sim/kafka/sasl/scram.h"

namespace {

using namespace wt::kafka::sasl;

void require(bool condition) {
  if (!condition) std::abort();
}

class Alice final : public Users {
 public:
  std::optional<std::string> plain_password(std::string_view user) const override {
    if (user != "alice") return std::nullopt;
    return "wonder";
  }
  // Keys that no message can be made for.
  std::optional<ScramCredential> scram(std::string_view user, Mechanism mechanism) const override {
    if (user != "alice") return std::nullopt;
    const std::string key(size_bytes(digest_of(mechanism)), 'k');
    return ScramCredential{"salt", key, key, 4096};
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t length) {
  if (length == 0) return 0;
  const Mechanism mechanism = all_mechanisms()[data[0] % 3];
  const std::string_view all(reinterpret_cast<const char*>(data + 1), length - 1);
  const std::size_t end = all.find('\n');
  const auto exchange = begin_exchange(mechanism, "nonce");
  const Step first = exchange->evaluate(all.substr(0, end), Alice());
  if (first.kind == Step::Kind::complete) {
    require(mechanism == Mechanism::plain && exchange->user() == "alice");
    require(all.find("wonder") != std::string_view::npos);
  }
  require(first.kind != Step::Kind::challenge || mechanism != Mechanism::plain);
  if (first.kind != Step::Kind::challenge) return 0;
  require(first.bytes.find(",s=c2FsdA==,i=4096") != std::string::npos);
  const std::string_view last = end == std::string_view::npos ? std::string_view() : all.substr(end + 1);
  require(exchange->evaluate(last, Alice()).kind != Step::Kind::complete);
  return 0;
}
