# SPDX-License-Identifier: Apache-2.0
"""Several labels from arrays, images and files."""

import pickle

import numpy as np
import pytest

import crema


def maps(seed=1, raters=3):
    """Raters who disagree about where a tumour (2) ends and the liver (1) around it begins, indexed (z, y, x)."""
    random = np.random.default_rng(seed)
    z, y, x = np.indices((8, 20, 24))

    def ball(centre, radius):
        return 4 * (z - centre[0]) ** 2 + (y - centre[1]) ** 2 + (x - centre[2]) ** 2 < radius**2

    found = []
    for _ in range(raters):
        labels = np.zeros(z.shape, np.uint8)
        labels[ball((4, 10, 11 + random.integers(-1, 2)), 8 + random.integers(-1, 2))] = 1
        labels[ball((4, 10 + random.integers(-1, 2), 14 + random.integers(-1, 2)), 4 + random.integers(-1, 2))] = 2
        found.append(labels)
    return found


def same(a, b):
    return a.dtype == b.dtype and np.array_equal(a, b)


def test_label_maps_give_a_label_map():
    result = crema.fuse(maps(), labels="all")
    assert isinstance(result, crema.LabelResult)
    assert set(np.unique(result.image)) == {0, 1, 2} and result.image.dtype == np.uint8
    record = result.to_dict()
    assert result.lmsd == pytest.approx(sum(part.lmsd for part in result.labels.values()))
    assert [row["voxels"] for row in record["label_table"]] == [part.voxels for part in result.labels.values()]
    assert record["claimed_twice"] == result.claimed_twice
    for value, part in result.labels.items():
        assert part.value == value and part.voxels == part.mask.sum()
        assert same(part.mask, (result.image == value).view(np.uint8))


def test_names_types_and_orders_do_not_matter():
    expected = crema.fuse(maps(), labels="all").image
    named = crema.fuse(maps(), labels={"liver": 1, "tumour": 2})
    assert same(named.image, expected) and list(named.labels) == ["liver", "tumour"]
    assert same(crema.fuse(maps(), labels=[1, 2]).image, expected)
    for kind in (np.int64, np.float32, ">u2"):
        assert same(crema.fuse([m.astype(kind) for m in maps()], labels="all").image, expected)
    assert same(crema.fuse([np.asfortranarray(m) for m in maps()], labels="all").image, expected)
    assert same(crema.fuse(np.stack(maps()), labels="all").image, expected)


def test_one_label_is_the_binary_result():
    masks = [(m > 0).astype(np.uint8) for m in maps()]
    for method in ("jaccard", "dice", "majority", "shape"):
        binary = crema.fuse(masks, method=method)
        labelled = crema.fuse(masks, method=method, labels="all")
        assert same(labelled.image, binary.image), method


@pytest.mark.parametrize("axis", [0, 1, 3, -1])
def test_one_hot_arrays_say_their_channels(axis):
    expected = crema.fuse(maps(), labels="all")
    hot = [np.moveaxis(np.eye(3, dtype=np.uint8)[m], -1, axis) for m in maps()]
    result = crema.fuse(hot, channels=axis)
    assert same(result.image, expected.image) and result.lmsd == expected.lmsd
    assert same(crema.fuse(np.stack(hot), channels=axis, labels=[2]).image, crema.fuse(maps(), labels=[2]).image)


def test_channels_are_never_guessed():
    hot = np.zeros((5, 3, 32, 32), np.uint8)
    with pytest.raises(ValueError, match=r"3 slices or 3 channels.*channels="):
        crema.fuse(hot)
    assert crema.fuse(list(hot)).image.shape == (3, 32, 32)
    hot[:, 0] = 1
    hot[:, 1, 4:9, 4:9] = 1
    with pytest.raises(ValueError, match="several channels"):
        crema.fuse(hot, channels=0)
    with pytest.raises(ValueError, match="0 and 1"):
        crema.fuse(hot * 0.4, channels=0)
    with pytest.raises(ValueError, match="channels=7"):
        crema.fuse(hot, channels=7)


def test_regions_stay_nested():
    result = crema.fuse(maps(), regions={"whole": [1, 2], "core": [2]})
    whole, core = result.labels["whole"].mask, result.labels["core"].mask
    assert core.sum() > 0 and not (core & ~whole.astype(bool)).any()


def test_levels_of_each_label():
    result = crema.fuse(maps(), labels={"liver": 1, "tumour": 2}, method="average")
    liver = np.mean([m == 1 for m in maps()], axis=0)
    np.testing.assert_allclose(result.levels["liver"], liver, atol=1e-6)
    with pytest.raises(ValueError, match="masks, not levels"):
        _ = crema.fuse(maps(), labels="all").levels


def test_several_methods_and_pickling():
    results = crema.fuse(maps(), labels="all", method=["jaccard", "majority", "tanimoto"])
    assert list(results) == ["jaccard", "majority", "tanimoto"]
    kept = pickle.loads(pickle.dumps(results["tanimoto"]))
    assert same(kept.image, results["tanimoto"].image) and kept.to_dict() == results["tanimoto"].to_dict()
    assert same(kept.levels[1], results["tanimoto"].levels[1])


def test_files_and_segments(tmp_path):
    expected = crema.fuse(maps(), labels="all")
    paths = []
    for k, labels in enumerate(maps()):
        header = ["NRRD0004", "type: unsigned char", "dimension: 3", "sizes: 24 20 8", "encoding: raw"]
        header += [
            "space: left-posterior-superior",
            "space directions: (1,0,0) (0,1,0) (0,0,1)",
            "space origin: (0,0,0)",
        ]
        for s, name in enumerate(("liver", "tumour")):
            header += [f"Segment{s}_ID:={name}", f"Segment{s}_Name:={name}", f"Segment{s}_LabelValue:={s + 1}"]
            header += [f"Segment{s}_Layer:=0"]
        paths.append(tmp_path / f"{k}.seg.nrrd")
        paths[-1].write_bytes("\n".join([*header, "", ""]).encode() + labels.tobytes())
    result = crema.fuse(paths, labels="all")
    assert same(result.image.array, expected.image) and list(result.labels) == ["liver", "tumour"]
    tumours = crema.fuse([f"{path}#tumour" for path in paths])
    assert same(tumours.image.array, crema.fuse([(m == 2).astype(np.uint8) for m in maps()]).image)
    assert same(crema.fuse(paths, segment="tumour").image.array, tumours.image.array)
    with pytest.raises(ValueError, match=r"liver and tumour.*segment=liver.*segments_are=raters"):
        crema.fuse(paths)
    with pytest.raises(FileNotFoundError):
        crema.fuse([tmp_path / "gone.seg.nrrd#liver"])


@pytest.mark.parametrize(
    ("change", "says"),
    [(lambda m: m * 0.75, "1.5|0.75"), (lambda m: -m.astype(int), "-1"), (lambda m: m * 1e6, "1e|1000000")],
)
def test_what_is_no_label_is_refused(change, says):
    with pytest.raises(ValueError, match=says):
        crema.fuse([*maps()[:2], change(maps()[2])], labels="all")


def test_a_label_nobody_has_is_refused():
    with pytest.raises(ValueError, match=r"labels=1,9.*9.*1 and 2"):
        crema.fuse(maps(), labels=[1, 9])
    with pytest.raises(ValueError, match="exclude"):
        crema.fuse(maps(), labels="all", label=1)
