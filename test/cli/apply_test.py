# SPDX-License-Identifier: Apache-2.0
"""crema apply: decisions put into a consensus, against a plain reading; strangers' files refused."""

import hashlib
import json

import numpy
import pytest
from conftest import blob
from plain import read_csv, voxels

TIME = "2026-11-15T20:47:41Z"


@pytest.fixture
def case(crema, save, tmp_path):
    """Seven raters, a lesion that two of them saw, a border that one draws wider."""
    masks = [blob(0) for _ in range(7)]
    for k in (0, 1):
        masks[k][9:12, 0:3, 0:2] = 1
    masks[0][11, 2, 1] = 0
    masks[3][7:9, 4:8, 1:5] = 1
    names = [save(f"r{k}.nii.gz", mask) for k, mask in enumerate(masks)]
    assert crema("fuse", *names, "-o", "consensus.nii.gz").code == 0
    assert crema("agreement", *names, "--no-surfaces", "--review", "r.csv").code == 0
    return names, numpy.array(masks) > 0, read_csv(tmp_path / "r.csv")


def decisions_of(tmp_path, names, verdicts, **changes):
    first = {
        "crema": "0",
        "decisions": 1,
        "method": "jaccard",
        "settings": {},
        "size": [12, 10, 6],
        "inputs": [{"name": n, "sha256": hashlib.sha256((tmp_path / n).read_bytes()).hexdigest()} for n in names],
        "list": verdicts,
    }
    (tmp_path / "d.json").write_text(json.dumps({**first, **changes}))


def final_of(crema, tmp_path, names):
    done = crema("apply", "d.json", *names, "-o", "final.nii.gz", "--force")
    assert done.code == 0, done.err
    return voxels(tmp_path / "final.nii.gz") > 0


def test_each_action_does_what_the_page_says(crema, case, tmp_path):
    names, masks, rows = case
    consensus = voxels(tmp_path / "consensus.nii.gz") > 0
    lesion = next(row for row in rows if row["reason"] == "left_out")
    zone = next(row for row in rows if row["reason"] == "zone")
    seen = numpy.zeros_like(consensus)
    seen[9:12, 0:3, 0:2] = True
    border = numpy.zeros_like(consensus)
    border[7:9, 4:8, 1:5] = True
    here = {"component": int(lesion["component"]), "time": TIME}
    there = {"component": int(zone["component"]), "zone": int(zone["first_voxel"]), "time": TIME}
    expected = {
        (): consensus,
        ("accept", "c"): consensus | seen,
        ("reject", "c"): consensus,
        ("majority", "c"): consensus,
        ("rater", "c"): consensus | masks[0] & seen,
        ("accept", "z"): consensus | border,
        ("keep", "z"): consensus,
        ("reject", "z"): consensus & ~border,
    }
    for action, mask in expected.items():
        verdicts = []
        if action:
            verdicts = [{**(here if action[1] == "c" else there), "action": action[0]}]
            if action[0] == "rater":
                verdicts[0]["rater"] = 1
        decisions_of(tmp_path, names, verdicts)
        assert (final_of(crema, tmp_path, names) == mask).all(), action


def test_a_brush_and_the_last_word(crema, case, tmp_path):
    names, _, rows = case
    lesion = next(row for row in rows if row["reason"] == "left_out")
    verdicts = [
        {"component": int(lesion["component"]), "action": "accept"},
        {"action": "draw", "runs": [[0, 2]]},
        {"action": "erase", "runs": [[1, 1]]},
        {"component": int(lesion["component"]), "action": "reject"},
    ]
    decisions_of(tmp_path, names, verdicts)
    expected = voxels(tmp_path / "consensus.nii.gz") > 0
    expected[0, 0, 0] = True
    assert (final_of(crema, tmp_path, names) == expected).all()


