// TLS at the edge: what a connection reads and sends is turned into plain text and back, in memory.
//
// The simulation and its recording see the plain text only; nothing random of TLS gets there.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/gateway/certificates.h"
#include "harness/gateway/read_buffer.h"

struct ssl_ctx_st;
struct ssl_st;

namespace wt::harness {

enum class ClientAuth : std::uint8_t { none, requested, required };

struct TlsOptions {
  // PEM files. Without a certificate the cluster makes its own.
  std::string certificate_file;
  std::string key_file;
  std::string client_ca_file;  // who signs clients' certificates; empty: our own authority
  ClientAuth client_auth = ClientAuth::none;
};

// What all connections share.
class TlsContext {
 public:
  static StatusOr<std::shared_ptr<TlsContext>> create(const TlsOptions& options);
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;
  ~TlsContext();
  // What was made here; empty when the certificate was given.
  const Certificates& certificates() const noexcept { return certificates_; }
  ssl_ctx_st* handle() const noexcept { return context_; }

 private:
  TlsContext();
  Status use_own();
  Status use_given(const TlsOptions& options);
  Status check_clients(const TlsOptions& options);

  ssl_ctx_st* context_;
  Certificates certificates_;
};

// One connection's server side.
class TlsEngine {
 public:
  explicit TlsEngine(const TlsContext& context);
  TlsEngine(const TlsEngine&) = delete;
  TlsEngine& operator=(const TlsEngine&) = delete;
  ~TlsEngine();

  enum class End : std::uint8_t { open, end_of_stream, failed };
  // Takes what came from the socket, all of it, and adds the plain text to `pieces`.
  End take(std::span<const std::uint8_t> bytes, ReadBuffer& buffer, std::vector<Slice>& pieces);
  // False when it failed.
  bool encrypt(std::span<const std::uint8_t> plain);
  // Tells the peer that nothing more comes.
  void end();
  // What has to be sent, as far as it is made; empty when nothing is.
  Slice output();
  bool established() const;
  // Why it failed.
  const std::string& failure() const noexcept { return failure_; }

 private:
  End failed(std::string why);

  ssl_st* ssl_;
  bool first_ = true;
  std::string failure_;
};

}  // namespace wt::harness
