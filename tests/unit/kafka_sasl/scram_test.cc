// SCRAM with the examples of its RFC, with a transcript of a real broker, and with what clients get wrong.
#include "sim/kafka/sasl/scram.h"

#include <catch2/catch.hpp>

#include "sim/formats/base64.h"

using namespace wt;
using namespace wt::kafka::sasl;

namespace {

class OneUser final : public Users {
 public:
  OneUser(std::string user, ScramCredential credential)
      : user_(std::move(user)), credential_(std::move(credential)) {}
  std::optional<std::string> plain_password(std::string_view) const override { return std::nullopt; }
  std::optional<ScramCredential> scram(std::string_view user, Mechanism) const override {
    if (user != user_) return std::nullopt;
    return credential_;
  }

 private:
  std::string user_;
  ScramCredential credential_;
};

std::string bytes_of(std::string_view base64) {
  const auto bytes = base64_decode(base64, Base64Alphabet::kStandard);
  return std::string(bytes->begin(), bytes->end());
}
std::string text_of(std::string_view bytes) {
  return base64_encode({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()},
                       Base64Alphabet::kStandard);
}

// What a client that knows the password answers to the server's first message.
std::string client_final(Mechanism mechanism, const std::string& password, const std::string& client_first,
                         const std::string& server_first, const std::string& extra = {}) {
  const Digest digest = digest_of(mechanism);
  const std::size_t salt_at = server_first.find(",s=");
  const std::size_t count_at = server_first.find(",i=");
  const std::string nonce = server_first.substr(2, salt_at - 2);
  const std::string salt = bytes_of(server_first.substr(salt_at + 3, count_at - salt_at - 3));
  const std::string salted = pbkdf2(digest, password, salt, std::stoi(server_first.substr(count_at + 3)));
  const std::string client_key = hmac(digest, salted, "Client Key");
  const std::string without_proof = "c=biws,r=" + nonce;
  const std::string bare = client_first.substr(client_first.find(",n=") + 1);
  const std::string text = bare + "," + server_first + "," + without_proof;
  return without_proof + extra +
         ",p=" + text_of(exclusive_or(client_key, hmac(digest, hash(digest, client_key), text)));
}

const OneUser kAlice("al,i=ce", credential_of(Mechanism::scram_sha_256, "wonder", "salt", 4096));

Step::Kind first_of(const std::string& message) {
  ScramExchange exchange(Mechanism::scram_sha_256, "server");
  return exchange.evaluate(message, kAlice).kind;
}

}  // namespace

