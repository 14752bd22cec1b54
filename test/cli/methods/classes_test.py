# SPDX-License-Identifier: Apache-2.0
"""Several classes of probability maps at once, against one class at a time and plain NumPy."""

import json

import nibabel
import numpy
import pytest
from conftest import AFFINE

FLOOR = 0.05
SIZE = (18, 15, 7)
RATERS = 4


def voxels(path):
    return numpy.asanyarray(nibabel.load(path).dataobj)


def spheres(seed):
    """Two objects that touch, as each network sees them: how far inside each voxel lies."""
    rng = numpy.random.default_rng(seed)
    x, y, z = numpy.meshgrid(*map(numpy.arange, SIZE), indexing="ij")

    def ball(centre, radius, blur):
        return (radius - numpy.sqrt(sum(((a - c) * s) ** 2 for a, c, s in zip((x, y, z), centre, (1, 1, 1.5))))) / blur

    return [
        (
            ball(numpy.array([6, 7, 3]) + rng.normal(0, 0.6, 3), 4 + rng.random(), rng.uniform(0.4, 1.2)),
            ball(numpy.array([11, 8, 3]) + rng.normal(0, 0.6, 3), 3 + rng.random(), rng.uniform(0.4, 1.2)),
        )
        for _ in range(RATERS)
    ]


def logits(seed):
    return [numpy.stack([numpy.zeros(SIZE), a, b]).astype(numpy.float32) for a, b in spheres(seed)]


def softmax(values):
    shares = numpy.exp(values - values.max(axis=0))
    return (shares / shares.sum(axis=0)).astype(numpy.float32)


def sigmoid(values):
    return (1 / (1 + numpy.exp(-values.astype(float)))).astype(numpy.float32)


def save_npz(folder, name, channels):
    folder.mkdir(exist_ok=True)
    numpy.savez_compressed(folder / f"{name}.npz", probabilities=channels.transpose(0, 3, 2, 1))
    return f"{folder.name}/{name}.npz"


@pytest.fixture
def networks():
    return [softmax(values) for values in logits(5)]


@pytest.fixture
def folds(tmp_path, networks):
    """As nnU-Net writes them: an array without a grid, the segmentation beside it, and the names of the labels."""
    paths = []
    for k, network in enumerate(networks):
        paths.append(save_npz(tmp_path / f"fold_{k}", "case", network))
        nibabel.save(
            nibabel.Nifti1Image(network.argmax(axis=0).astype("u1"), AFFINE), tmp_path / f"fold_{k}/case.nii.gz"
        )
    labels = {"background": 0, "liver": 1, "tumour": 2}
    (tmp_path / "fold_0/dataset.json").write_text(json.dumps({"labels": labels}), encoding="utf-8")
    return paths


@pytest.fixture
def stacks(save, networks):
    return [save(f"net-{k}.nii.gz", numpy.moveaxis(network, 0, -1)) for k, network in enumerate(networks)]


def fuse(crema, paths, *more):
    result = crema("fuse", *paths, "--probabilities", *more)
    assert result.code == 0, result
    return result


def alone(crema, tmp_path, networks, save, method, c):
    """What the program makes of one class by itself."""
    maps = [save(f"class-{c}-{k}.nii.gz", network[c]) for k, network in enumerate(networks)]
    fuse(crema, maps, "-o", f"alone-{method}-{c}.nii.gz", "--method", method, "--force")
    return voxels(tmp_path / f"alone-{method}-{c}.nii.gz").astype(float)


def shared(levels):
    """Levels of classes as the method says: divided by their sum where that is above 1; and their label."""
    total = levels.sum(axis=0)
    levels = numpy.where(total > 1 + 1e-6, levels / numpy.maximum(total, 1e-9), levels)
    rest = 1 - numpy.minimum(levels.sum(axis=0), 1)
    return levels, numpy.concatenate([rest[None], levels]).argmax(axis=0)


@pytest.mark.parametrize("method", ["tanimoto", "soergel", "average", "median", "robust"])
def test_levels_of_classes_are_shared_and_the_highest_is_the_label(crema, folds, networks, save, tmp_path, method):
    fuse(crema, folds, "-o", "out.nii.gz", "--labels", "all", "--method", method, "--levels", "levels.npz")
    own = numpy.stack([alone(crema, tmp_path, networks, save, method, c) for c in (1, 2)])
    levels, labels = shared(own)
    written = numpy.load(tmp_path / "levels.npz")["probabilities"].transpose(0, 3, 2, 1)
    assert written.shape == (3, *SIZE) and numpy.abs(written[1:] - levels).max() < 1e-6
    assert numpy.abs(written.sum(axis=0) - 1).max() < 1e-5
    out = voxels(tmp_path / "out.nii.gz")
    top = numpy.sort(written, axis=0)
    clear = top[-1] - top[-2] > 1e-5
    assert (out == labels)[clear].all() and clear.mean() > 0.9 and set(numpy.unique(out)) == {0, 1, 2}


