// The records of committed offsets: OffsetCommitKey (versions 0 and 1) and OffsetCommitValue (0 to 4).
#pragma once

#include <cstdint>
#include <string>

#include "sim/kafka/groups/record_codec.h"

namespace wt::kafka {

struct OffsetCommitKey {
  std::string group;
  std::string topic;
  std::int32_t partition = 0;
  WT_HAS_TABLE;
};

struct OffsetCommitValue {
  std::int64_t offset = 0;
  std::int32_t leader_epoch = -1;
  std::string metadata;
  std::int64_t commit_timestamp = 0;
  std::int64_t expire_timestamp = -1;
  Uuid topic_id;
  WT_HAS_TABLE;
};

std::vector<RecordType> offset_record_types();

}  // namespace wt::kafka
