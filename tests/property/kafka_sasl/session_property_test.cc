// Clients of a SASL listener that send anything in any order, against a small model of how far each has come:
//   - every frame is answered, or the connection ends;
//   - nobody gets at the cluster who has not proved a password on this connection, and for this session;
//   - before that no more is kept of a client than the largest message that it may send.
#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "tests/unit/kafka_handlers/sasl_client.h"

namespace {

using namespace wt;
using namespace wt::kafka;
using kafka::sasl::Mechanism;
using test::KafkaSim;
using test::sasl_cluster;

constexpr std::int64_t kLargestMessage_bytes = 524'288;
constexpr DurationNs kLifetime_ns = 10 * kSecond_ns;
constexpr DurationNs kLeastAgain_ns = kSecond_ns;

enum class Kind : std::uint8_t {
  api_versions,
  handshake,
  bare_handshake,  // version 0: bare messages follow
  unknown_mechanism,
  right,    // the message that brings the client on
  wrong,    // well-formed, of another password or user
  garbage,  // of no mechanism
  metadata,
  wait,
  half_a_frame,
  too_large,
};
constexpr Kind kKinds[] = {Kind::api_versions, Kind::handshake,      Kind::handshake,
                           Kind::handshake,    Kind::bare_handshake, Kind::unknown_mechanism,
                           Kind::right,        Kind::right,          Kind::right,
                           Kind::right,        Kind::wrong,          Kind::garbage,
                           Kind::metadata,     Kind::metadata,       Kind::wait,
                           Kind::half_a_frame, Kind::too_large};
constexpr Mechanism kMechanisms[] = {Mechanism::plain, Mechanism::scram_sha_256, Mechanism::scram_sha_512};

struct Frame {
  Kind kind;
  std::uint8_t detail;
  bool bare;  // a message without a request around it
};
void showValue(const Frame& frame, std::ostream& out) {
  out << "{" << int(frame.kind) << ", " << int(frame.detail) << (frame.bare ? ", bare}" : "}");
}
rc::Gen<Frame> any_frame() {
  return rc::gen::map(rc::gen::arbitrary<std::array<std::uint8_t, 3>>(), [](std::array<std::uint8_t, 3> raw) {
    return Frame{kKinds[raw[0] % std::size(kKinds)], raw[1], raw[2] % 5 == 0};
  });
}

// --- the model ---

enum class Stage : std::uint8_t { start, versions_told, messages, bare_messages, other_mechanism, logged_in };

struct Expected {
  bool answered = false;
  bool closes = false;
  std::optional<ErrorCode> code;  // of the answer, where it matters
  bool may_be_answered = false;   // on the way out
};
Expected answer(ErrorCode code, bool closes = false) {
  return {.answered = true, .closes = closes, .code = code};
}
constexpr Expected kCloses{.answered = false, .closes = true, .code = {}};

struct Model {
  bool with_lifetime = false;
  Stage stage = Stage::start;
  Mechanism mechanism = Mechanism::plain;
  int step = 0;  // of the mechanism
  bool again = false;
  std::string user;
  std::string tries;  // who the messages so far speak of
  TimeNs expires_ns = kNever_ns;
  TimeNs began_ns = -kMinute_ns;

  bool awaits_bare() const { return stage == Stage::bare_messages; }

