# SPDX-License-Identifier: Apache-2.0
"""Memory runs out: at the N-th allocation, from the N-th on, or because the process may not have more. The program
says so and leaves with 6, or does without; nothing is half-written."""

import os
import resource
import subprocess

import numpy
import pytest
from conftest import PATIENCE, SANITIZED, content, draw, save, temporaries

pytestmark = pytest.mark.skipif(SANITIZED, reason="the sanitizers bring an allocator of their own")

SENTENCE = "there is not enough memory"
MOST = 20000


@pytest.fixture(scope="session")
def inputs(program, raters, tmp_path_factory):
    """The same raters in each format, as the program writes them."""
    folder = tmp_path_factory.mktemp("inputs")

    def convert(kind):
        names = []
        for k, rater in enumerate(raters[kind == "png"]):
            own = folder / f"{kind}-{k}"  # a segment is called after its file, and all of them show one thing
            own.mkdir()
            names.append(str(own / f"mask.{kind}"))
            subprocess.run([program, "fuse", rater, "-o", names[-1], "-q"], check=True, timeout=PATIENCE)
        return names

    return {kind: convert(kind) for kind in ("nii.gz", "nrrd", "mhd", "png", "seg.nrrd")}


def check_run(result, folder, new):
    found = content(folder)
    assert temporaries(folder) == []
    assert found in ({}, new)
    if result.code == 0:
        assert found == new
        return
    assert result.code == 6 and SENTENCE in result.err.splitlines()[-1]


def starve(fuse, kind, folder, numbers, lasting, paths):
    """Fails allocations in turn until there are no more; returns how many runs were disturbed."""
    assert fuse(kind, folder, inputs=paths)[0].code == 0
    new = content(folder)
    for runs, n in enumerate(numbers):
        for path in folder.iterdir():
            path.unlink()
        result, struck = fuse(kind, folder, f"alloc:{n}{lasting}:ENOMEM", ["-q"], inputs=paths)
        if not struck:
            return runs
        try:
            check_run(result, folder, new)
        except AssertionError as wrong:
            raise AssertionError(f"allocation {n}{lasting}: {result}\n{sorted(content(folder))}") from wrong
    raise AssertionError("the program never came to an end of its allocations")


def numbers(dense, step):
    """Each of the first, then one in `step`."""
    yield from range(1, dense)
    yield from range(dense, MOST, step)


def test_one_allocation_fails(fuse, out, inputs):
    assert starve(fuse, "nii.gz", out, numbers(60, 5), "", inputs["nii.gz"]) > 250


def test_all_allocations_from_one_on_fail(fuse, out, inputs):
    assert starve(fuse, "nii.gz", out, numbers(60, 11), "+", inputs["nii.gz"]) > 120


@pytest.mark.parametrize("lasting", ["", "+"])
def test_an_allocation_fails_while_a_record_is_made(fuse, out, inputs, lasting):
    """Also from one on: nothing that is taken apart again may ask for memory."""
    assert starve(fuse, "record", out, numbers(2, 7), lasting, inputs["nii.gz"]) > 150


# TIFF is left out: libtiff itself falls over when a small allocation fails. The program sees to it that there is
# memory before it asks libtiff for anything, which the limits below show.
@pytest.mark.parametrize("kind", ["nrrd", "mhd", "png", "seg.nrrd"])
def test_one_allocation_fails_in_any_format(fuse, out, inputs, kind):
    assert starve(fuse, kind, out, numbers(2, 13), "", inputs[kind]) > 60


@pytest.fixture(scope="session")
def large(program, tmp_path_factory):
    """Masks of which the small limits do not hold one."""
    folder = tmp_path_factory.mktemp("large")
    plain = save(folder, [draw(k, size=(200, 200, 150)) for k in range(3)])
    pages = [path.replace(".nii", ".tif") for path in plain]
    for path, page in zip(plain, pages):
        subprocess.run([program, "fuse", path, "-o", page, "-q"], check=True, timeout=PATIENCE)
    return {"nii.gz": plain, "tif": pages}


def run_limited(program, kilobytes, *words):
    """A run that may not have more; None where not even its libraries fit."""
    done = subprocess.run(
        [program, *words],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (kilobytes << 10, kilobytes << 10)),
        capture_output=True,
        timeout=PATIENCE,
        env={**os.environ, "LC_ALL": "C"},
    )
    return None if done.returncode == 127 else done


