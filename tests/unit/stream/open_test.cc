// Bindings, sessions, life cycle, trim, checkpoints.
#include <catch2/catch.hpp>

#include "sim/stream/records.h"
#include "tests/unit/stream/world.h"

namespace wt::stream {
namespace {

using Texts = std::vector<std::string>;

TEST_CASE("brokers that race the first open end with one stream") {
  LinkLatency slow;
  slow.base_ns = kMillisecond_ns;
  World world(1, slow);
  std::vector<StreamStorage*> storages;
  storages.reserve(3);
  for (int broker = 0; broker < 3; ++broker) storages.push_back(&world.start(broker));
  const OpenRequest request = open_request(0);
  std::vector<StreamId> ids;
  for (int broker = 0; broker < 3; ++broker) {
    world.process(broker).spawn(
        [](StreamStorage* storage, const OpenRequest& wanted, std::vector<StreamId>* out) -> Task<void> {
          StatusOr<Binding> binding = co_await storage->resolve(wanted);
          if (binding.ok()) out->push_back(binding->stream);
        }(storages[static_cast<std::size_t>(broker)], request, &ids));
  }
  world.kernel.run_until(world.kernel.now() + kMinute_ns);
  CHECK(ids == std::vector<StreamId>{1, 1, 1});
  CHECK(world.metadata.items("c1/h/").size() == 1);
}

TEST_CASE("a topic that is deleted and created again gets another stream") {
  World world;
  StreamStorage& storage = world.start(0);
  StreamPtr first = *world.open(0, storage, 1, 1);
  REQUIRE(world.append(0, first, "old")->ok());
  const OpenRequest request = open_request(1, 1);
  REQUIRE(world.run(0, storage.remove(request))->ok());
  CHECK(world.objects.size() == 0);
  for (const char* kind : {"c1/h/", "c1/c/", "c1/i/", "c1/p/"}) CHECK(world.metadata.items(kind).empty());
  CHECK(world.append(0, first, "late")->outcome == AppendOutcome::kKnownNotCommitted);
  CHECK(world.open(0, storage, 2, 1).status().code() == StatusCode::kFailedPrecondition);
  CHECK(world.run(0, storage.find(request))->value().lifecycle == Lifecycle::kDeleted);
  CHECK(world.run(0, storage.remove(request))->ok());

  StreamPtr second = *world.open(0, storage, 1, 2);
  CHECK(second->id() != first->id());
  CHECK(second->committed_end() == 0);
}

TEST_CASE("clusters share the services and stay apart") {
  World world;
  StreamStorage& ours = world.start(0);
  Process& process = world.kernel.create_process("broker of another cluster");
  StorageOptions options = world.storage_options(1);
  options.cluster_id = "c2";
  StreamStorage& theirs = process.emplace<StreamStorage>(process, world.calls, world.rules, options);
  world.processes[1] = &process;
  StreamPtr mine = *world.open(0, ours, 1);
  StreamPtr other = *world.open(1, theirs, 1);
  REQUIRE(world.append(0, mine, "mine")->ok());
  REQUIRE(world.append(1, other, "other")->ok());
  CHECK(world.contents(0, mine) == Texts{"mine"});
  CHECK(world.contents(1, other) == Texts{"other"});
}

TEST_CASE("a damaged, exchanged or lost binding does not open, and loses nothing") {
  World world;
  StreamStorage& storage = world.start(0);
  REQUIRE(world.append(0, *world.open(0, storage, 1, 1), "a")->ok());
  REQUIRE(world.append(0, *world.open(0, storage, 1, 2), "b")->ok());
  const std::string key = binding_key("c1", partition_key(1));
  const Slice good = world.metadata.find(key)->value;
  world.metadata.overwrite(key, payload_of("nonsense"));
  CHECK(world.open(0, storage, 2, 1).status().code() == StatusCode::kDataLoss);
  world.metadata.overwrite(key, world.metadata.find(binding_key("c1", partition_key(2)))->value);
  CHECK(world.open(0, storage, 2, 1).status().code() == StatusCode::kDataLoss);
  world.metadata.remove(key);
  CHECK(world.open(0, storage, 2, 1).status().code() == StatusCode::kDataLoss);
  world.metadata.overwrite(key, good);
  StreamPtr again = *world.open(0, storage, 2, 1);
  CHECK(world.contents(0, again) == Texts{"a"});
}

TEST_CASE("observed offsets of a binding do not decide") {
  for (const std::int64_t observed : {-5, 0, 1, 1000}) {
    World world;
    StreamPtr stream = world.lead(0, 1);
    REQUIRE(world.append(0, stream, "a", 3)->ok());
    const std::string key = binding_key("c1", partition_key(1));
    Binding binding = *decode_binding(world.metadata.find(key)->value.text());
    binding.observed_end = observed;
    world.metadata.overwrite(key, encode_binding(binding));
    CHECK(world.lead(1, 2)->committed_end() == 3);
  }
}

TEST_CASE("a newer authority pre-empts at once, an older one is refused") {
  World world;
  StreamPtr first = world.lead(0, 5);
  REQUIRE(first);
  CHECK(!world.lead(1, 4));
  CHECK(world.append(0, first, "a")->ok());
  StreamPtr second = world.lead(1, 6);
  REQUIRE(second);
  CHECK(second->session().epoch == 2);
  CHECK(world.append(0, first, "b")->status.code() == StatusCode::kFailedPrecondition);
  CHECK(first->fenced());
  CHECK(world.append(1, second, "c")->start == 1);
  CHECK(!world.lead(0, 5));
}

TEST_CASE("the same authority belongs to its broker until the session expires") {
  World world;
  StreamPtr first = world.lead(0, 5);
  CHECK(!world.lead(1, 5));
  // The same broker after a restart.
  StreamPtr again = world.lead(0, 5);
  REQUIRE(again);
  CHECK(again->session().epoch == 2);
  world.kernel.run_until(world.kernel.now() + world.limits.session_ttl_ns);
  StreamPtr other = world.lead(1, 5);
  REQUIRE(other);
  CHECK(other->session().epoch == 3);
}

TEST_CASE("an expected start that is not the end is refused before any byte is written") {
  World world;
  StreamPtr stream = world.lead(0, 1);
  REQUIRE(world.append(0, stream, "a", 2)->ok());
  const std::size_t objects = world.objects.size();
  for (const std::int64_t wrong : {0, 1, 3}) {
    auto result = world.run(0, stream->append(one("b"), wrong));
    CHECK(result->outcome == AppendOutcome::kKnownNotCommitted);
    CHECK(result->status.code() == StatusCode::kFailedPrecondition);
  }
  CHECK(world.objects.size() == objects);
  CHECK(world.run(0, stream->append(one("b"), 2))->ok());
}

TEST_CASE("bad appends are refused") {
  World world;
  world.limits.max_append_bytes = 10;
  world.limits.max_append_entries = 2;
  StreamPtr stream = world.lead(0, 1);
  CHECK(world.run(0, stream->append({}))->status.code() == StatusCode::kInvalidArgument);
  CHECK(world.append(0, stream, "12345678901")->status.code() == StatusCode::kInvalidArgument);
  CHECK(world.append(0, stream, "a", 0)->status.code() == StatusCode::kInvalidArgument);
  std::vector<formats::Entry> three(3, make_entry("x"));
  CHECK(world.run(0, stream->append(three))->status.code() == StatusCode::kInvalidArgument);
  CHECK(stream->committed_end() == 0);
}

TEST_CASE("an append takes no kernel event when nothing needs time") {
  World world;
  StreamPtr stream = world.lead(0, 1);
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  world.process(0).spawn([](World* w, StreamPtr target, std::vector<formats::Entry> entries,
                            std::uint64_t* from, std::uint64_t* to) -> Task<void> {
    *from = w->kernel.steps();
    AppendResult result = co_await target->append(std::move(entries));
    CHECK(result.ok());
    target->drop_cache();
    const ReadRequest request;
    StatusOr<ReadResult> read = co_await target->read(request);
    CHECK(read->entries.size() == 1);
    *to = w->kernel.steps();
  }(&world, stream, one("a"), &before, &after));
  world.kernel.run_ready();
  CHECK(before > 0);
  CHECK(after == before);
}

TEST_CASE("trim hides what is before it, is idempotent and survives lost answers") {
  for (const FaultAction action :
       {FaultAction::observe, FaultAction::lose_answer, FaultAction::lose_request}) {
    DYNAMIC_SECTION(fault_action_name(action)) {
      World world;
      StreamPtr stream = world.lead(0, 1);
      for (const char* text : {"a", "b", "c"}) REQUIRE(world.append(0, stream, text, 2)->ok());
      world.rule("metadata.cas", action);
      CHECK(world.run(0, stream->trim(3))->ok());
      CHECK(world.run(0, stream->trim(3))->ok());
      CHECK(world.run(0, stream->trim(1))->ok());
      CHECK(stream->trim_offset() == 3);
      CHECK(stream->trim_ordinal() == 1);
      CHECK(world.run(0, stream->trim(7))->code() == StatusCode::kOutOfRange);
      ReadRequest request;
      request.from = 2;
      CHECK(world.run(0, stream->read(request))->value().outcome == ReadOutcome::kTrimmed);
      request.from = 3;
      CHECK(world.run(0, stream->read(request))->value().entries.size() == 2);
      CHECK(world.append(0, stream, "d")->start == 6);
      StreamPtr next = world.lead(1, 2);
      CHECK(next->trim_offset() == 3);
      CHECK(world.contents(1, next) == Texts{"b", "c", "d"});
      CHECK(world.run(1, next->trim(7))->ok());
      CHECK(next->trim_ordinal() == 4);
      CHECK(world.contents(1, next).empty());
    }
  }
}

TEST_CASE("a sealed stream reads and takes no appends") {
  World world;
  StreamPtr stream = world.lead(0, 1);
  REQUIRE(world.append(0, stream, "a")->ok());
  CHECK(world.run(0, stream->seal())->ok());
  CHECK(world.append(0, stream, "b")->status.code() == StatusCode::kFailedPrecondition);
  CHECK(world.contents(0, stream) == Texts{"a"});
  StreamPtr next = world.lead(1, 2);
  REQUIRE(next);
  CHECK(world.append(1, next, "b")->status.code() == StatusCode::kFailedPrecondition);
  CHECK(world.contents(1, next) == Texts{"a"});
}

TEST_CASE("life cycles only go forward") {
  CHECK(may_follow(Lifecycle::kActive, Lifecycle::kSealed));
  CHECK(may_follow(Lifecycle::kActive, Lifecycle::kDeleting));
  CHECK(!may_follow(Lifecycle::kSealed, Lifecycle::kActive));
  CHECK(!may_follow(Lifecycle::kCreating, Lifecycle::kSealed));
}

TEST_CASE("checkpoints are used only when they are sound") {
  World world;
  StreamPtr stream = world.lead(0, 1);
  for (const char* text : {"a", "b", "c"}) REQUIRE(world.append(0, stream, text)->ok());
  const auto save = [&](std::int64_t offset, std::string_view text) {
    SliceList state(1, payload_of(text));
    return *world.run(0, stream->save_checkpoint(offset, std::move(state)));
  };
  const auto loaded = [&](const StreamPtr& from) -> std::string {
    auto checkpoint = world.run(1, from->load_checkpoint());
    return checkpoint->ok() ? std::string((*checkpoint)->state.text()) : "none";
  };
  CHECK(save(4, "ahead").code() == StatusCode::kOutOfRange);
  CHECK(save(1, "one").ok());
  CHECK(save(2, "two").ok());
  CHECK(save(3, "three").ok());
  CHECK(world.objects.items("c1/k/").size() == 2);
  StreamPtr next = world.lead(1, 2);
  CHECK(loaded(next) == "three");
  const auto newest = world.objects.items("c1/k/").at(1);
  world.objects.damage(newest.key, 0);
  CHECK(loaded(next) == "two");
  world.objects.remove(newest.key);
  CHECK(loaded(next) == "two");
  world.objects.remove(world.objects.items("c1/k/").at(0).key);
  CHECK(loaded(next) == "none");
}

TEST_CASE("contradictory options are refused with a sentence") {
  World world;
  const StorageOptions good = world.storage_options(0);
  CHECK(StreamStorage::validate(good).ok());
  StorageOptions bad = good;
  bad.objects = 0;
  CHECK(message_of(StreamStorage::validate(bad)).find("object store") != std::string_view::npos);
  bad = good;
  bad.default_profile = Profile::kBookkeeperWalOnly;
  CHECK(!StreamStorage::validate(bad).ok());
  bad = good;
  bad.cluster_id = "a/b";
  CHECK(!StreamStorage::validate(bad).ok());
}

}  // namespace
}  // namespace wt::stream