def test_labels_are_decided_one_by_one(crema, save, tmp_path):
    first = numpy.zeros((12, 10, 6), numpy.uint8)
    first[1:6, 1:9, 1:3] = 1
    first[6:11, 1:9, 1:3] = 2
    second = first.copy()
    second[5, 1:9, 1:3] = 2
    names = [save(f"r{k}.nii.gz", array) for k, array in enumerate([first, first, second])]
    verdicts = [{"label": "2", "component": 1, "action": "rater", "rater": 3}]
    decisions_of(tmp_path, names, verdicts, settings={"labels": "all"})
    assert crema("apply", "d.json", *names, "-o", "final.nii.gz").code == 0
    assert (voxels(tmp_path / "final.nii.gz") == second).all()
    decisions_of(tmp_path, names, [{**verdicts[0], "label": "9"}], settings={"labels": "all"})
    done = crema("apply", "d.json", *names, "-o", "other.nii.gz")
    assert done.code == 3 and 'label "9"' in done.err


@pytest.mark.parametrize("scale", [1, 150])
def test_what_leaves_a_label_leaves_the_others_alone(crema, save, tmp_path, scale):
    """In label maps of 8 and of 16 bits."""
    first = numpy.zeros((12, 10, 6), numpy.uint16)
    first[1:6, 1:9, 1:3] = scale
    first[6:11, 1:9, 1:3] = 2 * scale
    wide = first.copy()
    wide[4:6, 1:9, 1:3] = 2 * scale
    names = [save(f"r{k}.nii.gz", array) for k, array in enumerate([first, first, wide])]
    assert crema("fuse", *names, "--labels", "all", "-o", "consensus.nii.gz").code == 0
    consensus = voxels(tmp_path / "consensus.nii.gz")
    expected = numpy.where(consensus == 2 * scale, 0, consensus)
    expected[0, 0, 0] = scale
    assert (expected[wide == 2 * scale] == scale).any()
    verdicts = [
        {"label": str(2 * scale), "component": 1, "action": "reject"},
        {"label": str(scale), "action": "draw", "runs": [[0, 1]]},
        {"label": str(2 * scale), "action": "erase", "runs": [[0, 12]]},
    ]
    decisions_of(tmp_path, names, verdicts, settings={"labels": "all"})
    assert crema("apply", "d.json", *names, "-o", "final.nii.gz").code == 0
    assert (voxels(tmp_path / "final.nii.gz") == expected).all()


@pytest.mark.parametrize("ending", [".nii.gz", ".nrrd", ".mha"])
def test_a_label_above_255_that_the_consensus_lacks_is_written_whole(crema, save, tmp_path, ending):
    first = numpy.zeros((12, 10, 6), numpy.uint16)
    first[1:6, 1:9, 1:3] = 1
    second = first.copy()
    second[8:11, 1:4, 4:6] = 300
    names = [save(f"r{k}.nii.gz", array) for k, array in enumerate([first, first, second])]
    decisions_of(
        tmp_path,
        names,
        [{"label": "300", "component": 1, "action": "rater", "rater": 3}],
        settings={"labels": "all"},
    )
    done = crema("apply", "d.json", *names, "-o", f"final{ending}")
    assert done.code == 0, done.err
    assert crema("fuse", f"final{ending}", "--labels", "all", "-o", "again.nii.gz").code == 0
    assert (voxels(tmp_path / "again.nii.gz") == second).all()


