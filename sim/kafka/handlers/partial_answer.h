// Answers with an error for some of the partitions that a request names, while the others are served: what a
// fault rule with a topic or a partition means by "answer".
#pragma once

#include "sim/faults/rules.h"
#include "sim/kafka/handlers/context.h"

namespace wt::kafka {

// Whether the decision concerns some partitions, and this API can tell errors of them.
bool is_partial(const RequestContext& context, const FaultDecision& fault);

// The request without the partitions that the rule means. A fetch keeps all of them, for the sake of its
// session, and does not wait. Empty when nothing is left to be done.
std::optional<Request> without_faulty(const RequestContext& context, const FaultDecision& fault);

// Puts the error of `fault` into the answer in the place of what it says of these partitions, or beside it.
// `names` are those of the request.
Reply with_errors(const RequestContext& context, const FaultDecision& fault, const FaultNames& names,
                  Reply reply);

}  // namespace wt::kafka
