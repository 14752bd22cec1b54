# SPDX-License-Identifier: Apache-2.0
"""Running programs, timing them in turn, and what is kept of the times."""

import dataclasses
import json
import os
import statistics
import subprocess
import sys
import time


@dataclasses.dataclass
class Ran:
    """What a finished program took."""

    elapsed: float  # seconds
    printed: str


def run(*command):
    """Runs to the end; anything but success ends the benchmark with the program's own words."""
    words = [os.fspath(word) if not isinstance(word, (int, float)) else str(word) for word in command]
    start = time.perf_counter()
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True)
    elapsed = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return Ran(elapsed, done.stdout.decode())


class Served:
    """A crema_serve with a case in memory that makes one run at a time."""

    def __init__(self, build, labels=None, **case):
        words = [os.fspath(build / "bench/crema_serve")]
        for name, value in case.items():
            words += [f"--{name}", str(value)]
        if labels:
            words += ["--labels", os.fspath(labels)]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.about = self._answer()

    def _answer(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit("crema_serve ended early; its words are above")
        return json.loads(line)

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        return self._answer()

    def seconds(self, *words):
        return self.ask(*words)["ms"] / 1e3

    @property
    def voxels(self):
        x, y, z = self.about["size"]
        return x * y * z

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


def clock(work):
    """Seconds that a call took; what it returned is dropped after the clock was read."""
    start = time.perf_counter()
    kept = work()
    seconds = time.perf_counter() - start
    del kept
    return seconds


def in_turn(runs, contestants):
    """Seconds of each contestant, one after the other in each round, after one uncounted round of the quick ones.

    contestants: name -> function that gives seconds. runs: a number, or one per name for those that take long."""
    most = max(runs.values()) if isinstance(runs, dict) else runs
    wanted = {name: runs[name] if isinstance(runs, dict) else runs for name in contestants}
    samples = {name: [] for name in contestants}
    for name, measure in contestants.items():
        if wanted[name] >= 5:
            measure()
    for turn in range(most):
        for name, measure in contestants.items():
            # Those with fewer runs have them spread over the rounds.
            if turn * wanted[name] // most != (turn + 1) * wanted[name] // most:
                samples[name].append(measure())
    return samples


def median(samples):
    return statistics.median(samples)


@dataclasses.dataclass
class Row:
    """One line of the table. value and peer are in `unit`; met is None where nothing was required or measured."""

    name: str
    work: str
    value: float | None
    unit: str = "s"
    peer: float | None = None
    against: str = ""
    ratio: float | None = None
    bar: str = ""
    met: bool | None = None
    runs: int = 0
    spread: tuple = ()
    peer_spread: tuple = ()
    note: str = ""


def not_available(name, work, bar, why):
    return Row(name, work, None, bar=bar, note=why)


def spread(samples):
    return (min(samples), max(samples))


def compare(name, work, ours, peer, against, at_most=None, note=""):
    """A row from two lists of seconds: ours as a multiple of the peer's."""
    value, other = median(ours), median(peer)
    ratio = value / other
    bar, met = (f"≤ {at_most:g} ×", ratio <= at_most) if at_most is not None else ("", None)
    return Row(name, work, value, "s", other, against, ratio, bar, met, len(ours), spread(ours), spread(peer), note)


def faster(name, work, ours, peer, against, at_least=None, note=""):
    """A row from two lists of seconds: how many times faster ours is."""
    row = compare(name, work, ours, peer, against, note=note)
    row.ratio = 1 / row.ratio
    if at_least is not None:
        row.bar, row.met = f"≥ {at_least:g} × faster", row.ratio >= at_least
    elif row.ratio >= 1:
        row.bar = "faster"
    return row


def limit(name, work, samples, most, unit, note=""):
    """A row whose value must not exceed a number of its unit."""
    value = median(samples)
    return Row(
        name,
        work,
        value,
        unit,
        None,
        "",
        value / most,
        f"≤ {most:g} {unit}",
        value <= most,
        len(samples),
        spread(samples),
        note=note,
    )
