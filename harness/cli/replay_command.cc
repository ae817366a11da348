// `wavetank replay` and `wavetank inspect`
#include <cstdio>

#include "harness/cli/commands.h"
#include "harness/embed/replay_session.h"
#include "sim/cluster/json_fields.h"

namespace wt::harness::cli {
namespace {

namespace json = cluster::json;

void print(const std::string& text) {
  std::printf("%s\n", text.c_str());
}

int damaged(const ReplayArguments& arguments, const std::string& sentence) {
  if (arguments.json) {
    json::object out;
    out["equal"] = false;
    out["error"] = sentence;
    print(json::serialize(out));
  }
  std::fprintf(stderr, "wavetank: %s\n", sentence.c_str());
  return kExitDamaged;
}

std::string hash_text_of(std::uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

int report(const ReplayArguments& arguments, const ReplayResult& result) {
  const std::string hash = hash_text_of(result.trace_hash);
  if (arguments.json) {
    json::object out;
    out["hash"] = hash;
    out["events"] = result.steps;
    out["entries"] = result.entries;
    out["equal"] = result.equal;
    out["complete"] = result.complete;
    if (result.difference) out["difference"] = result.difference->text;
    print(json::serialize(out));
  } else if (result.equal) {
    print(hash);
    print("equal: " + std::to_string(result.steps) + " events, " + std::to_string(result.entries) +
          " entries of the recording");
  }
  if (result.difference) {
    const Difference& difference = *result.difference;
    if (!arguments.json)
      print("different at entry " + std::to_string(difference.sequence) + ": " + difference.text);
    std::fprintf(stderr, "wavetank: the replay differs; what is to blame lies in the events %llu to %llu\n",
                 static_cast<unsigned long long>(difference.from_step),
                 static_cast<unsigned long long>(difference.to_step));
    return kExitDifference;
  }
  if (!result.complete) {
    std::fprintf(stderr, "wavetank: the recording is partial (%s); all that is in it came out again\n",
                 result.problem.c_str());
    return kExitDamaged;
  }
  return 0;
}

}  // namespace

int replay(const ReplayArguments& arguments) {
  StatusOr<JournalReader> journal = JournalReader::open_file(arguments.file);
  if (!journal.ok())
    return damaged(arguments, "Cannot replay '" + arguments.file +
                                  "': " + std::string(message_of(journal.status())) + ".");
  const StatusOr<ReplayResult> result = replay_session(std::move(*journal));
  if (!result.ok())
    return damaged(arguments,
                   "Cannot replay '" + arguments.file + "': " + std::string(message_of(result.status())));
  return report(arguments, *result);
}

int inspect(const InspectArguments& arguments) {
  StatusOr<JournalReader> journal = JournalReader::open_file(arguments.file);
  if (!journal.ok()) {
    std::fprintf(stderr, "wavetank: Cannot read '%s': %s.\n", arguments.file.c_str(),
                 std::string(message_of(journal.status())).c_str());
    return kExitDamaged;
  }
  const JournalHead head = journal->head();
  print("code " + head.code_version + ", " + head.compiler + ", " + head.library_versions);
  print("clock " + std::string(clock_mode_name(head.clock)) + ", seed " + std::to_string(head.seed));
  print("options " + head.options_json);
  for (const ListenerAddress& listener : head.listeners) {
    print("listener " + listener.name + " at " + listener.host + ":" + std::to_string(listener.port));
  }
  Entry entry;
  for (std::uint64_t count = 0; journal->next(entry); ++count) {
    if (arguments.most != 0 && count >= arguments.most) return 0;
    print(to_text(entry, head.epoch_ns));
  }
  if (journal->complete()) return 0;
  std::fprintf(stderr, "wavetank: the recording is partial: %s\n", journal->problem().c_str());
  return kExitDamaged;
}

}  // namespace wt::harness::cli
