// HTTP/1.1 in front of the control API: sockets, limits and time-outs. Boost.Beast stays in http_server.cc.
//
// One thread for the sockets and a few that carry out calls, which may wait for the cluster. A malformed,
// slow or oversized request is answered or dropped on its own connection and disturbs nothing else.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "harness/control/api.h"

namespace wt::harness {

struct HttpServerOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free one
  std::size_t max_body_bytes = 1024 * 1024;
  std::size_t max_header_bytes = 16 * 1024;
  std::size_t max_connections = 256;
  std::int64_t read_limit_ms = 30'000;  // for one whole request, and between two
  int workers = 32;  // calls carried out at the same time; those that wait for a rule take one each
};

class HttpServer {
 public:
  // The backend must outlive the server.
  static StatusOr<std::unique_ptr<HttpServer>> start(ControlBackend& backend,
                                                     const HttpServerOptions& options);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  std::uint16_t port() const noexcept;
  std::string url() const;
  // Waits for calls that the backend is carrying out, and until they are answered: stop whatever they wait
  // for first. Clients that do not take their answer are given a second.
  void stop();

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace wt::harness
