# SPDX-License-Identifier: Apache-2.0
"""A run's folder is input, too: nothing is lost, replaced or run because a file or a name says so."""

import json
import os
import shutil
import subprocess

import pytest
from cohort_kit import RATERS, bytes_of, make_cohort, mask, place, read_table, reseal, save, write_manifest


@pytest.fixture
def finished(crema, tmp_path):
    """A run of two cases, and a file beside it that is nobody's business."""
    make_cohort(tmp_path / "data", cases=2)
    assert crema("cohort", "run", "data", "-o", "run").code == 0
    (tmp_path / "precious.txt").write_text("mine")
    (tmp_path / "run/notes.txt").write_text("mine")
    return tmp_path


def again(crema, *words):
    return crema("cohort", "run", "data", "-o", "run", *words)


PATHS = ["../precious.txt", "cases/../../precious.txt", "{}/precious.txt", "out/precious.txt", "run.json", "notes.txt"]
PATHS += ["cases/case01/jaccard.nii.gz", ""]


@pytest.mark.parametrize("named", PATHS)
def test_a_path_that_a_result_names_is_never_followed_out_of_its_case(crema, finished, named):
    os.symlink("..", finished / "run/out")
    result = finished / "run/cases/case00/result.json"
    output = {"path": named.format(finished), "bytes": 4, "sha256": "0" * 64}
    reseal(result, lambda record: record["outputs"].append(output))
    before = bytes_of(finished, times=True)
    for words in [(), ("--methods", "dice", "--force")]:
        reply = again(crema, "--threads", "1", *words)
        assert reply.code == 3 and "case00/result.json: names" in reply.err, reply
        assert (finished / "precious.txt").read_text() == "mine"
    after = bytes_of(finished, times=True)
    assert {name for name in before if name not in after} == set()
    assert after["run/cases/case01/jaccard.nii.gz"] == before["run/cases/case01/jaccard.nii.gz"]


def test_a_result_without_its_checksum_is_made_again_and_nothing_is_removed(crema, finished):
    result = finished / "run/cases/case00/result.json"
    before = bytes_of(finished / "run")
    record = json.loads(result.read_text())
    record["outputs"].append({"path": "../precious.txt", "bytes": 4, "sha256": "0" * 64})
    result.write_text(json.dumps(record, indent=2))
    reply = again(crema)
    assert reply.code == 0 and "1 made, 1 already there" in reply.out, reply
    assert (finished / "precious.txt").exists() and bytes_of(finished / "run") == before


def test_an_output_that_somebody_replaced_is_not_removed(crema, finished):
    shutil.copy(finished / "run/cases/case00/result.json", finished / "kept.json")
    own = finished / "run/cases/case00/jaccard.nii.gz"
    own.write_bytes(b"somebody's own")
    assert again(crema, "--methods", "dice", "--force").code == 0
    assert own.read_bytes() == b"somebody's own"
    assert not (finished / "run/cases/case01/jaccard.nii.gz").exists()


def test_a_number_that_was_changed_never_reaches_a_table(crema, finished):
    result = finished / "run/cases/case00/result.json"
    table = (finished / "run/methods.csv").read_bytes()
    text = result.read_text()
    assert '"jaccard"' in text
    for changed in (text.replace('"kept"', '"kopt"'), text.replace("0.", "0.9", 1), text[:-90] + text[-89:]):
        result.write_text(changed)
        merged = crema("cohort", "merge", "run")
        assert merged.code == 5 and "1 done, 0 failed, 1 still to be done" in merged.out
        assert [row["case"] for row in read_table(finished / "run/methods.csv")] == ["case01"]
        reply = again(crema)
        assert reply.code == 0 and "1 made, 1 already there" in reply.out
        assert result.read_text() == text and (finished / "run/methods.csv").read_bytes() == table


def drop_a_table(tables):
    del tables["raters"]


def rename_a_case(tables):
    tables["cases"][1][0] = "case01"


BROKEN = {
    "gone": drop_a_table,
    "other case": rename_a_case,
    "long row": lambda tables: tables["methods"][1].append(1),
    "no row": lambda tables: tables["cases"].pop(),
    "other columns": lambda tables: tables["review"][0].reverse(),
    "no rows": lambda tables: tables.update(methods=[5]),
}


@pytest.mark.parametrize("how", BROKEN)
def test_tables_that_are_not_of_the_case_are_refused(crema, finished, how):
    result = finished / "run/cases/case00/result.json"
    text, before = result.read_bytes(), (finished / "run/cases.csv").read_bytes()
    reseal(result, lambda record: BROKEN[how](record["tables"]))
    for words in (["merge", "run"], ["run", "data", "-o", "run"]):
        reply = crema("cohort", *words)
        assert reply.code == 3 and "case00/result.json: its table" in reply.err, reply
    assert (finished / "run/cases.csv").read_bytes() == before
    result.unlink()  # as it says
    assert again(crema).code == 0 and result.read_bytes() == text
    assert (finished / "run/cases.csv").read_bytes() == before


