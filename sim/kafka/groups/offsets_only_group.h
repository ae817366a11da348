// A group that exists because offsets were committed in its name, and that nobody can join.
//
// What a coordinator makes when no module knows better: see GroupModule::make_empty.
#pragma once

#include <string>
#include <utility>

#include "sim/kafka/groups/model/group.h"

namespace wt::kafka {

class OffsetsOnlyGroup final : public Group {
 public:
  explicit OffsetsOnlyGroup(std::string id) : id_(std::move(id)) {}

  const std::string& id() const override { return id_; }
  GroupKind kind() const override { return GroupKind::classic; }
  std::string_view state_name() const override { return "Empty"; }
  std::string_view protocol_type() const override { return ""; }
  bool is_empty() const override { return true; }
  ErrorCode check_commit(const Committer& committer) override {
    return committer.generation < 0 ? ErrorCode::kNone : ErrorCode::kUnknownMemberId;
  }
  ErrorCode check_fetch(std::string_view, std::int32_t) const override { return ErrorCode::kNone; }
  bool subscribes_to(std::string_view) const override { return false; }
  ErrorCode check_delete() const override { return ErrorCode::kNone; }
  void delete_records(std::vector<GroupRecord>&) const override {}
  void on_timer(const GroupTimer&, Outcome&) override {}
  void on_append_failed(ErrorCode, Outcome&) override {}
  void close(ErrorCode, Outcome&) override {}

 private:
  std::string id_;
};

}  // namespace wt::kafka
