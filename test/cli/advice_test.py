# SPDX-License-Identifier: Apache-2.0
"""Every `--name` in a message of a command is one of its own options, or one of the command that the sentence names."""

import json
import os
import re
import shutil
import subprocess

import nibabel
import numpy
import pytest
from conftest import blob
from figure_test import Image, needs_pillow
from labels_test import SIZE
from segments_test import write_segments

OPTION = re.compile(r"--[a-z][a-z0-9-]*")
# An option that people typed is repeated where it is refused, and these are of other programs.
REFUSED = re.compile(r"unknown option --[a-z0-9-]+")
FOREIGN = {"--array"}
SHAPE = (12, 10, 6)


def options_of(page):
    """Command by command, what `crema manual --markdown` lists."""
    found = {}
    for part in re.split(r"^## crema ", page, flags=re.M)[1:]:
        rows = re.findall(r"^- `([^`]*)`", part, re.M)
        found[part.split("\n")[0]] = {name for row in rows for name in OPTION.findall(row.split("|")[0])}
    return found


@pytest.fixture(scope="module")
def manual(program):
    page = subprocess.run([program, "manual", "--markdown"], capture_output=True, text=True, check=True).stdout
    return options_of(page)


def named(manual, command, text):
    """The options in a message that neither the command has nor one that is named right before."""
    text = REFUSED.sub("", " ".join(text.split()))
    known = manual[command] | FOREIGN
    wrong = set()
    for sentence in re.split(r"(?<=[.;:]) ", text):
        others = [name for name in manual if f"crema {name}" in sentence]
        allowed = known.union(*(manual[name] for name in others))
        wrong |= set(OPTION.findall(sentence)) - allowed
    return wrong


def levels(place, name, seed, fit):
    """A prediction of nnU-Net, whose channels sum to 1 or do not."""
    drawn = numpy.random.default_rng(seed).random((3, *SHAPE[::-1])).astype("f4")
    numpy.savez(place / f"{name}.npz", probabilities=drawn / drawn.sum(0) if fit else drawn)
    nibabel.Nifti1Image(numpy.zeros(SHAPE, "u1"), numpy.eye(4)).to_filename(place / f"{name}.nii.gz")


@pytest.fixture
def words_of(crema, save, raters, tmp_path):
    """Of each command, words with which it runs."""
    for case in ("p1", "p2"):
        (tmp_path / "data" / case).mkdir(parents=True)
        for name in raters:
            shutil.copy(tmp_path / name, tmp_path / "data" / case)
    for fold in ("fold_0", "fold_1"):
        (tmp_path / fold).mkdir()
        levels(tmp_path / fold, "c1", 1, fit=False)
        classes = {"labels": {"background": 0, "a": 1, "b": 2}, "file_ending": ".nii.gz"}
        (tmp_path / fold / "dataset.json").write_text(json.dumps(classes))
    assert crema("cohort", "run", "data", "-o", "run", "--layout", "cases").code == 0
    assert crema("cohort", "plan", "data", "-o", "planned", "--layout", "cases", "--shards", "2").code == 0
    (tmp_path / "decisions.json").write_text("{}")
    data = ["data", "--layout", "cases"]
    return {
        "fuse": [*raters, "-o", "out.nii"],
        "agreement": raters,
        "compare": raters,
        "certify": [raters[0], *raters],
        "background": raters,
        "figure": [*raters, "-o", "out.svg"],
        "report": [*raters, "-o", "out.html"],
        "check": raters,
        "apply": ["decisions.json", *raters, "-o", "out.nii"],
        "cohort list": data,
        "cohort run": [*data, "-o", "out"],
        "cohort plan": [*data, "-o", "out"],
        "cohort submit": ["planned", "--dry-run"],
        "cohort status": ["planned"],
        "cohort merge": ["planned"],
        "cohort get": ["planned", "p1", "-o", "out"],
        "bids": ["data", "out", "participant"],
        "nnunet": ["fold_0", "fold_1", "-o", "out"],
        "study": ["run", "-o", "out"],
        "annotations": ["decisions.json", "-o", "out.json"],
        "import": ["decisions.json", "-o", "out"],
        "export": ["run", "-o", "out.json"],
        "demo": ["-o", "out"],
        "methods": [],
        "cite": ["jaccard"],
        "completion": ["bash"],
        "manual": [],
    }


