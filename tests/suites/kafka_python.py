"""kafka-python's integration tests against a double as an external broker."""
import os
import subprocess
import tempfile
import xml.etree.ElementTree as tree

SUITE = "kafka-python"


def run(folder, python, server, kafka_version, pattern, timeout_s, log):
    report = os.path.join(tempfile.mkdtemp(prefix="wavetank-kafka-python-"), "report.xml")
    environment = dict(os.environ, KAFKA_VERSION=kafka_version, KAFKA_URI=f"kafka://{server.bootstrap.split(',')[0]}")
    command = [python, "-m", "pytest", "test/integration", "-p", "no:cacheprovider", f"--junitxml={report}", "-q"]
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
