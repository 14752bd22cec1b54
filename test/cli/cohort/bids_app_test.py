# SPDX-License-Identifier: Apache-2.0
"""`crema bids` is a BIDS App: participants one by one, then the group, leave what one run of the cohort leaves."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from cohort_kit import bytes_of, make_cohort, read_table
from conftest import PATIENCE

OWN = Path(__file__).resolve().parents[3] / "build/venv/bin"


def results_of(folder):
    return {name: digest for name, digest in bytes_of(folder).items() if name.endswith((".nii.gz", ".csv"))}


def test_participants_and_group_leave_what_a_cohort_leaves(crema, tmp_path):
    make_cohort(tmp_path / "data", "bids", cases=3)
    assert crema("cohort", "run", "data", "-o", "whole").code == 0
    result = crema("bids", "data", "out", "participant", "--participant-label", "00", "sub-02")
    assert result.code == 0 and "2 made" in result.out and "1 still to be done" in result.out
    assert [row["case"] for row in read_table(tmp_path / "out/methods.csv")] == [
        "sub-00_label-lesion",
        "sub-02_label-lesion",
    ]
    assert not (tmp_path / "out/sub-01").exists()
    assert crema("bids", "data", "out", "participant", "--participant_label=01,02").code == 0
    merged = crema("bids", "data", "out", "group")
    assert merged.code == 0 and "3 done" in merged.out
    assert results_of(tmp_path / "out") == results_of(tmp_path / "whole")


def test_all_participants_are_one_run(crema, tmp_path):
    make_cohort(tmp_path / "data", "bids", cases=2)
    assert crema("bids", "data", "data/derivatives/crema", "participant", "--methods", "dice").code == 0
    again = crema("bids", "data", "data/derivatives/crema", "participant", "--methods", "dice")
    assert again.code == 0 and "0 made, 2 already there" in again.out


def test_a_participant_that_fails_gives_code_5_and_others_do_not_matter(crema, tmp_path):
    make_cohort(tmp_path / "data", "bids", cases=2)
    bad = next((tmp_path / "data/sub-01").rglob("*anna*"))
    bad.write_bytes(b"no mask")
    assert crema("bids", "data", "out", "participant", "--participant-label", "00").code == 0
    assert crema("bids", "data", "out", "participant", "--participant-label", "01").code == 5
    assert crema("bids", "data", "out", "group").code == 5


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["participant", "--participant-label", "7"], "--participant-label: sub-7 has no masks of raters in"),
        (["all"], "LEVEL: all is not one of"),
        ([], "LEVEL is missing"),
        (["group", "--participant-label", "00"], "--participant-label applies to participant only, not to group"),
        (["group", "--methods", "dice"], "--methods applies to participant only, not to group"),
        (["group", "--tie", "foreground"], "--tie applies to participant only, not to group"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(crema, tmp_path, words, sentence):
    make_cohort(tmp_path / "data", "bids", cases=1)
    result = crema("bids", "data", "out", *words)
    assert result.code == 2 and sentence in result.err


def test_the_validator_accepts_the_derivative(crema, tmp_path):
    validator = shutil.which("bids-validator-deno", path=f"{OWN}:{os.environ['PATH']}")
    if not validator:
        pytest.skip("bids-validator-deno is not installed; scripts/test installs it")
    make_cohort(tmp_path / "data", "bids", cases=2)
    assert crema("bids", "data", "out", "participant", "--methods", "jaccard,average").code == 0
    done = subprocess.run([validator, "--json", tmp_path / "out"], capture_output=True, text=True, timeout=PATIENCE)
    issues = json.loads(done.stdout)["issues"]["issues"]
    assert done.returncode == 0 and not [issue for issue in issues if issue["severity"] == "error"]
