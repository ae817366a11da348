"""librdkafka's own suite: one test a process, each against a fresh double."""
import json
import os
import subprocess
import tempfile
import time

SUITE = "librdkafka"
# What the suite assumes of the cluster that its own scripts start.
FLAGS = ["--first-broker-id", "1"]
SETTINGS = ["num.partitions=4", "group.initial.rebalance.delay.ms=3000"]


def variants(protocols, idempotent):
    """(name of the variant, environment, flags)."""
    found = []
    for protocol in protocols:
        found.append((protocol, {"TEST_CONSUMER_GROUP_PROTOCOL": protocol}, []))
    if idempotent:
        found.append(("idempotent", {"TEST_CONSUMER_GROUP_PROTOCOL": "classic"}, ["-P"]))
    return found


def parse_report(path):
    """name → ok, failed or skipped."""
    try:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    except (OSError, ValueError):
        return {}
    words = {"PASSED": "ok", "SKIPPED": "skipped"}
    return {name: words.get(test["state"], "failed") for name, test in report.get("tests", {}).items()}


def run_one(folder, number, server, variant, kafka_version, timeout_s):
    """Results of the tests whose name begins with `number`; one `failed` for it when the runner dies."""
    name, extra, flags = variant
    scratch = tempfile.mkdtemp(prefix="wavetank-librdkafka-")
    conf, report = os.path.join(scratch, "test.conf"), os.path.join(scratch, "report.json")
    with open(conf, "w", encoding="utf-8") as file:
        file.write(f"bootstrap.servers={server.bootstrap}\ntest.topic.random=true\n")
    environment = dict(os.environ, TESTS=number, RDKAFKA_TEST_CONF=conf, TEST_REPORT=report,
                       TEST_KAFKA_VERSION=kafka_version, BROKERS=server.bootstrap, **extra)
    libraries = [os.path.join(os.path.dirname(os.path.abspath(folder)), name) for name in ("src", "src-cpp")]
    environment["LD_LIBRARY_PATH"] = os.pathsep.join([*libraries, os.environ.get("LD_LIBRARY_PATH", "")]).rstrip(os.pathsep)
    begin = time.monotonic()
    log = os.path.join(scratch, "log")
    with open(log, "wb") as out:
        try:
            code = subprocess.run([os.path.join(folder, "test-runner"), "-L", "-Q", "-E", "-p1", *flags], cwd=folder,
                                  env=environment, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                  timeout=timeout_s, check=False).returncode
        except subprocess.TimeoutExpired:
            code = -1
    seconds = time.monotonic() - begin
    found = {test: state for test, state in parse_report(report).items() if test.startswith(number)}
    if not found or (code != 0 and "failed" not in found.values()):
        found = {number: "failed"}
    return {f"{test} {name}": (state, seconds) for test, state in found.items()}, log
