# SPDX-License-Identifier: Apache-2.0
"""Memory runs out: at the N-th allocation, from the N-th on, or because the process may not have more. The program
says so and leaves with 6, or does without; nothing is half-written."""

import os
import resource
import subprocess

import pytest
from conftest import SANITIZED, SLOWDOWN, content, draw, save, temporaries

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
            names.append(str(folder / f"{k}.{kind}"))
            subprocess.run([program, "fuse", rater, "-o", names[-1], "-q"], check=True, timeout=60)
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
        subprocess.run([program, "fuse", path, "-o", page, "-q"], check=True, timeout=60)
    return {"nii.gz": plain, "tif": pages}


@pytest.mark.parametrize("kind", ["nii.gz", "tif"])
@pytest.mark.parametrize("megabytes", [24, 32, 48, 64, 80, 96, 128, 160, 200, 260, 400, 600])
def test_a_process_that_may_not_have_more(program, out, large, kind, megabytes):
    """With all threads."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    def run(*words):
        return subprocess.run(
            [program, *words],
            preexec_fn=limit,
            capture_output=True,
            timeout=60 * SLOWDOWN,
            env={**os.environ, "LC_ALL": "C"},
        )

    started = run("--version")
    if started.returncode == 127:
        pytest.skip("not even the libraries of the program fit")
    done = run("fuse", *large[kind], "-o", out / f"c.{kind}", "-q")
    assert done.returncode in (0, 6), done
    assert done.returncode == 0 or SENTENCE in done.stderr.decode(), done
    assert [path.name for path in out.iterdir()] == ([f"c.{kind}"] if done.returncode == 0 else [])