@pytest.mark.parametrize("method", ["jaccard", "dice", "majority"])
def test_masks_of_classes_do_not_overlap(crema, folds, networks, save, tmp_path, method):
    result = fuse(crema, folds, "-o", "out.nii.gz", "--labels", "all", "--method", method, "--json", "record.json")
    one, two = (alone(crema, tmp_path, networks, save, method, c) > 0 for c in (1, 2))
    mean = numpy.where(numpy.asarray(networks) < FLOOR, 0, networks).mean(axis=0)
    wanted = numpy.where(one & two, 1 + (mean[2] > mean[1]), one + 2 * two)
    out, record = voxels(tmp_path / "out.nii.gz"), json.loads((tmp_path / "record.json").read_text(encoding="utf-8"))
    assert (out == wanted).all()
    assert record["claimed_twice"] == (one & two).sum()
    assert (one & two).sum() == 0 or "highest mean level" in result.err
    assert [entry["name"] for entry in record["label_table"]] == ["liver", "tumour"]
    assert len(record["label_table"][1]["rule"]["weights"]) == RATERS if method != "majority" else True


def test_the_grid_is_that_of_the_segmentation_beside_it(crema, folds, tmp_path):
    result = fuse(crema, folds, "-o", "out.nii.gz", "--labels", "liver,tumour")
    assert (nibabel.load(tmp_path / "out.nii.gz").affine == AFFINE).all()
    assert "that of case.nii.gz next to it" in result.err and "no spacing" not in result.err
    assert "fold_2" in result.out + result.err and "liver: in where 0." in result.out + result.err


def test_a_stack_of_volumes_gives_what_npz_gives_and_reads_its_own_levels(crema, folds, stacks, tmp_path):
    for paths, name in ((folds, "npz"), (stacks, "nii")):
        fuse(crema, paths, "-o", f"{name}.nii.gz", "--labels", "all", "--method", "tanimoto",
             "--levels", f"{name}-levels.nii.gz")  # fmt: skip
    assert (voxels(tmp_path / "npz.nii.gz") == voxels(tmp_path / "nii.nii.gz")).all()
    levels = voxels(tmp_path / "nii-levels.nii.gz")
    assert levels.shape == (*SIZE, 3) and (levels == voxels(tmp_path / "npz-levels.nii.gz")).all()
    fuse(crema, ["nii-levels.nii.gz"] * 2, "-o", "again.nii.gz", "--labels", "all", "--method", "average")
    assert (voxels(tmp_path / "again.nii.gz") == voxels(tmp_path / "nii.nii.gz")).mean() > 0.99  # levels may tie


def test_fewer_classes_by_number_and_by_name(crema, folds, tmp_path):
    fuse(crema, folds, "-o", "two.nii.gz", "--labels", "lesion=2", "--method", "average")
    fuse(crema, folds, "-o", "named.nii.gz", "--labels", "tumour", "--method", "average")
    assert (voxels(tmp_path / "two.nii.gz") == voxels(tmp_path / "named.nii.gz")).all()
    assert set(numpy.unique(voxels(tmp_path / "two.nii.gz"))) == {0, 2}


@pytest.mark.parametrize("method", ["jaccard", "dice", "tanimoto", "soergel", "dice1", "dice2"])
def test_maps_of_0_and_1_are_label_maps(crema, save, tmp_path, networks, method):
    """Classes that exclude each other: what each label alone reaches is that of label maps with groups."""
    hot = [numpy.eye(3, dtype=numpy.float32)[network.argmax(axis=0)] for network in networks]
    maps = [save(f"hot-{k}.nii.gz", array) for k, array in enumerate(hot)]
    labels = [save(f"map-{k}.nii.gz", network.argmax(axis=0).astype("u1")) for k, network in enumerate(networks)]
    fuse(crema, maps, "--labels", "all", "--method", method, "--json", "levels.json", "--quiet")
    result = crema("fuse", *labels, "--labels", "all", "--method", method, "--blocks", "group", "--json", "labels.json")
    assert result.code == 0, result
    own, other = (json.loads((tmp_path / f"{name}.json").read_text(encoding="utf-8")) for name in ("levels", "labels"))
    assert own["lmsd_alone"] == pytest.approx(other["lmsd_alone"], rel=1e-6)
    assert own["lmsd"] == pytest.approx(other["lmsd"], rel=2e-2)


