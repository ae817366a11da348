#include "harness/gateway/tls.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <algorithm>

namespace wt::harness {
namespace {

constexpr std::uint8_t kHandshakeRecord = 0x16;

// The last thing that OpenSSL says, and forgets.
std::string last_error() {
  const unsigned long code = ERR_peek_last_error();
  const char* reason = ERR_reason_error_string(code);
  ERR_clear_error();
  return reason == nullptr ? "unknown error" : reason;
}

Status bad(const std::string& what) {
  return make_status(StatusCode::kInvalidArgument, what + ": " + last_error());
}

template <class T, class Read>
T* from_pem(const std::string& text, Read read) {
  BIO* bio = BIO_new_mem_buf(text.data(), static_cast<int>(text.size()));
  T* object = read(bio, nullptr, nullptr, nullptr);
  BIO_free(bio);
  return object;
}

}  // namespace

TlsContext::TlsContext() : context_(SSL_CTX_new(TLS_server_method())) {
  SSL_CTX_set_min_proto_version(context_, TLS1_2_VERSION);
  SSL_CTX_set_mode(context_, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_options(context_, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET);
  // A connection that is gone is not taken up again: each one begins with a whole handshake.
  SSL_CTX_set_session_cache_mode(context_, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context_, 0);
}

TlsContext::~TlsContext() {
  SSL_CTX_free(context_);
}

StatusOr<std::shared_ptr<TlsContext>> TlsContext::create(const TlsOptions& options) {
  std::shared_ptr<TlsContext> context(new TlsContext());
  if (options.certificate_file.empty() != options.key_file.empty()) {
    return make_status(StatusCode::kInvalidArgument, "A TLS certificate and its key are given together.");
  }
  Status status = options.certificate_file.empty() ? context->use_own() : context->use_given(options);
  if (status.ok()) status = context->check_clients(options);
  if (!status.ok()) return status;
  return context;
}

Status TlsContext::use_own() {
  StatusOr<Certificates> made = make_certificates();
  if (!made.ok()) return made.status();
  certificates_ = std::move(*made);
  X509* certificate = from_pem<X509>(certificates_.server_certificate, PEM_read_bio_X509);
  EVP_PKEY* key = from_pem<EVP_PKEY>(certificates_.server_key, PEM_read_bio_PrivateKey);
  const bool used =
      SSL_CTX_use_certificate(context_, certificate) == 1 && SSL_CTX_use_PrivateKey(context_, key) == 1;
  X509_free(certificate);
  EVP_PKEY_free(key);
  return used ? ok_status() : bad("The own certificate cannot be used");
}

Status TlsContext::use_given(const TlsOptions& options) {
  if (SSL_CTX_use_certificate_chain_file(context_, options.certificate_file.c_str()) != 1)
    return bad("The TLS certificate '" + options.certificate_file + "' cannot be used");
  if (SSL_CTX_use_PrivateKey_file(context_, options.key_file.c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_check_private_key(context_) != 1) {
    return bad("The TLS key '" + options.key_file + "' cannot be used");
  }
  return ok_status();
}

Status TlsContext::check_clients(const TlsOptions& options) {
  if (options.client_auth == ClientAuth::none) return ok_status();
  if (!options.client_ca_file.empty()) {
    if (SSL_CTX_load_verify_locations(context_, options.client_ca_file.c_str(), nullptr) != 1)
      return bad("The TLS authority '" + options.client_ca_file + "' cannot be used");
    SSL_CTX_set_client_CA_list(context_, SSL_load_client_CA_file(options.client_ca_file.c_str()));
  } else if (!certificates_.ca.empty()) {
    X509* ca = from_pem<X509>(certificates_.ca, PEM_read_bio_X509);
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context_), ca);
    SSL_CTX_add_client_CA(context_, ca);
    X509_free(ca);
  } else {
    return make_status(StatusCode::kInvalidArgument,
                       "To ask clients for certificates, name the authority that signs them.");
  }
  const int required = options.client_auth == ClientAuth::required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0;
  SSL_CTX_set_verify(context_, SSL_VERIFY_PEER | required, nullptr);
  return ok_status();
}

// --- one connection ---

TlsEngine::TlsEngine(const TlsContext& context) : ssl_(SSL_new(context.handle())) {
  SSL_set_bio(ssl_, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_set_accept_state(ssl_);
}

TlsEngine::~TlsEngine() {
  SSL_free(ssl_);
}

bool TlsEngine::established() const {
  return SSL_is_init_finished(ssl_) == 1;
}

TlsEngine::End TlsEngine::failed(std::string why) {
  ERR_clear_error();
  failure_ = std::move(why);
  return End::failed;
}

TlsEngine::End TlsEngine::take(std::span<const std::uint8_t> bytes, ReadBuffer& buffer,
                               std::vector<Slice>& pieces) {
  if (!bytes.empty() && std::exchange(first_, false) && bytes.front() != kHandshakeRecord)
    return failed("gateway.refused.plain_text");
  ERR_clear_error();
  if (BIO_write(SSL_get_rbio(ssl_), bytes.data(), static_cast<int>(bytes.size())) !=
      static_cast<int>(bytes.size())) {
    return failed("gateway.refused.tls: no memory");
  }
  for (;;) {
    const std::span<std::uint8_t> room = buffer.room();
    std::size_t got = 0;
    if (SSL_read_ex(ssl_, room.data(), room.size(), &got) == 1) {
      pieces.push_back(buffer.take(got));
      continue;
    }
    switch (SSL_get_error(ssl_, 0)) {
      case SSL_ERROR_WANT_READ:
      case SSL_ERROR_WANT_WRITE:
        return End::open;
      case SSL_ERROR_ZERO_RETURN:
        return End::end_of_stream;
      default:
        return failed("gateway.refused.tls: " + last_error());
    }
  }
}

bool TlsEngine::encrypt(std::span<const std::uint8_t> plain) {
  ERR_clear_error();
  std::size_t written = 0;
  // A memory takes all that it is given.
  return SSL_write_ex(ssl_, plain.data(), plain.size(), &written) == 1 && written == plain.size();
}

void TlsEngine::end() {
  ERR_clear_error();
  if (established()) SSL_shutdown(ssl_);
}

Slice TlsEngine::output() {
  char* data = nullptr;
  BIO* const out = SSL_get_wbio(ssl_);
  const long size_bytes = BIO_get_mem_data(out, &data);
  if (size_bytes <= 0) return Slice();
  Slice slice = Slice::copy_of(
      std::span(reinterpret_cast<const std::uint8_t*>(data), static_cast<std::size_t>(size_bytes)));
  (void)BIO_reset(out);
  return slice;
}

}  // namespace wt::harness
