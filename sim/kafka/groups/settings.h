// Settings of one group: the broker's, overridden by what is set on the group.
#pragma once

#include "sim/kafka/groups/model/group.h"

namespace wt::kafka {

GroupSettings group_settings(const controller::MetadataImage& image, std::int32_t broker,
                             const GroupSettings& defaults, std::string_view group);

}  // namespace wt::kafka
