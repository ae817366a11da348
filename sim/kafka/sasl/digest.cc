#include "sim/kafka/sasl/digest.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "sim/kernel/finding.h"

namespace wt::kafka::sasl {
namespace {

const EVP_MD* method(Digest digest) noexcept {
  return digest == Digest::sha256 ? EVP_sha256() : EVP_sha512();
}

unsigned char* writable(std::string& text) noexcept {
  return reinterpret_cast<unsigned char*>(text.data());
}
const unsigned char* readable(std::string_view text) noexcept {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

std::size_t size_bytes(Digest digest) noexcept {
  return digest == Digest::sha256 ? 32 : 64;
}

std::string hash(Digest digest, std::string_view data) {
  std::string out(size_bytes(digest), '\0');
  const int done = EVP_Digest(data.data(), data.size(), writable(out), nullptr, method(digest), nullptr);
  WT_INVARIANT(done == 1, "kafka.sasl.digest", "a digest cannot be computed");
  return out;
}

std::string hmac(Digest digest, std::string_view key, std::string_view data) {
  std::string out(size_bytes(digest), '\0');
  // A null key would mean "the key of before".
  const char* const from = key.empty() ? "" : key.data();
  const unsigned char* done = HMAC(method(digest), from, static_cast<int>(key.size()), readable(data),
                                   data.size(), writable(out), nullptr);
  WT_INVARIANT(done != nullptr, "kafka.sasl.digest", "an HMAC cannot be computed");
  return out;
}

std::string pbkdf2(Digest digest, std::string_view password, std::string_view salt, std::int32_t iterations) {
  std::string out(size_bytes(digest), '\0');
  const int done = PKCS5_PBKDF2_HMAC(password.data(), static_cast<int>(password.size()), readable(salt),
                                     static_cast<int>(salt.size()), iterations, method(digest),
                                     static_cast<int>(out.size()), writable(out));
  WT_INVARIANT(done == 1, "kafka.sasl.digest", "a password cannot be salted");
  return out;
}

std::string exclusive_or(std::string_view a, std::string_view b) {
  WT_INVARIANT(a.size() == b.size(), "kafka.sasl.digest", "bytes of two lengths cannot be combined");
  std::string out(a);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<char>(out[i] ^ b[i]);
  return out;
}

}  // namespace wt::kafka::sasl
