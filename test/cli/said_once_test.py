# SPDX-License-Identifier: Apache-2.0
"""Images among masks, changed results and sheared grids are reported, each once, by every command that meets them."""

import json

import numpy
import pytest
from conftest import AFFINE, blob


def drawn_ball(shape, centre, radius):
    squares = [(axis - c) ** 2 for axis, c in zip(numpy.indices(shape), centre, strict=True)]
    return (sum(squares) <= radius**2).astype("u1")


@pytest.mark.parametrize("spread", [0, 3])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_an_image_that_a_threshold_makes_a_rater_is_told(crema, save, tmp_path, spread, count):
    """However well the others agree, and however many they are; in a cohort by its name."""
    shape = (40, 40, 12)
    names = []
    for k in range(count):
        names.append(save(f"r{k}.nii.gz", drawn_ball(shape, (20 + spread * (k - 2), 18 + k % 2 * spread, 6), 4)))
    noise = numpy.random.default_rng(1).normal(0, 20, shape)
    save("ct.nii.gz", (numpy.where(drawn_ball(shape, (20, 20, 6), 14) > 0, 40, -1000) + noise).astype("i2"))
    for command in ("fuse", "agreement"):
        result = crema(command, *names, "ct.nii.gz", "--threshold", "0.5")
        told = " ".join(result.err.split())
        assert result.code == 0 and told.count("image") == 1 and "ct.nii.gz" in told, told
    (tmp_path / "data" / "p1").mkdir(parents=True)
    for name in [*names, "ct.nii.gz"]:
        (tmp_path / name).rename(tmp_path / "data" / "p1" / name)
    result = crema("cohort", "run", "data", "-o", "run", "--layout", "cases", "--threshold", "0.5")
    assert result.code == 0 and "unlike in 1 case (p1: ct)" in result.out, result
    warnings = json.loads((tmp_path / "run" / "cases" / "p1" / "result.json").read_text())["warnings"]
    assert any("ct" in text and "image" in text for text in warnings), warnings


def test_maps_that_are_all_cut_alike_are_no_images(crema, save):
    drawn = numpy.random.default_rng(2)
    names = [
        save(f"logits-{k}.nii.gz", drawn_ball((20, 20, 6), (9 + k % 2, 9, 3), 5) * 8.0 - 4 + drawn.random((20, 20, 6)))
        for k in range(3)
    ]
    result = crema("fuse", *names, "--threshold", "0")
    assert result.code == 0 and "looks like an image" not in result.err, result


def test_a_changed_result_is_not_done(crema, raters, tmp_path):
    (tmp_path / "data" / "p1").mkdir(parents=True)
    for name in raters:
        (tmp_path / name).rename(tmp_path / "data" / "p1" / name)
    assert crema("cohort", "run", "data", "-o", "run", "--layout", "cases").code == 0
    assert crema("cohort", "status", "run").code == 0
    path = tmp_path / "run" / "cases" / "p1" / "result.json"
    path.write_text(path.read_text().replace('"version": 1', '"version": 2', 1).replace("jaccard", "jaccarb", 1))
    assert crema("cohort", "status", "run").code == 5


def test_other_patterns_are_told_in_words(crema, raters, tmp_path):
    (tmp_path / "data" / "p1").mkdir(parents=True)
    for name in raters:
        (tmp_path / name).rename(tmp_path / "data" / "p1" / name)
    words = ["cohort", "run", "data", "-o", "run", "--layout", "cases", "--only"]
    assert crema(*words, "*.nii.gz").code == 0
    result = crema(*words, "rater*")
    told = " ".join(result.err.split())
    assert result.code == 2 and "only *.nii.gz" in told and "only rater*" in told and "{" not in told, told


def test_a_page_of_a_leaning_grid_is_told_to_be_out_of_scale(crema, save, tmp_path):
    lean = AFFINE.copy()
    lean[0, 1] = 0.3
    names = [save(f"lean-{k}.nii.gz", blob(k % 2), lean) for k in range(3)]
    assert "not to scale" in " ".join(crema("fuse", *names, "--report", "page.html").err.split())
    (tmp_path / "data" / "p1").mkdir(parents=True)
    for name in names:
        (tmp_path / name).rename(tmp_path / "data" / "p1" / name)
    assert crema("cohort", "run", "data", "-o", "run", "--layout", "cases", "--report").code == 0
    assert "not to scale" in (tmp_path / "run" / "cases" / "p1" / "result.json").read_text()


def test_what_befell_all_labels_of_a_rater_is_said_once(crema, save, tmp_path):
    """A turned image is one cause, whatever the overlaps of each of its organs are."""
    drawn = numpy.zeros((20, 20, 20), numpy.uint8)
    for label in range(1, 9):
        a, b, c = 4 * (label & 1), 4 * (label >> 1 & 1), 4 * (label >> 2)
        drawn[a : a + 4, b : b + 4, c : c + 3] = label
    maps = [drawn.copy(), drawn.copy(), drawn[::-1].copy()]
    for label in range(1, 9):  # each label overlaps in its own way
        place = numpy.argwhere(maps[1] == label)[:label]
        maps[1][tuple(place.T)] = 0
    maps[2][maps[2] == 8] = 0
    maps[0][maps[0] == 3] = 0
    names = [save(f"map-{k}.nii.gz", one) for k, one in enumerate(maps)]
    for command in (["fuse"], ["check"], ["agreement"]):
        done = crema(*command, *names, "--labels", "all")
        found = [line for line in done.err.splitlines() if "mirrored along x" in line]
        assert done.code == 0 and len(found) == 1, done
        assert "and likewise label" in found[0] and "map-2" in found[0], found
