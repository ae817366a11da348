#!/usr/bin/env python3
"""The four commands by which a test harness in another language drives a cluster, done by a double.

  external.py start [--brokers N] [--set KEY=VALUE]… [--format WHAT]…   prints host:port,host:port…
  external.py stop
  external.py broker-stop ID | broker-start ID

Broker ids begin with 0. The state is kept in the folder WT_EXTERNAL_DIR; WT_PROGRAM is the program, WT_PROFILE the
release profile.
"""
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request

FOLDER = os.environ.get("WT_EXTERNAL_DIR", "/tmp/wavetank-external")
PROGRAM = os.environ.get("WT_PROGRAM", "build/dev/bin/wavetank")
START_S, STOP_S = 20, 15
# What a test that does not set it counts on: the defaults of a real broker where a double's differ.
REAL_DEFAULTS = {"default.replication.factor": "1"}
# Switches of Kafka's own tests that are no documented broker configs.
HARNESS_ONLY = ("unstable.",)


def path(name):
    return os.path.join(FOLDER, name)


def harness_only(setting):
    """Also a test that has taken a config's description for its name, which a real broker passes over."""
    return setting.startswith(HARNESS_ONLY) or " " in setting.partition("=")[0]


def of_all_brokers(settings, brokers):
    """A double has most configs for all brokers only: what each of them is given alike."""
    same = {}
    for key, value in settings.items():
        broker, colon, name = key.rpartition(":")
        if not colon or name == "broker.rack":
            same[key] = value
        elif all(settings.get(f"{other}:{name}") == value for other in range(brokers)):
            same[name] = value
        else:
            raise SystemExit(f"external.py: {name} differs between brokers or is of a controller: {broker}")
    return same


def of_format(words):
    """Words for a storage format: levels of features are kept, another release is not."""
    return [word for pair in zip(words, words[1:]) if pair[0] == "--feature" for word in pair]


def start(words):
    settings, formats, brokers = {}, [], 1
    # A test may rely on an answer that takes a moment, as that of a process to another does. It also leaves the
    # configs that a double sets for the sake of speed as Kafka has them.
    flags = ["--profile", os.environ.get("WT_PROFILE", "kafka-4.4"), "--first-broker-id", "0", "--no-record",
             "--real-delays"]
    for name, value in zip(words[::2], words[1::2]):
        if name == "--brokers":
            brokers = int(value)
        elif name == "--set" and not harness_only(value):
            settings.update([value.split("=", 1)])
        elif name == "--format":
            formats.append(value)
        elif name != "--set":
            raise SystemExit(f"external.py: there is no option {name}")
    for name, value in {**REAL_DEFAULTS, **of_all_brokers(settings, brokers)}.items():
        flags += ["--set", f"{name}={value}"]
    flags += ["--brokers", str(brokers), *of_format(formats)]
    os.makedirs(FOLDER, exist_ok=True)
    if os.path.exists(path("ready")):
        os.remove(path("ready"))
    with open(path("serve.log"), "ab") as log:
        process = subprocess.Popen([PROGRAM, "serve", "--ready-file", path("ready"), *flags], stdout=log, stderr=log,
                                   stdin=subprocess.DEVNULL, start_new_session=True)
    with open(path("pid"), "w", encoding="ascii") as file:
        file.write(str(process.pid))
    deadline = time.monotonic() + START_S
    while not (os.path.exists(path("ready")) and os.path.getsize(path("ready")) > 0):
        if process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"external.py: the double did not start; see {path('serve.log')}")
        time.sleep(0.01)
    print(about()["kafka"])


def about():
    with open(path("ready"), encoding="utf-8") as file:
        return json.load(file)


def stop():
    with open(path("pid"), encoding="ascii") as file:
        pid = int(file.read())
    deadline = time.monotonic() + STOP_S
    try:
        os.kill(pid, signal.SIGTERM)
        while time.monotonic() < deadline:
            os.kill(pid, 0)
            time.sleep(0.02)
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def broker(action, number):
    request = urllib.request.Request(f"{about()['control']}/v1/brokers/{int(number)}/{action}", data=b"", method="POST")
    with urllib.request.urlopen(request, timeout=60):
        pass


def main(words):
    if words[:1] == ["start"]:
        start(words[1:])
    elif words == ["stop"]:
        stop()
    elif len(words) == 2 and words[0] in ("broker-stop", "broker-start"):
        broker("stop" if words[0] == "broker-stop" else "restart", words[1])
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
