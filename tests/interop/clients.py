"""The clients that come from a registry: what they need, how they are installed into the build folder.

Versions are pinned here and in the manifests beside the programs. A client whose tools or packages cannot be had
is CannotBeHad, and its tests are skipped; a program of ours that does not compile is an error.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time

from double import BUILD, patient

HERE = os.path.dirname(os.path.abspath(__file__))


class CannotBeHad(Exception):
    pass


# Set by a fetch that had no end: the next ones do not wait as long, one after the other.
NO_ANSWER = os.path.join(BUILD, "interop", ".no-answer")
NO_ANSWER_COUNTS_S = 1800


def is_unreachable():
    return os.path.exists(NO_ANSWER) and time.time() - os.path.getmtime(NO_ANSWER) < NO_ANSWER_COUNTS_S


def run(words, folder, seconds, what, fetch, env=None):
    """Runs one step of an installation. A step that fetches may fail for want of a network."""
    if fetch and is_unreachable():
        raise CannotBeHad(f"{what}: a fetch had no end a short time ago; remove {NO_ANSWER} to try again")
    seconds = patient(seconds)
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=seconds,
                              stdin=subprocess.DEVNULL, env={**os.environ, **(env or {})})
        output = done.stdout + done.stderr
        if done.returncode == 0:
            return
    except subprocess.TimeoutExpired:
        output = f"no end after {seconds:.0f} s"
        if fetch:
            with open(NO_ANSWER, "w", encoding="utf-8"):
                pass
    if fetch:
        raise CannotBeHad(f"{what}: {output.strip()[-600:]}")
    raise RuntimeError(f"{what}: {output.strip()[-4000:]}")


def need(*programs):
    for program in programs:
        if shutil.which(program) is None:
            raise CannotBeHad(f"{program} is not installed")


class Client:
    """`source` is the folder here; `protocols` and the rest are what the program's `about` says."""

    def __init__(self, source):
        self.source = os.path.join(HERE, source)

    def prepare(self, name):
        """Installs unless that was done; returns the words that start the program."""
        folder = os.path.abspath(os.path.join(BUILD, "interop", name))
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, ".lock"), "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            marker, wanted = os.path.join(folder, ".complete"), self.recipe()
            if not os.path.exists(marker) or open(marker, encoding="utf-8").read() != wanted:
                print(f"installing {name} into {folder}", flush=True)
                self.install(folder)
                with open(marker, "w", encoding="utf-8") as file:
                    file.write(wanted)
        return self.words(folder)

    def recipe(self):
        text = repr(sorted((k, v) for k, v in vars(self).items() if k != "source"))
        for name in self.compiled():
            with open(os.path.join(self.source, name), encoding="utf-8") as file:
                text += file.read()
        return hashlib.sha256(text.encode()).hexdigest()

    def compiled(self):
        """Files that make a new installation necessary when they change."""
        return []

    def copy(self, folder):
        for name in self.compiled():
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            shutil.copy(os.path.join(self.source, name), os.path.join(folder, name))


class Built(Client):
    """Built with the rest: needs Debian packages only."""

    def __init__(self, source, program):
        super().__init__(source)
        self.program = os.path.join(BUILD, "bin", program)

    def install(self, folder):
        if not os.access(self.program, os.X_OK):
            raise CannotBeHad("its development package is not installed")

    def words(self, folder):
        return [self.program]


class Python(Client):
    def __init__(self, source, *packages):
        super().__init__(source)
        self.packages = packages

    def install(self, folder):
        venv = os.path.join(folder, "venv")
        shutil.rmtree(venv, ignore_errors=True)
        run([sys.executable, "-m", "venv", venv], folder, 120, "venv", fetch=True)
        run([os.path.join(venv, "bin", "pip"), "install", "--quiet", "--only-binary=:all:", *self.packages], folder, 300,
            "pip install", fetch=True)

    def words(self, folder):
        return [os.path.join(folder, "venv", "bin", "python"), "-B", os.path.join(self.source, "client.py")]


