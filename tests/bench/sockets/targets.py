"""The servers that are compared: how each is started, found and ended."""
import ctypes
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
LIFE_S = 120  # of one server, should this program be unable to end it


class Unavailable(Exception):
    """The target cannot be had here; the text says why."""


def _die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def pinned(command, cpu):
    return command if cpu is None else ["taskset", "-c", str(cpu), *command]


class Server:
    """A running server: `bootstrap` and `pids`."""

    def __init__(self, bootstrap, pids, process=None, folder=None):
        self.bootstrap, self.pids, self.process, self.folder = bootstrap, pids, process, folder

    def memory_kib(self):
        total = 0
        for pid in self.pids:
            with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
                total += sum(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))
        return total

    def stop(self):
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


class Target:
    """A program whose first line of output is a JSON object with "kafka"; a new process for each measurement.
    `{folder}` in the command becomes a scratch folder."""

    def __init__(self, name, command):
        self.name, self.command = name, command
        if not os.access(command[0], os.X_OK):
            raise Unavailable(f"{command[0]} has not been built")

    def words(self, folder):
        return [word.replace("{folder}", folder) for word in self.command]

    def start(self, cpu=None):
        folder = tempfile.mkdtemp(prefix="wavetank-bench-")
        process = subprocess.Popen(pinned(self.words(folder), cpu), stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                   preexec_fn=_die_with_parent)
        server = Server("", [process.pid], process, folder)  # taskset becomes the program itself
        try:
            if not select.select([process.stdout], [], [], 20)[0]:
                raise Unavailable(f"{self.name} did not say where it listens")
            server.bootstrap = json.loads(process.stdout.readline())["kafka"]
        except (ValueError, KeyError) as error:
            server.stop()
            raise Unavailable(f"{self.name} did not say where it listens (exit code {process.poll()})") from error
        except Unavailable:
            server.stop()
            raise
        return server

    def stop(self, server):
        server.stop()

    def close(self):
        pass


class RealKafka:
    """One broker from tests/conformance/real_kafka, started once: it needs seconds, and time to warm up."""

    def __init__(self):
        self.name = "real-kafka"
        self.script = os.path.join(ROOT, "tests/conformance/real_kafka/real_kafka")
        self.folder = tempfile.mkdtemp(prefix="wavetank-bench-kafka-") + "/cluster"
        if shutil.which("java") is None:
            raise Unavailable("there is no java")
        # The script starts brokers for tests, with the quick compiler only; here the better one may work.
        environment = dict(os.environ, _JAVA_OPTIONS="-XX:TieredStopAtLevel=4 -Xmx1g")
        begin = time.monotonic()
        ran = subprocess.run([self.script, "start", "--brokers", "1", "--port", "19392", "--dir", self.folder,
                              "group.initial.rebalance.delay.ms=0"],
                             env=environment, capture_output=True, text=True, timeout=300, check=False)
        self.started_s = time.monotonic() - begin
        if ran.returncode != 0:
            self.close()
            raise Unavailable("real_kafka: " + (ran.stderr.strip().splitlines() or ["did not start"])[-1])
        with open(f"{self.folder}/1/pid", encoding="ascii") as file:
            self.server = Server(ran.stdout.strip(), [int(file.read())])

    def start(self, cpu=None):
        cpus = range(os.cpu_count()) if cpu is None else [cpu]
        pid = self.server.pids[0]
        for thread in os.listdir(f"/proc/{pid}/task"):
            try:
                os.sched_setaffinity(int(thread), cpus)
            except ProcessLookupError:
                pass
        return self.server

    def stop(self, server):
        pass

    def close(self):
        subprocess.run([self.script, "end", "--dir", self.folder], capture_output=True, timeout=60, check=False)
        shutil.rmtree(os.path.dirname(self.folder), ignore_errors=True)


def build_kfake(cache):
    """Builds kfake/main.go with whatever Go is here, once; returns the program."""
    program = os.path.join(cache, "kfake_server")
    if os.access(program, os.X_OK):
        return program
    if shutil.which("go") is None:
        raise Unavailable("there is no go")
    source = os.path.join(cache, "kfake")
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(os.path.join(HERE, "kfake"), source)
    for command in (["go", "mod", "tidy"], ["go", "build", "-o", program, "."]):
        ran = subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=600, check=False)
        if ran.returncode != 0:
            raise Unavailable(f"{' '.join(command[:2])}: " + (ran.stderr.strip().splitlines() or [""])[-1])
    return program


def open_targets(binaries, extra, cache):
    """All targets that can be had, and reasons for those that cannot."""
    def program(name):
        return os.path.join(binaries, name)

    life = str(LIFE_S)
    makers = {
        "wavetank": lambda: Target("wavetank", [program("wavetank"), "serve", "--no-record"]),
        "wavetank-rec": lambda: Target("wavetank-rec",
                                       [program("wavetank"), "serve", "--record", "{folder}/run.wtj"]),
        "mock": lambda: Target("mock", [program("mock_server"), life]),
        "limit": lambda: Target("limit", [program("epoll_limit"), life]),
    }
    if "kfake" in extra:
        makers["kfake"] = lambda: Target("kfake", [build_kfake(cache), life])
    if "real-kafka" in extra:
        makers["real-kafka"] = RealKafka
    targets, missing = [], []
    for name, make in makers.items():
        try:
            targets.append(make())
        except (Unavailable, OSError, subprocess.TimeoutExpired) as error:
            missing.append(f"{name}: {error}")
    return targets, missing
