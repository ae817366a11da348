// Fault rules as JSON: what add_rule takes, and what a rule tells of itself.
#pragma once

#include "sim/cluster/json_fields.h"
#include "sim/faults/rules.h"

namespace wt::cluster {

// Reads all fields of the call. InvalidArgument with a sentence.
StatusOr<FaultRule> rule_from(Fields& fields);
json::object describe_rule(const FaultRules::RuleState& state);

}  // namespace wt::cluster