class Node(Client):
    def __init__(self, source, *packages):
        super().__init__(source)
        self.packages = packages

    def compiled(self):
        return ["client.mjs"]

    def install(self, folder):
        need("node", "npm")
        self.copy(folder)
        shutil.copy(os.path.join(HERE, "lines.mjs"), os.path.join(folder, "lines.mjs"))
        with open(os.path.join(folder, "package.json"), "w", encoding="utf-8") as file:
            file.write('{"name": "client", "private": true}\n')
        run(["npm", "install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error",
             *self.packages], folder, 300, "npm install", fetch=True)

    def recipe(self):
        with open(os.path.join(HERE, "lines.mjs"), encoding="utf-8") as file:
            return super().recipe() + hashlib.sha256(file.read().encode()).hexdigest()

    def words(self, folder):
        return ["node", os.path.join(folder, "client.mjs")]


class Java(Client):
    def __init__(self, source, version, *main):
        super().__init__(source)
        self.version = version
        self.main = main

    def compiled(self):
        return sorted(name for name in os.listdir(self.source) if name.endswith((".java", ".xml")))

    def install(self, folder):
        need("java", "javac", "mvn")
        self.copy(folder)
        shutil.rmtree(os.path.join(folder, "lib"), ignore_errors=True)
        run(["mvn", "-B", "-q", "-f", "pom.xml", "dependency:copy-dependencies", "-DincludeScope=runtime",
             f"-Dkafka.version={self.version}", "-DoutputDirectory=lib"], folder, 300, "mvn", fetch=True)
        sources = [name for name in self.compiled() if name.endswith(".java")]
        run(["javac", "-Xlint:-options", "-cp", "lib/*", "-d", "classes", *sources], folder, 120, "javac", fetch=False)

    def words(self, folder):
        return ["java", "-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
                os.path.join(folder, "classes") + ":" + os.path.join(folder, "lib", "*"), *self.main]


class Go(Client):
    def compiled(self):
        return sorted(name for name in os.listdir(self.source) if name.endswith((".go", ".mod")))

    def install(self, folder):
        need("go")
        self.copy(folder)
        shutil.copytree(os.path.join(HERE, "golines"), os.path.join(folder, "golines"), dirs_exist_ok=True)
        # Sums and indirect requirements are worked out here: nothing of them is kept in the repository.
        env = {"GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local"}
        run(["go", "list", "-deps", "."], folder, 300, "go list", fetch=True, env=env)
        run(["go", "build", "-o", "client", "."], folder, 900, "go build", fetch=False, env=env)

    def words(self, folder):
        return [os.path.join(folder, "client")]


class Rust(Client):
    def compiled(self):
        return ["Cargo.toml", "src/main.rs"]

    def install(self, folder):
        need("cargo", "gcc", "make")
        self.copy(folder)
        run(["cargo", "fetch", "--quiet"], folder, 300, "cargo fetch", fetch=True)
        run(["cargo", "build", "--quiet", "--offline"], folder, 1200, "cargo build", fetch=False)

    def words(self, folder):
        return [os.path.join(folder, "target", "debug", "client")]


CLIENTS = {
    "librdkafka": Built("librdkafka", "rdk_group_client"),
    "confluent_kafka": Python("confluent_kafka", "confluent-kafka==2.16.1"),
    "kafka_python": Python("kafka_python", "kafka-python==3.0.12", "python-snappy==0.7.3", "lz4==4.4.5",
                           "zstandard==0.25.0"),
    "aiokafka": Python("aiokafka", "aiokafka==0.14.0", "cramjam==2.14.0"),
    "java_4_4_0": Java("java", "4.4.0", "Client"),
    "java_3_4_1": Java("java", "3.4.1", "Client"),
    "java_2_1_1": Java("java", "2.1.1", "Client"),
    "franz_go": Go("franz_go"),
    "kafkajs": Node("kafkajs", "kafkajs@2.2.4"),
    "platformatic_kafka": Node("platformatic_kafka", "@platformatic/kafka@1.35.0"),
    "sarama": Go("sarama"),
    "kafka_go": Go("kafka_go"),
    "confluent_kafka_go": Go("confluent_kafka_go"),
    "rust_rdkafka": Rust("rust_rdkafka"),
    # Not a client program of the common form: kafka_streams/test_kafka_streams.py.
    "kafka_streams": Java("kafka_streams", "4.4.0", "Streams"),
}
