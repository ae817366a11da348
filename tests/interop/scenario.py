"""One client program against a cluster: every codec, a group of two that grows and shrinks, resumed and killed
members, a leader's and a coordinator's crash in the middle.

    scenario.py CLIENT [--against wavetank|real-kafka] [--only STEP] [--protocol P] [--keep]

CLIENT is a name of clients.py. Exit code 77: the client cannot be had here; the last line says why."""

import argparse
import os
import shutil
import sys
import tempfile
import zlib

from backends import RealKafka, Wavetank
from checks import acked_of, check_deliveries, check_log
from clients import CLIENTS, CannotBeHad
from double import skip
from processes import Program, Watch, about

# Where the leader dies while a client produces: before the record is safe, after, and when only the answer is left.
POINTS = ["append.wal.durable", "append.head.committed", "kafka.produce.appended"]


class Run:
    def __init__(self, backend, words, folder):
        self.backend = backend
        self.words = words
        self.folder = folder
        self.about = about(words)
        self.protocols = self.about["protocols"]
        if not backend.has_consumer_groups():
            self.protocols = [p for p in self.protocols if p != "consumer"]
        self.programs = []
        self.watch = Watch()

    def start(self, command, **flags):
        log = os.path.join(self.folder, f"{len(self.programs):02}-{flags['client_id']}.log")
        program = Program(self.watch, [*self.words, command], log, bootstrap=self.backend.bootstrap, **flags)
        self.programs.append(program)
        return program

    def producer(self, topic, count, rate=0, codec="none", acks="all", start=0, idempotent=None, name="p"):
        if idempotent is None:
            idempotent = self.about["idempotence"] and acks == "all"
        return self.start("produce", topic=topic, count=count, start=start, codec=codec, acks=acks,
                          idempotent=int(idempotent), rate=rate, client_id=f"{topic}-{name}")

    def consumer(self, topic, group, protocol, name, most=0, idle_ms=0, commit_every=20, instance=None):
        return self.start("consume", topic=topic, group=group, protocol=protocol, max=most, idle_ms=idle_ms,
                          commit_every=commit_every, session_ms=6000, client_id=f"{group}-{name}",
                          instance_id=instance)

    def topic(self, name, partitions):
        self.backend.create_topic(name, partitions)
        return name

    def wait(self, condition, what, seconds=90):
        def holds():
            for program in self.programs:
                program.check_alive()
            return condition()

        self.watch.wait(holds, seconds, what)

    def wait_delivered(self, consumers, log):
        """Until the consumers together have had the whole log."""
        wanted = {(r["partition"], r["offset"]) for r in log}

        def delivered():
            seen = {(r["partition"], r["offset"]) for c in consumers for r in c.of("record")}
            return seen >= wanted

        self.wait(delivered, f"delivery of {len(wanted)} records")

    def end(self):
        for program in self.programs:
            program.kill()


def codecs(run, _):
    topic = run.topic("codecs", 3)
    producers = []
    settings = [{"codec": codec} for codec in run.about["codecs"]]
    settings += [{"acks": "1"}, {"acks": "all", "idempotent": False}]
    for number, setting in enumerate(settings):
        producer = run.producer(topic, 60, name=f"p{number}", **setting)
        producer.finish(120)
        producers.append(producer)
    acked = acked_of(producers)
    assert len(acked) == 60 * len(settings), f"{len(acked)} acknowledged"
    log = run.backend.log(topic)
    assert len(log) == len(acked), f"{len(log)} in the log"
    check_log(log, acked)
    consumer = run.consumer(topic, "codecs", run.protocols[0], "c", most=len(log))
    consumer.finish(90)
    check_deliveries(run.watch, [consumer], log)


def group_of_two(run, protocol):
    name = f"two-{protocol}"
    topic = run.topic(name, 6)
    producers = [run.producer(topic, 500, rate=120)]
    one = run.consumer(topic, name, protocol, "one")
    run.wait(lambda: len(one.assigned()) == 6 and one.of("record"), "first member with all partitions")
    two = run.consumer(topic, name, protocol, "two")
    run.wait(lambda: len(one.assigned()) == 3 and len(two.assigned()) == 3, "group of two")
    assert not one.assigned() & two.assigned(), "a partition has two owners"
    # However long the second member took to come, there is something to read when it goes.
    producers.append(run.producer(topic, 400, rate=120, name="q"))
    run.wait(lambda: len(two.of("record")) > 20, "second member that reads")
    two.stop()
    run.wait(lambda: len(one.assigned()) == 6, "first member with all partitions again")
    for producer in producers:
        producer.finish(90)
    acked = acked_of(producers)
    log = run.backend.log(topic)
    check_log(log, acked, once=run.about["idempotence"])
    run.wait_delivered([one, two], log)
    one.stop()
    again = check_deliveries(run.watch, [one, two], log)
    # In a new process the group goes on where it was.
    more = run.producer(topic, 60, start=900, name="more")
    more.finish(60)
    resumed = run.consumer(topic, name, protocol, "resumed", most=60)
    resumed.finish(90)
    check_deliveries(run.watch, [one, two, resumed], run.backend.log(topic))
    values = sorted(r["value"] for r in resumed.of("record"))
    assert values == sorted(a["value"] for a in more.of("acked")), f"resumed with {values[:5]}"
    print(f"  {again} of {len(log)} delivered again around the rebalances", flush=True)


