"""One recorded run with four different clients: confluent-kafka and franz-go produce, the Java client and kafka-python
are one group, the leader dies in the middle of an append and the coordinator in the middle of consumption. The
recording replays to the same hash and the same bytes, by this build and by every other build beside it."""

import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from backends import Wavetank  # noqa: E402
from checks import acked_of, check_deliveries, check_log  # noqa: E402
from clients import CLIENTS, CannotBeHad  # noqa: E402
from double import other_builds, skip  # noqa: E402
from processes import Program, Watch  # noqa: E402

NAMES = ["confluent_kafka", "franz_go", "java_4_4_0", "kafka_python"]


class Programs:
    def __init__(self, backend, words, folder):
        self.backend, self.words, self.folder = backend, words, folder
        self.watch, self.all = Watch(), []

    def start(self, client, command, **flags):
        program = Program(self.watch, [*self.words[client], command], os.path.join(self.folder, f"{client}.log"),
                          bootstrap=self.backend.bootstrap, client_id=client.replace("_", "."), topic="shared", **flags)
        self.all.append(program)
        return program

    def produce(self, client):
        return self.start(client, "produce", count=800, start=0, codec="lz4", acks="all", idempotent=1, rate=80)

    def consume(self, client):
        return self.start(client, "consume", group="shared", protocol="classic", max=0, idle_ms=0, commit_every=20,
                          session_ms=6000)

    def wait(self, condition, what):
        def holds():
            for program in self.all:
                program.check_alive()
            return condition()

        self.watch.wait(holds, 90, what)


def play(backend, programs):
    backend.create_topic("shared", 6)
    members = [programs.consume("java_4_4_0"), programs.consume("kafka_python")]
    # They take their time to start, the Java client the longest.
    programs.wait(lambda: all(len(m.assigned()) == 3 for m in members), "group of two")
    producers = [programs.produce("confluent_kafka"), programs.produce("franz_go")]
    programs.wait(lambda: all(len(m.of("record")) > 30 for m in members), "two members that read")
    backend.crash_leader_at("shared", "append.head.committed", producers[0])
    programs.wait(lambda: all(len(p.of("acked")) > 300 for p in producers), "producers after the leader's crash")
    backend.restart_all()
    before = [len(m.of("committed")) for m in members]
    backend.crash(backend.coordinator("shared"))
    programs.wait(lambda: all(len(m.of("committed")) > b for m, b in zip(members, before)), "commits after the crash")
    backend.restart_all()
    for producer in producers:
        producer.finish(120)
    acked = acked_of(producers)
    assert len(acked) == 1600, f"{len(acked)} of 1600 acknowledged"
    log = backend.log("shared")
    check_log(log, acked)
    programs.wait(lambda: sum(len(m.of("record")) for m in members) >= len(log), "deliveries")
    for member in members:
        member.stop()
    again = check_deliveries(programs.watch, members, log)
    backend.check()
    print(f"four clients, two crashes: ok; {again} of {len(log)} delivered again", flush=True)


def main():
    words = {}
    for name in NAMES:
        try:
            words[name] = CLIENTS[name].prepare(name)
        except CannotBeHad as reason:
            skip(f"{name} cannot be had: {reason}")
    folder = tempfile.mkdtemp(prefix="wavetank-interop-four-clients-")
    backend = Wavetank(folder, 4)
    programs = Programs(backend, words, folder)
    try:
        play(backend, programs)
    except BaseException:
        print(f"the logs are in {folder}", file=sys.stderr)
        raise
    finally:
        for program in programs.all:
            program.kill()
        backend.stop()
    backend.check_recording()
    print(f"replayed also by {other_builds() or 'no other build'}", flush=True)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
