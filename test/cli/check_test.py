# SPDX-License-Identifier: Apache-2.0
"""`crema check` and `crema demo`."""

import json
import os
import shlex
import subprocess

import nibabel
import numpy
import pytest
from conftest import AFFINE, PATIENCE, blob


def test_good_files_are_ok(crema, raters, nothing_new):
    nothing_new.start()
    result = crema("check", *raters)
    nothing_new.check()
    assert result.code == 0, result
    lines = result.out.splitlines()
    assert [line.split()[:3] for line in lines[:3]] == [["ok", str(k), name] for k, name in enumerate(raters, 1)]
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
    assert sum(line.startswith("bad   6 both.nii.gz") for line in bad) == 2, result
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
    assert result.code == 0 and "  big.nii.gz: holds 0 and 255" in result.err, result


def test_masks_with_a_defect_are_not_called_fine(crema, save, raters):
    assert "All 3 masks are fine" in crema("check", *raters).out
    save("empty.nii.gz", blob(0) * 0)
    result = crema("check", *raters, "empty.nii.gz")
    assert result.code == 0 and "fine" not in result.out, result
    assert "All 4 masks can be fused, but 1 of the warnings names a defect of the input." in result.out, result
    assert result.err.split("warning:\n")[1].startswith("  empty.nii.gz: the mask is empty."), result


def warnings_of(text):
    return text.split("warning", 1)[1].split("\n", 1)[1].splitlines()


@pytest.mark.parametrize("other", ["full", "far"])
def test_check_warns_of_what_fuse_would_warn_of(crema, save, other):
    """Whatever raters are warned of before a method is asked, in the same words."""
    far = numpy.zeros((12, 10, 6), numpy.uint8)
    far[0:2, 0:2, 5] = 1
    crop, affine = blob(1)[2:, 1:, :5], AFFINE.copy()
    affine[:3, 3] = AFFINE[:3, :3] @ [2, 1, 0]
    full = numpy.ones((12, 10, 6), numpy.uint8)
    names = [save("a.nii.gz", blob(0)), save("copy.nii.gz", blob(0)), save("big.nii.gz", blob(1) * 255)]
    names += [save("crop.nii.gz", crop, affine), save("empty.nii.gz", full * 0), names[0]]
    names.append(save("full.nii.gz", full) if other == "full" else save("far.nii.gz", far))
    checked = crema("check", *names)
    fused = crema("fuse", *names, "-m", "majority")
    assert checked.code == fused.code == 0, checked
    reply = warnings_of(checked.err)
    assert reply == [line for line in warnings_of(fused.err) if not line.startswith("  majority: ")]
    for word in ("copy.nii.gz", "255", "padded", f"{other}.nii.gz", "empty.nii.gz", "counts twice"):
        assert any(word in line for line in reply), word
    assert len(set(reply)) == len(reply)


def test_all_raters_are_laid_out_together(crema, save):
    """Two crops of one size that do not lie in one place are refused alone, but not beside the whole image."""
    parts = [slice(0, 8), slice(3, 11)]
    names = []
    for k, part in enumerate(parts):
        affine = AFFINE.copy()
        affine[0, 3] = part.start
        names.append(save(f"crop-{k}.nii.gz", blob(0)[part], affine))
    assert crema("check", *names).code == crema("fuse", *names).code == 3
    names.append(save("whole.nii.gz", blob(0)))
    assert crema("fuse", *names).code == 0
    assert crema("check", *names).code == 0
    assert crema("check", *names[:2], "--like", names[2]).code == crema("fuse", *names[:2], "--like", names[2]).code


@pytest.mark.parametrize(
    "options,part", [(["--label", "7"], "no rater uses this label"), (["--like", "none.nii"], "none.nii")]
)
def test_what_is_wrong_with_all_of_them_is_told(crema, raters, options, part):
    result = crema("check", *raters, *options)
    assert result.code == 3 and part in result.out + result.err, result


MAPS = ["a.nii.gz", "b.nii.gz"]


@pytest.mark.parametrize(
    "words",
    [
        ["--probabilities", *MAPS],
        ["--probabilities", *MAPS, "none.nii.gz"],
        ["--probabilities", *MAPS, "image.nii.gz"],
        ["--probabilities", *MAPS, "small.nii.gz"],
        ["--probabilities", *MAPS, "empty.nii.gz"],
        ["--probabilities", "empty.nii.gz", "empty.nii.gz"],
        ["--probabilities", "--threshold", "0.5", *MAPS],
        ["--probabilities", "--floor", "2", *MAPS],
        ["--probabilities", "--labels", "all", *MAPS],
        ["--labels", "all", "--label", "1", "mask.nii.gz"],
        ["--max-memory", "1K", "mask.nii.gz", "mask.nii.gz"],
        ["--probabilities", "--max-memory", "1K", *MAPS],
    ],
)
def test_check_ends_as_fuse_does(crema, save, words):
    for k, name in enumerate(MAPS):
        save(name, (blob(k) * 0.75).astype(numpy.float32))
    save("empty.nii.gz", (blob(0) * 0).astype(numpy.float32))
    save("image.nii.gz", (blob(0) * 300.5).astype(numpy.float32))
    save("small.nii.gz", numpy.ones((3, 3, 3), numpy.float32))
    save("mask.nii.gz", blob(0))
    checked, fused = crema("check", *words), crema("fuse", *words, "-o", "out.nii.gz")
    assert checked.code == fused.code, (checked, fused)
    if fused.code == 2:
        assert checked.err.split(" See ")[0] == fused.err.split(" See ")[0], (checked, fused)
    if fused.code == 0 and "warning" in checked.err:
        assert set(warnings_of(checked.err)) <= set(warnings_of(fused.err)), (checked, fused)


