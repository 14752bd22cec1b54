# SPDX-License-Identifier: Apache-2.0
"""What else comes out of several labels: levels, distances, and the grid of another file."""

import nibabel
import numpy
import pytest
from labels_test import SIZE, liver_and_tumour, load


@pytest.fixture
def label_maps(save):
    return [save(f"rater-{k + 1}.nii.gz", labels) for k, labels in enumerate(liver_and_tumour(1))]


def test_shape_takes_the_least_mean_signed_distance(crema, save, tmp_path):
    maps = [labels[:, :, 2:5] for labels in liver_and_tumour(3)]
    names = [save(f"m{k}.nii", labels) for k, labels in enumerate(maps)]
    assert crema("fuse", *names, "-o", "out.nii", "--labels", "all", "-m", "shape").code == 0
    spacing = nibabel.load(tmp_path / names[0]).header.get_zooms()

    def distance(mask):
        """Of every voxel to the nearest one of the mask, pair by pair."""
        at, to = (numpy.argwhere(which) * spacing for which in (numpy.ones_like(mask), mask))
        return numpy.sqrt(((at[:, None] - to) ** 2).sum(-1).min(axis=1)).reshape(mask.shape)

    def signed(mask):
        return distance(mask) - distance(~mask)

    means = [numpy.mean([signed(labels == value) for labels in maps], axis=0) for value in (0, 1, 2)]
    order = numpy.sort(means, axis=0)
    clear = order[1] - order[0] > 1e-6
    numpy.testing.assert_array_equal(load(tmp_path, "out.nii")[0][clear], numpy.argmin(means, axis=0)[clear])
    assert clear.mean() > 0.9


def test_endings_may_be_in_capitals(crema, label_maps, tmp_path):
    """As those of images are, and Windows writes them so."""
    soft = ["--labels", "all", "-m", "tanimoto", "-o", "OUT.NII.GZ"]
    for ending in (".NPZ", ".NII"):
        done = crema("fuse", *label_maps, *soft, "--levels", f"L{ending}", "--report", "PAGE.HTML", "--force")
        assert done.code == 0, done
    assert (tmp_path / "L.NPZ").read_bytes()[:2] == b"PK"
    for name in ("LIST.CSV", "LIST.MRK.JSON"):
        done = crema("agreement", *label_maps, "--labels", "all", "--review", name)
        assert done.code == 0, done
    assert (tmp_path / "LIST.MRK.JSON").read_text().startswith("{")
    done = crema("figure", *label_maps, "--labels", "all", "-o", "FIGURE.SVG")
    assert done.code == 0, done


def test_levels_of_all_labels_in_one_file(crema, label_maps, tmp_path):
    maps = [load(tmp_path, name)[0] for name in label_maps]
    more = ["--labels", "all", "-m", "average", "-o", "out.nii.gz"]
    assert crema("fuse", *label_maps, *more, "--levels", "levels.nii.gz").code == 0
    levels, image = load(tmp_path, "levels.nii.gz")
    assert levels.shape == (*SIZE, 2) and levels.dtype == numpy.float32
    numpy.testing.assert_array_equal(image.affine, nibabel.load(tmp_path / label_maps[0]).affine)
    for value in (1, 2):
        share = numpy.mean([labels == value for labels in maps], axis=0)
        numpy.testing.assert_allclose(levels[..., value - 1], share, atol=1e-6)
    assert crema("fuse", *label_maps, *more, "--force", "--levels", "levels.npz").code == 0
    with numpy.load(tmp_path / "levels.npz") as archive:
        classes = archive["probabilities"]
    assert classes.shape == (3, *SIZE[::-1]) and classes.dtype == numpy.float32
    numpy.testing.assert_array_equal(classes[1:].T, levels)
    numpy.testing.assert_allclose(classes.sum(axis=0), 1, atol=1e-6)
    highest = load(tmp_path, "out.nii.gz")[0]
    clear = numpy.sort(classes, axis=0)[-1] - numpy.sort(classes, axis=0)[-2] > 1e-6
    numpy.testing.assert_array_equal(highest[clear.T], classes.argmax(axis=0).T[clear.T])
    again = (tmp_path / "levels.npz").read_bytes()
    assert crema("fuse", *label_maps, *more, "--force", "--levels", "levels.npz").code == 0
    assert (tmp_path / "levels.npz").read_bytes() == again


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--labels", "all", "--levels", "l.nii.gz"], "makes levels"),
        (["--labels", "all", "-m", "tanimoto", "--levels", "l.png"], ".npz"),
        (["--label", "1", "-m", "tanimoto", "--levels", "l.nii.gz"], "--labels"),
        (["--regions", "whole=1+2,core=2", "-m", "tanimoto", "--levels", "l.nii.gz"], "written as labels"),
        (["--labels", "all", "-m", "tanimoto", "--levels", "rater-1.nii.gz", "--force"], "rater-1.nii.gz"),
        (["--labels", "all", "-m", "tanimoto", "-o", "l.nii", "--levels", "l.nii"], "l.nii"),
    ],
)
def test_levels_that_cannot_be_written(crema, label_maps, nothing_new, arguments, said):
    done = crema("fuse", *label_maps, *arguments)
    assert done.code == 2, done.err
    assert said in done.err


def test_an_archive_gets_the_grid_of_the_image_beside_it(crema, save, tmp_path):
    maps = liver_and_tumour(4)
    names = []
    for k, labels in enumerate(maps):
        classes = numpy.stack([labels == value for value in range(3)]).astype(numpy.float32)
        numpy.savez_compressed(tmp_path / f"case{k}.npz", probabilities=classes.transpose(0, 3, 2, 1))
        names.append(f"case{k}.npz")
    grid = save("case0.nii.gz", maps[0])
    more = ["--threshold", "0.5", "--label", "1", "-o", "out.nii.gz", "--force"]
    done = crema("fuse", *names, *more)
    assert done.code == 0 and "--like case0.nii.gz" in done.err and "in voxels" in done.err
    done = crema("fuse", *names, *more, "--like", grid)
    assert done.code == 0 and "are assumed" not in done.err and "beside" not in done.err, done.err
    numpy.testing.assert_array_equal(load(tmp_path, "out.nii.gz")[1].affine, load(tmp_path, grid)[1].affine)


def test_raters_with_different_labels_are_told(crema, save, tmp_path):
    first, second, third = liver_and_tumour(6)
    third[third == 2] = 0
    names = [save(f"d{k}.nii", labels) for k, labels in enumerate((first, second, third))]
    done = crema("fuse", *names, "-o", "out.nii", "--labels", "all")
    assert done.code == 0 and "d2.nii: did not draw label 2" in done.err


def test_an_image_among_label_maps_is_told(crema, save):
    maps = liver_and_tumour(6)
    names = [save(f"m{k}.nii", labels) for k, labels in enumerate(maps)]
    image = numpy.random.default_rng(6).integers(0, 500, maps[0].shape).astype(numpy.uint16)
    done = crema("fuse", *names, save("t2.nii", image), "--labels", "all")
    assert done.code == 0 and done.err.count("occur in no other rater; if it is an image, leave it out.") == 1, done
    assert f"t2.nii: {len(numpy.unique(image)) - 3} of its {len(numpy.unique(image)) - 1} labels" in done.err
    assert "occur in no other rater" not in crema("fuse", *names, "--labels", "all").err