def test_other_inputs_are_refused(crema, case, save, tmp_path):
    names, masks, _ = case
    decisions_of(tmp_path, names, [])
    other = save("other.nii.gz", (masks[0] ^ masks[3]).astype(numpy.uint8))
    for given, reason in [(names[:-1], "7 files"), ([*names[:-1], other], "SHA-256"), (names[::-1], "same order")]:
        done = crema("apply", "d.json", *given, "-o", "final.nii.gz")
        assert done.code == 3 and "d.json" in done.err and reason in done.err, done.err
    assert not (tmp_path / "final.nii.gz").exists()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"list": [{"component": 40, "action": "accept"}]}, "component 40"),
        ({"list": [{"component": 1, "zone": 0, "action": "accept"}]}, "no zone"),
        ({"list": [{"component": 1, "action": "rater", "rater": 9}]}, "rater 9"),
        ({"list": [{"component": 1, "action": "<script>"}]}, "<script>"),
        ({"list": [{"component": 1, "action": "accept", "reason": "x" * 20000}]}, "20000 bytes"),
        ({"settings": {"like": "/etc/passwd"}}, "like"),
        ({"settings": {"region": "/etc/passwd"}}, "region"),
        ({"settings": {"tie": "nobody"}}, "nobody"),
        ({"method": "../../x"}, "x"),
        ({"size": [12, 10, 7]}, "12 × 10 × 7"),
        ({"size": [12, 10, -1]}, "size"),
        ({"inputs": []}, "names no inputs"),
        ({"inputs": [{"name": "a", "sha256": "../x"}]}, "sha256"),
        ({"decisions": 2}, "decisions"),
        ({"extra": 1}, "extra"),
        ({"method": "median"}, "takes probability maps"),
        ({"method": "nothing"}, "nothing"),
        ({"settings": {"weights": "1,nan,1"}}, "nan"),
    ],
)
def test_damaged_and_hostile_files_are_refused(crema, case, tmp_path, changes, reason):
    names, _, _ = case
    decisions_of(tmp_path, names, [], **changes)
    done = crema("apply", "d.json", *names, "-o", "final.nii.gz")
    assert done.code == 3, done.err
    assert "d.json" in done.err and reason in done.err
    assert ".." not in done.err.replace("../", "") and "--probabilities" not in done.err
    assert not (tmp_path / "final.nii.gz").exists()


def test_a_small_file_that_paints_without_end_is_refused_at_once(crema, case, tmp_path):
    names, _, _ = case
    everything = [0, 12 * 10 * 6]
    decisions_of(tmp_path, names, [{"action": "draw", "runs": [everything] * 100000}])
    done = crema("apply", "d.json", *names, "-o", "final.nii.gz")
    assert done.code == 3 and "decision 1" in done.err and "overlap" in done.err, done.err


def test_labels_share_voxels_in_the_order_of_the_file(crema, save, tmp_path):
    mask = numpy.zeros((12, 10, 6), numpy.uint8)
    mask[1:6, 1:9, 1:3] = 1
    mask[6:11, 1:9, 1:3] = 2
    names = [save(f"r{k}.nii.gz", mask) for k in range(2)]
    for labels in ("12", "21"):
        verdicts = [{"label": label, "action": "draw", "runs": [[0, 3]]} for label in labels]
        decisions_of(tmp_path, names, verdicts, settings={"labels": "all"})
        assert crema("apply", "d.json", *names, "-o", "final.nii.gz", "--force").code == 0
        assert (voxels(tmp_path / "final.nii.gz")[:3, 0, 0] == int(labels[-1])).all()


def test_what_is_no_json_is_refused(crema, case, tmp_path):
    names, _, _ = case
    decisions_of(tmp_path, names, [])
    whole = (tmp_path / "d.json").read_bytes()
    for text in (b"", whole[: len(whole) // 2], b"[" * 100000, b"\xff\xfe\x00", whole + b"}"):
        (tmp_path / "d.json").write_bytes(text)
        done = crema("apply", "d.json", *names, "-o", "final.nii.gz")
        assert done.code == 3 and "d.json" in done.err, (text[:20], done.err)
    assert crema("apply", ".", *names, "-o", "final.nii.gz").code == 3
    done = crema("apply", "none.json", *names, "-o", "final.nii.gz")
    assert done.code == 3 and "none.json: does not exist; check the name." in done.err, done.err


def test_several_adjudicators_are_compared(crema, case, tmp_path):
    names, _, _ = case
    decisions_of(tmp_path, names, [{"component": 1, "action": "accept"}, {"component": 2, "action": "accept"}])
    (tmp_path / "d.json").rename(tmp_path / "a.json")
    decisions_of(tmp_path, names, [{"component": 1, "action": "accept"}, {"component": 2, "action": "reject"}])
    done = crema("apply", "--compare", "a.json", "d.json")
    assert done.code == 0 and "1 of 2" in done.out and "component 2" in done.out and "component 1" not in done.out
    decisions_of(tmp_path, names, [], method="dice")
    assert crema("apply", "--compare", "a.json", "d.json").code == 3
