#include "sim/stream/types.h"

namespace wt::stream {

std::string_view profile_name(Profile profile) {
  switch (profile) {
    case Profile::kObjectWalSyncObject:
      return "OBJECT_WAL_SYNC_OBJECT";
    case Profile::kObjectWalAsyncObject:
      return "OBJECT_WAL_ASYNC_OBJECT";
    case Profile::kBookkeeperWalOnly:
      return "BOOKKEEPER_WAL_ONLY";
    case Profile::kBookkeeperWalAsyncObject:
      return "BOOKKEEPER_WAL_ASYNC_OBJECT";
    case Profile::kBookkeeperWalSyncObject:
      return "BOOKKEEPER_WAL_SYNC_OBJECT";
  }
  return "?";
}

std::string_view lifecycle_name(Lifecycle lifecycle) {
  switch (lifecycle) {
    case Lifecycle::kCreating:
      return "CREATING";
    case Lifecycle::kActive:
      return "ACTIVE";
    case Lifecycle::kSealed:
      return "SEALED";
    case Lifecycle::kDeleting:
      return "DELETING";
    case Lifecycle::kDeleted:
      return "DELETED";
  }
  return "?";
}

bool may_follow(Lifecycle from, Lifecycle to) {
  if (from == Lifecycle::kActive && to == Lifecycle::kDeleting) return true;
  return static_cast<int>(to) == static_cast<int>(from) + 1;
}

std::string_view outcome_name(AppendOutcome outcome) {
  switch (outcome) {
    case AppendOutcome::kKnownNotCommitted:
      return "KNOWN_NOT_COMMITTED";
    case AppendOutcome::kMayHaveCommitted:
      return "MAY_HAVE_COMMITTED";
    case AppendOutcome::kKnownCommitted:
      return "KNOWN_COMMITTED";
  }
  return "?";
}

}  // namespace wt::stream