  Expected request(std::int16_t key, TimeNs now_ns) {
    switch (stage) {
      case Stage::start:
        if (key == kApiVersionsKey) stage = Stage::versions_told;
        return key == kApiVersionsKey ? answer(ErrorCode::kNone) : kCloses;
      case Stage::versions_told:
      case Stage::other_mechanism:
        return kCloses;
      case Stage::messages:
        return {.answered = true, .closes = true, .code = {}};
      case Stage::bare_messages:
        return kCloses;  // it is no message of a mechanism
      case Stage::logged_in:
        break;
    }
    if (now_ns > expires_ns) return kCloses;
    return {.answered = true, .closes = false, .code = {}};
  }
  Expected handshake(std::optional<Mechanism> wanted, bool bare, TimeNs now_ns) {
    if (stage == Stage::logged_in) {
      const bool begins = with_lifetime && now_ns - began_ns >= kLeastAgain_ns;
      if (!begins) return now_ns > expires_ns ? kCloses : answer(ErrorCode::kIllegalSaslState);
      began_ns = now_ns;
      again = true;
    } else if (stage == Stage::messages) {
      return answer(ErrorCode::kIllegalSaslState, true);
    } else if (stage != Stage::start && stage != Stage::versions_told) {
      return kCloses;
    }
    if (!wanted) return again ? kCloses : answer(ErrorCode::kUnsupportedSaslMechanism, true);
    stage = bare ? Stage::bare_messages : Stage::messages;
    if (again && *wanted != mechanism) stage = Stage::other_mechanism;
    if (stage != Stage::other_mechanism) mechanism = *wanted;
    step = 0;
    return answer(ErrorCode::kNone);
  }
  // `good`: it brings the exchange on. `user`: who it speaks of.
  Expected message(bool good, const std::string& of_user, bool bare, TimeNs now_ns) {
    if (!bare && stage == Stage::logged_in) {
      return now_ns > expires_ns ? kCloses : answer(ErrorCode::kIllegalSaslState);
    }
    if (bare != (stage == Stage::bare_messages)) {
      // Bytes that are no request, or a request that is no message.
      return {.answered = false, .closes = true, .code = {}, .may_be_answered = true};
    }
    if (stage != Stage::messages && stage != Stage::bare_messages) return kCloses;
    const Expected failed = bare ? kCloses : answer(ErrorCode::kSaslAuthenticationFailed, true);
    if (!good) return failed;
    if (step == 0) tries = of_user;
    const bool is_last = mechanism == Mechanism::plain || step == 1;
    ++step;
    if (!is_last) return answer(ErrorCode::kNone);
    if (again && tries != user) return failed;
    user = tries;
    stage = Stage::logged_in;
    if (with_lifetime) expires_ns = now_ns + kLifetime_ns;
    return answer(ErrorCode::kNone);
  }
};

// --- a client that knows the passwords ---

class Client {
 public:
  Client(KafkaSim& sim, bool with_lifetime) : sim_(sim), connection_(sim.connect(1)) {
    model_.with_lifetime = with_lifetime;
  }

  // False when the connection has ended.
  bool play(const Frame& frame) {
    if (frame.kind == Kind::wait) {
      sim_.run((frame.detail % 4 == 0 ? 11 * kSecond_ns : frame.detail % 2 * kSecond_ns) + kMillisecond_ns);
      return true;
    }
    if (frame.kind == Kind::half_a_frame) return end_with_half(frame.detail);
    const Expected expected = send(frame);
    sim_.run(kMillisecond_ns);
    const std::string bytes = taken();
    if (!expected.may_be_answered) RC_ASSERT(expected.answered == !bytes.empty());
    RC_ASSERT(expected.closes == connection_.closed);
    if (expected.code && !bytes.empty()) RC_ASSERT(code_in(bytes) == expected.code);
    if (!bytes.empty() && sent_key_ == test::kAuthenticateKey) remember_challenge(bytes);
    if (!bytes.empty() && sent_key_ < 0) challenge_ = bytes.substr(4);
    // What the model says must also be true of what was really proved.
    if (sent_key_ == test::kMetadataKey && !bytes.empty() && !connection_.closed) RC_ASSERT(proved_);
    return !connection_.closed;
  }

 private:
  using Request = SaslAuthenticateRequest;

