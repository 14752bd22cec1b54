# SPDX-License-Identifier: Apache-2.0
"""`agreement`, `certify` and cohorts of probability maps, against plain NumPy."""

import json

import nibabel
import numpy
import pytest
from plain import read_csv
from probabilities_test import criterion, floored, network

RATERS = 4


def voxels(path):
    return numpy.asanyarray(nibabel.load(path).dataobj)


@pytest.fixture
def maps():
    return [network(), network(0.7, 0.6), network(-0.8, 1.4, 0.95), network(1.6, 0.9, 0.9)]


@pytest.fixture
def folds(save, maps):
    return [save(f"fold-{k}.nii.gz", array) for k, array in enumerate(maps)]


def soft_dice(a, b):
    return 2 * numpy.minimum(a, b).sum() / (a.sum() + b.sum())


def tanimoto(a, b):
    return (a * b).sum() / ((a**2).sum() + (b**2).sum() - (a * b).sum())


def calibration_error(level, mask):
    bins = numpy.minimum(9, (level * 10).astype(int))
    terms = [abs(level[bins == b].sum() - mask[bins == b].sum()) for b in range(10)]
    return sum(terms) / level.size


def run(crema, command, paths, *more):
    result = crema(command, *paths, "--probabilities", *more)
    assert result.code == 0, result
    return result


def test_levels_of_raters_are_compared_with_each_other_and_with_the_consensus(crema, folds, maps, tmp_path):
    run(crema, "agreement", folds, "--methods", "tanimoto,jaccard,average", "--csv", "tables", "--json", "all.json")
    p = floored(maps)
    support = (p > 0).any(axis=0)
    pairs = read_csv(tmp_path / "tables/rater_pairs.csv")
    assert len(pairs) == RATERS * (RATERS - 1) // 2
    for row in pairs:
        a, b = (p[int(row[name][5])] for name in ("rater_a", "rater_b"))  # fold-K
        assert float(row["soft_dice"]) == pytest.approx(soft_dice(a, b), abs=1e-6)
        assert float(row["tanimoto"]) == pytest.approx(tanimoto(a, b), abs=1e-6)
        marked = a >= 0.5, b >= 0.5
        overlap = 2 * (marked[0] & marked[1]).sum() / (marked[0].sum() + marked[1].sum())
        assert float(row["dice"]) == pytest.approx(overlap, abs=1e-6)
    for method in ("tanimoto", "jaccard", "average"):
        run(crema, "fuse", folds, "-o", f"{method}.nii.gz", "--method", method)
        x = voxels(tmp_path / f"{method}.nii.gz").astype(float)
        rows = [row for row in read_csv(tmp_path / "tables/raters.csv") if row["method"] == method]
        for k, row in enumerate(rows):
            level, mask = p[k][support], x[support] > 0.5
            assert float(row["soft_dice"]) == pytest.approx(soft_dice(p[k], x), abs=1e-5)
            assert float(row["tanimoto"]) == pytest.approx(tanimoto(p[k], x), abs=1e-5)
            assert float(row["brier"]) == pytest.approx(((level - mask) ** 2).mean(), abs=1e-5)
            assert float(row["calibration_error"]) == pytest.approx(calibration_error(level, mask), abs=1e-5)
            assert int(row["consensus_voxels"]) == mask.sum() and int(row["voxels"]) == (p[k] >= 0.5).sum()
    record = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
    component = record["consensuses"][0]["component_table"][0]
    assert component["rule"].startswith("in where 0.") and "·fold-0.nii.gz + " in component["rule"]
    assert record["pairs"][0]["soft_dice"] == pytest.approx(soft_dice(p[0], p[1]), abs=1e-6)


def test_masks_have_no_soft_measures(crema, save, maps, tmp_path):
    names = [save(f"mask-{k}.nii.gz", (array > 0.5).astype("u1")) for k, array in enumerate(maps)]
    result = crema("agreement", *names, "--csv", "tables", "--json", "-")
    assert result.code == 0, result
    assert all(row["soft_dice"] == "" for row in read_csv(tmp_path / "tables/rater_pairs.csv"))
    assert "soft_dice" not in result.out and "brier" not in result.out


def test_the_rule_of_a_mask_is_the_mask(crema, folds, maps, tmp_path):
    """In where the weighted levels exceed 1, but for the voxels that the rule names."""
    run(crema, "fuse", folds, "-o", "mask.nii.gz", "--method", "dice")
    run(crema, "agreement", folds, "--methods", "dice", "--json", "all.json")
    component = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))["consensuses"][0]["component_table"][0]
    vote = numpy.tensordot(component["weights_found"], floored(maps), 1)
    other = ((vote > 1) != (voxels(tmp_path / "mask.nii.gz") > 0)).sum()
    assert abs(other - component["exceptions"]) <= 2 and component["margin"] > 0


