# SPDX-License-Identifier: Apache-2.0
"""`crema check` and `crema demo`."""

import os
import shlex
import subprocess

import nibabel
import numpy
import pytest
from conftest import AFFINE, SLOWDOWN, blob


def test_good_files_are_ok(crema, raters, nothing_new):
    nothing_new.start()
    result = crema("check", *raters)
    nothing_new.check()
    assert result.code == 0, result
    lines = result.out.splitlines()
    assert [line.split()[:2] for line in lines[:3]] == [["ok", name] for name in raters]
    assert "12 × 10 × 6" in lines[0] and "uint8" in lines[0] and f"{blob(0).sum()} voxels inside" in lines[0]


def test_every_problem_of_every_file_is_told(crema, save, raters, tmp_path):
    between = AFFINE.copy()
    between[0, 3] = 0.5
    save("small.nii.gz", numpy.ones((3, 3, 3), numpy.uint8), between)
    save("labels.nii.gz", blob(0) + blob(2))
    save("both.nii.gz", numpy.arange(27, dtype=numpy.uint8).reshape(3, 3, 3), between)
    (tmp_path / "cut.nii.gz").write_bytes((tmp_path / raters[0]).read_bytes()[:-9])
    names = [raters[0], "small.nii.gz", "none.nii.gz", "labels.nii.gz", "cut.nii.gz", "both.nii.gz", raters[1]]
    result = crema("check", *names)
    assert result.code == 3, result
    bad = [line for line in result.out.splitlines() if line.startswith("bad")]
    for name in names[1:5]:
        assert sum(name in line for line in bad) == 1, (name, result)
    assert sum(line.startswith("bad  both.nii.gz") for line in bad) == 2, result
    assert "5 of 7 files" in result.out
    assert sum(line.startswith("ok ") for line in result.out.splitlines()) == 2


def test_the_reference_is_the_first_good_file(crema, raters):
    result = crema("check", "none.nii.gz", *raters)
    assert result.code == 3
    assert sum(line.startswith("ok ") for line in result.out.splitlines()) == 3


def test_threshold_and_label_are_taken(crema, save):
    save("map.nii.gz", numpy.linspace(0, 1, 720, dtype=numpy.float32).reshape(12, 10, 6))
    assert crema("check", "map.nii.gz").code == 3
    result = crema("check", "map.nii.gz", "--threshold", "0.5")
    assert result.code == 0 and "360 voxels inside" in result.out, result


def test_notes_are_shown(crema, save):
    save("big.nii.gz", blob(0) * 255)
    result = crema("check", "big.nii.gz")
    assert result.code == 0 and "warning: big.nii.gz" in result.out, result


def test_check_without_files_is_refused(crema):
    assert crema("check").code == 2


# Demo


@pytest.mark.parametrize("kind, raters", [("organ", 5), ("lesions", 7), ("cord", 4)])
def test_demo_writes_a_case_that_can_be_fused(crema, tmp_path, kind, raters):
    result = crema("demo", "-o", "a demo", "--kind", kind)
    assert result.code == 0, result
    assert sorted(os.listdir(tmp_path / "a demo")) == [f"rater-{k + 1}.nii.gz" for k in range(raters)]
    for name in os.listdir(tmp_path / "a demo"):
        assert set(numpy.unique(nibabel.load(tmp_path / "a demo" / name).dataobj)) == {0, 1}
    assert crema("check", *[f"a demo/rater-{k + 1}.nii.gz" for k in range(raters)]).code == 0


@pytest.mark.parametrize("folder", ["plain", "a demo's", "-dash", "new\nline", "$x"])
def test_the_next_command_can_be_pasted(crema, program, tmp_path, folder):
    result = crema("demo", "--kind", "cord", f"--output={folder}")
    assert result.code == 0, result
    command = result.out.splitlines()[-1].strip()
    assert command.startswith("crema fuse ")
    pasted = shlex.quote(program) + command.removeprefix("crema")
    done = subprocess.run(["bash", "-c", pasted], cwd=tmp_path, capture_output=True, timeout=60 * SLOWDOWN)
    assert done.returncode == 0, (command, done.stderr)
    assert (tmp_path / folder / "consensus.nii.gz").exists()


def test_the_next_command_leaves_older_raters_out(crema, program, tmp_path):
    assert crema("demo", "-o", "demo", "--kind", "cord", "--raters", "4").code == 0
    result = crema("demo", "-o", "demo", "--kind", "cord", "--raters", "2", "--seed", "9", "--force")
    pasted = shlex.quote(program) + result.out.splitlines()[-1].strip().removeprefix("crema")
    done = subprocess.run(["bash", "-c", pasted], cwd=tmp_path, capture_output=True, timeout=60 * SLOWDOWN)
    assert done.returncode == 0 and b"raters       2 " in done.stderr, done


def test_demo_takes_a_size_raters_and_a_seed(crema, tmp_path):
    base = ["demo", "--kind", "lesions", "--size", "40,32,24", "--raters", "3"]
    assert crema(*base, "-o", "a", "--seed", "5").code == 0
    assert crema(*base, "-o", "b", "--seed", "5").code == 0
    assert crema(*base, "-o", "c", "--seed", "6").code == 0

    def read(folder):
        return [(tmp_path / folder / f"rater-{k}.nii.gz").read_bytes() for k in (1, 2, 3)]

    assert read("a") == read("b") != read("c")
    assert nibabel.load(tmp_path / "a/rater-1.nii.gz").shape == (40, 32, 24)


def test_demo_overwrites_nothing_unasked(crema, tmp_path):
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo/rater-2.nii.gz").write_text("precious")
    result = crema("demo", "-o", "demo", "--kind", "cord")
    assert result.code == 2 and "rater-2.nii.gz" in result.err and "--force" in result.err
    assert os.listdir(tmp_path / "demo") == ["rater-2.nii.gz"]
    assert crema("demo", "-o", "demo", "--kind", "cord", "--force").code == 0


@pytest.mark.parametrize(
    "arguments, code",
    [
        (["--kind", "orga"], 2),
        (["--size", "big"], 2),
        (["--size", "1,2"], 2),
        (["--size", "0,20,20"], 2),
        (["--raters", "65"], 2),
        (["--raters", "0"], 2),
        (["--seed", "-1"], 2),
        (["stray"], 2),
        (["--size", "2,2,2"], 3),
    ],
)
def test_demo_refuses_what_makes_no_sense(crema, tmp_path, arguments, code):
    result = crema("demo", "-o", "demo", *arguments)
    assert result.code == code and result.err.startswith("crema: "), result
    assert not (tmp_path / "demo").exists()
