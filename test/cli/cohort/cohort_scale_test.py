# SPDX-License-Identifier: Apache-2.0
"""Cohorts that go on, that grow, and that others schedule: nothing is done twice, merging streams, recipes work."""

import os
import shutil
import subprocess
from pathlib import Path

import numpy
import pytest
from cohort_kit import bytes_of, make_cohort, mask, read_table, save, sealed, unsealed, write_manifest
from conftest import PATIENCE, SLOWDOWN

EXAMPLES = Path(__file__).resolve().parents[3] / "docs/examples"


def stamps(folder):
    """When each file got its name, and which file it is; tables are merged anew by every run."""
    found = {}
    for path in folder.glob("cases/**/*"):
        status = path.stat()
        found[path] = (status.st_ino, status.st_mtime_ns, status.st_size)
    return found


def test_a_second_run_touches_no_case(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=6)
    first = crema("cohort", "run", "data", "-o", "run", "-m", "jaccard,staple")
    assert first.code == 0, first
    before, files = bytes_of(tmp_path / "run", times=True), stamps(tmp_path / "run")
    again = crema("cohort", "run", "data", "-o", "run", "-m", "jaccard,staple")
    assert again.code == 0 and "0 made, 6 already there" in again.out, again
    assert bytes_of(tmp_path / "run", times=True) == before
    assert stamps(tmp_path / "run") == files


def test_one_seven_and_sixty_four_shards_leave_the_same_bytes(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=5)
    save(tmp_path / "data/case03/carl.nii.gz", mask(2, 2), numpy.diag([7, 7, 7, 1]))  # another grid: such cases fail
    rows = [(f"c{n:02}", rater, f"data/case{n % 5:02}/{rater}.nii.gz") for n in range(70) for rater in ("anna", "carl")]
    write_manifest(tmp_path / "many.tsv", rows)
    left = []
    for shards in (1, 7, 64):
        run = f"run{shards}"
        assert crema("cohort", "plan", "many.tsv", "-o", run, "--shards", str(shards)).code == 0
        words = ("--shard", "auto", "--per-task", str(shards))
        assert crema("cohort", "run", *words, "-o", run, env={"SLURM_ARRAY_TASK_ID": "1"}).code == 5
        reply = crema("cohort", "merge", run)
        assert reply.code == 5 and "56 done, 14 failed" in reply.out, reply
        assert len(os.listdir(tmp_path / run / "parts")) == shards
        files = bytes_of(tmp_path / run)
        left.append({name: digest for name, digest in files.items() if not name.startswith(("plan/", "run.json"))})
    assert "cohort.html" in left[0] and "raters.csv" in left[0]
    assert left[0] == left[1] == left[2]


def test_shards_that_begin_and_end_at_once_do_not_disturb_each_other(crema, program, tmp_path):
    make_cohort(tmp_path / "data", cases=40)
    assert crema("cohort", "run", "data", "-o", "alone").code == 0
    assert crema("cohort", "plan", "data", "-o", "run", "--shards", "40").code == 0
    command = [program, "cohort", "run", "--threads", "1", "-q", "-o", "run", "--shard"]
    for first in range(1, 41, 10):
        shards = [subprocess.Popen([*command, str(first + i)], cwd=tmp_path) for i in range(10)]
        assert [shard.wait(PATIENCE) for shard in shards] == [0] * 10
    assert crema("cohort", "merge", "run").code == 0
    built = {k: v for k, v in bytes_of(tmp_path / "run").items() if not k.startswith("plan")}
    assert built == bytes_of(tmp_path / "alone")
    assert not (tmp_path / "run/.work").exists()


