#include "harness/embed/tls_files.h"

#include <filesystem>
#include <fstream>

namespace wt::harness {
namespace {

bool write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::trunc);
  file << text;
  return static_cast<bool>(file.flush());
}

}  // namespace

StatusOr<std::unique_ptr<TlsFiles>> TlsFiles::write(const Certificates& certificates) {
  std::error_code problem;
  std::string folder = std::filesystem::temp_directory_path(problem).string() + "/wavetank-tls-XXXXXX";
  if (problem || ::mkdtemp(folder.data()) == nullptr) {
    return make_status(StatusCode::kUnavailable, "Cannot create a folder for the certificates.");
  }
  std::unique_ptr<TlsFiles> files(new TlsFiles(folder));
  if (!write_file(files->ca(), certificates.ca) ||
      !write_file(files->client(), certificates.client_key + certificates.client_certificate)) {
    return make_status(StatusCode::kUnavailable, "Cannot write the certificates to '" + folder + "'.");
  }
  return files;
}

TlsFiles::~TlsFiles() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace wt::harness
