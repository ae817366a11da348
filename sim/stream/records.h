// The values of the stream storage's metadata, as bytes. Each begins with a tag and ends with a
// CRC32C; decoding answers DataLoss for anything else.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/formats/byte_writer.h"
#include "sim/stream/types.h"

namespace wt::stream {

std::string encode_head(const StreamHead& head);
StatusOr<StreamHead> decode_head(std::string_view bytes);

std::string encode_commit(const CommitRecord& commit);
StatusOr<CommitRecord> decode_commit(std::string_view bytes);

std::string encode_binding(const Binding& binding);
StatusOr<Binding> decode_binding(std::string_view bytes);

}  // namespace wt::stream
