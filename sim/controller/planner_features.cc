// Levels of features.
#include <algorithm>

#include "sim/controller/planner.h"

namespace wt::controller {
namespace {

constexpr std::string_view kMetadataVersion = "metadata.version";
constexpr std::string_view kQuorumVersion = "kraft.version";

// A level of a feature that needs another feature's.
struct Dependency {
  std::string_view feature;
  std::int16_t level;
  std::string_view needs;
  std::int16_t needed_level;
};
constexpr Dependency kDependencies[] = {{"eligible.leader.replicas.version", 1, kMetadataVersion, 23}};

Error refuse_update(const std::string& why) {
  return Error(ErrorCode::invalid_update_version,
               "The update failed for all features since the following feature had an error: " + why);
}

Error invalid_update(const UpdateFeatures::Update& update, const std::string& why) {
  return refuse_update("Invalid update version " + std::to_string(update.level) + " for feature " +
                       update.name + ". " + why);
}

// Why somebody cannot go to that level; empty when it can.
std::string not_supported(const std::string& who, const std::map<std::string, FeatureRange>& features,
                          const UpdateFeatures::Update& update) {
  const auto found = features.find(update.name);
  // Without the feature one is at level 0 of it.
  if (found == features.end()) return update.level == 0 ? "" : who + " does not support this feature.";
  const FeatureRange& range = found->second;
  if (update.level == 0 || (update.level >= range.min_level && update.level <= range.max_level)) return "";
  return who + " only supports versions " + std::to_string(range.min_level) + "-" +
         std::to_string(range.max_level);
}

// As the levels will be after all updates of the request.
Error check_dependencies(const UpdateFeatures::Update& update,
                         const std::map<std::string, UpdateFeatures::Update>& updates,
                         const MetadataImage& image) {
  for (const Dependency& dependency : kDependencies) {
    if (dependency.feature != update.name || update.level < dependency.level) continue;
    const std::string needs(dependency.needs);
    const auto planned = updates.find(needs);
    const auto now = image.features().find(needs);
    std::int16_t level = now == image.features().end() ? std::int16_t{0} : now->second;
    if (planned != updates.end()) level = planned->second.level;
    if (level >= dependency.needed_level) continue;
    return invalid_update(update, update.name + " could not be set to " + std::to_string(update.level) +
                                      " because it depends on " + needs + " level " +
                                      std::to_string(dependency.needed_level));
  }
  return {};
}

}  // namespace

Error Planner::check_feature(const UpdateFeatures::Update& update) const {
  const auto type = static_cast<UpgradeType>(update.upgrade_type);
  if (type != UpgradeType::upgrade && type != UpgradeType::safe_downgrade &&
      type != UpgradeType::unsafe_downgrade)
    return invalid_update(update, "The controller does not support the given upgrade type.");
  if (update.level < 0) return invalid_update(update, "A feature version cannot be less than 0.");
  // The controller is of the release that the brokers are of.
  for (const auto& [id, broker] : image().brokers()) {
    const std::string own = not_supported("Local controller " + std::to_string(id), broker.features, update);
    if (!own.empty()) return invalid_update(update, own);
  }
  const auto found = image().features().find(update.name);
  const std::int16_t now = found == image().features().end() ? std::int16_t{0} : found->second;
  if (update.level < now && update.name == kQuorumVersion)
    return invalid_update(update, "Can't downgrade the version of this feature.");
  if (update.level < now && type == UpgradeType::upgrade) {
    return invalid_update(update,
                          "Can't downgrade the version of this feature without setting the upgrade type to "
                          "either safe or unsafe downgrade.");
  }
  if (update.level > now && type != UpgradeType::upgrade)
    return invalid_update(update, "Can't downgrade to a newer version.");
  if (update.level < now && update.name == kMetadataVersion) {
    return refuse_update("Unsupported metadata.version downgrade from " + std::to_string(now) + " to " +
                         std::to_string(update.level) +
                         ". Refusing to perform the requested downgrade because it might delete metadata "
                         "information.");
  }
  return {};
}

// Nothing is changed unless all can be. Of two updates of one feature the last one counts.
UpdateFeatures::Response Planner::plan(const UpdateFeatures& request) {
  UpdateFeatures::Response response;
  std::map<std::string, UpdateFeatures::Update> updates;
  for (const auto& update : request.updates) updates[update.name] = update;
  for (const auto& [name, update] : updates) {
    if (response.error.ok()) response.error = check_feature(update);
    if (response.error.ok()) response.error = check_dependencies(update, updates, image());
    if (response.error.ok()) emit(FeatureLevelRecord{name, update.level});
    response.features.push_back(name);
  }
  if (!response.error.ok() || request.validate_only) discard();
  response.end_offset = image().end_offset();
  return response;
}

}  // namespace wt::controller
