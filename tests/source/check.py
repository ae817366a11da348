#!/usr/bin/env python3
"""Reads the sources of the repository and reports what breaks the rules of docs/architecture.md.

  check.py                   checks every tracked (or new, not ignored) file of the repository
  check.py FILE...           checks only these files
  check.py --self-test       checks the rules themselves on good and bad snippets

One line per finding: file:line: [rule] what is wrong; what to do instead. Exit code 1 on findings.
A line that breaks a rule for a good reason says so, on that line or the one above:
`// <rule>-ok: reason`, for example `// float-ok: the protocol's field is a double`.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from rules import coroutines, cpp_text, determinism, files, layers  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BINARY = (".bin", ".png", ".ico", ".gz", ".pem", ".der", ".p12", ".jks")


def listed_files(root):
    """Paths of the repository's own text files, relative to root; without git, a walk of the tree."""
    try:
        text = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=root, check=True,
                              capture_output=True).stdout.decode()
        names = sorted(set(filter(None, text.split("\0"))))
    except (OSError, subprocess.CalledProcessError):
        names = []
        for folder, folders, found in os.walk(root):
            folders[:] = sorted(f for f in folders if not f.startswith((".git", "build", ".cache", "__pycache__")))
            names += [os.path.relpath(os.path.join(folder, f), root) for f in sorted(found)]
    return [n for n in names if os.path.isfile(os.path.join(root, n)) and not n.endswith(BINARY)
            and not n.startswith("tests/fuzz/corpus/")]


def check_text(path, text):
    """Findings of one file as (line, rule, message); `path` is relative to the root and picks the rules."""
    source = cpp_text.Source(path, text)
    findings = list(files.check(source))
    if source.is_cpp:
        for rule_set in (layers, determinism, coroutines):
            findings += rule_set.check(source)
    return sorted(f for f in findings if not source.excused(f[0], f[1]))


def check_files(root, names):
    findings = []
    for name in names:
        with open(os.path.join(root, name), "rb") as file:
            data = file.read()
        if b"\0" in data[:4096]:
            continue
        for line, rule, message in check_text(name, data.decode("utf-8", "replace")):
            findings.append(f"{name}:{line}: [{rule}] {message}")
    return findings


def main(arguments):
    if arguments == ["--self-test"]:
        import self_test
        return self_test.run(check_text)
    names = [os.path.relpath(os.path.abspath(a), ROOT) for a in arguments] or listed_files(ROOT)
    findings = check_files(ROOT, names)
    print("\n".join(findings + [f"{len(names)} files read, {len(findings)} findings"]))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
