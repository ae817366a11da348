"""Medians, ratios within a round, and the tables of run.py."""
import statistics

DOUBLES = ("mock", "kfake")


def _values(runs, figure):
    return [run[figure] for run in runs if figure in run and run[figure] is not None]


def median(runs, figure):
    values = [value for value in _values(runs, figure) if value >= 0]
    return statistics.median(values) if values else None


def ratio(cells, of, to, figure="rate"):
    """Median over the rounds of of/to, both of the same round; `to` may be several: the best of them."""
    pairs = []
    for i, run in enumerate(cells.get(of, [])):
        others = [cells[name][i][figure] for name in to
                  if name in cells and i < len(cells[name]) and cells[name][i].get(figure, 0) > 0]
        if others and run.get(figure, 0) > 0:
            pairs.append(run[figure] / max(others))
    return statistics.median(pairs) if pairs else None


def problems(results):
    """One line for each different failure."""
    found = {}
    for load, cells in results.items():
        for target, runs in cells.items():
            for run in runs:
                if "problem" in run:
                    found[(load, target, run["problem"])] = found.get((load, target, run["problem"]), 0) + 1
    return [f"{load}, {target}: {text} ({count} of the rounds)" for (load, target, text), count in found.items()]


def number(value, digits=2):
    if value is None:
        return "–"
    if value >= 1e6:
        return f"{value / 1e6:.2f} M"
    if value >= 10_000:
        return f"{value / 1e3:.0f} k"
    if value >= 1000:
        return f"{value / 1e3:.1f} k"
    return f"{value:.{digits}f}"


def grid(rows, markdown):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for at, row in enumerate(rows):
        cells = [text.ljust(width) if i == 0 else text.rjust(width) for i, (text, width) in enumerate(zip(row, widths))]
        lines.append("| " + " | ".join(cells) + " |" if markdown else "  ".join(cells).rstrip())
        if at == 0 and markdown:
            lines.append("|" + "|".join("-" * (w + 1) + (":" if i else "-") for i, w in enumerate(widths)) + "|")
    return "\n".join(lines)


def _load_rows(results, names):
    rows = [["load", *[f"{name}/s" for name in names], "÷ best double", "÷ limit", "÷ real"]]
    for load, cells in results.items():
        rows.append([load, *[number(median(cells.get(name, []), "rate"), 0) for name in names],
                     number(ratio(cells, "wavetank", DOUBLES)), number(ratio(cells, "wavetank", ("limit",))),
                     number(ratio(cells, "wavetank", ("real-kafka",)))])
    return rows


def _cpu_rows(results, names):
    rows = [["server CPU, µs a record", *names, "wavetank s/GB", "journal"]]
    for load, cells in results.items():
        journal = ratio(cells, "wavetank-rec", ("wavetank",), "server_cpu_us")
        rows.append([load, *[number(median(cells.get(name, []), "server_cpu_us")) for name in names],
                     number(median(cells.get("wavetank", []), "server_cpu_s_gb")),
                     "–" if journal is None else f"{(journal - 1) * 100:+.0f} %"])
    return rows


def _latency_rows(results, names):
    rows = [["p50 / p99, µs", *names]]
    for load, cells in results.items():
        texts = []
        for name in names:
            low, high = median(cells.get(name, []), "p50_us"), median(cells.get(name, []), "p99_us")
            texts.append("–" if low is None else f"{low:.0f} / {high:.0f}")
        if any(text != "–" for text in texts):
            rows.append([load, *texts])
    return rows


def _join_rows(results, names):
    rows = [["first / all have a record, ms", *names]]
    for load, cells in results.items():
        texts = []
        for name in names:
            first, last = median(cells.get(name, []), "first_ms"), median(cells.get(name, []), "all_ms")
            texts.append("–" if first is None else f"{first:.1f} / {last:.1f}")
        if any(text != "–" for text in texts):
            rows.append([load, *texts])
    return rows


def _start_rows(starts):
    rows = [["start", "first record acknowledged, ms", "resident idle, MiB", "heap idle, MiB"]]
    for row in starts:
        rows.append([row["target"], number(row.get("acknowledged_ms"), 1), number(row.get("rss_mib"), 1),
                     number(row.get("heap_mib"), 2)])
    return rows


def aims(results, starts):
    """(what, measured, aim, reached) for what was measured."""
    out = []

    def add(what, value, aim, at_least):
        if value is not None:
            out.append((what, value, aim, value >= aim if at_least else value <= aim))

    for load, cells in results.items():
        if "window" in load:  # no aim was set for it
            continue
        add(f"{load}: rate ÷ best double", ratio(cells, "wavetank", DOUBLES), 1.5 if "fetch" in load else 1.0, True)
        if load.startswith("raw"):
            add(f"{load}: rate ÷ limit", ratio(cells, "wavetank", ("limit",)), 0.75, True)
            add(f"{load}: rate ÷ real Kafka", ratio(cells, "wavetank", ("real-kafka",)), 3.0, True)
            add(f"{load}: CPU µs", median(cells.get("wavetank", []), "server_cpu_us"), 15.0, False)
            add(f"{load}: CPU with journal ÷ without",
                ratio(cells, "wavetank-rec", ("wavetank",), "server_cpu_us"), 1.15, False)
        elif load.startswith(("bulk", "fetch")):
            add(f"{load}: CPU s/GB", median(cells.get("wavetank", []), "server_cpu_s_gb"), 1.0, False)
    for row in starts:
        if row["target"] == "wavetank embedded":
            add("embedded: first record acknowledged, ms", row.get("acknowledged_ms"), 5.0, False)
            add("embedded: heap, MiB", row.get("heap_mib"), 16.0, False)
    return out


def render(results, starts, markdown):
    names = []
    for cells in results.values():
        names += [name for name in cells if name not in names]
    parts = []
    if results:
        tables = [rows(results, names) for rows in (_load_rows, _cpu_rows, _latency_rows, _join_rows)]
        parts += [grid(rows, markdown) for rows in tables if len(rows) > 1]
    if starts:
        parts.append(grid(_start_rows(starts), markdown))
    checked = aims(results, starts)
    if checked:
        rows = [["aim", "measured", "wanted", ""]]
        rows += [[what, number(value), number(aim), "" if reached else "missed"] for what, value, aim, reached in checked]
        parts.append(grid(rows, markdown))
    parts += ["problems:\n" + "\n".join(problems(results))] if problems(results) else []
    return "\n\n".join(parts)