def killed_member(run, protocol):
    name = f"killed-{protocol}"
    topic = run.topic(name, 3)
    run.producer(topic, 400, rate=100)
    one = run.consumer(topic, name, protocol, "one", commit_every=15)
    run.wait(lambda: len(one.of("record")) > 60 and one.of("committed"), "commits before the kill")
    one.kill()
    two = run.consumer(topic, name, protocol, "two")
    run.programs[-3].finish(60)
    log = run.backend.log(topic)
    check_log(log, acked_of([run.programs[-3]]))
    run.wait_delivered([one, two], log)
    two.stop()
    again = check_deliveries(run.watch, [one, two], log)
    print(f"  {again} of {len(log)} delivered again after the kill", flush=True)


def leader_crash(run, _):
    protocol = run.protocols[0]
    for point in POINTS if run.backend.name == "wavetank" else POINTS[:1]:
        name = "leader-" + point.replace(".", "-")
        topic = run.topic(name, 3)
        consumer = run.consumer(topic, name, protocol, "c")
        producer = run.producer(topic, 300, rate=150, codec=run.about["codecs"][-1])
        run.backend.crash_leader_at(topic, point, producer)
        producer.finish(120)
        acked = acked_of([producer])
        assert len(acked) == 300, f"{len(acked)} of 300 acknowledged"
        log = run.backend.log(topic)
        check_log(log, acked, once=run.about["idempotence"])
        run.wait_delivered([consumer], log)
        consumer.stop()
        check_deliveries(run.watch, [consumer], log)
        run.backend.restart_all()
        print(f"  leader crashed at {point}", flush=True)


def coordinator_crash(run, protocol):
    name = f"coordinator-{protocol}"
    topic = run.topic(name, 6)
    members = [run.consumer(topic, name, protocol, "one"), run.consumer(topic, name, protocol, "two")]
    run.wait(lambda: all(len(m.assigned()) == 3 for m in members), "group of two")
    producer = run.producer(topic, 900, rate=100)
    run.wait(lambda: all(m.of("committed") for m in members), "two busy members")
    before = [len(m.of("committed")) for m in members]
    run.backend.crash(run.backend.coordinator(name))
    run.wait(lambda: all(len(m.of("committed")) > b for m, b in zip(members, before)), "commits after the crash")
    run.backend.restart_all()
    producer.finish(120)
    log = run.backend.log(topic)
    check_log(log, acked_of([producer]), once=run.about["idempotence"])
    run.wait_delivered(members, log)
    for member in members:
        member.stop()
    again = check_deliveries(run.watch, members, log)
    print(f"  {again} of {len(log)} delivered again", flush=True)


STEPS = [codecs, group_of_two, killed_member, leader_crash, coordinator_crash]


def play(run, only):
    for step in STEPS:
        if only and step.__name__ not in only:
            continue
        per_client = step in (codecs, leader_crash)
        for protocol in run.protocols[:1] if per_client else run.protocols:
            step(run, protocol)
            run.backend.check()
            print(f"{step.__name__}{'' if per_client else ' ' + protocol}: ok", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("client", choices=sorted(set(CLIENTS) - {"kafka_streams"}))
    parser.add_argument("--against", choices=["wavetank", "real-kafka"], default="wavetank")
    parser.add_argument("--only", action="append")
    parser.add_argument("--protocol", action="append", help="classic, cooperative, consumer")
    parser.add_argument("--keep", action="store_true", help="keep the logs of a run that went well")
    flags = parser.parse_args()
    if shutil.which("kcat") is None:
        skip("kcat is not installed")
    try:
        words = CLIENTS[flags.client].prepare(flags.client)
    except CannotBeHad as reason:
        skip(f"{flags.client} cannot be had: {reason}")
    folder = tempfile.mkdtemp(prefix=f"wavetank-interop-{flags.client}-")
    seed = zlib.crc32(flags.client.encode()) % 100000
    backend = (Wavetank if flags.against == "wavetank" else RealKafka)(folder, seed)
    run = None
    try:
        run = Run(backend, words, folder)
        print(f"{run.about['client']} {run.about['version']}", flush=True)
        run.protocols = [p for p in run.protocols if not flags.protocol or p in flags.protocol]
        play(run, flags.only)
    except BaseException:
        print(f"the logs are in {folder}", file=sys.stderr)
        raise
    finally:
        if run:
            run.end()
        backend.stop()
    backend.check_recording()
    if not flags.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