def check_limited(done, folder, names):
    """All was written, or nothing was and the program said why; the folder is empty afterwards."""
    if done is None:
        pytest.skip("not even the libraries of the program fit")
    assert done.returncode in (0, 6), done
    assert done.returncode == 0 or SENTENCE in done.stderr.decode(), done
    assert sorted(path.name for path in folder.iterdir()) == (names if done.returncode == 0 else [])
    for path in folder.iterdir():
        path.unlink()


@pytest.mark.parametrize("kind", ["nii.gz", "tif"])
@pytest.mark.parametrize("megabytes", [24, 32, 48, 64, 80, 96, 128, 160, 200, 260, 400, 600])
def test_a_process_that_may_not_have_more(program, out, large, kind, megabytes):
    """With all threads."""
    done = run_limited(program, megabytes << 10, "fuse", *large[kind], "-o", out / f"c.{kind}", "-q")
    check_limited(done, out, [f"c.{kind}"])


@pytest.fixture(scope="session")
def lattice(tmp_path_factory):
    """64³ voxels with nearly as many components as a record lists one by one, each a voxel."""
    masks = []
    for k in range(3):
        masks.append(numpy.zeros((64, 64, 64), numpy.uint8))
        masks[k][::2, ::2, ::7] = 1
        masks[k][:: 4 + 2 * k, ::2, ::7] = 0
    return save(tmp_path_factory.mktemp("lattice"), masks)


def test_memory_runs_out_anywhere_in_a_record(program, out, lattice):
    """Limits from where the program does not even start to where all fits; the record comes last."""
    codes = []
    for kilobytes in range(30_000, 400_000, 1000):
        words = ["-o", out / "c.nii", "--json", out / "c.json", "-q", "--threads", "1", "--force"]
        done = run_limited(program, kilobytes, "fuse", *lattice, *words)
        if done is not None:
            check_limited(done, out, ["c.json", "c.nii"])
            codes.append(done.returncode)
            if codes[-10:] == [0] * 10:
                break
    assert codes.count(6) > 10 and codes[-1] == 0


@pytest.mark.parametrize("threads", [2, 16])
def test_memory_runs_out_anywhere_in_a_study_of_agreement(program, out, inputs, threads):
    """A thread that cannot be started ends no process."""
    codes = []
    for kilobytes in range(30_000, 330_000, 4000):
        words = ["--csv", out, "-q", "--threads", str(threads), "--force"]
        done = run_limited(program, kilobytes, "agreement", *inputs["nii.gz"], *words)
        if done is None:
            continue
        assert done.returncode in (0, 6), (kilobytes, done)
        reply = done.stderr.decode()
        assert done.returncode == 0 or SENTENCE in reply or "MB are allowed" in reply, done
        codes.append(done.returncode)
    assert 0 in codes and 6 in codes


def test_memory_runs_out_anywhere_while_a_picture_is_rendered(program, out, inputs):
    """librsvg and fontconfig end their process where there is no memory; it is not this one."""
    codes = []
    for kilobytes in range(30_000, 400_000, 9000):
        done = run_limited(program, kilobytes, "figure", *inputs["nii.gz"], "-o", out / "f.png", "-q", "--force")
        if done is None:
            continue
        assert b"not installed" not in done.stderr, done
        check_limited(done, out, ["f.png"])
        codes.append(done.returncode)
    assert codes.count(6) > 3 and codes[-1] == 0


def test_memory_runs_out_anywhere_in_a_cohort(program, inputs, tmp_path):
    """At its end, too, where threads that were not allowed must not be started."""
    for case in ("p1", "p2"):
        (tmp_path / "data" / case).mkdir(parents=True)
        for k, path in enumerate(inputs["nii.gz"]):
            os.link(path, tmp_path / "data" / case / f"rater-{k}.nii.gz")
    data, run = tmp_path / "data", tmp_path / "run"
    again, merge = ["run", data, "-o", run, "--layout", "cases", "--force"], ["merge", run]
    assert run_limited(program, 600_000, "cohort", *again).returncode == 0
    for kilobytes in range(21_000, 36_000, 1000):
        for words in (merge, again):
            done = run_limited(program, kilobytes, "cohort", *words)
            assert done is None or done.returncode in (0, 5, 6), (kilobytes, words, done)
