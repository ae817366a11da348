#include "harness/gateway/certificates.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <memory>

namespace wt::harness {
namespace {

template <auto free>
struct Deleter {
  template <class T>
  void operator()(T* object) const {
    free(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Deleter<X509_free>>;
using Memory = std::unique_ptr<BIO, Deleter<BIO_free_all>>;

constexpr long kDay_s = 24L * 60 * 60;
constexpr long kLifetime_s = 3650 * kDay_s;

std::string text_of(BIO* bio) {
  char* data = nullptr;
  const long size_bytes = BIO_get_mem_data(bio, &data);
  return std::string(data, static_cast<std::size_t>(size_bytes));
}

std::string pem_of(X509* certificate) {
  const Memory bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(bio.get(), certificate);
  return text_of(bio.get());
}

// As PKCS#8, which Java reads too.
std::string pem_of(EVP_PKEY* key) {
  const Memory bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_PKCS8PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
  return text_of(bio.get());
}

bool extend(X509* certificate, X509* issuer, int what, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, what, value);
  if (extension == nullptr) return false;
  const bool added = X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return added;
}

void set_serial(X509* certificate) {
  unsigned char bytes[8];
  RAND_bytes(bytes, sizeof bytes);
  std::uint64_t serial = 0;
  for (const unsigned char byte : bytes) serial = serial << 8 | byte;
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1 | 1);
}

// Without extensions and signature.
Certificate begin(const char* name, EVP_PKEY* key) {
  Certificate certificate(X509_new());
  X509_set_version(certificate.get(), 2);
  set_serial(certificate.get());
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kDay_s);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kLifetime_s);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
  return certificate;
}

bool finish(X509* certificate, X509* issuer, EVP_PKEY* issuer_key) {
  X509_set_issuer_name(certificate, X509_get_subject_name(issuer));
  return X509_sign(certificate, issuer_key, EVP_sha256()) > 0;
}

Certificate issue(const char* name, const char* usage, const char* names, EVP_PKEY* key, X509* ca,
                  EVP_PKEY* ca_key) {
  Certificate certificate = begin(name, key);
  const bool made = extend(certificate.get(), ca, NID_basic_constraints, "critical,CA:FALSE") &&
                    extend(certificate.get(), ca, NID_key_usage, "critical,digitalSignature") &&
                    extend(certificate.get(), ca, NID_ext_key_usage, usage) &&
                    (names == nullptr || extend(certificate.get(), ca, NID_subject_alt_name, names)) &&
                    extend(certificate.get(), ca, NID_authority_key_identifier, "keyid") &&
                    finish(certificate.get(), ca, ca_key);
  return made ? std::move(certificate) : nullptr;
}

}  // namespace

StatusOr<Certificates> make_certificates() {
  const Status failed = make_status(StatusCode::kInternal, "OpenSSL cannot make certificates.");
  const Key ca_key(EVP_EC_gen("P-256"));
  const Key server_key(EVP_EC_gen("P-256"));
  const Key client_key(EVP_EC_gen("P-256"));
  if (!ca_key || !server_key || !client_key) return failed;
  const Certificate ca = begin("Wavetank test CA", ca_key.get());
  const bool made = extend(ca.get(), ca.get(), NID_basic_constraints, "critical,CA:TRUE") &&
                    extend(ca.get(), ca.get(), NID_key_usage, "critical,keyCertSign,cRLSign") &&
                    extend(ca.get(), ca.get(), NID_subject_key_identifier, "hash") &&
                    finish(ca.get(), ca.get(), ca_key.get());
  if (!made) return failed;
  const Certificate server = issue("localhost", "serverAuth", "DNS:localhost,IP:127.0.0.1,IP:::1",
                                   server_key.get(), ca.get(), ca_key.get());
  const Certificate client = issue("client", "clientAuth", nullptr, client_key.get(), ca.get(), ca_key.get());
  if (!server || !client) return failed;
  return Certificates{pem_of(ca.get()), pem_of(server.get()), pem_of(server_key.get()), pem_of(client.get()),
                      pem_of(client_key.get())};
}

}  // namespace wt::harness
