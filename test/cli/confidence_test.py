# SPDX-License-Identifier: Apache-2.0
"""How sure a consensus is: leave-one-out, bootstrap and maps, against plain readings."""

import itertools
import json

import numpy
import pytest
from plain import components, random_raters, read_csv, voxels


def test_leaving_one_out_is_fusing_the_others(crema, agree, save, tmp_path):
    names, _ = random_raters(save, 21)
    assert crema("fuse", *names, "-o", "all.nii.gz").code == 0
    whole = voxels(tmp_path / "all.nii.gz") > 0
    record, _ = agree(*names, "--leave-one-out", "exact")
    left = record["consensuses"][0]["leave_one_out"]
    assert left["mode"] == "exact"
    for k, row in enumerate(left["raters"]):
        others = [name for j, name in enumerate(names) if j != k]
        assert crema("fuse", *others, "-o", "less.nii.gz", "--force").code == 0
        less = voxels(tmp_path / "less.nii.gz") > 0
        assert row["rater"] == names[k] and row["voxels"] == less.sum()
        assert row["dice"] == pytest.approx(2 * (whole & less).sum() / (whole.sum() + less.sum()))
        assert row["change"] == int(less.sum()) - int(whole.sum())


def refused_with(crema, names, weights, out, method):
    reply = ",".join(map(str, weights))
    run = crema("fuse", *names, "-m", method, "--weights", reply, "-o", out, "--force", "--json", "-")
    assert run.code == 0, run
    return json.loads(run.out)


@pytest.mark.parametrize("method", ["jaccard", "dice", "tanimoto"])
def test_leaving_one_out_of_fixed_components_is_fusing_with_its_weight_0(crema, agree, save, tmp_path, method):
    names, _ = random_raters(save, 25)
    record, _ = agree(*names, "-m", method, "--leave-one-out", "fixed")
    assert crema("fuse", *names, "-m", method, "-o", "all.nii.gz").code == 0
    whole = voxels(tmp_path / "all.nii.gz") > 0.5
    for k, row in enumerate(record["consensuses"][0]["leave_one_out"]["raters"]):
        less_record = refused_with(crema, names, [float(j != k) for j in range(len(names))], "less.nii.gz", method)
        less = voxels(tmp_path / "less.nii.gz") > 0.5
        assert row["voxels"] == less.sum() == less_record["voxels"]
        assert row["lmsd"] == pytest.approx(less_record["lmsd"], abs=1e-9)
        assert row["dice"] == pytest.approx(2 * (whole & less).sum() / (whole.sum() + less.sum()))


def has_spread(drawn, reply):
    """Whether these fusions have the percentiles that a bootstrap tells."""
    for name, values in zip(("voxels", "lmsd"), zip(*(one[:2] for one in drawn))):
        got = [reply[name][end] for end in ("low", "median", "high")]
        if not numpy.allclose(got, numpy.percentile(values, [5, 50, 95]), rtol=0, atol=1e-6):
            return False
    return True


@pytest.mark.parametrize("method", ["jaccard", "soergel"])
def test_every_replicate_of_a_bootstrap_is_a_fusion_with_its_weights(crema, save, tmp_path, method):
    """Three raters can be drawn in ten ways: each is fused; replicate B is what the mean of B has more than B−1."""
    names = random_raters(save, 26)[0][:3]
    ways = [w for w in itertools.product(range(4), repeat=3) if sum(w) == 3]
    fused = {}
    for weights in ways:
        record = refused_with(crema, names, weights, "one.nii.gz", method)
        fused[weights] = (record["voxels"], record["lmsd"], voxels(tmp_path / "one.nii.gz").astype(float))
    before, histories = 0, [()]
    for count in range(1, 13):
        run = crema("agreement", *names, "-m", method, "--no-surfaces", "--bootstrap", str(count), "--seed", "5",
                    "--maps", "m", "--force", "--json", "-")  # fmt: skip
        assert run.code == 0, run
        reply = json.loads(run.out)["consensuses"][0]["bootstrap"]
        total = count * voxels(tmp_path / f"m/inclusion_{method}.nii.gz").astype(float)
        replicate, before = total - before, total
        ways = [way for way, (_, _, image) in fused.items() if numpy.allclose(replicate, image, atol=2e-5)]
        assert ways, f"replicate {count} is no fusion of raters drawn with replacement"
        longer = {tuple(sorted((*history, way))) for history in histories for way in ways}
        histories = [drawn for drawn in longer if has_spread([fused[way] for way in drawn], reply)]
        assert histories, f"replicates up to {count} do not have the spread that is told"
    assert all(len(set(drawn)) > 2 for drawn in histories)


