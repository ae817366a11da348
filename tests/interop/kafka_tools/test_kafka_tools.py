"""Kafka's own command line tools against a double: the same output as against real brokers.

expected.txt holds what they print with real brokers, made comparable; `--record` writes it anew (that needs
java, mvn and a minute). Steps and meant differences: steps.py.
"""

import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from double import recorded, skip  # noqa: E402
from steps import FILES, MEANT, STEPS, TOOLS, VOLATILE  # noqa: E402

VERSION = "4.4.0"
CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "wavetank", "kafka-tools")
REAL_KAFKA = os.path.join(HERE, "..", "..", "conformance", "real_kafka", "real_kafka")
EXPECTED = os.path.join(HERE, "expected.txt")
LOG4J = """appender.err.type = Console
appender.err.name = err
appender.err.target = SYSTEM_ERR
appender.err.layout.type = PatternLayout
appender.err.layout.pattern = %m%n
rootLogger.level = OFF
rootLogger.appenderRef.err.ref = err
"""


def fetch_jars():
    folder = os.path.join(CACHE, VERSION)
    if os.path.exists(os.path.join(folder, ".complete")):
        return folder
    for program in ("java", "mvn"):
        if shutil.which(program) is None:
            skip(f"{program} is not installed")
    done = subprocess.run(
        ["mvn", "-B", "-q", "-f", os.path.join(HERE, "pom.xml"), "dependency:copy-dependencies",
         "-DincludeScope=runtime", f"-Dkafka.version={VERSION}", f"-DoutputDirectory={folder}"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        skip("the Maven packages of the tools cannot be had: " + (done.stdout + done.stderr)[-300:])
    with open(os.path.join(folder, "log4j2.properties"), "w") as file:
        file.write(LOG4J)
    with open(os.path.join(folder, ".complete"), "w"):
        pass
    return folder


class Tools:
    def __init__(self, folder, bootstrap):
        jars = fetch_jars()
        if shutil.which("javac") is None:
            skip("a Java compiler is not installed")
        self.bootstrap = bootstrap
        self.files = {}
        for name, text in FILES.items():
            self.files["{" + name + "}"] = os.path.join(folder, name + ".json")
            with open(os.path.join(folder, name + ".json"), "w") as file:
                file.write(text)
        self.java = subprocess.Popen(
            ["java", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.awt.headless=true",
             "-Dlog4j2.configurationFile=" + os.path.join(jars, "log4j2.properties"), "-cp", jars + "/*",
             os.path.join(HERE, "RunTools.java")], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def words(self, step):
        tool, *arguments = [self.files.get(word, word) for word in step.split()]
        where = ["--bootstrap-server", self.bootstrap]
        if tool == "cluster":
            arguments = arguments[:1] + where + arguments[1:]
        elif tool == "producer-perf-test":
            arguments += ["--bootstrap-server", self.bootstrap]
        else:
            arguments = where + arguments
        return ["org.apache.kafka.tools." + TOOLS[tool], *arguments]

    def run(self, step, given=""):
        """Exit code and what it printed; `given` is what it reads."""
        self.java.stdin.write("\t".join([given.replace("\n", "\\n"), *self.words(step)]).encode() + b"\n")
        self.java.stdin.flush()
        code, out, err = map(int, self.java.stdout.readline().split())
        return code, self.java.stdout.read(out).decode(), self.java.stdout.read(err).decode()

    def close(self):
        self.java.stdin.close()
        self.java.wait(timeout=30)


def sorted_json(text):
    def ordered(value):
        if isinstance(value, dict):
            return {key: ordered(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return sorted((ordered(inner) for inner in value), key=lambda inner: json.dumps(inner, sort_keys=True))
        return value
    return json.dumps(ordered(json.loads(text)))


def comparable(text, bootstrap):
    """What differs from run to run by a name, and what has no order in order."""
    for number, address in enumerate(bootstrap.split(","), 1):
        text = text.replace(address, f"$broker{number}")
        text = re.sub(r"127\.0\.0\.1 +" + address.split(":")[1] + " +", f"$broker{number} ", text)
    text = re.sub(r"TopicId: \S{22}", "TopicId: $id", text)
    text = re.sub(r"Cluster ID: \S+", "Cluster ID: $id", text)
    text = re.sub(r"Epoch: \d+", "Epoch: $n", text)
    text = re.sub(r'"(?:/[^"/]+)+/(\d)/data"|"/wavetank/broker-(\d)"', r'"$dir\1\2"', text)
    text = re.sub(r"Local controller \d+", "Local controller $n", text)
    text = re.sub(r"/\S+\.json", "$file", text)
    lines = []
    for line in text.splitlines():
        if re.match(r"\s+at |Caused by:|\s+Suppressed:|\s+\.\.\. ", line):
            continue
        if line.startswith("{"):
            line = sorted_json(line)
        lines.append(line.rstrip())
    text = "\n".join(line for line in lines if line)
    # 20 records, in one batch or, on a busy machine, in some more; times far from each other take a few bytes.
    text = re.sub(r'("partition": "one-0", "size": )[4-9]\d\d\b', r"\1$batch", text)
    # The brokers of this list come in any order.
    parts = re.split(r"(?m)^(?=\$broker\d \(id: \d)", text)
    return parts[0] + "\n".join(part.strip() for part in sorted(parts[1:]))


def transcript(tools, pause_s=0):
    """What each step printed. A real broker needs a moment before it knows what another one was told."""
    sections = []
    for step in STEPS:
        code, out, err = tools.run(step)
        time.sleep(pause_s)
        if step.split()[0] in VOLATILE:
            out = err = ""
        text = comparable(out + ("\n" if out and err else "") + err, tools.bootstrap)
        sections.append(f"exit {code}\n{text}".strip())
    return sections


def save(sections):
    with open(EXPECTED, "w") as file:
        for step, text in zip(STEPS, sections):
            file.write(f"$ {step}\n{text}\n\n")


def load():
    with open(EXPECTED) as file:
        parts = re.split(r"(?m)^\$ (?=[a-z-]+(?: |$))", file.read())[1:]
    steps, texts = zip(*(part.split("\n", 1) for part in parts))
    assert list(steps) == STEPS, "expected.txt is of other steps: record it anew"
    return [text.strip() for text in texts]


def differences(expected, got):
    for step, want, have in zip(STEPS, expected, got):
        if any(step.startswith(prefix) for prefix in MEANT):
            want, have = want.split("\n")[0], have.split("\n")[0]
        if want != have:
            yield f"$ {step}\n" + "\n".join(
                difflib.unified_diff(want.splitlines(), have.splitlines(), "real", "double", lineterm="", n=1))


def record():
    folder = tempfile.mkdtemp(prefix="wavetank-kafka-tools-")
    cluster = os.path.join(folder, "cluster")
    try:
        port = os.environ.get("WT_REAL_KAFKA_PORT", "19392")
        started = subprocess.run([REAL_KAFKA, "start", "--dir", cluster, "--port", port], capture_output=True,
                                 text=True, check=True)
        tools = Tools(folder, started.stdout.split()[-1])
        save(transcript(tools, pause_s=0.5))
        tools.close()
    finally:
        subprocess.run([REAL_KAFKA, "end", "--dir", cluster])
        shutil.rmtree(folder, ignore_errors=True)


def main():
    if "--record" in sys.argv:
        record()
        return
    fetch_jars()
    with recorded("--brokers", "3", "--seed", "17") as double:
        tools = Tools(double.folder, double.bootstrap)
        got = transcript(tools)
        tools.close()
    found = list(differences(load(), got))
    print("\n\n".join(found))
    print(f"{len(STEPS)} commands, {len(found)} differ")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
