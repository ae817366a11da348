// What a request names, for fault rules and for the list of requests that were seen.
#pragma once

#include "sim/faults/rules.h"
#include "sim/kafka/handlers/context.h"

namespace wt::kafka {

// Topics with their partitions, groups and transactional ids, of any API. Topics that are named by an id are
// looked up; a fetch names the partitions of its session too; Metadata of all topics names all topics.
FaultNames names_in(const RequestContext& context);

}  // namespace wt::kafka
