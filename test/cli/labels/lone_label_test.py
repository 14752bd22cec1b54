# SPDX-License-Identifier: Apache-2.0
"""Labels stay labels: of one label alone, in every format, in cohorts, and beside a consensus of other labels."""

import nibabel
import numpy
import pytest
from conftest import blob
from PIL import Image

FORMATS = [".nii.gz", ".nii", ".nrrd", ".mha", ".png", ".tif", ".seg.nrrd"]


def values(crema, path):
    """What a file holds, by way of crema's own reader where no other is at hand."""
    if path.suffix in (".png", ".tif"):
        return set(numpy.unique(numpy.asarray(Image.open(path))).tolist())
    if path.suffix in (".nii", ".gz"):
        return set(numpy.unique(numpy.asanyarray(nibabel.load(path).dataobj)).tolist())
    return {0} | {label for label in (1, 2, 255) if crema("fuse", path, "--labels", str(label)).code == 0}


@pytest.fixture
def flat(tmp_path):
    """Three raters who used label 1 alone, as PNG."""
    names = []
    for k in range(3):
        names.append(f"r{k}.png")
        Image.fromarray(blob(k % 2)[:, :, 2]).save(tmp_path / names[-1])
    return names


@pytest.mark.parametrize("ending", FORMATS)
def test_the_label_1_alone_is_written_as_1(crema, flat, tmp_path, ending):
    out = f"out{ending}"
    result = crema("fuse", *flat, "--labels", "all", "-o", out)
    assert result.code == 0, result
    assert values(crema, tmp_path / out) == {0, 1}
    checked = crema("certify", out, *flat, "--labels", "all")
    assert checked.code == 0 and "consensus (0 voxels)" not in checked.out, checked


def test_all_cases_of_a_cohort_count_labels_alike(crema, tmp_path):
    for case, most in (("p1", 1), ("p2", 2)):
        (tmp_path / "data" / case).mkdir(parents=True)
        for k in range(3):
            drawn = blob(k % 2)[:, :, 2]
            drawn[4, 4:6] = drawn[4, 4:6] * most
            Image.fromarray(drawn).save(tmp_path / "data" / case / f"r{k}.png")
    assert crema("cohort", "run", "data", "-o", "run", "--layout", "cases", "--labels", "all").code == 0
    found = {path.parent.name: values(crema, path) for path in (tmp_path / "run" / "cases").glob("*/jaccard.png")}
    assert found == {"p1": {0, 1}, "p2": {0, 1, 2}}


@pytest.mark.parametrize("command", ["certify", "consensus", "candidate"])
def test_a_consensus_without_any_of_the_raters_labels_is_refused(crema, save, command):
    maps = [blob(k % 2) for k in range(3)]
    maps[1][3, 3, 2] = 2
    names = [save(f"m{k}.nii.gz", labels) for k, labels in enumerate(maps)]
    other = save("other.nii.gz", blob(0) * 7)
    words = {
        "certify": ["certify", other, *names],
        "consensus": ["agreement", *names, "--consensus", other],
        "candidate": ["agreement", *names, "--candidate", other],
    }[command]
    result = crema(*words, "--labels", "all")
    assert result.code == 3, result
    assert "only labels that no rater has (7; the raters have 1, 2)" in " ".join(result.err.split()), result
    both = save("both.nii.gz", blob(0) * 7 + maps[1] * (blob(0) == 0))
    assert crema(*[both if word == other else word for word in words], "--labels", "all").code == 0


def test_readers_who_agree_on_one_label_but_not_on_another_are_no_copies(crema, save):
    maps = [blob(k % 2) for k in range(3)]
    for k, labels in enumerate(maps):
        labels[10, 2 + k : 6, 1:4] = 2
    maps[2][:9] = maps[0][:9]
    names = [save(f"m{k}.nii.gz", labels) for k, labels in enumerate(maps)]
    result = crema("fuse", *names, "--labels", "all")
    assert result.code == 0 and "identical" not in result.err, result
    result = crema("fuse", *names, save("copy.nii.gz", maps[2]), "--labels", "all")
    assert "rater 4 (copy.nii.gz) is identical to rater 3" in " ".join(result.err.split()), result


def test_grey_values_read_as_labels_are_told(crema, tmp_path):
    drawn = numpy.random.default_rng(1)
    grey = drawn.integers(0, 255, (24, 24, 8)).astype(numpy.uint8)
    for k in range(2):
        nibabel.Nifti1Image(grey, numpy.eye(4)).to_filename(tmp_path / f"mr{k}.nii")
        grey = grey.copy()
        grey[k + 2] = drawn.integers(0, 255, grey[0].shape)
    result = crema("fuse", "mr0.nii", "mr1.nii", "--labels", "all")
    assert "change from voxel to voxel; if it is an image, leave it out" in " ".join(result.err.split()), result.err