TEST_CASE("The example of RFC 7677") {
  const OneUser users(
      "user", credential_of(Mechanism::scram_sha_256, "pencil", bytes_of("W22ZaJ0SNY7soEsUEjb6gQ=="), 4096));
  ScramExchange exchange(Mechanism::scram_sha_256, "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0");
  const Step first = exchange.evaluate("n,,n=user,r=rOprNGfwEbeRWgbNEkqO", users);
  REQUIRE(first.kind == Step::Kind::challenge);
  CHECK(first.bytes ==
        "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096");
  const Step last = exchange.evaluate(
      "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
      "p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
      users);
  CHECK(last.kind == Step::Kind::complete);
  CHECK(last.bytes == "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
  CHECK(exchange.user() == "user");
}

TEST_CASE("A real broker's transcript with SHA-512") {
  const Mechanism mechanism = Mechanism::scram_sha_512;
  const OneUser users("carol", credential_of(mechanism, "pw1", "saltsaltsalt", 8192));
  ScramExchange exchange(mechanism, "5d1yrp63tlmgswvn0h6pl7lt5");
  const std::string client_first = "n,,n=carol,r=abcdefgh";
  const Step first = exchange.evaluate(client_first, users);
  CHECK(first.bytes == "r=abcdefgh5d1yrp63tlmgswvn0h6pl7lt5,s=c2FsdHNhbHRzYWx0,i=8192");
  const Step last = exchange.evaluate(client_final(mechanism, "pw1", client_first, first.bytes), users);
  CHECK(last.kind == Step::Kind::complete);
  CHECK(last.bytes ==
        "v=W5hxiMJdrIeMfJr+SyTe95F8CtMcaNelbcloHwj0dbCYXbh/6A37eyQzLZdnORUbd5R8ClrJUCwjSlWnmRXIRQ==");
}

TEST_CASE("What a SCRAM client may send first") {
  const auto kind = GENERATE(table<const char*, Step::Kind>({
      {"n,,n=al=2Ci=3Dce,r=abc", Step::Kind::challenge},
      {"n,,m=reserved,n=al=2Ci=3Dce,r=abc", Step::Kind::challenge},  // spoils the proof later
      {"n,,n=al=2Ci=3Dce,r=abc,foo=bar=baz", Step::Kind::challenge},
      {"n,,n=bob,r=abc", Step::Kind::failed},
      {"n,a=bob,n=al=2Ci=3Dce,r=abc", Step::Kind::failed},
      {"n,a=al=2Ci=3Dce,n=al=2Ci=3Dce,r=abc", Step::Kind::failed},  // compared before it is decoded
      {"y,,n=al=2Ci=3Dce,r=abc", Step::Kind::failed},
      {"p=tls-unique,,n=al=2Ci=3Dce,r=abc", Step::Kind::failed},
      {"n,,n=al=2Ci=3Dce,r=abc,tokenauth=true", Step::Kind::failed},
      {"n,,n=al=2Ci=3Dce,r=", Step::Kind::failed},
      {"n,,n=al=2Ci=3Dce,r=a c", Step::Kind::failed},
      {"n,,n=al=2Ci=3Dce,r=abc,", Step::Kind::failed},
      {"n,,n=al=2Ci=3Dce,r=abc,f2=bar", Step::Kind::failed},
      {"n,,n=al=20i=3Dce,r=abc", Step::Kind::failed},
      {"n,,n=,r=abc", Step::Kind::failed},
      {"n,,n=caf\xC3\xA9,r=abc", Step::Kind::failed},
      {"n,,r=abc", Step::Kind::failed},
      {"n,,", Step::Kind::failed},
      {"", Step::Kind::failed},
  }));
  INFO(std::get<0>(kind));
  CHECK(first_of(std::get<0>(kind)) == std::get<1>(kind));
}

TEST_CASE("What a SCRAM client may send last") {
  const std::string client_first = "n,,n=al=2Ci=3Dce,r=abc";
  ScramExchange exchange(Mechanism::scram_sha_256, "server");
  const std::string server_first = exchange.evaluate(client_first, kAlice).bytes;
  const std::string good = client_final(Mechanism::scram_sha_256, "wonder", client_first, server_first);
  const auto last = [&](const std::string& message) { return exchange.evaluate(message, kAlice).kind; };
  const std::string without_proof = good.substr(0, good.find(",p="));

  SECTION("the right proof") {
    CHECK(last(good) == Step::Kind::complete);
  }
  SECTION("an extension is not part of what is signed") {
    CHECK(last(client_final(Mechanism::scram_sha_256, "wonder", client_first, server_first, ",x=y")) ==
          Step::Kind::complete);
  }
  SECTION("another password") {
    CHECK(last(client_final(Mechanism::scram_sha_256, "wander", client_first, server_first)) ==
          Step::Kind::failed);
  }
  SECTION("a proof of the wrong length") {
    CHECK(last(without_proof + ",p=AAAA") == Step::Kind::broken);
    CHECK(last(without_proof + ",p=") == Step::Kind::broken);
  }
  SECTION("no proof at all") {
    CHECK(last(without_proof) == Step::Kind::failed);
    CHECK(last(without_proof + ",p=?") == Step::Kind::failed);
    CHECK(last("x") == Step::Kind::failed);
    CHECK(last("") == Step::Kind::failed);
  }
  SECTION("another nonce") {
    CHECK(last("c=biws,r=abc" + good.substr(good.find(",p="))) == Step::Kind::failed);
  }
  SECTION("something behind the proof") {
    CHECK(last(good + ",x=y") == Step::Kind::failed);
  }
}

TEST_CASE("A failure for an identity of another user says so, others keep silent") {
  ScramExchange exchange(Mechanism::scram_sha_256, "server");
  CHECK(exchange.evaluate("n,a=bob,n=al=2Ci=3Dce,r=abc", kAlice).message ==
        "Authentication failed: Client requested an authorization id that is different from username");
  ScramExchange other(Mechanism::scram_sha_256, "server");
  CHECK(other.evaluate("n,,n=bob,r=abc", kAlice).message.empty());
}