def spent(program, *arguments, cwd):
    """The least seconds of processor and the highest peak of memory in MB of three runs."""
    seconds, peaks = [], []
    for _ in range(3):
        child = subprocess.Popen([program, *arguments], cwd=cwd, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == 0
        seconds.append(usage.ru_utime + usage.ru_stime)
        peaks.append(usage.ru_maxrss / 1024)
    return min(seconds), max(peaks)


def many(crema, folder, count):
    """A run of so many cases whose results are copies of one, with a hundred components."""
    array = mask(0, 0, (20, 20, 20))
    array[::4, ::4, ::4] = 1
    for rater in "ab":
        save(folder / f"{rater}.nii.gz", array)
    rows = [(f"case{case:06}", rater, f"{rater}.nii.gz") for case in range(count) for rater in "ab"]
    write_manifest(folder / "all.tsv", rows)
    assert crema("cohort", "plan", "all.tsv", "-o", f"run{count}", "--shards", "60").code == 0
    assert crema("cohort", "run", "--shard", "1", "-o", f"run{count}").code == 0
    cases = folder / f"run{count}/cases"
    done = sorted(cases.iterdir())[0]
    result = (done / "result.json").read_bytes()
    for case in range(count):
        (cases / f"case{case:06}").mkdir(exist_ok=True)
        own = unsealed(result).replace(done.name.encode(), f"case{case:06}".encode())
        (cases / f"case{case:06}/result.json").write_bytes(sealed(own))
    return len(result)


def test_merging_takes_time_with_the_cases_and_memory_with_a_few_hundred(crema, program, tmp_path):
    few, lots = 600, 3000
    size = many(crema, tmp_path, few)
    many(crema, tmp_path, lots)
    time_few, memory_few = spent(program, "cohort", "merge", f"run{few}", cwd=tmp_path)
    time_lots, memory_lots = spent(program, "cohort", "merge", f"run{lots}", cwd=tmp_path)
    assert len(read_table(tmp_path / f"run{lots}/cases.csv")) == lots
    # Were all of it held, it would be this much more, at the least.
    held = (lots - few) * size / 2**20
    assert held > 30
    if SLOWDOWN == 1:  # a sanitizer keeps what was freed
        assert memory_lots - memory_few < held / 4, (memory_few, memory_lots, held)
    # Five times as many cases: five times the work; were it quadratic it would be 25 times.
    assert time_lots < 15 * max(time_few, 0.05), (time_few, time_lots)


RECIPES = [("cohort-parallel.sh", "parallel"), ("cohort.smk", "snakemake"), ("cohort.nf", "nextflow")]


@pytest.mark.parametrize("recipe, engine", RECIPES)
@pytest.mark.parametrize("cases", [7, 55])
def test_a_recipe_gives_the_bytes_of_one_run(crema, program, tmp_path, recipe, engine, cases):
    found = shutil.which(engine)
    if not found:
        pytest.skip(f"{engine} is not installed: apt-get install parallel, pip install snakemake, or see nextflow.io")
    make_cohort(tmp_path / "data", cases=cases)
    assert crema("cohort", "run", "data", "-o", "alone").code == 0
    command = {
        "parallel": ["sh", EXAMPLES / recipe],
        "snakemake": [found, "-s", EXAMPLES / recipe, "-j", "2", "--quiet", "all"],
        "nextflow": [found, "run", EXAMPLES / recipe],
    }[engine]
    if engine != "parallel":
        assert crema("cohort", "plan", "data", "-o", "results", "--shards", "50").code == 0
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/crema").symlink_to(program)
    path = os.pathsep.join([str(tmp_path / "bin"), os.environ["PATH"]])
    env = {**os.environ, "PATH": path, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done
    built = {k: v for k, v in bytes_of(tmp_path / "results").items() if k.split("/")[0] not in ("plan", "logs")}
    assert built == bytes_of(tmp_path / "alone")


def test_snakemake_does_a_repaired_case_again(crema, program, tmp_path):
    found = shutil.which("snakemake")
    if not found:
        pytest.skip("snakemake is not installed: pip install snakemake")
    make_cohort(tmp_path / "data", cases=3)
    broken = tmp_path / "data/case01/ben.nii.gz"
    whole = broken.read_bytes()
    broken.write_bytes(b"no mask")
    assert crema("cohort", "plan", "data", "-o", "results", "--shards", "3").code == 0
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/crema").symlink_to(program)
    path = os.pathsep.join([str(tmp_path / "bin"), os.environ["PATH"]])
    env = {**os.environ, "PATH": path, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    for status in ("failed", "done"):
        command = [found, "-s", EXAMPLES / "cohort.smk", "-j", "2", "--quiet", "all"]
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, timeout=PATIENCE)
        assert done.returncode == 0, done
        assert read_table(tmp_path / "results/cases.csv")[1]["status"] == status
        broken.write_bytes(whole)
