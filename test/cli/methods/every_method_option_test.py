# SPDX-License-Identifier: Apache-2.0
"""Every method × every option of a method × {mask, labels, regions, levels, classes}: it changes what
is written or said on one of some small random cases, or is refused by its name. Half of the cases have two raters, so
that votes tie."""

import re
import struct
import subprocess

import numpy
import pytest

CASES = 50
GRID = (4, 6, 10)  # z, y, x
KINDS = {
    "mask": [],
    "labels": ["--labels", "all"],
    "regions": ["--regions", "whole=1+2+3,core=2+3"],
    "levels": ["--probabilities"],
    "classes": ["--probabilities", "--labels", "all"],
}
OPTIONS = {
    "tie": "foreground",
    "undecided": "9",
    "blocks": "group",
    "weights": None,  # one for each rater
    "no-empty-test": "",
    "alpha": "3",
    "beta": "3",
    "certify": "",
    "preset": "itk",
    "prior": "0.1",
    "roi": "union",
    "tolerance": "0.3",
    "max-iterations": "1",
    "drop-below": "0.2",
    "coupling": "3",
    "window": "1",
    "softness": "9",
    "threshold-output": "0.6",
    "connectivity": "6",
    "slice-wise": "z",
    "components": "out.csv",
    "floor": "0.45",
}
# With levels the proof of these comes by itself.
ITSELF = {(kind, method, "certify") for kind in ("levels", "classes") for method in ("soergel", "dice1")}


def write(path, values):
    header = bytearray(352)
    struct.pack_into("<i", header, 0, 348)
    sizes = [*values.shape[::-1], 1][:4]
    struct.pack_into("<8h", header, 40, values.ndim, *sizes, 1, 1, 1)
    struct.pack_into("<2h", header, 70, *((2, 8) if values.dtype == numpy.uint8 else (16, 32)))
    struct.pack_into("<8f", header, 76, 1, 1, 1, 2, 0, 0, 0, 0)
    struct.pack_into("<3f", header, 108, 352, 1, 0)
    header[344:348] = b"n+1\0"
    path.write_bytes(bytes(header) + values.tobytes())


def draw(rng):
    """Three labels inside each other with ragged edges, and a far one that some raters draw."""
    labels = numpy.zeros(GRID, numpy.uint8)
    for label in (1, 2, 3):
        low = rng.integers(label - 1, label + 1, 3)
        labels[low[0] // 2 : 4 - label // 3, low[1] : 6 - label, low[2] : 7 - label] = label
    body = labels[:, :, :7]  # a view
    body[rng.random(body.shape) < 0.12] = 0
    noise = rng.random(body.shape) < 0.1
    body[noise] = rng.integers(0, 4, noise.sum())
    if rng.random() < 0.5:
        labels[1:3, 1:4, 9] = rng.integers(1, 4)
    return labels


def as_kind(labels, kind, seed, rng):
    """What a rater who sees these labels writes: a mask, a label map, levels, or four channels of classes. Some are as
    sure as masks are, and some as unsure as can be, so that levels tie, too."""
    if kind == "mask":
        return (labels > 0).astype(numpy.uint8)
    if kind in ("labels", "regions"):
        return labels
    if kind == "levels":
        levels = labels > 0 if seed % 8 == 3 else 0.3 * labels * rng.uniform(0.7, 1.1, labels.shape)
        return levels.astype(numpy.float32)
    classes = numpy.arange(4)[:, None, None, None]
    of_label = (labels == classes).astype(numpy.float32)
    if seed % 8 == 3:
        return of_label
    if seed % 8 == 5:
        return (of_label + (classes == 0)).astype(numpy.float32) / 2
    scores = 3 * of_label + rng.normal(0, 0.7, of_label.shape)
    return (numpy.exp(scores) / numpy.exp(scores).sum(axis=0)).astype(numpy.float32)


class Runner:
    def __init__(self, program, folder):
        self.program, self.folder, self.known = program, folder, {}

    def raters(self, seed, kind):
        count = 2 if seed % 2 else 4
        names = [f"{kind}-{seed}-{k}.nii" for k in range(count)]
        if not (self.folder / names[0]).exists():
            rng = numpy.random.default_rng(seed)
            maps = [draw(rng) for _ in names]
            if seed % 8 == 1:
                maps[1] = numpy.ascontiguousarray(maps[0][::-1])  # neither rater is the better one
            for name, labels in zip(names, maps, strict=True):
                write(self.folder / name, as_kind(labels, kind, seed, rng))
        return names

    def run(self, seed, kind, method, *option):
        """Exit code, image, table and words, but for times and the option itself."""
        key = (seed, kind, method, *option)
        if option or key not in self.known:
            for name in ("out.nii", "out.csv"):
                (self.folder / name).unlink(missing_ok=True)
            words = ["fuse", *self.raters(seed, kind), *KINDS[kind], "-m", method, "-o", "out.nii", *option]
            done = subprocess.run([self.program, *words], cwd=self.folder, capture_output=True, text=True, timeout=60)
            written = [path.read_bytes() for path in sorted(self.folder.glob("out.*"))]
            said = re.sub(r"\d[\d.]* (?:s|ms)\b", "", done.stdout + done.stderr)
            self.known[key] = done.returncode, said, written
        return self.known[key]

    def fault(self, kind, method, name, value):
        """Nothing where the option is fine."""
        for seed in range(CASES):
            words = "0.1,1,2,5" if seed % 2 == 0 else "0.3,1"
            option = [f"--{name}", *([words] if value is None else [value] if value else [])]
            found = self.run(seed, kind, method, *option)
            if found[0] == 2:
                return None if f"--{name}" in found[1] else f"refused without its name: {found[1]}"
            if found[0] != 0:
                return f"exit code {found[0]}: {found[1]}"
            if found != self.run(seed, kind, method):
                return None
        return f"accepted, and changes nothing on {CASES} cases"


@pytest.mark.parametrize("kind", KINDS)
def test_every_option_of_a_method_is_honoured_or_refused(program, crema, tmp_path, kind):
    listed = re.findall(r"^([a-z][a-z0-9-]*) {2,}", crema("methods").out, re.M)
    assert len(listed) > 25, listed
    runner = Runner(program, tmp_path)
    wrong = {}
    for method in listed:
        code, said, _ = runner.run(0, kind, method)
        if code == 2:
            assert re.search("--(labels|probabilities) applies to", said) or "probability maps" in said, said
            continue
        for name, value in OPTIONS.items():
            if (kind, method, name) not in ITSELF and (fault := runner.fault(kind, method, name, value)):
                wrong[f"{method} --{name}"] = fault
    assert not wrong, "\n".join(f"{name}: {what}" for name, what in wrong.items())
