"""Results of suites as files: one line a test, `name<TAB>ok|failed|skipped<TAB>seconds`, sorted by name."""
import os

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "results")
STATES = ("ok", "failed", "skipped")


def path_of(suite, server):
    return os.path.join(FOLDER, suite, server + ".tsv")


def load(suite, server):
    """name → (state, seconds); empty without a file."""
    try:
        with open(path_of(suite, server), encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    except FileNotFoundError:
        return {}
    return {row[0]: (row[1], float(row[2]) if len(row) > 2 and row[2] else 0.0) for row in rows}


def save(suite, server, found, replace=False):
    """Adds to what is there: a run of some tests leaves the results of the others."""
    merged = {} if replace else load(suite, server)
    merged.update(found)
    os.makedirs(os.path.dirname(path_of(suite, server)), exist_ok=True)
    with open(path_of(suite, server), "w", encoding="utf-8") as file:
        for name in sorted(merged):
            state, seconds = merged[name]
            file.write(f"{name}\t{state}\t{seconds:.1f}\n")


def reasons():
    """(suite, pattern, reason) of tests that do not pass on Wavetank, in the order of the file."""
    with open(os.path.join(os.path.dirname(FOLDER), "reasons.tsv"), encoding="utf-8") as file:
        return [tuple(line.rstrip("\n").split("\t", 2)) for line in file if line.strip() and not line.startswith("#")]
