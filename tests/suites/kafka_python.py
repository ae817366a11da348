"""kafka-python's integration tests against a double as an external broker."""
import os
import subprocess
import tempfile
import xml.etree.ElementTree as tree

SUITE = "kafka-python"
# What the suite sets on the one broker that it starts itself, apart from advertised.listeners and an authorizer that
# lets everybody in; its tests name the broker 0. What starts brokers of its own, with TLS, is left out.
FLAGS = ["--brokers", "1", "--first-broker-id", "0"]
SETTINGS = ["num.partitions=4", "group.min.session.timeout.ms=1000", "group.initial.rebalance.delay.ms=0",
            "offsets.topic.num.partitions=2"]
TEST_S = 120  # one waits for a time-out of 60 s


def run(folder, python, server, kafka_version, pattern, timeout_s, log):
    report = os.path.join(tempfile.mkdtemp(prefix="wavetank-kafka-python-"), "report.xml")
    environment = dict(os.environ, KAFKA_VERSION=kafka_version, KAFKA_URI=f"kafka://{server.bootstrap.split(',')[0]}")
    command = [python, "-m", "pytest", "test/integration", "-p", "no:cacheprovider", f"--junitxml={report}", "-q",
               "--ignore=test/integration/test_ssl_integration.py", f"--timeout={TEST_S}", "--timeout-method=signal"]  # the other method ends the whole run
    with open(log, "ab") as out:
        try:
            subprocess.run([*command, *(["-k", pattern] if pattern else [])], cwd=folder, env=environment, stdout=out,
                           stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=timeout_s, check=False)
        except subprocess.TimeoutExpired:
            pass
    found = {}
    if not os.path.exists(report):
        return found
    for case in tree.parse(report).getroot().iter("testcase"):
        state = "ok"
        if case.find("failure") is not None or case.find("error") is not None:
            state = "failed"
        elif case.find("skipped") is not None:
            state = "skipped"
        name = f"{case.get('classname', '').rsplit('.', 1)[-1]}.{case.get('name')}"
        found[name] = (state, float(case.get("time") or 0))
    return found
