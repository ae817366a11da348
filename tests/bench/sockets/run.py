#!/usr/bin/env python3
"""Wavetank and other servers under the same loads, in turns, over loopback. docs/benchmarks.md explains the
figures. Everything it starts ends with it.

  run.py --bin DIR [--quick] [--with kfake] [--with real-kafka] [--only PATTERN] [--rounds N] [--seconds S]
         [--pin auto|one|split|none] [--json FILE] [--markdown]
"""
import argparse
import fnmatch
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import table
import targets as servers

RAW = [("raw {} acks=1".format(n), ["--connections", str(n)]) for n in (1, 8, 32, 64)]
RAW += [("raw {} acks=all".format(n), ["--connections", str(n), "--acks", "-1"]) for n in (1, 32)]
RAW += [("raw 8 window=16", ["--connections", "8", "--window", "16"])]
# Records are bounded so that a server that keeps everything stays below some 100 MB.
RDK = [("single", ["single", "--records", "200000"]),
       ("bulk 100 B", ["bulk", "--records", "1500000"]),
       ("bulk 1000 B", ["bulk", "--records", "300000", "--bytes", "1000"]),
       ("fetch 100 B", ["fetch", "--records", "200000"]),
       ("fetch 1000 B", ["fetch", "--records", "50000", "--bytes", "1000"])]
# Consumers that join one group at once, until each has got its first record.
GROUPS = [(f"join {n}", ["--members", str(n)]) for n in (1, 10, 100)]
SKIP = {"mock": ["fetch*",  # it answers about one batch a fetch and keeps 5 MB: no comparison
                 "join*"],  # it cannot make a topic with a partition for each member
        "limit": ["single", "bulk*", "fetch*", "join*"],
        "wavetank-rec": ["raw 64*", "raw * acks=all", "fetch*"]}


def arguments():
    parser = argparse.ArgumentParser(description="Benches over sockets.")
    parser.add_argument("--bin", required=True, help="folder with the built programs")
    parser.add_argument("--quick", action="store_true", help="about a minute")
    parser.add_argument("--with", dest="extra", action="append", default=[], choices=["kfake", "real-kafka"])
    parser.add_argument("--only", action="append", default=[], help="pattern of loads, such as 'raw*'")
    parser.add_argument("--targets", default="", help="comma-separated names, instead of all")
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0.0, help="of one measurement")
    parser.add_argument("--pin", choices=["auto", "one", "split", "none"], default="auto",
                        help="auto: client and server of one connection on one CPU, else free")
    parser.add_argument("--cache", default=os.path.join(tempfile.gettempdir(), "wavetank-bench-cache"))
    parser.add_argument("--json", help="write all single results to this file")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    options.rounds = options.rounds or (2 if options.quick else 5)
    options.seconds = options.seconds or (0.4 if options.quick else 1.0)
    return options


def cpus(pin, load):
    """CPUs of (server, client); None: any."""
    if pin == "auto":
        pin = "one" if load.startswith("raw 1 ") else "none"
    return {"one": (0, 0), "split": (0, 1 % os.cpu_count()), "none": (None, None)}[pin]


def measure(options, target, load, words, number):
    """One run of one load against a server of its own; the loader's figures, or a reason."""
    server_cpu, client_cpu = cpus(options.pin, load)
    try:
        server = target.start(server_cpu)
    except servers.Unavailable as error:
        return {"problem": str(error)}
    try:
        pids = ",".join(map(str, server.pids))
        common = ["--topic", f"bench-{number}", "--pid", pids]
        tool = {"raw": "raw_loader", "join": "group_loader"}.get(load.split()[0], "rdk_loader")
        if tool != "group_loader":
            common += ["--seconds", str(options.seconds)]
        command = [os.path.join(options.bin, tool), server.bootstrap, *words, *common]
        if tool == "rdk_loader":  # which relies on nobody to create topics
            subprocess.run([os.path.join(options.bin, "raw_loader"), server.bootstrap, "--topic", f"bench-{number}",
                            "--bytes", words[words.index("--bytes") + 1] if "--bytes" in words else "100",
                            "--warmup", "0", "--requests", "1"], capture_output=True, timeout=60, check=False)
        if tool == "raw_loader":
            command += ["--requests", "100000000" if options.seconds > 10 else "2000000", "--warmup", "2000"]
        ran = subprocess.run(servers.pinned(command, client_cpu), capture_output=True, text=True,
                             timeout=90 + options.seconds, check=False)
    except subprocess.TimeoutExpired:
        return {"problem": "the loader did not end"}
    finally:
        target.stop(server)
    if ran.returncode != 0:
        return {"problem": (ran.stderr.strip().splitlines() or [f"exit code {ran.returncode}"])[-1]}
    figures = json.loads(ran.stdout.strip().splitlines()[-1])
    if tool == "raw_loader" and target.name != "limit" and not figures["offsets_grow"]:
        return {"problem": "offsets do not grow: nothing was appended"}
    return figures


