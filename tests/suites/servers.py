"""A cluster for a suite to run against: a fresh double, or one that somebody else has started."""
import json
import os
import signal
import subprocess
import tempfile


class Double:
    """`wavetank serve`, with three brokers unless a flag says another number."""

    def __init__(self, program, *flags):
        self.folder = tempfile.mkdtemp(prefix="wavetank-suite-")
        self.log = open(os.path.join(self.folder, "serve.log"), "w", encoding="utf-8")
        self.process = subprocess.Popen(
            [program, "serve", "--no-record", *flags],
            stdout=subprocess.PIPE, stderr=self.log, stdin=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the double did not start; see " + self.log.name)
        about = json.loads(line)
        self.bootstrap, self.control = about["kafka"], about["control"]

    def stop(self):
        """None, or what went wrong with the double itself."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            code = "does not end"
        self.log.close()
        return None if code == 0 else f"the double: exit {code}, see {self.log.name}"


class Running:
    """A cluster at an address, left as it is."""

    def __init__(self, bootstrap):
        self.bootstrap, self.control = bootstrap, None

    def stop(self):
        return None
