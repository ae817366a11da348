#include "sim/controller/errors.h"

namespace wt::controller {

std::string_view general_message(ErrorCode code) {
  switch (code) {
    case ErrorCode::unknown_topic_or_partition:
      return "This server does not host this topic-partition.";
    case ErrorCode::unknown_topic_id:
      return "This server does not host this topic ID.";
    case ErrorCode::election_not_needed:
      return "Leader election not needed for topic partition.";
    case ErrorCode::preferred_leader_not_available:
      return "The preferred leader was not available.";
    case ErrorCode::eligible_leaders_not_available:
      return "Eligible topic partition leaders are not available.";
    case ErrorCode::topic_deletion_disabled:
      return "Topic deletion is disabled.";
    default:
      return {};
  }
}

}  // namespace wt::controller