def wanted(options, target, load):
    return not any(fnmatch.fnmatch(load, pattern) for pattern in SKIP.get(target.name, []))


def run_matrix(options, targets, note):
    """results[load][target] = list with one entry a round."""
    results, number = {}, int(time.time()) % 100000 * 1000
    loads = [(name, words) for name, words in RAW + RDK + GROUPS
             if not options.only or any(fnmatch.fnmatch(name, pattern) for pattern in options.only)]
    for load, words in loads:
        cells = results.setdefault(load, {})
        for round_number in range(options.rounds):
            order = targets if round_number % 2 == 0 else targets[::-1]
            for target in order:
                if not wanted(options, target, load):
                    continue
                number += 1
                note(f"{load}, round {round_number + 1} of {options.rounds}: {target.name}")
                cells.setdefault(target.name, []).append(measure(options, target, load, words, number))
    return results


def start_up(options, targets, note):
    """Milliseconds from the start of the process to the first acknowledged record, and idle memory."""
    rows = []
    for target in targets:
        if isinstance(target, servers.RealKafka):
            rows.append({"target": target.name, "acknowledged_ms": target.started_s * 1e3,
                         "rss_mib": target.server.memory_kib() / 1024})
            continue
        note(f"start-up: {target.name}")
        times = []
        for _ in range(3 if options.quick else 9):
            with tempfile.TemporaryDirectory(prefix="wavetank-bench-") as folder:
                ran = subprocess.run([os.path.join(options.bin, "raw_loader"), "--start-up", "--acks", "-1", "--",
                                      *target.words(folder)], capture_output=True, text=True, timeout=60, check=False)
            if ran.returncode == 0:
                times.append(json.loads(ran.stdout)["acknowledged_ms"])
        row = {"target": target.name, "acknowledged_ms": statistics.median(times) if times else None}
        try:
            server = target.start()
            time.sleep(0.3)
            row["rss_mib"] = server.memory_kib() / 1024
            target.stop(server)
        except servers.Unavailable as error:
            row["problem"] = str(error)
        rows.append(row)
    embed = os.path.join(options.bin, "embed_start")
    if os.access(embed, os.X_OK):
        note("start-up: embedded")
        ran = subprocess.run([embed, "11"], capture_output=True, text=True, timeout=120, check=False)
        if ran.returncode == 0:
            figures = json.loads(ran.stdout)
            rows.append({"target": "wavetank embedded", "heap_mib": figures["heap_kib"] / 1024, **figures})
        else:
            rows.append({"target": "wavetank embedded", "problem": (ran.stderr.strip() or "failed")})
    return rows


def machine(options):
    load = os.getloadavg()[0]
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="ascii", errors="replace")
                  if line.startswith("model name")), platform.machine())
    text = (f"{time.strftime('%Y-%m-%d %H:%M')}, {os.cpu_count()} × {model}, load average {load:.1f} before, "
            f"{options.rounds} rounds of {options.seconds:g} s, pin {options.pin}")
    if load > 0.5:
        text += " (a busy machine: absolute figures mean little, ratios a bit more)"
    return text


def main():
    options = arguments()
    os.makedirs(options.cache, exist_ok=True)
    about = machine(options)
    targets, missing = servers.open_targets(options.bin, options.extra, options.cache)
    if options.targets:
        targets = [target for target in targets if target.name in options.targets.split(",")]

    def note(text):
        print(f"\r\033[K{text}", end="" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)

    try:
        starts = [] if options.only else start_up(options, targets, note)
        results = run_matrix(options, targets, note)
    finally:
        for target in targets:
            target.close()
    note("")
    print(about)
    for reason in missing:
        print("left out: " + reason)
    print(table.render(results, starts, options.markdown))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"about": about, "results": results, "start_up": starts}, file, indent=1)
    return 1 if table.problems(results) else 0


if __name__ == "__main__":
    sys.exit(main())
