"""What the Python client programs share: the command line and the lines that every program prints.

    PROGRAM about
    PROGRAM produce --bootstrap B --topic T --count N --start I --codec C --acks A --idempotent 0|1 --rate R
                    --client-id X
    PROGRAM consume --bootstrap B --topic T --group G --protocol P --max N --idle-ms M --commit-every K
                    --session-ms S --client-id X [--instance-id I]

Record n has the key "k" + (n mod 8) and the value "X-n". A program prints one JSON object a line: `acked` or
`failed` for each record that it produced; `assigned`, `revoked`, `record`, `committed`, `commit_failed` when it
consumes; `done` at its end. A consumer ends after N records (0: no limit), after M ms without one (0: never) or
on SIGTERM, and then commits what it printed and leaves its group. A rate of 0 is as fast as can be.
"""

import json
import signal
import sys
import time


class Arguments:
    def __init__(self, words):
        self.command = words[0]
        self.fields = dict(zip(words[1::2], words[2::2]))

    def __getattr__(self, name):
        return self.fields["--" + name.replace("_", "-")]

    def number(self, name):
        return int(getattr(self, name))

    def optional(self, name):
        return self.fields.get("--" + name.replace("_", "-"))


def emit(**fields):
    sys.stdout.write(json.dumps(fields, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def key_of(number):
    return f"k{number % 8}"


class Stop:
    """Set by SIGTERM."""

    def __init__(self):
        self.asked = False
        signal.signal(signal.SIGTERM, self._ask)

    def _ask(self, *_):
        self.asked = True


def numbers(arguments):
    """The numbers of the records to produce, with the time in seconds from the start at which each is due."""
    rate = arguments.number("rate")
    for i in range(arguments.number("count")):
        yield arguments.number("start") + i, i / rate if rate else 0


class Progress:
    """What a consumer has processed and not yet committed, and when it has to end."""

    def __init__(self, arguments):
        self.every = arguments.number("commit_every")
        self.max = arguments.number("max")
        self.idle_s = arguments.number("idle_ms") / 1000
        self.count = 0
        self.since_commit = 0
        self.positions = {}
        self.last = time.monotonic()

    def record(self, partition, offset, key, value):
        emit(record={"key": key, "value": value, "partition": partition, "offset": offset})
        self.positions[partition] = offset + 1
        self.count += 1
        self.since_commit += 1
        self.last = time.monotonic()

    def commit_is_due(self):
        return self.since_commit >= self.every

    def committed(self, positions):
        emit(committed={str(p): o for p, o in positions.items()})
        for partition, offset in positions.items():
            if self.positions.get(partition) == offset:
                del self.positions[partition]
        self.since_commit = 0

    def commit_failed(self, error):
        emit(commit_failed=str(error))
        self.since_commit = 0

    def forget(self, partitions):
        for partition in partitions:
            self.positions.pop(partition, None)

    def ended(self):
        if self.max and self.count >= self.max:
            return True
        return self.idle_s > 0 and time.monotonic() - self.last > self.idle_s