def tried(crema, tmp_path, command, words):
    for old in tmp_path.glob("out*"):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    result = crema(*command.split(), *words)
    assert result.code in (0, 2, 3, 4, 5, 6), (command, words, result)
    # What others print is no message: options of sbatch, lists and pages.
    quoted = ("cohort submit", "manual", "completion", "methods", "cite")
    return result.err + ("" if command in quoted else result.out)


def test_whatever_an_option_is_given_the_message_names_options_of_this_command(crema, manual, words_of, tmp_path):
    assert manual.keys() - words_of.keys() == {"app"}  # it opens a browser
    wrong = {}
    for command, words in words_of.items():
        runs = [words, words[:1], []]
        runs += [[*words, name, "nonsense"] for name in sorted(manual[command] - {"--help"})]
        runs += [[*words, name, "1"] for name in ("--max-memory", "--blocks", "--probabilities", "--labels")
                 if name in manual[command]]  # fmt: skip
        for run in runs:
            if found := named(manual, command, tried(crema, tmp_path, command, run)):
                wrong[(command, *run)] = found
    assert not wrong, wrong


@pytest.mark.parametrize("method", ["staple", "tanimoto", "jaccard,dice"])
def test_the_words_of_nnunet_are_its_own(crema, manual, words_of, tmp_path, method):
    words = [*words_of["nnunet"], "-m", method]
    for more in ([], ["--max-memory", "100K"], ["--low-memory"]):
        text = tried(crema, tmp_path, "nnunet", [*words, *more])
        assert not named(manual, "nnunet", text), text
    assert "--method: staple takes masks, not levels" in text or method != "staple"
    assert "its dataset.json must list regions_class_order" in text or method != "tanimoto"


def pictures(tmp_path):
    """A mask, and what a mask is not: colours, and palettes of which nothing says what is inside."""
    random = numpy.random.default_rng(4)
    Image.fromarray(blob(0)[:, :, 2] * 255).save(tmp_path / "mask.png")
    for ending in ("png", "tif"):
        Image.fromarray(random.integers(0, 255, (12, 10, 3)).astype("u1")).save(tmp_path / f"colours.{ending}")
        entries = Image.fromarray(random.integers(0, 4, (12, 10)).astype("u1"), "P")
        entries.putpalette([0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255])
        entries.save(tmp_path / f"palette.{ending}")
    return ["colours.png", "colours.tif", "palette.png", "palette.tif"]


@needs_pillow
@pytest.mark.parametrize(
    "words",
    [["certify", "FILE", "MASK"], ["agreement", "MASK", "--consensus", "FILE"],
     ["agreement", "MASK", "--candidate", "FILE"], ["fuse", "MASK", "-m", "staple", "--roi", "FILE"]],
)  # fmt: skip
def test_what_is_no_rater_gets_no_advice_for_raters(crema, save, raters, tmp_path, words):
    """--label, --palette and --threshold are about the raters; a consensus and a region are read without them."""
    levels(tmp_path, "classes", 2, fit=True)
    drawn = numpy.random.default_rng(3).random((2, *SHAPE[::-1])).astype("f4")
    numpy.savez(tmp_path / "two.npz", probabilities=drawn / drawn.sum(0))
    files = [(name, ["mask.png", "mask.png"]) for name in pictures(tmp_path)]
    files += [(name, raters) for name in ("classes.npz", "two.npz")]
    for name, masks in files:
        run = [word for part in words for word in (masks if part == "MASK" else [part])]
        result = crema(*(name if word == "FILE" else word for word in run))
        assert result.code == 3 or name == "two.npz", result
        found = [line for line in result.err.splitlines() if name in line and "crema:" in line]
        assert found or result.code == 0, result
        for line in found:
            assert not re.search(r"--(label|labels|palette|threshold|probabilities)\b", line), line


@needs_pillow
def test_an_image_in_colours_is_not_called_a_mask(crema, tmp_path):
    pictures(tmp_path)
    for name in ("colours.png", "colours.tif"):
        result = crema("figure", "mask.png", "mask.png", "--image", name, "-o", "out.svg")
        assert result.code == 3 and f"{name}: is a colour image, so its levels are unclear; export it as grey" in (
            result.err
        ), result


