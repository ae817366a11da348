"""Apache Kafka's own cluster tests, by a harness that drives a cluster in other processes (see README.md)."""
import os
import re
import subprocess
import sys
import tempfile

SUITE = "kafka"
HERE = os.path.dirname(os.path.abspath(__file__))
# What the harness prints of each invocation: result, seconds, class/method/#number.
LINE = re.compile(r"^(ok|FAIL|abort|skip)\s+([\d.]+) s\s+(\S+)")
STATES = {"ok": "ok", "FAIL": "failed", "abort": "skipped", "skip": "skipped"}


def classes():
    """The classes that are run: those of which a real broker passes something."""
    with open(os.path.join(HERE, "classes.txt"), encoding="utf-8") as file:
        return [line.strip() for line in file if line.strip() and not line.startswith("#")]


def run(command, chosen, program, profile, timeout_s, log):
    """Results of all invocations of these classes."""
    external = f"{sys.executable} {os.path.join(HERE, 'external.py')}"
    environment = dict(os.environ, EXT_START=f"{external} start", EXT_STOP=f"{external} stop",
                       EXT_BROKER_STOP=f"{external} broker-stop", EXT_BROKER_START=f"{external} broker-start",
                       WT_PROGRAM=os.path.abspath(program), WT_PROFILE=profile,
                       WT_EXTERNAL_DIR=tempfile.mkdtemp(prefix="wavetank-external-"))
    found = {}
    with open(log, "ab") as out:
        try:
            ran = subprocess.run([*command.split(), *chosen], env=environment, stdout=subprocess.PIPE, stderr=out,
                                 stdin=subprocess.DEVNULL, timeout=timeout_s, check=False).stdout
        except subprocess.TimeoutExpired as error:
            ran = error.stdout or b""
        out.write(ran)
    for line in ran.decode("utf-8", "replace").splitlines():
        match = LINE.match(line)
        if match:
            word, seconds, name = match.groups()
            found[short(name)] = (STATES[word], float(seconds))
    return found


def short(name):
    """kafka.server.X/testY(…)/#1 → "X.testY #1"."""
    group, _, rest = name.partition("/")
    method, _, number = rest.partition("/")
    return f"{group.rsplit('.', 1)[-1]}.{method.partition('(')[0]} {number}".strip()
