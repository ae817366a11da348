"""kcat against a double: lists, produces with every codec, consumes; a leader crash between; replayed."""

import json
import os
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from double import patient, recorded, skip, wait_for  # noqa: E402


def kcat(double, *arguments, text=""):
    done = subprocess.run(["kcat", "-b", double.bootstrap, "-q", *arguments], input=text, capture_output=True,
                          text=True, timeout=patient(120))
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


class Member:
    def __init__(self, double, folder, number):
        self.out, self.log = os.path.join(folder, f"member-{number}"), os.path.join(folder, f"member-{number}.log")
        with open(self.out, "w", encoding="utf-8") as out, open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                ["kcat", "-b", double.bootstrap, "-u", "-X", "auto.offset.reset=earliest", "-X",
                 "session.timeout.ms=6000", "-X", "heartbeat.interval.ms=500", "-G", "readers", "shared"], stdout=out,
                stderr=log)

    def held(self):
        """How many partitions it was given last."""
        with open(self.log, encoding="utf-8") as file:
            given = [line for line in file if "assigned:" in line]
        return given[-1].count("shared [") if given else 0

    def lines(self):
        with open(self.out, encoding="utf-8") as file:
            return file.read().splitlines()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=patient(60))


def read_as_group_of_two(double, folder):
    """What each of two members has read of 300 records."""
    double.create_topic("shared", 6)
    members = [Member(double, folder, number) for number in range(2)]
    try:
        wait_for(lambda: all(member.held() == 3 for member in members), 60)
        kcat(double, "-P", "-t", "shared", "-K", ":", text="".join(f"k{i % 16}:value-{i}\n" for i in range(300)))
        wait_for(lambda: sum(len(member.lines()) for member in members) >= 300, 60)
    finally:
        for member in members:
            member.stop()
    return [member.lines() for member in members]


def main():
    if shutil.which("kcat") is None:
        skip("kcat is not installed")
    with recorded("--brokers", "3", "--seed", "11") as double:
        listed = json.loads(kcat(double, "-L", "-J"))
        assert len(listed["brokers"]) == 3, listed
        for codec in ["none", "gzip", "snappy", "lz4", "zstd"]:
            topic = f"kcat-{codec}"
            double.create_topic(topic, 1)
            lines = [f"key-{i}:value-{i}" for i in range(50)]
            kcat(double, "-P", "-t", topic, "-p", "0", "-K", ":", "-z", codec, text="\n".join(lines) + "\n")
            view = double.partition(topic)
            assert view["leo"] == view["hw"] == 50, view
            double.call("POST", f"/v1/brokers/{view['leader']}/crash")
            out = kcat(double, "-C", "-t", topic, "-p", "0", "-o", "beginning", "-e", "-K", ":")
            assert out.splitlines() == lines, out[:500]
            offsets = kcat(double, "-Q", "-t", f"{topic}:0:-1")
            assert "offset 50" in offsets, offsets
            double.restart_all()
            print(f"{codec}: ok")
        read = read_as_group_of_two(double, double.folder)
        assert read[0] and read[1], "a member had nothing"
        assert sorted(read[0] + read[1]) == sorted(f"value-{i}" for i in range(300)), [len(r) for r in read]
        print(f"a group of two: ok, {len(read[0])} and {len(read[1])} records")
        # Both committed when they ended: a third member has nothing to read.
        left = kcat(double, "-X", "auto.offset.reset=earliest", "-e", "-G", "readers", "shared")
        assert left == "", left[:500]


if __name__ == "__main__":
    main()
