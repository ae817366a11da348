"""Client programs as processes: their lines with the time at which they came, in one order for all of them."""

import json
import signal
import subprocess
import threading
import time

from double import patient


class Watch:
    """All lines of all programs of one scenario, in the order in which they arrived."""

    def __init__(self):
        self.lines = []
        self.changed = threading.Condition()

    def add(self, process, line):
        with self.changed:
            self.lines.append((process, line))
            self.changed.notify_all()

    def wait(self, condition, seconds, what):
        """Until condition() holds; it may look at the lines."""
        begin = time.monotonic()
        with self.changed:
            while not condition():
                waited = time.monotonic() - begin
                if waited > patient(seconds):
                    raise AssertionError(f"no {what} after {waited:.0f} s")
                self.changed.wait(0.2)


class Program:
    def __init__(self, watch, words, log_path, **flags):
        self.watch = watch
        self.name = flags.get("client_id", words[-1])
        self.log_path = log_path
        self.killed = False
        arguments = []
        for name, value in flags.items():
            if value is not None:
                arguments += ["--" + name.replace("_", "-"), str(value)]
        self.log = open(log_path, "w", encoding="utf-8")
        self.process = subprocess.Popen([*words, *arguments], stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.log.write(line)
            self.log.flush()
            try:
                parsed = json.loads(line)
            except json.JSONDecodeError:
                parsed = None
            if isinstance(parsed, dict):
                self.watch.add(self, parsed)

    def of(self, kind):
        return [line[kind] for process, line in self.watch.lines if process is self and kind in line]

    def assigned(self):
        """The partitions that it holds now, as it has said."""
        held = set()
        for process, line in self.watch.lines:
            if process is self and "assigned" in line:
                held |= set(line["assigned"])
            elif process is self and "revoked" in line:
                held -= set(line["revoked"])
        return held

    def stop(self, seconds=60):
        """Asks it to end and waits; raises when it does not end well."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.finish(seconds)

    def finish(self, seconds):
        seconds = patient(seconds)
        try:
            code = self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired as error:
            self.kill()
            raise AssertionError(f"{self.name} did not end in {seconds:.0f} s; {self.tail()}") from error
        self.reader.join(timeout=10)
        if code != 0:
            raise AssertionError(f"{self.name} ended with {code}; {self.tail()}")

    def check_alive(self):
        """Raises when it has ended by itself with an error."""
        code = self.process.poll()
        if code not in (None, 0) and not self.killed:
            raise AssertionError(f"{self.name} ended with {code}; {self.tail()}")

    def kill(self):
        self.killed = True
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join(timeout=10)

    def tail(self):
        self.log.flush()
        with open(self.log_path, encoding="utf-8") as file:
            return f"the end of {self.log_path}:\n" + file.read()[-3000:]


def about(words):
    done = subprocess.run([*words, "about"], capture_output=True, text=True, timeout=patient(60))
    if done.returncode != 0:
        raise AssertionError(f"{words} about: {done.stdout}{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])
