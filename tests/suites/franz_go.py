"""franz-go's own tests of package kgo against a double."""
import json
import os
import subprocess

SUITE = "franz-go"
FLAGS = ["--first-broker-id", "1"]
SETTINGS = []


def run(folder, pattern, server, records, timeout_s, log):
    environment = dict(os.environ, KGO_SEEDS=server.bootstrap, KGO_TEST_RF="1", KGO_TEST_RECORDS=str(records))
    with open(log, "ab") as out:
        try:
            ran = subprocess.run(["go", "test", "./pkg/kgo", "-run", pattern, "-count=1", "-json",
                                  f"-timeout={timeout_s}s"], cwd=folder, env=environment, stdout=subprocess.PIPE,
                                 stderr=out, stdin=subprocess.DEVNULL, timeout=timeout_s + 120, check=False).stdout
        except subprocess.TimeoutExpired as error:
            ran = error.stdout or b""
        out.write(ran)
    found = {}
    words = {"pass": "ok", "fail": "failed", "skip": "skipped"}
    for line in ran.decode("utf-8", "replace").splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if event.get("Action") in words and "Test" in event:
            found[event["Test"]] = (words[event["Action"]], event.get("Elapsed", 0.0))
    return found
