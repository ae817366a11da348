// The only unit that includes Boost.Beast.
#include "harness/control/http_server.h"

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <csignal>
#include <optional>
#include <thread>

namespace wt::harness {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Tcp = asio::ip::tcp;

// Shared by the connections, which are owned by what they wait for in `context` and `workers`.
struct Shared {
  ControlBackend& backend;
  HttpServerOptions options;
  std::size_t connections = 0;
  std::size_t writing = 0;  // responses on their way
  bool leaving = false;     // the last responses, and then the end
  std::atomic<bool> stopping = false;
  // Last, because what waits in them refers to the rest.
  asio::io_context context;
  asio::thread_pool workers;

  Shared(ControlBackend& the_backend, const HttpServerOptions& the_options)
      : backend(the_backend), options(the_options), workers(static_cast<std::size_t>(the_options.workers)) {}

  // On the thread of the sockets.
  void wrote() {
    if (--writing == 0 && leaving) context.stop();
  }
  void leave() {
    leaving = true;
    if (writing == 0) context.stop();
  }
};

// An exception that gets here would end the program of which the cluster is a part.
HttpResponse serve_safely(const HttpRequest& request, ControlBackend& backend) {
  try {
    return serve(request, backend);
  } catch (const std::exception& error) {
    return error_response(500, "internal", error.what());
  }
}

// One client: reads a request, has it carried out, writes the response, and again.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Tcp::socket socket, Shared& shared) : stream_(std::move(socket)), shared_(shared) {
    ++shared_.connections;
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { --shared_.connections; }

  void read() {
    parser_.emplace();
    parser_->body_limit(shared_.options.max_body_bytes);
    parser_->header_limit(static_cast<std::uint32_t>(shared_.options.max_header_bytes));
    stream_.expires_after(std::chrono::milliseconds(shared_.options.read_limit_ms));
    http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](beast::error_code error, std::size_t) { self->on_read(error); });
  }
  void refuse_busy() {
    write(error_response(503, "busy", "Too many connections to the control API."), false);
  }

 private:
  void on_read(beast::error_code error) {
    if (!error) return work();
    if (error == http::error::end_of_stream) return close();
    if (error == http::error::body_limit) {
      return write(error_response(413, "too_large",
                                  "The body is longer than " +
                                      std::to_string(shared_.options.max_body_bytes) + " bytes."),
                   false);
    }
    if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      return write(error_response(431, "too_large", "The header is too long."), false);
    }
    if (error == beast::error::timeout) return;  // the stream has closed the socket
    if (error.category() == http::make_error_code(http::error::bad_method).category() &&
        error != http::error::partial_message) {
      return write(error_response(400, "bad_request", "This is no HTTP request: " + error.message() + "."),
                   false);
    }
  }

  void work() {
    if (shared_.stopping) return write(error_response(503, "stopped", "The control API is ending."), false);
    const auto& message = parser_->get();
    HttpRequest request;
    request.method = std::string(message.method_string());
    request.target = std::string(message.target());
    request.body = message.body();
    const bool keep_alive = message.keep_alive();
    stream_.expires_never();
    asio::post(
        shared_.workers, [self = shared_from_this(), request = std::move(request), keep_alive]() mutable {
          Shared& shared = self->shared_;
          HttpResponse response = serve_safely(request, shared.backend);
          // The connection goes along: it must end on the thread of the sockets.
          asio::post(shared.context, [self = std::move(self), response = std::move(response), keep_alive] {
            self->write(response, keep_alive && !self->shared_.stopping);
          });
        });
  }

  void write(const HttpResponse& response, bool keep_alive) {
    message_ = {};
    message_.version(11);
    message_.result(static_cast<unsigned>(response.status));
    message_.set(http::field::server, "wavetank");
    message_.set(http::field::content_type, "application/json");
    message_.set(http::field::cache_control, "no-store");
    if (!response.allow.empty()) message_.set(http::field::allow, response.allow);
    message_.keep_alive(keep_alive);
    message_.body() = response.body + "\n";
    message_.prepare_payload();
    stream_.expires_after(std::chrono::milliseconds(shared_.options.read_limit_ms));
    ++shared_.writing;
    http::async_write(stream_, message_,
                      [self = shared_from_this(), keep_alive](beast::error_code error, std::size_t) {
                        self->shared_.wrote();
                        if (error) return;
                        if (keep_alive) return self->read();
                        self->close();
                      });
  }

  // Sends the end and takes what the client still sends, so that the response is not lost to a reset.
  void close() {
    beast::error_code ignored;
    stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
    left_to_drain_bytes_ = 4 * shared_.options.max_body_bytes;
    stream_.expires_after(std::chrono::seconds(2));
    drain();
  }
  void drain() {
    stream_.async_read_some(asio::buffer(scratch_),
                            [self = shared_from_this()](beast::error_code error, std::size_t count) {
                              if (error || count >= self->left_to_drain_bytes_) return;
                              self->left_to_drain_bytes_ -= count;
                              self->drain();
                            });
  }

  beast::tcp_stream stream_;
  Shared& shared_;
  beast::flat_buffer buffer_{64 * 1024};
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> message_;
  std::array<char, 16 * 1024> scratch_;
  std::size_t left_to_drain_bytes_ = 0;
};