def test_voxels_of_maps_are_those_of_one_half_and_more(crema, save):
    ramp = numpy.linspace(0, 1, 720, dtype=numpy.float32).reshape(12, 10, 6)
    result = crema("check", save("p.nii.gz", ramp), save("q.nii.gz", ramp * 0.9), "--probabilities")
    for scale in (numpy.float32(1), numpy.float32(0.9)):
        inside, support = [(ramp * scale >= numpy.float32(level)).sum() for level in (0.5, 0.05)]
        assert f"{inside} voxels from 0.5 on, {support} from the floor on" in result.out, (inside, support, result)
    assert result.code == 0, result


def test_what_was_found_is_written_as_a_record(crema, raters, tmp_path):
    result = crema("check", *raters, "none.nii.gz", "--json", "-")
    record = json.loads(result.out)
    assert result.code == 3 and not record["fine"] and "bad   4 none.nii.gz" in result.err, result
    assert [rater["fine"] for rater in record["raters"]] == [True] * 3 + [False]
    assert record["raters"][0]["voxels"] == blob(0).sum() and record["raters"][3]["problems"]
    assert [len(fact["sha256"]) for fact in record["inputs"]] == [64] * 3
    assert crema("check", *raters, "--json", "found.json", "--no-provenance").code == 0
    record = json.loads((tmp_path / "found.json").read_text())
    assert record["fine"] and "run" not in record and not record["problems"]
    assert crema("check", *raters, "--json", "found.json").code == 2
    before = (tmp_path / raters[0]).read_bytes()
    assert crema("check", *raters, "--json", raters[0], "--force").code == 2
    assert crema("check", *raters[1:], "--like", raters[0], "--json", raters[0], "--force").code == 2
    assert (tmp_path / raters[0]).read_bytes() == before


@pytest.mark.parametrize("flag", ["-q", "--quiet"])
def test_quiet_tells_errors_alone(crema, raters, flag):
    result = crema("check", *raters, flag)
    assert (result.code, result.out, result.err) == (0, "", ""), result
    result = crema("check", raters[0], "none.nii.gz", flag)
    assert result.code == 3 and result.out == "" and result.err.splitlines() == [result.err.strip()], result
    assert "none.nii.gz" in result.err


def test_check_without_files_is_refused(crema):
    assert crema("check").code == 2


# Demo


@pytest.mark.parametrize("kind, raters", [("organ", 5), ("lesions", 7), ("cord", 4), ("spine", 4)])
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
    done = subprocess.run(["bash", "-c", pasted], cwd=tmp_path, capture_output=True, timeout=PATIENCE)
    assert done.returncode == 0, (command, done.stderr)
    assert (tmp_path / folder / "consensus.nii.gz").exists()


def test_the_next_command_leaves_older_raters_out(crema, program, tmp_path):
    assert crema("demo", "-o", "demo", "--kind", "cord", "--raters", "4").code == 0
    result = crema("demo", "-o", "demo", "--kind", "cord", "--raters", "2", "--seed", "9", "--force")
    pasted = shlex.quote(program) + result.out.splitlines()[-1].strip().removeprefix("crema")
    done = subprocess.run(["bash", "-c", pasted], cwd=tmp_path, capture_output=True, timeout=PATIENCE)
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


def test_demo_writes_a_cohort_that_can_be_run(crema, program, tmp_path):
    words = ["demo", "--kind", "spine", "--size", "48,48,6", "--raters", "3", "--cases", "4"]
    result = crema(*words, "-o", "data")
    assert result.code == 0 and result.out.startswith("4 cases of 3 raters"), result
    cases = sorted(os.listdir(tmp_path / "data"))
    assert cases == ["case-001", "case-002", "case-003", "case-004"]
    sizes = [
        [int(numpy.asarray(nibabel.load(tmp_path / f"data/{case}/rater-{k}.nii.gz").dataobj).sum()) for k in (1, 2, 3)]
        for case in cases
    ]
    assert max(map(max, sizes)) > 1.2 * min(map(min, sizes))
    pasted = shlex.quote(program) + result.out.splitlines()[-1].strip().removeprefix("crema")
    done = subprocess.run(["bash", "-c", pasted], cwd=tmp_path, capture_output=True, timeout=PATIENCE)
    assert done.returncode == 0 and (tmp_path / "data-run/methods.csv").exists(), done
    assert crema(*words, "-o", "alike", "--shared-errors", "1").code == 0
    assert crema(*words, "-o", "data").code == 2
    assert crema("demo", "-o", "one", "--shared-errors", "0.5").code == 2
    assert crema(*words, "-o", "other", "--shared-errors", "1.5").code == 2
    assert not (tmp_path / "one").exists() and not (tmp_path / "other").exists()


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
