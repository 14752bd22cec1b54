# SPDX-License-Identifier: Apache-2.0
"""Several labels from arrays, images and files."""

import pickle
import subprocess

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
    assert isinstance(result, crema.Result)
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


@pytest.mark.parametrize("axis", [0, -1])
def test_probabilities_of_classes_get_one_message_that_leads_to_the_end(axis):
    scores = np.random.default_rng(3).random((3, 6, 12, 12)).astype(np.float32)
    soft = [np.moveaxis(np.roll(scores, k, 3) / np.roll(scores, k, 3).sum(axis=0), 0, axis) for k in range(3)]
    place = axis % 4
    for given in (soft, np.stack(soft), [one[..., 0] if axis == 0 else one[0] for one in soft]):
        with pytest.raises(ValueError, match=r"probabilities of 3 classes along axis (\d)") as reply:
            crema.fuse(given)
        assert 'labels="all"' in str(reply.value) and "threshold=0.5" in str(reply.value)
    with pytest.raises(ValueError, match=rf"numpy.argmax\(mask, axis={place}\)"):
        crema.fuse(soft, channels=axis)
    assert crema.fuse([np.argmax(one, axis=place) for one in soft], labels="all").image.shape == (6, 12, 12)
    assert crema.fuse([np.take(one, 1, axis=place) for one in soft], threshold=0.5).image.shape == (6, 12, 12)


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
    assert same(kept.votes(), results["tanimoto"].votes()) and same(kept.subcrowns, results["tanimoto"].subcrowns)
    assert same(kept[1].mask, results["tanimoto"][1].mask) and repr(kept[1]) == repr(results["tanimoto"][1])
    with pytest.raises(ValueError, match="holds no counts"):
        kept[1].agreement()


NAMED = {"liver": 1, "tumour": 2}


def test_a_part_is_found_by_name_and_by_value():
    result = crema.fuse(maps(), labels=NAMED)
    assert list(result) == ["liver", "tumour"] and len(result) == 2
    assert result["tumour"] is result[2] and "liver" in result and "spleen" not in result
    assert result["tumour"].name == "tumour" and result["tumour"].value == 2
    with pytest.raises(KeyError, match=r"spleen.*liver"):
        _ = result["spleen"]


def test_a_mask_is_one_structure(masks):
    result = crema.fuse(list(masks))
    assert list(result) == [1] and result and same(result[1].mask, result.image)
    assert result[1].to_dict() == result.to_dict() and result[1].lmsd == result.lmsd
    assert same(result[1].votes(), result.votes()) and same(result[1].subcrowns, result.subcrowns)
    soft = crema.fuse(list(masks), method="tanimoto")
    assert same(soft[1].image, soft.image) and same(soft[1].mask, soft.hard()) and same(soft[1].levels, soft.image)


@pytest.mark.parametrize("method", ["jaccard", "majority", "tanimoto", "staple", "shape"])
def test_a_part_tells_of_its_structure_what_a_result_tells_of_a_mask(method):
    result = crema.fuse(maps(), labels=NAMED, method=method)
    for key, part in result.labels.items():
        record = part.to_dict()
        assert record["label"] == key and record["lmsd"] == pytest.approx(part.lmsd)
        assert record["voxels"] == part.voxels == np.asarray(part.mask).sum()
        drawn = [(m == part.value).sum() for m in maps()]
        assert [rater["voxels"] for rater in part.raters] == drawn and part.raters[0]["overlap"]["f1"] > 0.5
        assert same(part.votes(), np.sum([m == part.value for m in maps()], axis=0, dtype=np.uint8))
        assert part.subcrowns["voxels"].sum() == (part.votes() > 0).sum()
        assert (part.image.dtype == np.float32) == (method == "tanimoto")
        assert len(part.components) == record["components"] > 0 and repr(part).startswith(f"<crema.Part {key} of")
    assert same(result.votes(), np.sum([m > 0 for m in maps()], axis=0, dtype=np.uint8))
    assert set(result.subcrowns["label"]) == {1, 2} and {row["label"] for row in result.components} == {*NAMED}


def test_agreement_of_labels_is_told_label_by_label():
    result = crema.fuse(maps(), labels=NAMED)
    reply = result.agreement(leave_one_out="fixed", review=3)
    assert [one["label"] for one in reply["structures"]] == ["liver", "tumour"]
    for name, table in reply.arrays().items():
        assert set(table["label"]) == {"liver", "tumour"}, name
    alone = result["tumour"].agreement()
    for name in ("label", "positive_agreement", "pairs", "consensuses"):
        expected = result.agreement()["structures"][1]
        assert alone[name] == expected[name], name
    masks = [(m == 2).astype(np.uint8) for m in maps()]
    assert alone["pairs"] == crema.fuse(masks).agreement()["pairs"]
    assert [row["label"] for row in result.leave_one_out()] == 3 * ["liver"] + 3 * ["tumour"]
    assert len(result["liver"].leave_one_out("exact")) == 3


def test_bootstrap_and_comparison_of_labels():
    result = crema.fuse(maps(), labels=NAMED)
    shaken = result.bootstrap(20)
    assert [one["label"] for one in shaken["structures"]] == ["liver", "tumour"]
    assert shaken["structures"][0]["image"].shape == result.image.shape
    assert set(shaken.arrays()["spread"]["label"]) == {"liver", "tumour"}
    assert result["liver"].bootstrap(20)["voxels"] == shaken["structures"][0]["voxels"]
    compared = result.compare(["jaccard", "dice", "majority"])
    assert [len(one["methods"]) for one in compared["structures"]] == [3, 3]
    assert len(compared.arrays()["methods"]["label"]) == 6
    assert result["tumour"].compare(["dice"])["label"] == "tumour"


