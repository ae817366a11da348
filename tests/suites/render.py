#!/usr/bin/env python3
"""Makes docs/clients.md from results/ and reasons.tsv: render.py [--check]."""
import fnmatch
import os
import sys

import results

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs", "clients.md")
SUITES = (("librdkafka", "librdkafka 2.15, its own suite", ("real-kafka-4.4", "kfake", "wavetank")),
          ("kafka", "Apache Kafka 4.3.1, its own cluster tests", ("real-kafka-4.3", "wavetank")),
          ("franz-go", "franz-go, package kgo", ("real-kafka-4.4", "kfake", "wavetank")),
          ("kafka-python", "kafka-python, integration tests", ("real-kafka-4.4", "kfake", "wavetank")))
HEAD = """# Clients and official suites

Which tests of others pass on Wavetank, beside a real broker and kfake. Made by `tests/suites/render.py` from the
results in `tests/suites/results`; `tests/suites/README.md` says how to run the suites. Clients that are run by
`./dev interop` are listed in [tests/interop](../tests/interop/README.md).

A test counts when the real broker passes it. Those that do not pass on Wavetank or on kfake are listed, with the reason
why Wavetank does not pass them; – says that a server was not asked.
"""


def reason_for(reasons, suite, name):
    return next((text for of, pattern, text in reasons if of == suite and fnmatch.fnmatchcase(name, pattern)), None)


def variant_of(suite, name):
    """What librdkafka's tests are run with, such as the protocol of groups; "" elsewhere."""
    return name.partition(" ")[2] if suite == "librdkafka" else ""


def summary(suite, tables):
    """How many tests end how, for each server and variant."""
    several = any(variant_of(suite, name) for found in tables.values() for name in found)
    lines = ["| |" + " |" * several + " passed | failed | skipped |", "|---|" + "---|" * several + "--:|--:|--:|"]
    for variant in sorted({variant_of(suite, name) for found in tables.values() for name in found}):
        for server, found in tables.items():
            states = [state for name, (state, _) in found.items() if variant_of(suite, name) == variant]
            if states:
                counts = " | ".join(str(states.count(state)) for state in results.STATES)
                lines.append(f"| {server} |" + f" {variant} |" * several + f" {counts} |")
    return lines


def state_of(suite, found, name):
    """How a test ended on a server; None: it was not asked."""
    # A runner that died has left one line for all tests of that number.
    number = f"{name[:4]} {variant_of(suite, name)}" if suite == "librdkafka" else name
    return found.get(name, found.get(number, (None,)))[0]


def truth_of(suite, real, name):
    """The same on the real broker; a variant that it was not asked is judged by the one that it was."""
    variants = [variant_of(suite, name), "classic"] if suite == "librdkafka" else [""]
    states = [state_of(suite, real, f"{name.partition(' ')[0]} {v}" if v else name) for v in variants]
    return next((state for state in states if state), None)


def is_listed(truth, others, mine, reason):
    if truth == "ok":
        return mine != "ok" or any(state not in ("ok", None) for state in others)
    return mine not in ("ok", "skipped", None) and (truth is None or reason is not None)


def names_of(suite, tables):
    """All tests, without the lines for a number where the tests of that number are known."""
    names = {name for found in tables.values() for name in found}
    if suite != "librdkafka":
        return sorted(names)
    known = {name[:4] for name in names if name[4] != " "}
    return sorted(name for name in names if name[4] != " " or name[:4] not in known)


def section(suite, title, servers, reasons):
    """Lines of the page, and what has no reason."""
    tables = {server: found for server in servers if (found := results.load(suite, server))}
    if "wavetank" not in tables:
        return [], []
    lines = [f"## {title}", "", *summary(suite, tables), ""]
    listed, silent = [], []
    for name in names_of(suite, tables):
        truth = truth_of(suite, tables[servers[0]], name)
        others = [state_of(suite, tables[server], name) for server in servers[1:-1]]
        mine = state_of(suite, tables["wavetank"], name)
        reason = reason_for(reasons, suite, name) if mine != "ok" else ""
        if is_listed(truth, others, mine, reason):
            cells = [f"`{name}`", *(state or "–" for state in [truth, *others, mine]), reason or ""]
            listed.append(f"| {' | '.join(cells)} |")
            if reason is None:
                silent.append(f"{suite}: {name} ({mine or 'not run'})")
    if listed:
        lines += [f"| | {' | '.join(servers)} | Why |", "|---|" + "---|" * (len(servers) + 1), *listed, ""]
    return lines, silent


def main():
    reasons = results.reasons()
    page, silent = HEAD.splitlines() + [""], []
    for suite in SUITES:
        lines, without = section(*suite, reasons)
        page += lines
        silent += without
    text = "\n".join(page).rstrip() + "\n"
    if sys.argv[1:] == ["--check"]:
        with open(PAGE, encoding="utf-8") as file:
            if file.read() != text:
                print("docs/clients.md is not what tests/suites/render.py makes of the results", file=sys.stderr)
                return 1
        return 0
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text)
    for line in silent:
        print("no reason: " + line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
