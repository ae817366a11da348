#!/usr/bin/env python3
"""Prints the ten slowest translation units of a build folder and fails if one is too slow.

  compile_times.py BUILD_FOLDER

Ninja's log has wall times, which say little on a busy machine. A unit whose wall time is over the limit
is therefore compiled once more, without ccache, and judged by its processor time. That too doubles when
others use the same cores, so the limit grows with what the yardstick takes at the same moment: a unit
that holds nothing but a header of others. A source that cannot be split says so in a line
`// slow-unit-ok: reason` and has twice the limit.
"""
import json
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile

SHOW = 10
WARN_S = 10.0
FAIL_S = 25.0
MEASURE_AT_MOST = 3
YARDSTICK = "tests/catch_main.cc"
YARDSTICKS = 1.3  # on a machine of its own that is no more than FAIL_S


def logged_seconds(folder):
    """Last wall time of each object file in ninja's log."""
    seconds = {}
    with open(os.path.join(folder, ".ninja_log"), encoding="utf-8") as log:
        for line in log:
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 5 and fields[3].endswith((".o", ".gch", ".pch")):
                seconds[fields[3]] = (int(fields[1]) - int(fields[0])) / 1000.0
    return seconds


def commands(folder):
    """Object file → (source, command) from the compile commands."""
    with open(os.path.join(folder, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    outputs = ((re.search(r" -o (\S+)", e["command"]), e) for e in entries)
    return {match.group(1): (e["file"], e["command"]) for match, e in outputs if match}


def measure(folder, command):
    """Processor seconds of one compilation without ccache; None if it does not compile on its own."""
    words = shlex.split(command)
    with tempfile.TemporaryDirectory() as scratch:
        if "-o" in words:
            words[words.index("-o") + 1] = os.path.join(scratch, "unit.o")
        if "-MF" in words:
            words[words.index("-MF") + 1] = os.path.join(scratch, "unit.d")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(words, cwd=folder, env={**os.environ, "CCACHE_DISABLE": "1"}, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        return None
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_yardstick(folder, known):
    """Processor seconds of the yardstick now; 0 if this build has none."""
    for source, command in known.values():
        if source.endswith("/" + YARDSTICK):
            return measure(folder, command) or 0.0
    return 0.0


def limit_of(source, limit_s=FAIL_S):
    with open(source, encoding="utf-8", errors="replace") as file:
        return limit_s * 2 if re.search(r"(?m)^// slow-unit-ok: \S", file.read()) else limit_s


def main(folder):
    if not os.path.exists(os.path.join(folder, ".ninja_log")):
        print(f"{folder} has no ninja log: nothing to read")
        return 0
    known, logged = commands(folder), logged_seconds(folder)
    seconds = sorted(((s, o) for o, s in logged.items() if o in known), reverse=True)
    if logged and not seconds:
        print(f"{folder}: ninja's log and the compile commands have no unit in common; this check reads them wrongly")
        return 1
    print(f"slowest of {len(seconds)} units, wall time as logged (ccache hits are fast):")
    for spent, output in seconds[:SHOW]:
        print(f"  {spent:6.1f} s  {os.path.relpath(known[output][0])}{'  over 10 s' if spent > WARN_S else ''}")
    failures, measured, yardstick = 0, 0, None
    for spent, output in seconds:
        source, command = known[output]
        if source.endswith("/" + YARDSTICK) or not os.path.exists(source):
            continue
        if spent <= limit_of(source) or measured == MEASURE_AT_MOST:
            continue
        measured += 1
        alone = measure(folder, command)
        print(f"  {source}: {spent:.1f} s wall, " +
              ("could not be compiled again" if alone is None else f"{alone:.1f} s of processor time"))
        if alone is None or alone <= limit_of(source):
            continue
        if yardstick is None:
            yardstick = measure_yardstick(folder, known)
            print(f"  {YARDSTICK}, the yardstick: {yardstick:.1f} s of processor time")
        limit_s = limit_of(source, max(FAIL_S, yardstick * YARDSTICKS))
        if alone > limit_s:
            failures += 1
            print(f"{source}:1: [compile-time] {alone:.1f} s, limit {limit_s:.0f} s: split it, or cage the heavy header in one unit")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