def test_a_bootstrap_repeats_and_its_map_is_its_share(crema, save, tmp_path):
    names, _ = random_raters(save, 22)
    for folder, seed in (("m1", "3"), ("m2", "3"), ("m3", "4")):
        run = crema(
            "agreement", *names, "--bootstrap", "20", "--seed", seed, "--maps", folder, "--json", f"{folder}.json"
        )
        assert run.code == 0, run
    maps = [voxels(tmp_path / f"{f}/inclusion_jaccard.nii.gz") for f in ("m1", "m2", "m3")]
    assert (maps[0] == maps[1]).all() and (maps[0] != maps[2]).any()
    share = maps[0] * 20
    assert numpy.allclose(share, numpy.round(share), atol=1e-5) and maps[0].min() >= 0 and maps[0].max() <= 1
    found = json.loads((tmp_path / "m1.json").read_text())["consensuses"][0]["bootstrap"]
    assert found["rough"] and found["voxels"]["low"] <= found["voxels"]["median"] <= found["voxels"]["high"]


def test_maps_are_what_the_masks_say(crema, save, tmp_path):
    names, masks = random_raters(save, 23)
    result = crema("agreement", *names, "--maps", "out/maps", "--csv", "out", "--methods", "tanimoto")
    assert result.code == 0, result
    votes = numpy.sum(masks, axis=0, dtype=int)
    assert (voxels(tmp_path / "out/maps/votes.nii.gz") == votes).all()
    share = votes / len(masks)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        want = numpy.nan_to_num(-(share * numpy.log(share) + (1 - share) * numpy.log(1 - share)))
    assert numpy.allclose(voxels(tmp_path / "out/maps/vote_entropy.nii.gz"), want, atol=1e-6)
    numbers = voxels(tmp_path / "out/maps/components.nii.gz")
    for part in components(votes > 0):
        assert len(numpy.unique(numbers[part])) == 1 and (numbers == numbers[part][0]).sum() == part.sum()
    rows, distance = (voxels(tmp_path / f"out/maps/{n}.nii.gz") for n in ("subcrowns", "total_distance"))
    for row in read_csv(tmp_path / "out/maps/rows.csv"):
        here = rows == int(row["row"])
        assert here.sum() == int(row["voxels"])
        assert (distance[here] == int(row["total_distance"])).all() and (votes[here] == int(row["votes"])).all()
        assert (numbers[here] == int(row["component"])).all()
    assert (tmp_path / "out/maps/entropy_tanimoto.nii.gz").exists()


# Refusals


@pytest.mark.parametrize("method", ["jaccard", "soergel", "tanimoto", "dice1"])
def test_the_minimiser_lies_within_the_sizes_that_are_near_optimal(crema, agree, save, method):
    names, _ = random_raters(save, 31)
    record, _ = agree(*names, "-m", method, "--uniqueness")
    found = record["consensuses"][0]["uniqueness"]
    exact = crema("fuse", *names, "-m", method, "--blocks", "group", "-o", "g.nii.gz", "--json", "-")
    best = json.loads(exact.out)
    assert found["lmsd"] == pytest.approx(best["lmsd"])
    assert found["smallest"] <= found["size"] + 1e-9 and found["size"] <= found["largest"] + 1e-9
    assert found["undecided"] <= found["groups"]
    if method == "jaccard":
        assert found["entropy_high"] == 0
    elif method == "tanimoto":
        assert found["entropy_low"] == pytest.approx(found["entropy_high"])
    else:
        assert found["entropy_low"] <= found["entropy_high"] + 1e-9
    # The same numbers where methods are compared, and nothing for votes.
    result = crema("compare", *names, "-m", f"{method},majority", "--uniqueness", "--json", "-")
    rows = {row["method"]: row["minimiser"] for row in json.loads(result.out)["uniqueness"]}
    assert rows == {method: found, "majority": None}


def test_a_map_of_zeros_and_ones_has_the_entropy_0_and_a_mask_has_none(crema, save):
    names, _ = random_raters(save, 31)
    result = crema("compare", names[0], names[0], "-m", "jaccard,soergel", "--uniqueness")
    assert result.code == 0, result
    rows = map(str.split, result.out.split("minimiser ")[1].splitlines())
    entropy = {row[0]: row[-1] for row in rows if row}
    assert (entropy["jaccard"], entropy["soergel"]) == ("–", "0.0"), result.out
