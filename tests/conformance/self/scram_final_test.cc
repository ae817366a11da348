// The last message of a SCRAM client, against the example of RFC 7677.
#include <catch2/catch.hpp>

#include "tests/conformance/runner/embedded.h"
#include "tests/conformance/runner/scram_final.h"

namespace wt::conformance {
namespace {

// r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096
constexpr const char* kChallenge =
    "cj1yT3ByTkdmd0ViZVJXZ2JORWtxTyVodllEcFdVYTJSYVRDQWZ1eEZJbGopaE5sRiRrMCxzPVcyMlphSjBTTlk3c29Fc1VFamI2Z1E9"
    "PSxpPTQwOTY=";

json::object example() {
  return {{"mechanism", "SCRAM-SHA-256"},
          {"password", "pencil"},
          {"first", "n,,n=user,r=rOprNGfwEbeRWgbNEkqO"},
          {"challenge", kChallenge}};
}

TEST_CASE("a row proves the password as a client does") {
  const auto message = scram_final(example());
  REQUIRE(message.ok());
  CHECK(*message ==
        "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
        "p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=");
}

TEST_CASE("what is no challenge is refused") {
  for (const char* field : {"mechanism", "first", "challenge"}) {
    json::object broken = example();
    broken[field] = "";
    CHECK_FALSE(scram_final(broken).ok());
  }
}

}  // namespace
}  // namespace wt::conformance
