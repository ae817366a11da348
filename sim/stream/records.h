// The values of the stream storage's metadata, as bytes: a tag, fields as varints, a CRC32C. Decoding
// answers DataLoss for anything else.
#pragma once

#include <string_view>

#include "sim/stream/types.h"

namespace wt::stream {

Slice encode_head(const StreamHead& head);
StatusOr<StreamHead> decode_head(std::string_view bytes);

Slice encode_commit(const CommitRecord& commit);
StatusOr<CommitRecord> decode_commit(std::string_view bytes);

Slice encode_binding(const Binding& binding);
StatusOr<Binding> decode_binding(std::string_view bytes);

}  // namespace wt::stream
