# SPDX-License-Identifier: Apache-2.0
"""The table of results, on the terminal and between the marks of docs/performance.md."""

import re


def number(value, unit):
    """A value with its unit, short enough for a table; seconds become what suits them."""
    if value is None:
        return "–"
    if unit == "s":
        return f"{value:.2f} s" if value >= 10 else f"{1e3 * value:.0f} ms" if value >= 0.1 else f"{1e3 * value:.2f} ms"
    return f"{value:.4g} {unit}".rstrip()


def span(row):
    if not row["spread"]:
        return ""
    low, high = row["spread"]
    return f"{number(low, row['unit'])} … {number(high, row['unit'])}"


def verdict(row):
    if row["met"] is None:
        return "not measured" if row["value"] is None else ""
    return "met" if row["met"] else "missed"


def cells(row):
    peer = f"{row['against']}: {number(row['peer'], row['unit'])}" if row["peer"] is not None else row["against"]
    ratio = "" if row["ratio"] is None else f"{row['ratio']:.3g}" + (" ×" if row["peer"] is not None else "")
    return [row["work"], number(row["value"], row["unit"]), span(row), peer, ratio, row["bar"], verdict(row)]


HEADS = ["work", "value", "spread", "against", "ratio", "bar", ""]


def is_stage(row):
    return row["name"].startswith("stage ")


def on_terminal(rows):
    table = [HEADS] + [[cell.replace("`", "") for cell in cells(row)] for row in rows]
    widths = [max(len(line[i]) for line in table) for i in range(len(HEADS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in table]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])


def as_markdown(rows):
    lines = ["| " + " | ".join(HEADS) + " |", "|---" * len(HEADS) + "|"]
    warnings = []
    for row in rows:
        words = cells(row)
        if row["note"]:
            if row["note"] not in warnings:
                warnings.append(row["note"])
            words[0] += f" ({warnings.index(row['note']) + 1})"
        lines.append("| " + " | ".join(words) + " |")
    lines += [""] + [f"{i}. {note}." for i, note in enumerate(warnings, 1)]
    return "\n".join(lines)


def stages(rows):
    """Milliseconds of each stage for each phantom, and its share."""
    found = {}
    for row in rows:
        _, stage, kind = row["name"].split(" ")
        found.setdefault(stage, {})[kind] = 1e3 * row["value"]
    kinds = list(next(iter(found.values())))
    total = {kind: sum(times[kind] for times in found.values()) for kind in kinds}
    lines = [
        "| stage | " + " | ".join(f"{kind}, ms | share" for kind in kinds) + " |",
        "|---|" + "---:|---:|" * len(kinds),
    ]
    for stage, times in found.items():
        parts = [f"{times[kind]:.2f} | {100 * times[kind] / total[kind]:.0f} %" for kind in kinds]
        lines.append(f"| {stage} | " + " | ".join(parts) + " |")
    return "\n".join(lines)


def machine(results):
    about = results["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in results["versions"].items())
    return (
        f"{about['processor']}, {about['processors']} processors, {about['memory_gb']} GB, {about['system']}; "
        f"{versions}. {results['date']}, with {results['load']:.1f} programs wanting the processors at the start."
    )


def fill(page, results):
    """The page with everything between its marks written anew."""
    rows = results["rows"]
    parts = {
        "table": as_markdown([row for row in rows if not is_stage(row)]),
        "stages": stages([row for row in rows if is_stage(row)]),
        "machine": machine(results),
    }
    for name, words in parts.items():
        pattern = re.compile(f"(<!-- bench:{name} -->\n).*?(<!-- /bench:{name} -->)", re.DOTALL)
        if not pattern.search(page):
            raise SystemExit(f"docs/performance.md has no marks for {name}")
        page = pattern.sub(lambda found, words=words: f"{found.group(1)}{words}\n{found.group(2)}", page)
    return page
