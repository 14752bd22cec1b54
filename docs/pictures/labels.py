# SPDX-License-Identifier: Apache-2.0
"""A voxel that two labels claim, and who gets it: the example of docs/labels.md, fused by the program itself."""

import json

import program
import style

ROWS = ["1111122220", "1111112222", "1111112222"]
CELL, LEFT, TOP, STEP = 34, 130, 52, 46
TINTS = {"1": "#e3c9a5", "2": "#7fb3d5"}


def fuse(crema, folder, *more):
    names = [folder / f"rater-{k + 1}.nii.gz" for k in range(len(ROWS))]
    for name, row in zip(names, ROWS, strict=True):
        program.write_mask(name, [[int(label) for label in row]])
    out, record = folder / "out.nii.gz", folder / "record.json"
    program.run(crema, "fuse", *names, "-o", out, "--force", "--json", record, *more)
    return "".join(map(str, program.read_mask(out)[0])), json.loads(record.read_text())


def row(number, name, labels, disputed, note=""):
    y = TOP + number * STEP
    parts = [style.text(LEFT - 14, y + 22, name, 14, anchor="end")]
    for x, label in enumerate(labels):
        at = f'x="{LEFT + x * CELL}" y="{y}" width="{CELL - 2}" height="{CELL - 2}" rx="3"'
        edge, width = (style.RATERS[1], 2.5) if x in disputed else (style.FAINT, 1)
        fill = TINTS.get(label, style.PAPER)
        parts.append(f'<rect {at} fill="{fill}" stroke="{edge}" stroke-width="{width}"/>')
        if label != "0":
            parts.append(style.text(LEFT + x * CELL + CELL / 2 - 1, y + 21, label, 14, anchor="middle"))
    if note:
        parts.append(style.text(LEFT + 10 * CELL + 12, y + 22, note, 13, style.SOFT))
    return "\n".join(parts)


def draw(crema, folder):
    both, record = fuse(crema, folder, "--labels", "all")
    alone = []
    for label in "12":
        mask, _ = fuse(crema, folder, "--label", label)
        alone.append(mask.replace("1", label))
    disputed = {block["first"][0] for block in record["disputes"]}
    twice = {x for x in range(10) if alone[0][x] != "0" and alone[1][x] != "0"}
    if disputed != twice or record["claimed_twice"] != len(twice):
        raise SystemExit("labels.svg: the record and the labels alone tell different things")
    title = "Two labels claim one voxel, and the least total criterion gives it to one of them"
    parts = [style.open_svg(700, TOP + 6 * STEP + 14, title)]
    parts.append(style.text(LEFT, 30, "A voxel that two labels claim", 16, more=' font-weight="600"'))
    for k, said in enumerate(ROWS):
        parts.append(row(k, f"rater {k + 1}", said, set()))
    for k, mask in enumerate(alone):
        parts.append(row(3 + k, f"label {k + 1}", mask, disputed, "fused alone"))
    given = record["disputes"][0]["given"]
    parts.append(row(5, "consensus", both, disputed, f"LMSD {record['lmsd']:.4f}: to label {given}"))
    return "\n".join(parts) + "\n</svg>\n"