@needs_pillow
def test_raters_still_learn_which_options_there_are(crema, tmp_path):
    levels(tmp_path, "classes", 2, fit=True)
    for name in pictures(tmp_path):
        assert re.search(r"--(label|palette)\b", crema("fuse", "mask.png", name).err), name
    assert "or one with --probabilities and --label 1" in crema("fuse", "classes.npz").err
    assert "choose one with --label, such as --label 1" in crema("fuse", "classes.npz", "--threshold", "0.5").err


def test_segments_are_raters_only_where_there_are_segments(crema, raters, tmp_path):
    result = crema("fuse", *raters, "--segments-are", "raters")
    assert result.code == 0 and "No file holds segments; --segments-are raters has no effect." in result.err, result
    crema("fuse", *raters, "--labels", "a=1", "-o", "one.seg.nrrd")
    assert "has no effect" not in crema("fuse", "one.seg.nrrd", raters[0], "--segments-are", "raters").err
    assert os.path.exists(tmp_path / "one.seg.nrrd")


@pytest.mark.parametrize(
    "words", [["certify", "FILE", "MASK"], ["agreement", "MASK", "--consensus", "FILE"],
              ["agreement", "MASK", "--candidate", "FILE"]],
)  # fmt: skip
def test_a_consensus_of_another_structure_is_told(crema, tmp_path, words):
    mask = numpy.zeros(SIZE, numpy.uint8)
    mask[3:8, 3:8, 1:4] = 1
    for name, segment in (("a", "liver"), ("b", "liver"), ("one", "kidney"), ("two", "LIVER ")):
        write_segments(tmp_path / f"{name}.seg.nrrd", [mask], [(segment, 0, 1)])
    assert crema("fuse", "a.seg.nrrd", "b.seg.nrrd", "-o", "ours.seg.nrrd").code == 0

    def told(file, *more):
        masks = ["a.seg.nrrd", "b.seg.nrrd"]
        run = [word for part in words for word in (masks if part == "MASK" else [file] if part == "FILE" else [part])]
        result = crema(*run, *more)
        assert result.code == 0, result
        return "holds the segment 'kidney', but the raters drew 'liver'; they are treated as the same" in result.err

    assert told("one.seg.nrrd")
    assert not any(told(file) for file in ("one.seg.nrrd#kidney", "two.seg.nrrd", "ours.seg.nrrd"))


@pytest.mark.parametrize("low, high", [(0, 0.5), (0.1, 0.4), (0.6, 0.9)])
def test_no_threshold_is_advised_that_leaves_nothing_or_everything(crema, save, low, high):
    mask = numpy.zeros(SIZE, numpy.float32)
    mask[3:8, 3:8, 1:4] = 1
    name = save("levels.nii.gz", low + (high - low) * mask)
    for command in ("fuse", "agreement", "background"):
        result = crema(command, name, name)
        assert result.code == 3 and "--threshold to cut it" in result.err and "0.5 to" not in result.err, result


def test_advice_about_classes_holds_beside_a_threshold(crema, save):
    """As it stands it leads to the end: both options in place of the one that was given."""
    level = numpy.zeros(SIZE, numpy.float32)
    level[3:8, 3:8, 1:4] = 0.8
    name = save("classes.nii.gz", numpy.stack([1 - level, level], axis=-1))
    result = crema("fuse", name, name, "--threshold", "0.5")
    assert result.code == 3 and "--probabilities and --labels all in place of --threshold" in result.err, result
    assert crema("fuse", name, name, "--probabilities", "--labels", "all").code == 0
    assert "in place of" not in crema("fuse", name, name).err


def test_advice_about_segments_of_two_names_leads_to_the_end(crema, tmp_path):
    mask = numpy.zeros(SIZE, numpy.uint8)
    mask[3:8, 3:8, 1:4] = 1
    for name, segment in (("a", "liver"), ("b", "kidney")):
        write_segments(tmp_path / f"{name}.seg.nrrd", [mask], [(segment, 0, 1)])
    result = crema("fuse", "a.seg.nrrd", "b.seg.nrrd")
    advice = re.findall(r"--[a-z-]+ [a-z]+", " ".join(result.err.split()))
    assert result.code == 3 and len(advice) == 2, result
    for words in advice:
        assert crema("fuse", "a.seg.nrrd", "b.seg.nrrd", *words.split()).code == 0, words
