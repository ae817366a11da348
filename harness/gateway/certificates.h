// A certificate authority of our own, for clusters that are given no certificate: made anew at every start.
#pragma once

#include <string>

#include "sim/kernel/status.h"

namespace wt::harness {

// All as PEM text.
struct Certificates {
  std::string ca;
  std::string server_certificate;  // for localhost, 127.0.0.1 and ::1
  std::string server_key;
  std::string client_certificate;  // for clients that are asked for one
  std::string client_key;
};

StatusOr<Certificates> make_certificates();

}  // namespace wt::harness