@pytest.mark.parametrize(
    ("method", "mode"),
    # Estimated on the support, which "fixed" keeps, robust is another one there.
    [(m, mode) for m in ("tanimoto", "soergel", "jaccard", "median", "robust") for mode in ("fixed", "exact")][:-2]
    + [("robust", "exact")],
)
def test_leaving_a_rater_out_is_fusing_the_others(crema, folds, tmp_path, method, mode):
    run(crema, "agreement", folds, "--methods", method, "--leave-one-out", mode, "--json", "all.json", "--no-surfaces")
    left = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))["consensuses"][0]["leave_one_out"]
    assert left["mode"] == mode
    for k, one in enumerate(left["raters"]):
        others = [name for j, name in enumerate(folds) if j != k]
        run(crema, "fuse", others, "-o", "others.nii.gz", "--method", method, "--json", "others.json", "--force")
        record = json.loads((tmp_path / "others.json").read_text(encoding="utf-8"))
        # Soergel has many minimisers; with weight 0 the layers are still cut at the levels of the one left out.
        if method != "soergel":
            assert one["voxels"] == pytest.approx(record["voxels"], abs=2)
        assert one["lmsd"] == pytest.approx(record["lmsd"], rel=1e-3, abs=1e-6)


def test_a_bootstrap_counts_raters_several_times(crema, folds, tmp_path):
    more = ["--methods", "median,tanimoto", "--bootstrap", "6", "--maps", "maps", "--json", "all.json"]
    run(crema, "agreement", folds, *more)
    for one in json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))["consensuses"]:
        found = one["bootstrap"]["voxels"]
        assert 0 < found["low"] <= found["median"] <= found["high"]
        inclusion = voxels(tmp_path / f"maps/inclusion_{one['name']}.nii.gz")
        assert 0.9 < inclusion.max() <= 1 and ((inclusion > 0) & (inclusion < 0.5)).any()


@pytest.mark.parametrize("distance", ["soergel", "dice1", "jaccard", "dice"])
def test_a_map_is_certified_beside_levels(crema, folds, maps, tmp_path, distance):
    dice = distance.startswith("dice")
    method = {"soergel": "tanimoto", "dice1": "average"}.get(distance, "majority")
    for name in (method, distance):
        run(crema, "fuse", folds, "-o", f"{name}.nii.gz", "--method", name, "--json", f"{name}.json", "--force")
    result = run(crema, "certify", [f"{method}.nii.gz", *folds], "--distance", distance, "--json", "proof.json")
    proof = json.loads((tmp_path / "proof.json").read_text(encoding="utf-8"))
    x = voxels(tmp_path / f"{method}.nii.gz").astype(float)
    assert proof["lmsd"] == pytest.approx(criterion(x, floored(maps), False, dice), abs=1e-6)
    best = json.loads((tmp_path / f"{distance}.json").read_text(encoding="utf-8"))["lmsd"]
    assert proof["lower_bound"] <= best + 1e-9 <= proof["lmsd"] + 2e-9
    if distance in ("soergel", "dice1"):
        assert proof["lower_bound"] == pytest.approx(best, rel=1e-6) and proof["proven"]
    assert "gap" in result.out + result.err


def test_what_has_no_bound_on_levels_is_refused(crema, folds):
    run(crema, "fuse", folds, "-o", "x.nii.gz", "--method", "tanimoto")
    result = crema("certify", "x.nii.gz", *folds, "--probabilities", "--distance", "tversky1")
    assert result.code == 2 and "choose jaccard, dice, soergel, dice1, tanimoto or dice2" in result.err, result
    assert "crema compare" in result.err
    for more in (["--flip-weights"], ["--uniqueness"], ["--review", "list.csv"]):
        result = crema("agreement", *folds, "--probabilities", *more)
        assert result.code == 2 and more[0] in result.err and "--threshold 0.5" in result.err, result


def test_a_consensus_from_elsewhere(crema, folds, maps, save, tmp_path):
    mean = floored(maps).mean(axis=0).astype(numpy.float32)
    run(crema, "agreement", folds, "--consensus", save("mean.nii.gz", mean), "--csv", "tables")
    row = read_csv(tmp_path / "tables/raters.csv")[0]
    assert float(row["soft_dice"]) == pytest.approx(soft_dice(floored(maps)[0], mean.astype(float)), abs=1e-5)


def test_classes_have_measures_of_their_own(crema, save, maps, tmp_path):
    stacks = []
    for k, array in enumerate(maps):
        channels = numpy.stack([1 - array, 0.7 * array, 0.3 * array], axis=-1)
        stacks.append(save(f"net-{k}.nii.gz", channels))
    run(crema, "agreement", stacks, "--labels", "one=1,two=2", "--csv", "tables", "--methods", "average")
    rows = read_csv(tmp_path / "tables/rater_pairs.csv")
    for label, share in (("one", 0.7), ("two", 0.3)):
        own = [row for row in rows if row["label"] == label]
        a, b = floored([share * maps[0], share * maps[1]])
        assert float(own[0]["soft_dice"]) == pytest.approx(soft_dice(a, b), abs=1e-5)


def test_threads_do_not_matter(crema, folds, tmp_path):
    for threads in ("1", "3"):
        run(crema, "agreement", folds, "--csv", threads, "--threads", threads, "--methods", "tanimoto")
    for table in ("raters", "rater_pairs", "components", "component_raters"):
        assert (tmp_path / f"1/{table}.csv").read_bytes() == (tmp_path / f"3/{table}.csv").read_bytes()
