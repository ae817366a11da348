"""librdkafka in its own process against a double: codecs, acks, idempotence, crashes at each point of the
append path, a skip of 15 minutes; every run is replayed."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from double import BUILD, patient, recorded, skip  # noqa: E402

CLIENT = os.path.join(BUILD, "bin", "rdk_client")
CODECS = ["none", "gzip", "snappy", "lz4", "zstd"]
POINTS = [
    "append.admitted", "append.lane.entered", "append.wal.before", "append.wal.durable", "append.protected",
    "append.intent.written", "append.head.before", "append.head.committed", "append.index.written",
    "broker.derived.before", "kafka.produce.appended",
]


def client(*arguments, timeout=120):
    return subprocess.run([CLIENT, *map(str, arguments)], capture_output=True, text=True, timeout=patient(timeout))


def produce(double, topic, partitions, count, codec="none", acks="all", idempotent=False):
    done = client("produce", double.bootstrap, topic, partitions, count, codec, acks, str(idempotent).lower())
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    acked = {}
    for line in done.stdout.splitlines():
        word, number, *rest = line.split()
        if word == "acked":
            acked[int(number)] = (int(rest[0]), int(rest[1]))
    return acked


def consume(double, topic, partitions):
    done = client("consume", double.bootstrap, topic, partitions)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    records = []
    for line in done.stdout.splitlines():
        partition, offset, value = line.split()
        records.append((int(partition), int(offset), int(value.removeprefix("record-"))))
    return records


def check(acked, records, partitions, exact_offsets=True):
    """Every acknowledged record once, in order; nothing that was not sent."""
    seen = [number for _, _, number in records]
    assert len(seen) == len(set(seen)), "a record was read twice"
    missing = set(acked) - set(seen)
    assert not missing, f"acknowledged but gone: {sorted(missing)[:10]}"
    for partition in range(partitions):
        mine = [(offset, number) for p, offset, number in records if p == partition]
        assert mine == sorted(mine), "offsets out of order"
        numbers = [number for _, number in mine]
        assert numbers == sorted(numbers), f"records of partition {partition} out of order"
    if exact_offsets:
        where = {number: (partition, offset) for partition, offset, number in records}
        for number, place in acked.items():
            assert place[1] < 0 or where[number] == place, f"record {number}: acknowledged at {place}, read at {where[number]}"


def test_codecs_and_acks(double):
    for codec in CODECS:
        topic = f"codec-{codec}"
        double.create_topic(topic, 2)
        acked = produce(double, topic, 2, 200, codec=codec)
        assert len(acked) == 200
        check(acked, consume(double, topic, 2), 2)
    for acks in ["0", "1", "all"]:
        topic = f"acks-{acks}"
        double.create_topic(topic, 1)
        acked = produce(double, topic, 1, 100, acks=acks)
        assert len(acked) == 100
        check(acked, consume(double, topic, 1), 1, exact_offsets=acks != "0")
    topic = "made-by-itself"
    acked = produce(double, topic, 1, 10)
    check(acked, consume(double, topic, 1), 1)


def test_crash_at(double, point):
    topic = "crash-" + point.replace(".", "-")
    double.create_topic(topic, 1)
    rule = double.rule(point=point, action="crash", topic=topic, skip=3, count=1)
    acked = produce(double, topic, 1, 100, codec="lz4", idempotent=True)
    assert len(acked) == 100, f"{point}: {len(acked)} of 100 acknowledged"
    state = double.rule_state(rule)
    assert state["hits"] == 1, f"{point} was never reached"
    view = double.partition(topic)
    assert view["leader_epoch"] == 1, view
    records = consume(double, topic, 1)
    check(acked, records, 1)
    assert view["leo"] == view["hw"] == view["lso"] == 100, view
    double.restart_all()


def test_skip_15_minutes(double):
    double.create_topic("idle", 1)
    process = subprocess.Popen([CLIENT, "idle", double.bootstrap, "idle"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)

    def round_trip(text):
        process.stdin.write(text + "\n")
        process.stdin.flush()
        line = process.stdout.readline().strip()
        while line.startswith("acked"):
            line = process.stdout.readline().strip()
        assert line == "seen " + text, line

    round_trip("before")
    before = {c["connection"] for c in double.call("GET", "/v1/connections")["connections"]}
    double.advance(15 * 60 * 1000)
    round_trip("after")
    after = {c["connection"] for c in double.call("GET", "/v1/connections")["connections"]}
    assert before <= after, "a connection was closed by the skip"
    process.stdin.close()
    assert process.wait(timeout=patient(60)) == 0


def main():
    if not os.access(CLIENT, os.X_OK):
        skip("librdkafka-dev is not installed")
    with recorded("--brokers", "3", "--seed", "7") as double:
        test_codecs_and_acks(double)
        print("codecs and acks: ok")
        for point in POINTS:
            test_crash_at(double, point)
            print(f"leader crashed at {point}: ok")
        test_skip_15_minutes(double)
        print("15 minutes skipped: ok")


if __name__ == "__main__":
    main()
