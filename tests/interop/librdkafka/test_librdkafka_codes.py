"""What librdkafka makes of error codes that it cannot do much about: each is answered once, in the middle of a
stream of records, and then the log is looked at. The ids are those of tests/conformance/kafka/matrix.json."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from double import BUILD, patient, recorded, skip  # noqa: E402
from test_librdkafka import CLIENT, check, client, consume  # noqa: E402

COUNT = 100
GROUP_CLIENT = os.path.join(BUILD, "bin", "rdk_group_client")
# (entry of the matrix, code, is the work done all the same, may batches fail)
PRODUCE = [
    ("Q13", "NOT_ENOUGH_REPLICAS", False, False),
    ("Q13", "NOT_ENOUGH_REPLICAS_AFTER_APPEND", True, False),
    ("Q4", "OUT_OF_ORDER_SEQUENCE_NUMBER", False, True),
    ("Q5", "UNKNOWN_PRODUCER_ID", False, False),
    ("Q2", "INVALID_PRODUCER_EPOCH", False, True),
]


def produce(double, topic):
    done = client("produce", double.bootstrap, topic, 1, COUNT, "none", "all", "true")
    acked, failed = {}, {}
    for line in done.stdout.splitlines():
        word, number, *rest = line.split()
        if word == "acked":
            acked[int(number)] = (int(rest[0]), int(rest[1]))
        if word == "failed":
            failed[int(number)] = rest[0]
    # After a fatal error the program may have no time to hear what becomes of its last records.
    is_fatal = done.returncode == 2 and "Fatal error" in done.stderr
    assert is_fatal or done.returncode == (1 if failed else 0), done.stderr[-2000:]
    return acked, failed, is_fatal


def check_code(double, entry, code, is_done, may_fail):
    topic = code.lower().replace("_", "-")
    double.create_topic(topic, 1)
    rule = double.rule(point="kafka.request.received", api="Produce", topic=topic, skip=3, count=1, error=code,
                       action="answer_after" if is_done else "answer")
    acked, failed, is_fatal = produce(double, topic)
    assert double.rule_state(rule)["hits"] == 1, code
    # Nothing is lost without a word, and nothing is there twice.
    assert is_fatal or len(acked) + len(failed) == COUNT, (code, len(acked), len(failed))
    assert may_fail or not (failed or is_fatal), (code, failed)
    check(acked, consume(double, topic, 1), 1, exact_offsets=not is_done)
    print(f"{entry} {code}: {len(acked)} acknowledged, {len(failed)} failed {sorted(set(failed.values()))}"
          + (", fatal" if is_fatal else ""))


def read(double, group, most, *more):
    """What a member of the group prints, as (kind, value), until it has `most` records or hears nothing for 4 s."""
    done = subprocess.run(
        [GROUP_CLIENT, "consume", "--bootstrap", double.bootstrap, "--topic", "offsets", "--group", group,
         "--protocol", "classic", "--max", str(most), "--idle-ms", "4000", "--commit-every", "5", "--session-ms",
         "10000", "--client-id", group, *more], capture_output=True, text=True, timeout=patient(120))
    assert done.returncode == 0, done.stderr[-2000:]
    return [next(iter(json.loads(line).items())) for line in done.stdout.splitlines()]


def offsets_in(lines):
    return [value["offset"] for kind, value in lines if kind == "record"]


def check_unstable_offsets(double):
    assert offsets_in(read(double, "waits", 10)) == list(range(10))
    rule = double.rule(point="kafka.request.received", api="OffsetFetch", topic="offsets", count=3, action="answer",
                       error="UNSTABLE_OFFSET_COMMIT")
    again = read(double, "waits", 10)
    assert offsets_in(again) == list(range(10, 20)), again
    assert double.rule_state(rule)["hits"] == 3
    print("Q12 UNSTABLE_OFFSET_COMMIT: asked again until the offset was there")


def check_fenced_instance(double):
    rule = double.rule(point="kafka.request.received", api="Heartbeat", group="fenced", count=1, action="answer",
                       error="FENCED_INSTANCE_ID")
    lines = read(double, "fenced", 0, "--instance-id", "one")
    assert double.rule_state(rule)["hits"] == 1
    assert ("note", "_FATAL") in lines, lines
    print("Q11 FENCED_INSTANCE_ID: fatal")


def main():
    if not os.access(CLIENT, os.X_OK):
        skip("librdkafka-dev is not installed")
    with recorded("--brokers", "3", "--seed", "11") as double:
        for row in PRODUCE:
            check_code(double, *row)
        double.create_topic("offsets", 1)
        client("produce", double.bootstrap, "offsets", 1, 20, "none", "all", "true")
        check_unstable_offsets(double)
        check_fenced_instance(double)


if __name__ == "__main__":
    main()
