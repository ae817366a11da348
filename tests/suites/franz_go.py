"""franz-go's own tests of package kgo against a double: those that ask a cluster, a process for each file of them."""
import json
import os
import re
import subprocess
import tempfile

SUITE = "franz-go"
FLAGS = ["--first-broker-id", "1"]
SETTINGS = []
# Files of the package with tests that need a cluster, and the helpers by which such a test is known.
FILES = ("client_test.go", "consumer_test.go", "group_test.go", "produce_request_test.go", "share_test.go", "txn_test.go")
HELPERS = ("newTestClient(", "tmpTopic(", "testChainETL(")
WORDS = {"pass": "ok", "fail": "failed", "skip": "skipped"}


def tests(folder, file_name):
    """Names of the tests of one file that need a cluster."""
    with open(os.path.join(folder, "pkg", "kgo", file_name), encoding="utf-8") as file:
        functions = re.split(r"(?m)^func ", file.read())
    return [part[:part.index("(")] for part in functions
            if part.startswith("Test") and any(helper in part for helper in HELPERS)]


def build(folder, log):
    """The package's tests as one program, in a new folder."""
    program = os.path.join(tempfile.mkdtemp(prefix="wavetank-franz-go-"), "kgo.test")
    with open(log, "ab") as out:
        subprocess.run(["go", "test", "-c", "-o", program, "./pkg/kgo"], cwd=folder, stdout=out, stderr=out,
                       stdin=subprocess.DEVNULL, check=True)
    return program


def run(folder, pattern, server, records, timeout_s, log):
    environment = dict(os.environ, KGO_SEEDS=server.bootstrap, KGO_TEST_RF="1", KGO_TEST_RECORDS=str(records))
    program, found = build(folder, log), {}
    for file_name in FILES:
        names = [name for name in tests(folder, file_name) if re.search(pattern, name)]
        if not names:
            continue
        ran = subprocess.run(
            ["go", "tool", "test2json", "-t", program, "-test.run", f"^({'|'.join(names)})$", "-test.v=test2json",
             f"-test.timeout={timeout_s}s"], cwd=os.path.join(folder, "pkg", "kgo"), env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False).stdout
        with open(log, "ab") as out:
            out.write(ran)
        # What the time-out ends has no result of its own.
        found.update({name: ("failed", float(timeout_s)) for name in names})
        for line in ran.decode("utf-8", "replace").splitlines():
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if event.get("Action") in WORDS and "Test" in event:
                found[event["Test"]] = (WORDS[event["Action"]], event.get("Elapsed", 0.0))
    return found