def test_no_input_is_ever_an_output(crema, finished):
    rater = "run/cases/case00/jaccard.nii.gz"
    own = finished / "data/case00/anna.nii.gz"
    os.symlink(finished / rater, finished / "link.nii.gz")
    before = bytes_of(finished, times=True)
    for path in (rater, "link.nii.gz", f"run/../{rater}"):
        write_manifest(finished / "m.tsv", [("case00", "a", path), ("case00", "b", own), ("new", "a", own)])
        for words in ((), ("--force",)):
            reply = crema("cohort", "run", "m.tsv", "-o", "run", *words)
            assert reply.code == 2, reply
        assert "might replace it" in reply.err
        assert crema("cohort", "plan", "m.tsv", "-o", "run", "--shards", "2", "--force").code == 2
    (finished / "m.tsv").unlink()
    reply = again(crema, "--roi", rater, "--methods", "staple", "--force")
    assert reply.code == 2 and "might replace it" in reply.err
    assert bytes_of(finished, times=True) == before


@pytest.mark.parametrize("part", ["cases", "cases/case00", "plan", "parts", ".work"])
def test_no_link_leads_results_out_of_the_folder(crema, finished, part):
    (finished / "elsewhere").mkdir()
    shutil.rmtree(finished / "run" / part, ignore_errors=True)
    os.symlink(finished / "elsewhere", finished / "run" / part)
    reply = again(crema)
    assert reply.code == 2 and f"run/{part}: is a link" in reply.err, reply
    assert os.listdir(finished / "elsewhere") == []


@pytest.mark.parametrize("part", ["cases", "cases/case00", "plan", "parts", "packs", "logs", ".work", ".stamps"])
def test_no_link_leads_what_a_plan_does_out_of_its_folder(crema, finished, part):
    """Whoever writes: a shard, a merge that makes its tables again, packs it, or a submission."""
    assert crema("cohort", "plan", "data", "-o", "plan", "--shards", "1", "--pack").code == 0
    assert crema("cohort", "run", "--shard", "1", "-o", "plan").code == 0
    shutil.rmtree(finished / "plan/parts")
    (finished / "elsewhere/00001").mkdir(parents=True)
    for name in ("00001/cases.csv", "00001.tar", "00001.json", "result.json", "times.csv"):
        (finished / "elsewhere" / name).write_text("mine")
    link = finished / "plan" / part
    if part.startswith("cases"):
        (finished / "plan/packs/00001.json").unlink()
    shutil.rmtree(link, ignore_errors=True)
    link.parent.mkdir(exist_ok=True)
    os.symlink(finished / "elsewhere", link)
    before = bytes_of(finished / "elsewhere", times=True)
    for words in (["merge", "plan"], ["merge", "plan", "--verify"], ["run", "--shard", "1", "-o", "plan"]):
        reply = crema("cohort", *words)
        assert reply.code != 0 or part == "plan", (words, reply)
        assert part == "plan" or f"plan/{part}: is a link" in reply.err, (words, reply)
    if part in ("logs", "packs"):
        reply = crema("cohort", "submit", "plan")
        assert reply.code == 2 and f"plan/{part}: is a link" in reply.err, reply
    assert bytes_of(finished / "elsewhere", times=True) == before and link.is_symlink()


def test_a_picture_of_a_result_is_a_picture_or_left_out(crema, finished):
    """The page of a cohort shows it; what else could stand there would be read as a page."""
    for text in ('"><script>alert(1)</script>', "</script><img src=x onerror=alert(1)>", "javascript:alert(1)"):
        reseal(finished / "run/cases/case00/result.json", lambda record, text=text: record.update(thumbnail=text))
        assert crema("cohort", "merge", "run").code == 0
        assert text not in (finished / "run/cohort.html").read_text()
        (finished / "run/cases/case00/result.json").unlink()
        assert again(crema).code == 0


def test_other_data_need_a_yes(crema, finished):
    make_cohort(finished / "other", cases=2, raters=2)
    before = bytes_of(finished / "run", times=True)
    reply = crema("cohort", "run", "other", "-o", "run")
    assert reply.code == 2 and "was computed from the data in" in reply.err and "--force" in reply.err, reply
    assert "/other" in reply.err and "/data" in reply.err
    reply = again(crema, "--only", "[ab]*.nii.gz")
    assert reply.code == 2 and "other files of the data" in reply.err
    os.rename(finished / "data", finished / "away")
    os.symlink("other", finished / "data")
    assert again(crema).code == 2
    assert bytes_of(finished / "run", times=True) == before
    (finished / "data").unlink()
    os.rename(finished / "away", finished / "data")
    reply = again(crema)
    assert reply.code == 0 and "2 already there" in reply.out
    assert crema("cohort", "run", "other", "-o", "run", "--force").code == 0
    assert read_table(finished / "run/cases.csv")[0]["raters"] == "2"


