"""Kafka's command line tools for groups against a double: the same output as against real brokers.

expected_groups.txt holds what they print with real brokers, made comparable; `--record` writes it anew. Steps:
group_steps.py.
"""

import difflib
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from double import patient, recorded, skip  # noqa: E402
from group_steps import ALONE, INPUT, STEPS, TOOLS, UNORDERED  # noqa: E402

try:
    import test_kafka_tools as common
except ModuleNotFoundError:
    skip("what runs the tools is not here")

EXPECTED = os.path.join(HERE, "expected_groups.txt")
UNTIL_S = 60
ALONE_S = 60


class GroupTools(common.Tools):
    def __init__(self, folder, bootstrap):
        super().__init__(folder, bootstrap)
        self.jars = common.fetch_jars()
        self.background = {}

    def words(self, step):
        tool, *arguments = step.split()
        return ["org.apache.kafka.tools." + TOOLS[tool], "--bootstrap-server", self.bootstrap, *arguments]

    def open_process(self, step):
        return subprocess.Popen(
            ["java", "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
             "-Dlog4j2.configurationFile=" + os.path.join(self.jars, "log4j2.properties"), "-cp", self.jars + "/*",
             *self.words(step)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, step):
        word, *rest = step.split(maxsplit=2)
        if word == "start":
            self.background[rest[0]] = self.open_process(rest[1])
            return 0, "", ""
        if word == "stop":
            process = self.background.pop(rest[0])
            process.terminate()
            process.communicate(timeout=patient(ALONE_S))
            return 0, "", ""
        if word == "until":
            return self.run_until(rest[0], rest[1])
        if not step.startswith(ALONE):
            return super().run(step, INPUT.get(word, ""))
        process = self.open_process(step)
        out, err = process.communicate(timeout=patient(ALONE_S))
        return process.returncode, out.decode(), err.decode()

    def run_until(self, wanted, step):
        begin = time.monotonic()
        while True:
            answer = self.run(step)
            if wanted in answer[1] or time.monotonic() - begin > patient(UNTIL_S):
                return answer
            time.sleep(0.3)

    def close(self):
        for process in self.background.values():
            process.kill()
            process.communicate()
        super().close()


def comparable(step, text, bootstrap):
    """As for the other tools; besides, members' ids, times and speeds by a name, tables with single blanks."""
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "$uuid", text)
    text = re.sub(r"\b[\w-]{22}(?= +/127)", "$uuid", text)
    text = re.sub(r'("(?:\w*[tT]imestamp|avg_throughput|rebalance_time)"): ?[\d.]+', r"\1:$n", text)
    text = re.sub(r'("topicId"): ?"[^"]+"', r'\1:"$id"', text).replace("}{", "}\n{")
    for number, address in enumerate(bootstrap.split(","), 1):
        host, port = address.split(":")
        text = text.replace(address, f"$broker{number}")
        text = re.sub(rf"\b{host}:{port}\b", f"$broker{number}", text)
    text = re.sub(r"\$broker\d +\(\d\)", "$coordinator", text)
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d:\d+", "$time", text)
    if step.startswith("producer-perf-test"):  # what it says before its end depends on its speed
        text = re.sub(r"\d+\.\d+|\d+ ms", "$n", text.strip().splitlines()[-1])
    if step.startswith("consumer-perf-test"):  # its last column without a time in it is the number of records
        text = re.sub(r"\d+\.\d+", "$n", re.sub(r"(?m)^(\$time(, [^,]+){4}),.*", r"\1", text))
    text = re.sub(r"(?m) +$", "", re.sub(r"[ \t]+", " ", text))
    lines = [line for line in text.splitlines() if line.strip() and not re.match(r"\s+at |Caused by:|\s+\.\.\. ", line)]
    if step.startswith(UNORDERED):
        lines.sort()
    if "__consumer_offsets" in step:  # how often a consumer commits depends on its speed
        lines = [line for line in dict.fromkeys(lines) if not line.startswith("Processed")]
    return "\n".join(lines)


def transcript(tools, pause_s=0):
    sections = []
    for step in STEPS:
        code, out, err = tools.run(step)
        time.sleep(pause_s)
        text = comparable(step, out + ("\n" if out and err else "") + err, tools.bootstrap)
        sections.append(f"exit {code}\n{text}".strip())
    return sections


def save(sections):
    with open(EXPECTED, "w") as file:
        for step, text in zip(STEPS, sections):
            file.write(f"$ {step}\n{text}\n\n")


def load():
    with open(EXPECTED) as file:
        parts = [part.split("\n", 1) for part in re.split(r"(?m)^\$ (?=[a-z-]+ )", file.read())[1:]]
    assert [step for step, _ in parts] == STEPS, "expected_groups.txt is of other steps: record it anew"
    return [text.strip() for _, text in parts]


def differences(expected, got):
    for step, want, have in zip(STEPS, expected, got):
        if want != have:
            lines = difflib.unified_diff(want.splitlines(), have.splitlines(), "real", "double", lineterm="", n=1)
            yield f"$ {step}\n" + "\n".join(lines)


def record():
    with tempfile.TemporaryDirectory(prefix="wavetank-kafka-tools-") as folder:
        cluster = os.path.join(folder, "cluster")
        try:
            started = subprocess.run(
                [common.REAL_KAFKA, "start", "--dir", cluster, "--port", os.environ.get("WT_REAL_KAFKA_PORT", "19392")],
                capture_output=True, text=True, check=True)
            tools = GroupTools(folder, started.stdout.split()[-1])
            save(transcript(tools, pause_s=0.5))
            tools.close()
        finally:
            subprocess.run([common.REAL_KAFKA, "end", "--dir", cluster])


def main():
    if "--record" in sys.argv:
        record()
        return
    common.fetch_jars()
    with recorded("--brokers", "3", "--seed", "17") as double:
        tools = GroupTools(double.folder, double.bootstrap)
        got = transcript(tools)
        tools.close()
    found = list(differences(load(), got))
    print("\n\n".join(found))
    print(f"{len(STEPS)} commands, {len(found)} differ")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
