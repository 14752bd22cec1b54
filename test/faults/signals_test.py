# SPDX-License-Identifier: Apache-2.0
"""Killed, interrupted, or racing with itself: what stands under a final name is complete."""

import os
import random
import select
import signal
import subprocess
import time

import pytest
from conftest import FORMATS, PATIENCE, SANITIZED, content, draw, raw, refill, save, temporaries

SEED = int(os.environ.get("CREMA_SEED") or random.SystemRandom().randrange(2**32))
KILLS = 20 if SANITIZED else 200
KINDS = ("nii.gz", "mhd", "record", "folder")


@pytest.fixture(scope="session")
def large(tmp_path_factory):
    """Masks that take a moment, and as many others on the same grid."""
    folder = tmp_path_factory.mktemp("large")
    masks = [draw(k, size=(128, 128, 64)) for k in range(4)]
    return save(folder / "new", masks[:3]), save(folder / "old", masks[3:])


@pytest.fixture
def start(program):
    def run(kind, folder, inputs, words=()):
        name, more = FORMATS[kind]
        command = [program, "fuse", *inputs, "-o", folder / name, "-q", *(w.format(out=folder) for w in more), *words]
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    return run


def finish(process):
    err = process.communicate(timeout=PATIENCE)[1].decode()
    return process.returncode, err


class Course:
    """One kind of run: how long it takes at the moment, and the outputs before and after it."""

    def __init__(self, start, kind, folder, large):
        self.kind, self.folder = kind, folder
        self.old = self.states(start, large[1])
        self.old_files = raw(folder)
        began = time.monotonic()
        self.new = self.states(start, large[0])
        self.seconds = time.monotonic() - began

    def states(self, start, inputs):
        refill(self.folder, {})
        assert finish(start(self.kind, self.folder, inputs))[0] == 0
        return content(self.folder)

    def check(self, old):
        """Outputs are the older ones, absent, or complete; a header never finds voxels of another image."""
        found = {name: data for name, data in content(self.folder).items() if not name.split("/")[-1].startswith(".")}
        for name, data in found.items():
            assert data in (self.new[name], old.get(name)), name
        if self.kind == "mhd" and "c.mhd" in found:
            assert found in (self.new, old)


@pytest.fixture
def courses(start, tmp_path, large):
    result = []
    for kind in KINDS:
        (tmp_path / kind).mkdir()
        result.append(Course(start, kind, tmp_path / kind, large))
    return result


def ends_within(process, seconds):
    handle = os.pidfd_open(process.pid)
    try:
        return bool(select.select([handle], [], [], seconds)[0])
    finally:
        os.close(handle)


def disturbed(start, course, large, dice, number):
    """A run over nothing, or over the older output, that gets the signal at some time; its exit code and what stood
    there before."""
    forced = dice.random() < 0.5
    refill(course.folder, course.old_files if forced else {})
    process = start(course.kind, course.folder, large[0], ["--force"] if forced else [])
    began = time.monotonic()
    # The machine gets busier and quieter: the time that a run takes is followed both ways.
    if ends_within(process, course.seconds * (dice.random() if dice.random() < 0.5 else dice.uniform(0.6, 1.05))):
        course.seconds = time.monotonic() - began
    else:
        course.seconds *= 1.05
    process.send_signal(number)
    return finish(process)[0], course.old if forced else {}


def disturbed_runs(start, courses, large, number, least, needed):
    """At least so many runs, and on until the signal has caught so many of them."""
    print(f"CREMA_SEED={SEED}")
    dice = random.Random(SEED)
    caught = 0
    for count in range(20 * least):
        if count >= least and caught >= needed:
            return
        course = dice.choice(courses)
        code, old = disturbed(start, course, large, dice, number)
        caught += code in (-signal.SIGKILL, 128 + number)
        yield course, code, old
    pytest.fail(f"{caught} of {20 * least} runs were caught: the signals came too late to mean anything")


def test_a_kill_leaves_only_whole_outputs_and_hidden_leftovers(start, courses, large):
    for course, code, old in disturbed_runs(start, courses, large, signal.SIGKILL, KILLS, KILLS // 2):
        assert code in (0, -signal.SIGKILL)
        course.check(old)
        hidden = [p.name for p in course.folder.rglob(".*")]
        assert sorted(hidden) == sorted(temporaries(course.folder)), "only names of the documented form are left"
        if hidden:
            assert finish(start(course.kind, course.folder, large[0], ["--force"]))[0] == 0
            course.check({})


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_no_temporary(start, courses, large, number):
    for course, code, old in disturbed_runs(start, courses, large, number, KILLS // 5, KILLS // 20):
        # Before the program has taken charge of signals it ends as any other, and has made nothing.
        assert code in (0, 128 + number, -number)
        course.check(old)
        assert temporaries(course.folder) == []


def test_a_signal_that_the_parent_ignores_is_ignored(start, tmp_path, large):
    (tmp_path / "out").mkdir()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = start("nii", tmp_path / "out", large[0])
        process.send_signal(signal.SIGINT)
        assert finish(process) == (0, "")
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("kind", ["nii.gz", "mhd", "hdr"])
def test_of_two_processes_one_gets_the_name(start, tmp_path, large, kind):
    (tmp_path / kind).mkdir()
    course = Course(start, kind, tmp_path / kind, large)
    for _ in range(5):
        refill(course.folder, {})
        pair = [start(kind, course.folder, inputs) for inputs in large]
        ends = [finish(process) for process in pair]
        assert sorted(code for code, _ in ends) == [0, 2], ends
        winner = (course.new, course.old)[[code for code, _ in ends].index(0)]
        assert content(course.folder) == winner
        loser = next(err for code, err in ends if code == 2)
        assert "exists" in loser and "--force" in loser, loser


@pytest.mark.parametrize("kind", ["nii.gz", "mhd", "hdr"])
def test_two_processes_that_overwrite_do_not_mix(start, tmp_path, large, kind):
    (tmp_path / kind).mkdir()
    course = Course(start, kind, tmp_path / kind, large)
    for _ in range(10):
        pair = [start(kind, course.folder, inputs, ["--force"]) for inputs in large]
        assert [finish(process)[0] for process in pair] == [0, 0]
        assert content(course.folder) in (course.new, course.old)
