// Passwords for SCRAM in the metadata: what a request may ask, with a real broker's sentences.
#include <catch2/catch.hpp>

#include "tests/unit/controller/cluster.h"

using namespace wt;
using namespace wt::controller;

namespace {

ScramCredential credential(std::int32_t iterations = 4096) {
  return {"salt", "stored", "server", iterations};
}

// "user: code sentence" of every result.
std::vector<std::string> answers(TestCluster& cluster, const AlterUserScram& request) {
  std::vector<std::string> out;
  const auto answer = cluster.ask(request);
  REQUIRE(answer.has_value());
  for (const auto& result : answer->results) {
    out.push_back(result.user + ": " + std::to_string(static_cast<int>(result.error.code)) + " " +
                  result.error.message);
  }
  return out;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a password is kept, replaced and removed, also over a restart of the controller", "[controller]") {
  TestCluster cluster(1);
  AlterUserScram request;
  request.upsertions.push_back({"alice", kScramSha256, credential()});
  CHECK(answers(cluster, request) == Texts{"alice: 0 "});
  request.upsertions.front().credential = credential(8192);
  CHECK(answers(cluster, request) == Texts{"alice: 0 "});
  cluster.restart_controller();
  const ImagePtr image = cluster.controller().image();
  REQUIRE(image->scram("alice", kScramSha256) != nullptr);
  CHECK(image->scram("alice", kScramSha256)->iterations == 8192);
  CHECK(image->scram("alice", kScramSha512) == nullptr);
  AlterUserScram removal;
  removal.deletions.push_back({"alice", kScramSha256});
  CHECK(answers(cluster, removal) == Texts{"alice: 0 "});
  CHECK(answers(cluster, removal) ==
        Texts{"alice: 91 Attempt to delete a user credential that does not exist"});
}

TEST_CASE("what is no password is refused, user by user", "[controller]") {
  TestCluster cluster(1);
  AlterUserScram request;
  request.upsertions.push_back({"few", kScramSha256, credential(4095)});
  request.upsertions.push_back({"many", kScramSha256, credential(16385)});
  request.upsertions.push_back({"most", kScramSha256, credential(16384)});
  request.upsertions.push_back({"", 3, credential()});
  request.upsertions.push_back({"other", 3, credential()});
  request.upsertions.push_back({"keyless", kScramSha512, {"salt", "", "", 4096}});
  request.deletions.push_back({"ghost", kScramSha256});
  request.deletions.push_back({"unknown", 0});
  CHECK(answers(cluster, request) ==
        Texts{"most: 0 ", "keyless: -1 ", "ghost: 91 Attempt to delete a user credential that does not exist",
              "unknown: 33 Unknown SCRAM mechanism", "few: 93 Too few iterations",
              "many: 93 Too many iterations", ": 93 Username must not be empty",
              "other: 33 Unknown SCRAM mechanism"});
}

TEST_CASE("one request changes a user once", "[controller]") {
  TestCluster cluster(1);
  AlterUserScram request;
  request.upsertions.push_back({"alice", kScramSha256, credential()});
  request.upsertions.push_back({"bob", kScramSha256, credential()});
  CHECK(answers(cluster, request).size() == 2);
  request.deletions.push_back({"alice", kScramSha256});
  request.upsertions.push_back({"bob", kScramSha512, credential()});
  request.upsertions.push_back({"bob", kScramSha512, credential()});
  request.upsertions.push_back({"carol", kScramSha512, credential()});
  const std::string twice = ": 92 A user credential cannot be altered twice in the same request";
  CHECK(answers(cluster, request) == Texts{"carol: 0 ", "alice" + twice, "bob" + twice});
  const ImagePtr image = cluster.controller().image();
  CHECK(image->scram("alice", kScramSha256) != nullptr);
  CHECK(image->scram("bob", kScramSha512) == nullptr);
}