  Expected send(const Frame& frame) {
    const TimeNs now_ns = sim_.cluster.kernel().now();
    sent_version_ = 1;
    if (frame.kind == Kind::api_versions) {
      write(kApiVersionsKey, 0, ApiVersionsRequest());
      return model_.request(kApiVersionsKey, now_ns);
    }
    if (frame.kind == Kind::metadata) {
      write(test::kMetadataKey, 1, MetadataRequest());
      return model_.request(test::kMetadataKey, now_ns);
    }
    if (frame.kind == Kind::too_large) return send_too_large(now_ns);
    if (frame.kind == Kind::handshake || frame.kind == Kind::bare_handshake ||
        frame.kind == Kind::unknown_mechanism) {
      std::optional<Mechanism> wanted;
      if (frame.kind != Kind::unknown_mechanism) wanted = kMechanisms[frame.detail % std::size(kMechanisms)];
      SaslHandshakeRequest request;
      request.mechanism = wanted ? std::string(sasl::mechanism_name(*wanted)) : "NOTHING";
      const bool bare = frame.kind == Kind::bare_handshake;
      write(test::kHandshakeKey, bare ? 0 : 1, request);
      return model_.handshake(wanted, bare, now_ns);
    }
    return send_message(frame, now_ns);
  }
  Expected send_message(const Frame& frame, TimeNs now_ns) {
    const std::string user = frame.detail % 4 == 0 ? "bob" : "alice";
    const std::string password = user == "bob" ? "builder" : "wonder";
    const bool is_under_way = model_.stage == Stage::messages || model_.stage == Stage::bare_messages;
    const bool is_first = !is_under_way || model_.step == 0;
    const bool is_right = frame.kind == Kind::right;
    std::string text = "\x01garbage";
    if (frame.kind != Kind::garbage && model_.mechanism == Mechanism::plain) {
      text = std::string(1, '\0') + user + std::string(1, '\0') + (is_right ? password : "guess");
    } else if (frame.kind != Kind::garbage && is_first) {
      text = "n,,n=" + (is_right ? user : "nobody") + ",r=clientnonce";
    } else if (frame.kind != Kind::garbage) {
      text = test::scram_final_message(model_.mechanism, is_right ? password_ : "guess",
                                       "n=" + model_.tries + ",r=clientnonce", challenge_);
    }
    if (is_first) password_ = password;
    // A lucky frame of the wrong sort is still no message.
    const bool bare = frame.bare != model_.awaits_bare();
    if (bare) {
      write_bare(text);
    } else {
      Request request;
      request.auth_bytes = Slice::copy_of(text);
      write(test::kAuthenticateKey, 2, request);
      sent_version_ = 2;
    }
    const Expected expected = model_.message(is_right, user, bare, now_ns);
    if (is_right && model_.stage == Stage::logged_in) proved_ = true;
    return expected;
  }
  // Only the length: nobody waits for the rest.
  Expected send_too_large(TimeNs now_ns) {
    const bool is_in = model_.stage == Stage::logged_in;
    ByteWriter out;
    out.i32(static_cast<std::int32_t>(is_in ? std::int64_t{1} << 30 : kLargestMessage_bytes + 1));
    sent_key_ = -1;
    sim_.send_bytes(connection_, Slice::copy_of(out.take()));
    static_cast<void>(now_ns);
    return kCloses;
  }
  // What has come of a frame is all that is kept of it; it is the last of this client.
  bool end_with_half(std::uint8_t detail) {
    ByteWriter out;
    out.i32(static_cast<std::int32_t>(kLargestMessage_bytes));
    out.text(std::string(detail, 'x'));
    sim_.send_bytes(connection_, Slice::copy_of(out.take()));
    sim_.run(kMillisecond_ns);
    RC_ASSERT(taken().empty());
    RC_ASSERT(!connection_.closed);
    RC_ASSERT(sim_.cluster.read_ahead_bytes(connection_.id) <= 4U + detail);
    return false;
  }

  template <class Body>
  void write(std::int16_t key, Version version, const Body& body) {
    sent_key_ = key;
    sim_.send(connection_, key, version, body);
  }
  void write_bare(const std::string& text) {
    sent_key_ = -1;
    ByteWriter out;
    out.i32(static_cast<std::int32_t>(text.size()));
    sim_.send_bytes(connection_, flatten(SliceList{Slice::copy_of(out.take()), Slice::copy_of(text)}));
  }
  std::string taken() {
    Streams::External out = sim_.cluster.streams().external_take(connection_.id);
    std::string bytes;
    for (const Slice& slice : out.bytes) bytes += slice.text();
    connection_.closed = connection_.closed || out.ended || out.reset;
    return bytes;
  }
  // Behind the length and the correlation id, in the versions that are used here.
  std::optional<ErrorCode> code_in(const std::string& bytes) const {
    if (sent_key_ < 0) return ErrorCode::kNone;                          // a bare message that was answered
    const std::size_t at = sent_key_ == test::kAuthenticateKey ? 9 : 8;  // a flexible header has tags
    if (bytes.size() < at + 2) return std::nullopt;
    const auto high = static_cast<std::uint8_t>(bytes[at]);
    return static_cast<ErrorCode>((high << 8) | static_cast<std::uint8_t>(bytes[at + 1]));
  }
  void remember_challenge(const std::string& bytes) {
    const auto response =
        decode_response(*find_api(test::kAuthenticateKey), sent_version_, Slice::copy_of(bytes.substr(4)));
    RC_ASSERT(response.ok());
    challenge_ = std::string(response->body.get<SaslAuthenticateResponse>()->auth_bytes.text());
  }

  KafkaSim& sim_;
  KafkaSim::Connection connection_;
  Model model_;
  std::int16_t sent_key_ = -1;
  Version sent_version_ = 1;
  std::string challenge_;
  std::string password_;
  bool proved_ = false;
};

TEST_CASE("clients of a SASL listener get nowhere without a password") {
  const bool ok = rc::check("frames in any order", [] {
    const auto with_lifetime = *rc::gen::arbitrary<bool>();
    const auto clients = *rc::gen::container<std::vector<std::vector<Frame>>>(
        rc::gen::container<std::vector<Frame>>(any_frame()));
    cluster::ClusterOptions options = sasl_cluster();
    if (with_lifetime) options.security.max_reauth_ns = kLifetime_ns;
    KafkaSim sim(options);
    for (const std::vector<Frame>& frames : clients) {
      Client client(sim, with_lifetime);
      for (const Frame& frame : frames) {
        if (!client.play(frame)) break;
      }
    }
    RC_ASSERT(sim.finding().empty());
  });
  CHECK(ok);
}

}  // namespace
