# SPDX-License-Identifier: Apache-2.0
"""Where the files of many cases lie: in folders of a few hundred, found again by every command."""

import json

from cohort_kit import bytes_of, case_folder, mask, save, write_manifest


def planned(crema, folder, cases, shards):
    """A plan of so many cases that are one."""
    for rater in "ab":
        save(folder / f"{rater}.nii.gz", mask(0, 0))
    rows = [(f"case{case:05}", rater, f"{rater}.nii.gz") for case in range(cases) for rater in "ab"]
    write_manifest(folder / "all.tsv", rows)
    assert crema("cohort", "plan", "all.tsv", "-o", "run", "--shards", str(shards), "--force").code == 0
    return folder / "run"


def test_many_cases_fan_out(crema, tmp_path):
    run = planned(crema, tmp_path, 10_001, 200)
    for words, count in ([], "51 made"), (["--verify"], "51 already there"):
        reply = crema("cohort", "run", "--shard", "1", "-o", "run", *words)
        assert reply.code == 0 and count in reply.out, reply
    lines = (run / "plan/00001.tsv").read_text().splitlines()[1:]
    names = sorted({line.split("\t")[0] for line in lines})
    results = sorted(run.glob("cases/**/result.json"), key=lambda path: path.parent.name)
    assert results == [case_folder(run, name) / "result.json" for name in names]
    assert all(len(path.relative_to(run).parts) == 4 for path in results)
    # Records name their files where they are, and everybody finds them.
    for path in results:
        record = json.loads(path.read_text())
        assert [run / output["path"] for output in record["outputs"]] == [path.parent / "jaccard.nii.gz"]
    reply = crema("cohort", "merge", "run", "--tables", "none")
    assert reply.code == 5 and f"{len(names)} done, 0 failed, {10_001 - len(names)} still to be done" in reply.out
    reply = crema("cohort", "status", "run")
    assert reply.code == 5 and "all" in reply.out and f" {len(names)} " in reply.out


def test_a_run_keeps_its_folders_when_it_grows(crema, tmp_path):
    planned(crema, tmp_path, 3, 1)
    assert crema("cohort", "run", "--shard", "1", "-o", "run").code == 0
    before = bytes_of(tmp_path / "run/cases", times=True)
    planned(crema, tmp_path, 10_001, 1)
    assert "fan_out" not in json.loads((tmp_path / "run/run.json").read_text())
    planned(crema, tmp_path, 3, 1)
    reply = crema("cohort", "run", "--shard", "1", "-o", "run")
    assert reply.code == 0 and "0 made, 3 already there" in reply.out
    assert bytes_of(tmp_path / "run/cases", times=True) == before


def test_no_link_in_between_leads_results_out(crema, tmp_path):
    run = planned(crema, tmp_path, 10_001, 200)
    (tmp_path / "elsewhere").mkdir()
    (run / "cases").mkdir()
    name = (run / "plan/00001.tsv").read_text().splitlines()[1].split("\t")[0]
    case_folder(run, name).parent.symlink_to(tmp_path / "elsewhere")
    reply = crema("cohort", "run", "--shard", "1", "-o", "run")
    assert reply.code == 2 and "is a link" in reply.err
    assert not list((tmp_path / "elsewhere").iterdir())
