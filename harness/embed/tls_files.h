// Where clients find the certificates that a cluster has made for itself: a folder of its own, gone with it.
#pragma once

#include <memory>
#include <string>

#include "harness/gateway/certificates.h"

namespace wt::harness {

class TlsFiles {
 public:
  // In the folder for temporary files.
  static StatusOr<std::unique_ptr<TlsFiles>> write(const Certificates& certificates);
  TlsFiles(const TlsFiles&) = delete;
  TlsFiles& operator=(const TlsFiles&) = delete;
  ~TlsFiles();

  std::string ca() const { return folder_ + "/ca.pem"; }
  // Certificate and key in one file, as Java takes them, too.
  std::string client() const { return folder_ + "/client.pem"; }

 private:
  explicit TlsFiles(std::string folder) : folder_(std::move(folder)) {}
  std::string folder_;
};

}  // namespace wt::harness