class Acceptor : public std::enable_shared_from_this<Acceptor> {
 public:
  explicit Acceptor(Shared& shared) : shared_(shared), acceptor_(shared.context), pause_(shared.context) {}

  beast::error_code open() {
    beast::error_code error;
    const auto address = asio::ip::make_address(shared_.options.host, error);
    if (error) return error;
    const Tcp::endpoint endpoint(address, shared_.options.port);
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (!error) port_ = acceptor_.local_endpoint(error).port();
    return error;
  }
  std::uint16_t port() const noexcept { return port_; }
  void close() {
    beast::error_code ignored;
    acceptor_.close(ignored);
  }

  void accept() {
    acceptor_.async_accept([self = shared_from_this()](beast::error_code error, Tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) return self->wait_a_little();  // no descriptor left, for example
      self->take(std::move(socket));
      self->accept();
    });
  }

 private:
  void take(Tcp::socket socket) {
    const bool busy = shared_.connections >= shared_.options.max_connections;
    const auto connection = std::make_shared<Connection>(std::move(socket), shared_);
    if (busy) return connection->refuse_busy();
    connection->read();
  }
  void wait_a_little() {
    pause_.expires_after(std::chrono::milliseconds(50));
    pause_.async_wait([self = shared_from_this()](beast::error_code error) {
      if (!error && self->acceptor_.is_open()) self->accept();
    });
  }

  Shared& shared_;
  Tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  std::uint16_t port_ = 0;
};

}  // namespace

class HttpServer::Impl {
 public:
  Impl(ControlBackend& backend, const HttpServerOptions& options)
      : shared_(std::make_unique<Shared>(backend, options)),
        acceptor_(std::make_shared<Acceptor>(*shared_)) {}
  ~Impl() { stop(); }

  Status open() {
    const beast::error_code error = acceptor_->open();
    if (!error) return ok_status();
    return make_status(StatusCode::kUnavailable, "Cannot listen on " + shared_->options.host + ":" +
                                                     std::to_string(shared_->options.port) +
                                                     " for the control API: " + error.message() + ".");
  }
  // Signals are for the host's own threads.
  void run() {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    acceptor_->accept();
    thread_ = std::thread([this] { shared_->context.run(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  void stop() {
    if (!thread_.joinable()) return;
    shared_->stopping = true;
    shared_->workers.join();
    // Behind the responses of these calls, which are on their way to the thread of the sockets.
    asio::steady_timer patience(shared_->context);
    asio::post(shared_->context, [this, &patience] {
      acceptor_->close();
      patience.expires_after(std::chrono::seconds(1));
      patience.async_wait([this](beast::error_code error) {
        if (!error) shared_->context.stop();
      });
      shared_->leave();
    });
    thread_.join();
    acceptor_.reset();
  }
  std::uint16_t port() const noexcept { return port_of_acceptor_; }
  void keep_port() { port_of_acceptor_ = acceptor_->port(); }
  const std::string& host() const noexcept { return shared_->options.host; }

 private:
  std::unique_ptr<Shared> shared_;
  std::shared_ptr<Acceptor> acceptor_;
  std::thread thread_;
  std::uint16_t port_of_acceptor_ = 0;
};

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::~HttpServer() = default;

StatusOr<std::unique_ptr<HttpServer>> HttpServer::start(ControlBackend& backend,
                                                        const HttpServerOptions& options) {
  auto impl = std::make_unique<Impl>(backend, options);
  if (Status opened = impl->open(); !opened.ok()) return opened;
  impl->keep_port();
  impl->run();
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

std::uint16_t HttpServer::port() const noexcept {
  return impl_->port();
}
std::string HttpServer::url() const {
  return "http://" + impl_->host() + ":" + std::to_string(port());
}
void HttpServer::stop() {
  impl_->stop();
}

}  // namespace wt::harness