def test_a_manifest_of_other_files_under_the_same_names_needs_a_yes(crema, tmp_path):
    for folder in ("a", "b"):
        make_cohort(tmp_path / folder, cases=1)

    def rows(folder):
        return [("p", name, f"{folder}/{place('cases', 0, k)}") for k, name in enumerate(RATERS)]

    write_manifest(tmp_path / "m.tsv", rows("a"))
    assert crema("cohort", "run", "m.tsv", "-o", "run").code == 0
    write_manifest(tmp_path / "m.tsv", rows("b"))
    reply = crema("cohort", "run", "m.tsv", "-o", "run")
    assert reply.code == 2 and "was computed from other files" in reply.err and "p;" in reply.err, reply
    write_manifest(tmp_path / "m.tsv", rows("a") + [("q", *rows("b")[0][1:])])
    assert crema("cohort", "run", "m.tsv", "-o", "run").code == 0


def region(path, case):
    array = mask(0, 0) * 0
    array[:, : 4 + case] = 1
    save(path, array)


@pytest.mark.parametrize("option", ["--roi", "--like"])
def test_a_file_that_settings_name_is_the_same_in_every_shard(crema, program, tmp_path, option):
    make_cohort(tmp_path / "data", cases=2)
    region(tmp_path / "roi.nii.gz", 0)
    (tmp_path / "elsewhere").mkdir()
    region(tmp_path / "elsewhere/roi.nii.gz", 3)
    words = ("--methods", "staple", option, "roi.nii.gz")
    assert crema("cohort", "run", "data", "-o", "whole", *words).code == 0
    assert crema("cohort", "plan", "data", "-o", "parts", "--shards", "2", *words).code == 0

    def shard(number):
        command = [program, "cohort", "run", "--shard", str(number), "-o", tmp_path / "parts"]
        return subprocess.run(command, cwd=tmp_path / "elsewhere", capture_output=True, text=True)

    assert shard(1).returncode == 0
    region(tmp_path / "roi.nii.gz", 2)
    reply = shard(2)
    assert reply.returncode == 3 and "another content" in reply.stderr, reply
    region(tmp_path / "roi.nii.gz", 0)
    assert shard(2).returncode == 0
    assert crema("cohort", "merge", "parts").code == 0
    for table in ("methods.csv", "raters.csv"):
        assert (tmp_path / "parts" / table).read_bytes() == (tmp_path / "whole" / table).read_bytes()
    region(tmp_path / "roi.nii.gz", 2)
    reply = crema("cohort", "run", "data", "-o", "whole", *words)
    assert reply.code == 2 and "another content now" in reply.err


def test_a_pipe_or_a_device_is_never_waited_for(crema, finished):
    os.mkfifo(finished / "data/case00/pipe.nii.gz")
    reply = again(crema)
    assert reply.code == 5 and "case00 (input)" in reply.out and "is a pipe" in reply.out, reply
    (finished / "data/case00/pipe.nii.gz").unlink()
    write_manifest(finished / "m.tsv", [("a", "x", "/dev/zero"), ("a", "y", "data/case00/anna.nii.gz")])
    reply = crema("cohort", "run", "m.tsv", "-o", "devices")
    assert reply.code == 5 and "is a device" in reply.out, reply
    for name in ("result.json", "times.csv", "failure.json", "jaccard.nii.gz"):
        path = finished / "run/cases/case00" / name
        path.unlink(missing_ok=True)
        os.mkfifo(path)
        assert again(crema).code == 0, name
    for name in ("run.json", "manifest.tsv"):
        assert again(crema).code == 0
        (finished / "run" / name).unlink()
        os.mkfifo(finished / "run" / name)
        reply = crema("cohort", "merge", "run")
        assert reply.code == 3 and "is a pipe" in reply.err, reply
        (finished / "run" / name).unlink()
        shutil.rmtree(finished / "run")


def test_names_that_are_not_utf8_stay_two(crema, tmp_path):
    for raw in (b"\xff", b"\xfe"):
        for k, name in enumerate(RATERS):
            folder = os.path.join(os.fsencode(tmp_path), b"data", raw)
            os.makedirs(folder, exist_ok=True)
            save(tmp_path / "m.nii.gz", mask(0, k))
            shutil.copy(tmp_path / "m.nii.gz", os.path.join(folder, name.encode() + b".nii.gz"))
    assert crema("cohort", "run", "data", "-o", "run", "--layout", "cases").code == 0
    assert [row["case"] for row in read_table(tmp_path / "run/cases.csv")] == ["\\xFE", "\\xFF"]
    assert len(os.listdir(tmp_path / "run/cases")) == 2
    reply = crema("cohort", "run", "data", "-o", "run", "--layout", "cases")
    assert reply.code == 0 and "2 already there" in reply.out
