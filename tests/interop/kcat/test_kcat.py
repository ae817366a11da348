"""kcat against a double: lists, produces with every codec, consumes; a leader crash between; replayed."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from double import Double, check_replays, skip  # noqa: E402


def kcat(double, *arguments, text=""):
    done = subprocess.run(["kcat", "-b", double.bootstrap, "-q", *arguments], input=text, capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def main():
    if shutil.which("kcat") is None:
        skip("kcat is not installed")
    with tempfile.TemporaryDirectory(prefix="wavetank-interop-") as folder:
        double = Double(folder, "--brokers", "3", "--seed", "11")
        try:
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
            double.check_no_finding()
        finally:
            double.stop()
        result = check_replays(double.recording)
        print(f"replayed: hash {result['hash']}, {result['events']} events")


if __name__ == "__main__":
    main()