@pytest.fixture
def regions(tmp_path):
    """Sigmoid channels: the whole, and a core that reaches beyond it."""
    paths, maps = [], []
    for k, (a, b) in enumerate(spheres(11)):
        maps.append(sigmoid(numpy.stack([numpy.maximum(a, b - 1), b])))
        paths.append(save_npz(tmp_path / f"fold_{k}", "case", maps[-1]))
    return paths, maps


@pytest.mark.parametrize("method", ["average", "median", "majority"])
def test_regions_are_cut_to_each_other(crema, regions, tmp_path, method):
    paths, maps = regions
    p = numpy.where(numpy.asarray(maps) < FLOOR, 0, maps).astype(float)
    level = {
        "average": p.mean(axis=0),
        "median": numpy.median(p, axis=0),
        "majority": (p > 0.5).sum(axis=0) > RATERS / 2,
    }[method]
    whole, core = level > 0.5
    fuse(crema, paths, "-o", "out.nii.gz", "--regions", "whole=1+2,core=2", "--method", method)
    assert (voxels(tmp_path / "out.nii.gz") == whole * (1 + core)).all()
    text = {"labels": {"background": 0, "core": [2], "whole": [1, 2]}, "regions_class_order": [7, 5]}
    (tmp_path / "fold_0/dataset.json").write_text(json.dumps(text), encoding="utf-8")
    swapped = [save_npz(tmp_path / f"swapped_{k}", "case", array[::-1]) for k, array in enumerate(maps)]
    (tmp_path / "swapped_0/dataset.json").write_text(json.dumps(text), encoding="utf-8")
    more = [] if method == "majority" else ["--levels", "levels.npz"]
    fuse(crema, swapped, "-o", "own.nii.gz", "--labels", "all", "--method", method, *more)
    assert (voxels(tmp_path / "own.nii.gz") == whole * numpy.where(core, 7, 5)).all()
    if more:
        written = numpy.load(tmp_path / "levels.npz")["probabilities"].transpose(0, 3, 2, 1)
        assert numpy.abs(written - level[::-1]).max() < 1e-6


def refused(crema, *arguments, code=3):
    result = crema("fuse", *arguments, "-o", "out.nii.gz", "--probabilities")
    assert result.code == code, result
    return result.err


@pytest.mark.parametrize("method", ["average", "majority"])
def test_nnunets_rule_paints_regions_over_those_before_them(crema, regions, tmp_path, method):
    paths, maps = regions
    p = numpy.where(numpy.asarray(maps) < FLOOR, 0, maps).astype(float)
    whole, core = p.mean(axis=0) > 0.5 if method == "average" else (p > 0.5).sum(axis=0) > RATERS / 2
    both = ["--regions", "whole=1+2,core=2", "--method", method]
    fuse(crema, paths, "-o", "out.nii.gz", *both, "--preset", "nnunet", "--json", "record.json")
    assert (core & ~whole).any() and (voxels(tmp_path / "out.nii.gz") == numpy.where(core, 2, whole)).all()
    assert json.loads((tmp_path / "record.json").read_text(encoding="utf-8"))["preset"] == "nnunet"
    text = {"labels": {"background": 0, "whole": [1, 2], "core": [2]}, "regions_class_order": [7, 5]}
    (tmp_path / "fold_0/dataset.json").write_text(json.dumps(text), encoding="utf-8")
    fuse(crema, paths, "-o", "own.nii.gz", "--labels", "all", "--method", method, "--preset", "nnunet")
    assert (voxels(tmp_path / "own.nii.gz") == numpy.where(core, 5, 7 * whole)).all()
    for more, reply in (([], "requires --probabilities"), (["--probabilities"], "requires regions")):
        result = crema("fuse", paths[0], "--preset", "nnunet", *more)
        assert result.code == 2 and reply in result.err, result


def test_classes_of_which_none_is_chosen_can_all_be_fused(crema, folds):
    assert "fold_0/case.npz: holds the probabilities of 3 classes; fuse all of them with --labels all" in refused(
        crema, *folds
    )
    result = crema("fuse", *folds, "-o", "out.nii.gz")
    assert result.code == 3 and "fuse all of them with --probabilities and --labels all, or one with" in result.err
    result = crema("fuse", *folds, "-o", "out.nii.gz", "--threshold", "0.5")
    assert result.code == 3 and "choose one with --label, such as --label 1" in result.err


