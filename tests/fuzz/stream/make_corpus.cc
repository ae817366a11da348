// Writes the seeds of the stream storage's fuzz target.
#include <fstream>
#include <string>

#include "sim/formats/crc32c.h"
#include "sim/stream/records.h"
#include "sim/stream/wal_object.h"

namespace {

using namespace wt;
using namespace wt::stream;

void write(const std::string& folder, const char* name, char which, std::string_view bytes) {
  std::ofstream out(folder + "/" + name, std::ios::binary);
  out.put(which);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 1;
  const std::string folder = arguments[1];
  StreamHead head;
  head.stream = 3;
  head.lifecycle = Lifecycle::kActive;
  head.committed_end = 10;
  head.ordinal_end = 4;
  head.last_commit = AppendAttemptId(3, 2, 1);
  head.session.epoch = 2;
  write(folder, "head", 0, encode_head(head).text());
  CommitRecord commit;
  commit.attempt = head.last_commit;
  commit.start = 5;
  commit.end = 10;
  commit.entry_count = 2;
  commit.target.object_key = "c/w/00000003/x";
  write(folder, "commit", 0, encode_commit(commit).text());
  Binding binding;
  binding.stream = 3;
  binding.checkpoints.push_back({"c/k/00000003/y", 7, 100, 5});
  binding.activation = "facts";
  write(folder, "binding", 0, encode_binding(binding).text());
  std::vector<formats::Entry> entries(2);
  for (formats::Entry& entry : entries) {
    entry.payload = Slice::copy_of("payload");
    entry.header.kind = formats::PayloadKind::kPulsarEntry;
    entry.header.crc = formats::crc32c(entry.payload.bytes());
  }
  ByteWriter scratch;
  std::vector<WalSlice> slices;
  slices.push_back({head.last_commit, &entries});
  slices.push_back({AppendAttemptId(4, 1, 1), &entries});
  const WalObject object = encode_wal(slices, scratch);
  write(folder, "wal", 1, flatten(object.bytes).text());
  return 0;
}
