# SPDX-License-Identifier: Apache-2.0
"""Shards that pack the files of their cases: the same tables, every file again by name, nothing lost by an accident."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import tarfile
import time

import numpy
import pytest
from cohort_kit import bytes_of, make_cohort, mask, read_table, save, sealed, unsealed, write_manifest
from conftest import SLOWDOWN


def files_of(folder):
    """What a run leaves but for times, and what only plans and packs have."""
    left = bytes_of(folder)
    return {name: digest for name, digest in left.items() if name.split("/")[0] not in ("plan", "packs")}


def run_shards(crema, run, shards, *words):
    for shard in range(1, shards + 1):
        assert crema("cohort", "run", "--shard", str(shard), "-o", run, "-q", *words).code in (0, 5)


@pytest.fixture
def cohort(crema, tmp_path):
    """Seven cases in three shards; one fails. The same run without packing beside."""
    make_cohort(tmp_path / "data", cases=7)
    save(tmp_path / "data/case05/carl.nii.gz", numpy.ones((3, 3, 3), numpy.uint8), numpy.diag([7, 7, 7, 1]))
    for run, words in ("plain", []), ("run", ["--pack"]):
        reply = crema("cohort", "plan", "data", "-o", run, "--shards", "3", "-m", "jaccard,tanimoto", *words)
        assert reply.code == 0, reply
        run_shards(crema, run, 3)
        assert crema("cohort", "merge", run).code == 5
    return tmp_path


def cases_in(run):
    return sorted(path.name for path in (run / "cases").iterdir())


def test_a_packed_run_has_the_tables_and_few_files(crema, cohort):
    run = cohort / "run"
    assert cases_in(run) == ["case05"] and (run / "cases/case05/failure.json").exists()
    names = [f"0000{shard}.{kind}" for shard in (1, 2, 3) for kind in ("json", "tar")]
    assert sorted(os.listdir(run / "packs")) == names
    for table in (*run.glob("*.csv"), run / "cohort.html"):
        if table.name != "times.csv":
            assert table.read_bytes() == (cohort / "plain" / table.name).read_bytes(), table
    reply = crema("cohort", "status", "run")
    assert reply.code == 5 and reply.out == crema("cohort", "status", "plain").out
    # The index is a way in for programs, and any tar reads the archives.
    for pack in sorted((run / "packs").glob("*.tar")):
        content = pack.read_bytes()
        listed = {}
        for name, files in json.loads(pack.with_suffix(".json").read_text())["cases"]:
            for file, offset, size, _, digest in files:
                assert hashlib.sha256(content[offset : offset + size]).hexdigest() == digest
                listed[f"cases/{name}/{file}"] = digest
        with tarfile.open(pack) as archive:
            assert {member.name for member in archive} == listed.keys()
            archive.extractall(cohort / "by-tar")
    plain = files_of(cohort / "plain")
    taken = {name: digest for name, digest in plain.items() if name.startswith("cases/") and "case05" not in name}
    assert files_of(cohort / "by-tar") == taken


def test_get_brings_a_case_from_wherever_it_is(crema, cohort):
    for run in ("run", "plain"):
        reply = crema("cohort", "get", run, "case03", "-o", f"got-{run}")
        assert reply.code == 0 and "4 files in" in reply.out, reply
        left = bytes_of(cohort / f"got-{run}")
        assert left == bytes_of(cohort / "plain/cases/case03")
    assert (cohort / "got-run/times.csv").exists()
    assert crema("cohort", "get", "run", "case03").code == 0 and (cohort / "case03/result.json").exists()
    reply = crema("cohort", "get", "run", "case03")
    assert reply.code == 2 and "case03/jaccard.nii.gz" in reply.err and "--force" in reply.err
    assert crema("cohort", "get", "run", "case03", "--force").code == 0
    reply = crema("cohort", "get", "run", "case05")
    assert reply.code == 3 and "case case05: failed (input)" in reply.err
    reply = crema("cohort", "get", "run", "case99")
    assert reply.code == 3 and "has no result of a case case99" in reply.err


def test_a_run_goes_on_where_it_was_packed(crema, cohort):
    run = cohort / "run"
    reply = crema("cohort", "run", "--shard", "1", "-o", "run")
    assert "0 made" in reply.out, reply
    # A mask is repaired, another one changes: their cases are done, and packed with the others.
    save(cohort / "data/case05/carl.nii.gz", mask(5, 2))
    save(cohort / "data/case02/carl.nii.gz", mask(1, 2))
    run_shards(crema, "run", 3)
    run_shards(crema, "plain", 3, "--verify")
    for folder in ("run", "plain"):
        assert crema("cohort", "merge", folder).code == 0
    assert cases_in(run) == []
    assert (run / "raters.csv").read_bytes() == (cohort / "plain/raters.csv").read_bytes()
    assert crema("cohort", "status", "run").code == 0
    # Another plan, one without packing and a run without shards put everything back.
    for words in (["plan", "--shards", "2"], ["run"]):
        reply = crema("cohort", words[0], "data", "-o", "run", "-m", "jaccard,tanimoto", *words[1:])
        assert reply.code == 0, reply
        assert not (run / "packs").exists()
        assert cases_in(run) == [f"case{case:02}" for case in range(7)]
        if words[0] == "run":
            assert "0 made, 7 already there" in reply.out
    assert files_of(run) == files_of(cohort / "plain")


def test_merging_reads_packed_results_where_it_must(crema, cohort):
    run = cohort / "run"
    before = {path.name: path.read_bytes() for path in run.glob("*.csv")}
    for damage in (lambda: shutil.rmtree(run / "parts/00002"), lambda: None):
        damage()
        assert crema("cohort", "merge", "run", "--verify").code == 5
        assert {path.name: path.read_bytes() for path in run.glob("*.csv")} == before
        assert cases_in(run) == ["case05"]


def spoil(path, change):
    content = bytearray(path.read_bytes())
    change(content)
    path.write_bytes(content)


def flip(content):
    content[600] ^= 1  # in the first file of the first case


def cut(content):
    del content[len(content) // 2 :]


@pytest.mark.parametrize("kind, change", [("tar", flip), ("tar", cut), ("json", cut), ("tar", None), ("json", None)])
def test_what_a_damaged_archive_lost_is_done_again(crema, cohort, kind, change):
    run, plain = cohort / "run", files_of(cohort / "plain")
    pack = run / f"packs/00001.{kind}"
    first = json.loads((run / "packs/00001.json").read_text())["cases"][0][0]
    if change:
        spoil(pack, change)
    else:
        pack.unlink()
    reply = crema("cohort", "get", "run", first)
    assert reply.code == (0 if change is cut and kind == "tar" else 3), reply
    reply = crema("cohort", "run", "--shard", "1", "-o", "run")
    assert reply.code in (0, 5) and " 0 made" not in reply.out, reply
    assert crema("cohort", "merge", "run").code == 5
    assert crema("cohort", "plan", "data", "-o", "run", "--shards", "3", "-m", "jaccard,tanimoto").code == 0
    assert files_of(run) == plain


@pytest.mark.parametrize(
    "change",
    [
        lambda files: files[0].__setitem__(1, 2**63 - 1),
        lambda files: files[0].__setitem__(2, 2**63 - 1),
        lambda files: files.clear(),
    ],
)
def test_an_index_that_was_edited_hides_no_case(crema, cohort, change):
    run, plain = cohort / "run", files_of(cohort / "plain")
    index = run / "packs/00001.json"
    cases = json.loads(index.read_text())["cases"]
    change(cases[0][1])
    rows = ",".join(f"\n    {json.dumps(one)}" for one in cases)
    index.write_bytes(sealed(f'{{\n  "cases": [{rows}\n  ]'.encode()))
    reply = crema("cohort", "get", "run", cases[0][0])
    assert reply.code == 3 and "run" in reply.err and "again" in reply.err, reply
    assert crema("cohort", "run", "--shard", "1", "-o", "run", "-q").code in (0, 5)
    assert crema("cohort", "plan", "data", "-o", "run", "--shards", "3", "-m", "jaccard,tanimoto").code == 0
    assert files_of(run) == plain


def test_an_index_leads_nowhere_else(crema, cohort):
    run = cohort / "run"
    index = run / "packs/00001.json"
    text = unsealed(index.read_bytes())
    outside = sealed(text.replace(b'"result.json"', b'"../../../stolen"', 1))
    index.write_bytes(outside)
    assert crema("cohort", "run", "--shard", "1", "-o", "run", "-q").code in (0, 5)
    assert not (cohort / "stolen").exists()
    # A link in the place of a case's folder.
    name = json.loads((run / "packs/00002.json").read_text())["cases"][0][0]
    (cohort / "elsewhere").mkdir()
    (run / "cases" / name).symlink_to(cohort / "elsewhere")
    reply = crema("cohort", "run", "--shard", "2", "-o", "run", "-q")
    assert reply.code in (2, 3) and not list((cohort / "elsewhere").iterdir())


def test_a_killed_shard_loses_nothing(crema, program, tmp_path):
    make_cohort(tmp_path / "data", cases=20)
    for run, words in ("plain", []), ("run", ["--pack"]):
        assert crema("cohort", "plan", "data", "-o", run, "--shards", "1", *words).code == 0
    run_shards(crema, "plain", 1)
    assert crema("cohort", "merge", "plain").code == 0
    whole = files_of(tmp_path / "plain")
    for wait in (0.0, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12):
        child = subprocess.Popen([program, "cohort", "run", "--shard", "1", "-o", "run", "-q"], cwd=tmp_path)
        time.sleep(wait * SLOWDOWN)
        child.send_signal(signal.SIGKILL)
        child.wait()
    run_shards(crema, "run", 1)
    assert crema("cohort", "merge", "run").code == 0
    assert read_table(tmp_path / "run/raters.csv") == read_table(tmp_path / "plain/raters.csv")
    assert crema("cohort", "plan", "data", "-o", "run", "--shards", "1").code == 0
    assert files_of(tmp_path / "run") == whole


def test_long_names_and_many_cases(crema, tmp_path):
    for rater in "ab":
        save(tmp_path / f"{rater}.nii.gz", mask(0, 0))
    names = ["x" * 240, "y" * 190, "ä b/c", '"line\nbreak"', '"a ""quoted"""']
    write_manifest(tmp_path / "all.tsv", [(name, rater, f"{rater}.nii.gz") for name in names for rater in "ab"])
    assert crema("cohort", "plan", "all.tsv", "-o", "run", "--shards", "1", "--pack").code == 0
    run_shards(crema, "run", 1)
    assert cases_in(tmp_path / "run") == []
    with tarfile.open(tmp_path / "run/packs/00001.tar") as archive:
        assert len(archive.getmembers()) == 15
    for case, name in enumerate([*names[:3], "line\nbreak", 'a "quoted"']):
        reply = crema("cohort", "get", "run", name, "-o", f"got{case}")
        assert reply.code == 0 and json.loads((tmp_path / f"got{case}/result.json").read_text())["case"] == name


def test_what_cannot_be_packed_is_refused(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=2)
    make_cohort(tmp_path / "bids", "bids", cases=2)
    reply = crema("cohort", "plan", "data", "-o", "run", "--shards", "1", "--pack", "--report")
    assert reply.code == 2 and "leave out --pack or --report" in reply.err
    reply = crema("cohort", "plan", "bids", "-o", "run", "--shards", "1", "--pack")
    assert reply.code == 2 and "BIDS" in reply.err
    assert not (tmp_path / "run").exists()
