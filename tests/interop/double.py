"""A Wavetank double in its own process, for interop tests: started, driven over HTTP, replayed."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

BUILD = os.environ.get("WT_BUILD_DIR", "build/dev")
PROGRAM = os.path.join(BUILD, "bin", "wavetank")


class Double:
    def __init__(self, folder, *flags):
        self.folder = folder
        self.recording = os.path.join(folder, "run.wtj")
        self.log = open(os.path.join(folder, "serve.log"), "w")
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--record", self.recording, *flags],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the double did not start; see " + self.log.name)
        self.about = json.loads(line)
        self.bootstrap = self.about["kafka"]
        self.control = self.about["control"]

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.control + path, data=data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=patient(60)) as answer:
                return json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.code} {error.read().decode()}") from error

    def create_topic(self, name, partitions=1):
        return self.call("POST", "/v1/topics", {"name": name, "partitions": partitions})

    def partition(self, topic, number=0):
        return self.call("GET", f"/v1/topics/{topic}/partitions/{number}")

    def rule(self, **fields):
        return self.call("POST", "/v1/rules", fields)["rule"]

    def rule_state(self, rule):
        return self.call("GET", f"/v1/rules/{rule}")

    def advance(self, ms):
        return self.call("POST", "/v1/advance", {"ms": ms})

    def restart_all(self):
        for broker in self.call("GET", "/v1/brokers")["brokers"]:
            if broker["status"] == "down":
                self.call("POST", f"/v1/brokers/{broker['id']}/restart")

    def check_no_finding(self):
        finding = self.call("GET", "/v1/finding").get("finding")
        if finding:
            raise AssertionError("finding: " + json.dumps(finding)[:2000])

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=patient(60))
        self.log.close()
        if code != 0:
            raise AssertionError(f"the double ended with {code}; see {self.log.name}")


def replay(recording, program=PROGRAM):
    """The result of a replay as the program reports it; raises when it differs."""
    done = subprocess.run([program, "replay", recording, "--json"], capture_output=True, text=True, timeout=patient(600))
    if done.returncode != 0:
        raise AssertionError(f"replay by {program} ended with {done.returncode}: {done.stdout} {done.stderr}")
    return json.loads(done.stdout)


def other_builds():
    """Programs of other builds beside this one, such as the sanitizers'."""
    parent = os.path.dirname(os.path.abspath(BUILD))
    found = []
    for name in sorted(os.listdir(parent)):
        program = os.path.join(parent, name, "bin", "wavetank")
        if os.path.abspath(program) != os.path.abspath(PROGRAM) and os.access(program, os.X_OK):
            found.append(program)
    return found


def check_replays(recording):
    """Twice by this build and once by every other one: the same hash, the same bytes."""
    results = [replay(recording), replay(recording)]
    results += [replay(recording, program) for program in other_builds()]
    hashes = {result["hash"] for result in results}
    if len(hashes) != 1 or not all(result["equal"] for result in results):
        raise AssertionError("replays differ: " + json.dumps(results))
    return results[0]


@contextlib.contextmanager
def recorded(*flags):
    """A double in a folder of its own. In the end it has no finding, and its recording replays."""
    with tempfile.TemporaryDirectory(prefix="wavetank-interop-") as folder:
        double = Double(folder, *flags)
        try:
            yield double
            double.check_no_finding()
        finally:
            double.stop()
        result = check_replays(double.recording)
        print(f"replayed: hash {result['hash']}, {result['events']} events")


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)


def patient(seconds):
    """`seconds` that are right on an idle machine, as long as it takes on one that does other work as well."""
    return seconds * min(8.0, 1 + os.getloadavg()[0] / (os.cpu_count() or 1))


def wait_for(condition, seconds=30):
    begin = time.monotonic()
    while time.monotonic() - begin < patient(seconds):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError(f"timed out after {time.monotonic() - begin:.0f} s")