def test_what_does_not_fit_is_refused_by_name(crema, folds, networks, regions, save, tmp_path):
    paths, _ = regions
    four = save_npz(tmp_path / "four", "case", numpy.concatenate([networks[0], networks[0][:1]]))
    text = refused(crema, folds[0], four, "--labels", "all")
    assert "four/case.npz: holds 4 channels, but fold_0/case.npz holds 2" in text or "holds 3" in text
    text = refused(crema, *paths, "--regions", "whole=1+2+3,core=2+3,rim=3")
    assert "holds 2 channels" in text and "names 3 regions" in text
    one = save("one.nii.gz", networks[0][1])
    assert "holds one map" in refused(crema, one, "--labels", "all")
    stack = save("stack.nii.gz", numpy.moveaxis(networks[0], 0, -1))
    assert "unknown class 3" in refused(crema, stack, "--labels", "3")
    assert "no class names" in refused(crema, stack, "--labels", "liver")
    assert "volumes" in refused(crema, stack) and "give --probabilities and --labels all" in refused(crema, stack)
    (tmp_path / "fold_0/dataset.json").write_text("{", encoding="utf-8")
    assert "dataset.json" in refused(crema, *paths, "--labels", "all")
    assert not (tmp_path / "out.nii.gz").exists()


def test_channels_that_do_not_sum_to_1_are_warned_of(crema, save, networks):
    strange = networks[1].copy()
    strange[0, 4, 4, 4] = 0.5 + strange[0, 4, 4, 4] / 2
    paths = [save(f"net-{k}.nii.gz", numpy.moveaxis(maps, 0, -1)) for k, maps in enumerate((networks[0], strange))]
    result = fuse(crema, paths, "-o", "out.nii.gz", "--labels", "all")
    worst = strange.sum(axis=0).max()
    assert f"net-1.nii.gz: its channels do not sum to 1 everywhere; the worst sum is {worst:.4g}" in result.err
    assert "net-0.nii.gz: its channels" not in result.err


def test_logits_become_levels(crema, save, tmp_path):
    raw = logits(5)
    paths = [save(f"raw-{k}.nii.gz", numpy.moveaxis(values, 0, -1)) for k, values in enumerate(raw)]
    levels = [save(f"net-{k}.nii.gz", numpy.moveaxis(softmax(values), 0, -1)) for k, values in enumerate(raw)]
    for method in ("average", "jaccard"):
        fuse(crema, paths, "-o", f"a-{method}.nii.gz", "--labels", "all", "--logits", "softmax", "--method", method)
        fuse(crema, levels, "-o", f"b-{method}.nii.gz", "--labels", "all", "--method", method)
        assert (voxels(tmp_path / f"a-{method}.nii.gz") == voxels(tmp_path / f"b-{method}.nii.gz")).mean() > 0.999
    one = [save(f"one-{k}.nii.gz", values[1]) for k, values in enumerate(raw)]
    fuse(crema, one, "-o", "mean.nii.gz", "--logits", "sigmoid", "--method", "average")
    p = sigmoid(numpy.asarray([values[1] for values in raw]))
    mean = numpy.where(p < FLOOR, 0, p).mean(axis=0)
    assert numpy.abs(voxels(tmp_path / "mean.nii.gz") - mean).max() < 1e-6


def test_logits_that_are_not_announced_are_refused_with_the_option(crema, save):
    raw = logits(5)
    stack = save("stack.nii.gz", numpy.moveaxis(raw[0], 0, -1))
    assert "if these are logits, give --logits softmax" in refused(crema, stack, "--labels", "all")
    assert "if these are logits, give --logits sigmoid" in refused(crema, save("one.nii.gz", raw[0][1]))
    assert "--labels all" in refused(crema, save("two.nii.gz", raw[0][1]), "--logits", "softmax", code=2)
    random = numpy.random.default_rng(1)
    for values in (random.integers(-1000, 2000, raw[0][1].shape), random.integers(0, 4, raw[0][1].shape)):
        reply = refused(crema, save("image.nii.gz", values.astype(numpy.int16)))
        assert "logits" not in reply and "leave it out if it is an image or holds labels" in reply, reply
    bad = raw[0].copy()
    bad[2, 3, 4, 5] = numpy.inf
    text = refused(crema, save("bad.nii.gz", numpy.moveaxis(bad, 0, -1)), "--labels", "all", "--logits", "softmax")
    assert "1 voxel is NaN or infinite, the first at (3, 4, 5)" in text
    result = crema("fuse", "stack.nii.gz", "--logits", "softmax", "-o", "out.nii.gz")
    assert result.code == 2 and "--logits requires --probabilities" in result.err


def test_threads_do_not_matter(crema, folds, tmp_path):
    for threads in ("1", "3"):
        fuse(crema, folds, "-o", f"{threads}.nii.gz", "--labels", "all", "--threads", threads)
    assert (tmp_path / "1.nii.gz").read_bytes() == (tmp_path / "3.nii.gz").read_bytes()
