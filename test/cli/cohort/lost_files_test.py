# SPDX-License-Identifier: Apache-2.0
"""Files of a plan or a pack that are lost: what they held is missed by name, or done again; nothing in halves."""

import json
import os
import re

import pytest
from calls_test import traced  # noqa: F401
from cohort_kit import make_cohort, read_table


def plan(crema, shards, *words):
    reply = crema("cohort", "plan", "data", "-o", "run", "--shards", str(shards), *words)
    assert reply.code == 0, reply


@pytest.fixture
def slurm_there(tmp_path, monkeypatch):
    """A folder in PATH with something of the name of sbatch."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sbatch", "squeue", "scontrol"):
        (folder / name).write_text("#!/bin/sh\nexit 0\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def test_a_plan_that_lost_a_list_is_refused_by_its_name(crema, slurm_there, tmp_path):
    make_cohort(tmp_path / "data", cases=4)
    plan(crema, 4)
    (tmp_path / "run/plan/00002.tsv").unlink()
    for words in (["submit", "run", "--dry-run"], ["submit", "run", "--dry-run", "--all-shards"], ["status", "run"]):
        reply = crema("cohort", *words)
        assert reply.code == 2 and "plan/00002.tsv: is not there" in reply.err and "--force" in reply.err, reply
    reply = crema("cohort", "run", "--shard", "2", "-o", "run")
    assert reply.code == 2 and "plan/00002.tsv: is not there" in reply.err
    assert crema("cohort", "run", "--shard", "3", "-o", "run").code == 0
    # Another plan of fewer shards leaves nothing of the old one behind.
    plan(crema, 1)
    left = [path.name for path in (tmp_path / "run/plan").iterdir() if path.suffix == ".tsv"]
    assert left == ["00001.tsv"] and not (tmp_path / "run/parts/00003").exists()


@pytest.fixture
def packed(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=6)
    plan(crema, 2, "--pack")
    for shard in "12":
        assert crema("cohort", "run", "--shard", shard, "-o", "run", "-q").code == 0
    assert crema("cohort", "merge", "run").code == 0
    return tmp_path / "run"


@pytest.mark.parametrize("lost", ["archive", "half", "index"])
def test_packed_cases_count_while_their_archive_is_there(crema, slurm_there, packed, lost):
    before = {path.name: path.read_bytes() for path in packed.glob("*.csv") if path.name != "times.csv"}
    pack, index = packed / "packs/00001.tar", packed / "packs/00001.json"
    if lost == "archive":
        pack.unlink()
    elif lost == "half":
        pack.write_bytes(pack.read_bytes()[: pack.stat().st_size // 2])
    else:
        index.unlink()
    status = crema("cohort", "status", "run")
    assert status.code == 5 and "1 not finished" in status.out and "shards 1" in status.out, status
    reply = crema("cohort", "submit", "run", "--dry-run")
    assert reply.code == 0 and "--array=1 " in reply.out.replace("\n", " "), reply
    merged = crema("cohort", "merge", "run")
    assert merged.code == 5, merged
    missing = {row["case"] for row in read_table(packed / "cases.csv") if row["status"] == "missing"}
    assert 0 < len(missing) <= 3
    reply = crema("cohort", "run", "--shard", "1", "-o", "run")
    assert reply.code == 0 and f"{len(missing)} made, {3 - len(missing)} already there" in reply.out, reply
    assert crema("cohort", "merge", "run").code == 0
    assert {name: (packed / name).read_bytes() for name in before} == before


def test_get_brings_all_of_a_case_or_nothing(crema, packed):
    name, files = json.loads((packed / "packs/00001.json").read_text())["cases"][0]
    pack = packed / "packs/00001.tar"
    content = bytearray(pack.read_bytes())
    _, offset, size, _, _ = files[-1]  # the last file of the case
    content[offset + size // 2] ^= 1
    pack.write_bytes(content)
    reply = crema("cohort", "get", "run", name, "-o", "new/copy")
    assert reply.code == 3 and "is damaged" in reply.err, reply
    assert not (packed.parent / "new").exists()
    # Nor is a copy that is there replaced in part.
    kept = packed.parent / "kept"
    kept.mkdir()
    (kept / files[0][0]).write_bytes(b"mine")
    assert crema("cohort", "get", "run", name, "-o", "kept", "--force").code == 3
    assert {path.name: path.read_bytes() for path in kept.iterdir()} == {files[0][0]: b"mine"}


@pytest.mark.parametrize("file", ["jaccard.nii.gz", "times.csv"])
def test_get_compares_files_that_are_not_packed_too(crema, tmp_path, file):
    make_cohort(tmp_path / "data", cases=1)
    assert crema("cohort", "run", "data", "-o", "run", "-q").code == 0
    path = tmp_path / "run/cases/case00" / file
    if file == "times.csv":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-1])
    reply = crema("cohort", "get", "run", "case00")
    assert reply.code == 3 and file in reply.err, reply
    assert not (tmp_path / "case00").exists()


def order_of(lines, *patterns):
    """The first line that fits each pattern."""
    found = [next((at for at, line in enumerate(lines) if re.search(one, line)), None) for one in patterns]
    assert None not in found, (patterns, found, lines)
    return found


def last_of(lines, pattern):
    return max(at for at, line in enumerate(lines) if re.search(pattern, line))


def test_nothing_goes_before_what_takes_its_place_is_flushed(crema, traced, tmp_path):
    make_cohort(tmp_path / "data", cases=2)
    plan(crema, 1, "--pack")
    calls = "fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat"
    lines = traced("cohort", "run", "--shard", "1", "-o", "run", "--threads", "1", "-q", calls=calls)
    named = last_of(lines, r"rename.*packs/00001\.json")
    flushed = [at for at, line in enumerate(lines) if re.search(r"fsync\(\d+<[^>]*/packs>", line)]
    (removed,) = order_of(lines, r"unlink.*cases/case\d+/jaccard")
    assert any(named < at < removed for at in flushed), lines
    # And back again: each file, its folder, then the archive goes.
    lines = traced("cohort", "run", "--shard", "1", "-o", "run", "--threads", "1", "-q", calls=calls)
    (gone,) = order_of(lines, r"unlink.*packs/00001\.(json|tar)")
    before = lines[:gone]
    for case in ("case00", "case01"):
        for file in ("jaccard.nii.gz", "result.json", "times.csv"):
            assert any(re.search(rf"fsync\(\d+<[^>]*/{case}/{file}>", line) for line in before), (case, file, lines)
        assert any(re.search(rf"fsync\(\d+<[^>]*/{case}>", line) for line in before), (case, lines)
