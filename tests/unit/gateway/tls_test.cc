// TLS in memory: our side against OpenSSL's client, byte by byte, without sockets.
#include "harness/gateway/tls.h"

#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <catch2/catch.hpp>

using namespace wt;
using namespace wt::harness;

namespace {

class Client {
 public:
  Client(const Certificates& certificates, int version, bool with_certificate)
      : context_(SSL_CTX_new(TLS_client_method())) {
    SSL_CTX_set_min_proto_version(context_, version);
    SSL_CTX_set_max_proto_version(context_, version);
    X509* ca = read<X509>(certificates.ca, PEM_read_bio_X509);
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context_), ca);
    X509_free(ca);
    SSL_CTX_set_verify(context_, SSL_VERIFY_PEER, nullptr);
    if (with_certificate) {
      X509* certificate = read<X509>(certificates.client_certificate, PEM_read_bio_X509);
      EVP_PKEY* key = read<EVP_PKEY>(certificates.client_key, PEM_read_bio_PrivateKey);
      SSL_CTX_use_certificate(context_, certificate);
      SSL_CTX_use_PrivateKey(context_, key);
      X509_free(certificate);
      EVP_PKEY_free(key);
    }
    ssl_ = SSL_new(context_);
    SSL_set_bio(ssl_, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_connect_state(ssl_);
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_), "127.0.0.1");
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() {
    SSL_free(ssl_);
    SSL_CTX_free(context_);
  }

  void step() { SSL_do_handshake(ssl_); }
  void write(const std::string& text) { SSL_write(ssl_, text.data(), static_cast<int>(text.size())); }
  void end() { SSL_shutdown(ssl_); }
  std::string read() {
    std::string text;
    char part[1000];
    for (int got; (got = SSL_read(ssl_, part, sizeof part)) > 0;) text.append(part, got);
    return text;
  }
  std::string output() {
    std::string bytes(BIO_pending(SSL_get_wbio(ssl_)), '\0');
    if (!bytes.empty()) BIO_read(SSL_get_wbio(ssl_), bytes.data(), static_cast<int>(bytes.size()));
    return bytes;
  }
  void give(const Slice& bytes) {
    BIO_write(SSL_get_rbio(ssl_), bytes.data(), static_cast<int>(bytes.size()));
  }
  bool established() const { return SSL_is_init_finished(ssl_) == 1; }

 private:
  template <class T, class Read>
  static T* read(const std::string& text, Read from) {
    BIO* bio = BIO_new_mem_buf(text.data(), static_cast<int>(text.size()));
    T* object = from(bio, nullptr, nullptr, nullptr);
    BIO_free(bio);
    return object;
  }

  SSL_CTX* context_;
  SSL* ssl_;
};

struct Pair {
  explicit Pair(ClientAuth auth = ClientAuth::none, int version = TLS1_3_VERSION,
                bool with_certificate = false)
      : context(make(auth)), engine(*context), client(context->certificates(), version, with_certificate) {}

  static std::shared_ptr<TlsContext> make(ClientAuth auth) {
    TlsOptions options;
    options.client_auth = auth;
    return *TlsContext::create(options);
  }
  // Carries bytes both ways, `cut` at a time, until nobody has any.
  void carry(std::size_t cut = 1000) {
    for (bool moved = true; moved;) {
      client.step();
      moved = false;
      const std::string out = client.output();
      for (std::size_t at = 0; at < out.size() && end == TlsEngine::End::open; at += cut) {
        const std::string part = out.substr(at, cut);
        end = engine.take({reinterpret_cast<const std::uint8_t*>(part.data()), part.size()}, buffer, pieces);
        moved = true;
      }
      const Slice back = engine.output();
      if (back.empty()) continue;
      client.give(back);
      moved = true;
    }
  }
  std::string received() {
    std::string text(flatten(SliceList(pieces.begin(), pieces.end())).text());
    pieces.clear();
    return text;
  }

  std::shared_ptr<TlsContext> context;
  TlsEngine engine;
  Client client;
  ReadBuffer buffer;
  std::vector<Slice> pieces;
  TlsEngine::End end = TlsEngine::End::open;
};

}  // namespace

TEST_CASE("TLS carries text both ways, however the bytes are cut") {
  const int version = GENERATE(TLS1_2_VERSION, TLS1_3_VERSION);
  const std::size_t cut = GENERATE(1, 7, 100'000);
  Pair pair(ClientAuth::none, version);
  pair.carry(cut);
  REQUIRE(pair.client.established());
  REQUIRE(pair.engine.established());
  const std::string text(40'000, 'x');
  pair.client.write(text);
  pair.carry(cut);
  CHECK(pair.received() == text);
  const Slice answer = Slice::copy_of(text + "y");
  REQUIRE(pair.engine.encrypt(answer.bytes()));
  pair.client.give(pair.engine.output());
  CHECK(pair.client.read() == text + "y");
}

TEST_CASE("The end of what a TLS client says is not a failure") {
  Pair pair;
  pair.carry();
  pair.client.write("last");
  pair.client.end();
  pair.carry();
  CHECK(pair.end == TlsEngine::End::end_of_stream);
  CHECK(pair.received() == "last");
}

TEST_CASE("A client in plain text is recognised") {
  Pair pair;
  const std::uint8_t frame[] = {0, 0, 0, 10, 0, 18, 0, 0};
  CHECK(pair.engine.take(frame, pair.buffer, pair.pieces) == TlsEngine::End::failed);
  CHECK(pair.engine.failure() == "gateway.refused.plain_text");
}

TEST_CASE("What only begins like TLS fails") {
  Pair pair;
  const std::uint8_t junk[] = {0x16, 0x03, 0x01, 0x00, 0x04, 0xFF, 0xFF, 0xFF, 0xFF, 0x00};
  CHECK(pair.engine.take(junk, pair.buffer, pair.pieces) == TlsEngine::End::failed);
  CHECK(pair.engine.failure().starts_with("gateway.refused.tls: "));
}

TEST_CASE("A client may be asked for a certificate") {
  const auto auth = GENERATE(ClientAuth::none, ClientAuth::requested, ClientAuth::required);
  const bool with_certificate = GENERATE(false, true);
  Pair pair(auth, TLS1_3_VERSION, with_certificate);
  pair.carry();
  const bool refused = auth == ClientAuth::required && !with_certificate;
  CHECK((pair.end == TlsEngine::End::failed) == refused);
  CHECK(pair.engine.established() == !refused);
}

TEST_CASE("TLS options without sense are refused with a sentence") {
  TlsOptions options;
  SECTION("a certificate without its key") {
    options.certificate_file = "cert.pem";
  }
  SECTION("files that are not there") {
    options.certificate_file = "no-such-cert.pem";
    options.key_file = "no-such-key.pem";
  }
  SECTION("an authority that is not there") {
    options.client_ca_file = "no-such-ca.pem";
    options.client_auth = ClientAuth::required;
  }
  CHECK(TlsContext::create(options).status().code() == StatusCode::kInvalidArgument);
}
