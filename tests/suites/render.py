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
          ("kafka-python", "kafka-python, integration tests", ("real-kafka-4.4", "wavetank")))
HEAD = """# Clients and official suites

Which tests of others pass on Wavetank, beside a real broker and kfake. Made by `tests/suites/render.py` from the
results in `tests/suites/results`; `tests/suites/README.md` says how to run the suites. Clients that are run by
`./dev interop` are listed in [tests/interop](../tests/interop/README.md).

A test counts for Wavetank when the real broker passes it; what passes there and not here is listed with its reason.
"""


def reason_for(reasons, suite, name):
    return next((text for of, pattern, text in reasons if of == suite and fnmatch.fnmatchcase(name, pattern)), None)


def counts(found):
    return [str(sum(1 for state, _ in found.values() if state == wanted)) for wanted in results.STATES]


def section(suite, title, servers, reasons):
    """Lines of the page, and what has no reason."""
    tables = {server: results.load(suite, server) for server in servers}
    if not tables["wavetank"]:
        return [], []
    lines = [f"## {title}", "", "| | passed | failed | skipped |", "|---|--:|--:|--:|"]
    lines += [f"| {server} | {' | '.join(counts(found))} |" for server, found in tables.items() if found]
    real = tables[servers[0]]
    missing, silent = [], []
    for name, (state, _) in sorted(tables["wavetank"].items()):
        bare = name.split(" ")[0] if suite == "librdkafka" else name
        # A variant that the real broker was not asked is judged by the one that it was.
        truth = real.get(name) or next((cell for key, cell in real.items() if key.split(" ")[0] == bare), None)
        if state == "ok" or (truth is not None and truth[0] != "ok") or (state == "skipped" and truth is None):
            continue
        reason = reason_for(reasons, suite, name)
        missing.append(f"| `{name}` | {state} | {reason or ''} |")
        if reason is None:
            silent.append(f"{suite}: {name}")
    unseen = [name for name, (state, _) in sorted(real.items()) if state == "ok" and name not in tables["wavetank"]]
    for name in unseen:
        reason = reason_for(reasons, suite, name)
        missing.append(f"| `{name}` | not run | {reason or ''} |")
        if reason is None:
            silent.append(f"{suite}: {name} (not run)")
    if missing:
        lines += ["", "| Passes on the real broker, not here | | Why |", "|---|---|---|", *missing]
    return [*lines, ""], silent


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