def test_figures_of_labels():
    result = crema.fuse(maps(), labels=NAMED)
    assert result["tumour"].figure().svg != result["liver"].figure().svg
    assert "<svg" in result.figure("votes").svg and "<img" in result._repr_html_()
    assert "average" in result["liver"].figure("levels", methods=["average", "tanimoto"]).svg


def test_a_label_map_is_certified_label_by_label(tmp_path):
    result = crema.fuse(maps(), labels=NAMED)
    certificate = crema.certify(result, maps(), labels=NAMED)
    assert list(certificate.labels) == ["liver", "tumour"] and certificate.bound <= certificate.lmsd
    assert certificate.lmsd == pytest.approx(result.lmsd)
    for key, part in result.labels.items():
        alone = crema.certify(part.mask, [m == part.value for m in maps()])
        assert (
            certificate.labels[key].lmsd == pytest.approx(alone.lmsd) and certificate.labels[key].voxels == part.voxels
        )
    assert {row["label"] for row in certificate.components} == {*NAMED}
    hot = [np.eye(3, dtype=np.uint8)[m] for m in maps()]
    assert crema.certify(np.eye(3, dtype=np.uint8)[result.image], hot, channels=-1).lmsd == certificate.lmsd
    with pytest.raises(ValueError, match="label map; choose jaccard or dice"):
        crema.certify(result, maps(), labels="all", distance="soergel")


def test_the_background_of_labels_is_told_label_by_label():
    reply = crema.background(maps(), labels=NAMED)
    assert {one["label"] for one in reply.methods} == {one["label"] for one in reply.sizes} == {*NAMED}
    assert reply.figure("tumour").svg != reply.figure().svg == reply.figure("liver").svg
    assert set(reply.to_dict().arrays()["background"]["label"]) == {*NAMED}
    alone = crema.background([(m == 2).astype(np.uint8) for m in maps()])
    assert [one for one in reply.methods if one["label"] == "tumour"] == [
        {"label": "tumour", **one} for one in alone.methods
    ]
    with pytest.raises(KeyError, match="spleen"):
        reply.figure("spleen")


def test_labels_are_checked_before_they_are_fused():
    given = maps()
    given[0][given[0] == 2] = 1  # a rater who did not see the tumour is no problem
    found = crema.check(given, labels=[1, 2])
    assert found and [rater["voxels"] for rater in found.raters] == [int((m > 0).sum()) for m in given]
    assert not crema.check([*given, given[0] * 0.75], labels="all")
    missing = crema.check(given, labels=[1, 9])
    assert not missing and "9" in missing.problems[0]
    assert crema.check([np.eye(3, dtype=np.uint8)[m] for m in given], channels=-1)


def test_labels_are_told_as_the_program_tells_them(tmp_path, program, program_path):
    paths = write_segmentations(tmp_path)
    result = crema.fuse(paths, labels="all")
    record = program("fuse", *paths, "--labels", "all", "--json", "-", "-q")
    for name in ("lmsd", "structures", "label_table", "disputes", "raters"):
        assert result.to_dict()[name] == record[name], name
    reply = result.agreement()
    agreed = program("agreement", *paths, "--labels", "all", "--json", "-", "-q")
    for ours, theirs in zip(reply["structures"], agreed["structures"], strict=True):
        assert ours["label"] == theirs["label"] and ours["pairs"] == theirs["pairs"]
    held = crema.background(paths, labels="all").to_dict()
    assert held["structures"] == program("background", *paths, "--labels", "all", "--json", "-", "-q")["structures"]
    consensus = tmp_path / "consensus.seg.nrrd"
    subprocess.run([program_path, "fuse", *paths, "--labels", "all", "-o", consensus, "-q"], check=True)
    certified = program("certify", consensus, *paths, "--labels", "all", "--json", "-", "-q")
    assert crema.certify(consensus, paths, labels="all").to_dict()["structures"] == certified["structures"]
    checked = program("check", *paths, "--labels", "all", "--json", "-", "-q")
    assert crema.check(paths, labels="all").to_dict()["raters"] == checked["raters"]


def write_segmentations(folder):
    """The raters as segmentations of 3D Slicer."""
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
        paths.append(folder / f"{k}.seg.nrrd")
        paths[-1].write_bytes("\n".join([*header, "", ""]).encode() + labels.tobytes())
    return paths


def test_files_and_segments(tmp_path):
    expected = crema.fuse(maps(), labels="all")
    paths = write_segmentations(tmp_path)
    result = crema.fuse(paths, labels="all")
    assert same(result.image.array, expected.image) and list(result.labels) == ["liver", "tumour"]
    tumours = crema.fuse([f"{path}#tumour" for path in paths])
    assert same(tumours.image.array, crema.fuse([(m == 2).astype(np.uint8) for m in maps()]).image)
    assert same(crema.fuse(paths, segment="tumour").image.array, tumours.image.array)
    with pytest.raises(ValueError, match=r'liver and tumour.*segment="liver".*segments_are="raters"'):
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
    with pytest.raises(ValueError, match=r'labels="1,9".*9.*1 and 2'):
        crema.fuse(maps(), labels=[1, 9])
    with pytest.raises(ValueError, match="exclude"):
        crema.fuse(maps(), labels="all", label=1)
