# SPDX-License-Identifier: Apache-2.0
"""What submitting asks of Slurm: which tasks, with which options, and what is refused before anything is submitted."""

import os
import re
import shlex
import signal
import subprocess

import pytest
from cohort_kit import bytes_of, make_cohort, read_table
from conftest import PATIENCE

SBATCH = '#!/bin/bash\nprintf "%s\\0" "$@" >> "$LOG"\nprintf "\\n" >> "$LOG"\necho 17\n'
SCONTROL = '#!/bin/bash\necho "MaxArraySize            = ${MAX_ARRAY:-1001}"\n'
SCONTROL += 'echo "SelectTypeParameters    = ${SELECT:-CR_CORE_MEMORY}"\n'
SQUEUE = '#!/bin/bash\necho "$@" >> "$LOG.squeue"\n[ -n "$QUEUED" ] && echo "$QUEUED"\nexit 0\n'


@pytest.fixture
def slurm(crema, tmp_path):
    """slurm(words...) → the answer, and the words that sbatch got for the array and for the merge."""
    (tmp_path / "bin").mkdir()
    for name, text in (("sbatch", SBATCH), ("scontrol", SCONTROL), ("squeue", SQUEUE)):
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    log = tmp_path / "log"

    def submit(*words, **env):
        log.unlink(missing_ok=True)
        path = f"{tmp_path}/bin:{os.environ['PATH']}"
        result = crema("cohort", "submit", "run", *words, env={"PATH": path, "LOG": str(log), **env})
        jobs = log.read_text().splitlines() if log.exists() else []
        return result, [job.split("\0")[:-1] for job in jobs]

    return submit


def plan(crema, tmp_path, cases=7, shards=7):
    make_cohort(tmp_path / "data", cases=cases)
    assert crema("cohort", "plan", "data", "-o", "run", "--shards", str(shards)).code == 0


def option(words, name):
    """The last value of an option, as sbatch takes it."""
    found = [word.split("=", 1)[1] for word in words if word.startswith(f"--{name}=")]
    return found[-1] if found else None


def test_options_for_tasks_and_merge_are_apart(crema, slurm, tmp_path):
    plan(crema, tmp_path)
    more = "--partition=long -A lab --nice --cpus-per-task=2 --comment=\"two words\" --wckey 'it''s'"
    result, (array, merge) = slurm("--sbatch", more, "--sbatch-merge", "--time=9", "--max-running", "3")
    assert result.code == 0, result
    assert option(array, "array") == "1-7%3" and option(merge, "array") is None
    assert "--comment=two words" in array and "--nice" in array and "its" in array
    assert option(merge, "partition") == "long" and merge[merge.index("-A") + 1] == "lab" and "its" in merge
    assert option(merge, "time") == "9" and "--comment=two words" not in merge and "--nice" not in merge
    assert option(merge, "cpus-per-task") is None


def test_jobs_of_a_run_have_one_name_and_follow_each_other(crema, slurm, tmp_path):
    plan(crema, tmp_path)
    _, (array, merge) = slurm()
    name = option(array, "job-name")
    assert re.fullmatch(r"crema-run-[0-9a-f]{8}", name) and option(merge, "job-name") == f"{name}-merge"
    assert option(array, "dependency") == "singleton"
    assert option(merge, "dependency") == "afterany:17,singleton"
    assert option(array, "signal") == "B:USR1@60" and "--requeue" in array


def test_jobs_wait_for_those_of_others_as_well(crema, slurm, tmp_path):
    plan(crema, tmp_path)
    result, (array, merge) = slurm("--sbatch", "-d afterok:5:6", "--sbatch-merge", "--dependency=afterany:9 --nice")
    assert result.code == 0 and "-d" not in array and "afterok:5:6" not in array and "--nice" in merge, result
    assert [word for word in array if "depend" in word] == ["--dependency=singleton,afterok:5:6"]
    assert [word for word in merge if "depend" in word] == ["--dependency=afterany:17,singleton,afterany:9"]


def test_submitting_twice_warns(crema, slurm, tmp_path):
    plan(crema, tmp_path)
    first, (array, _) = slurm()
    assert first.code == 0 and "in the queue" not in first.err
    again, jobs = slurm(QUEUED="17_[1-7]")
    assert again.code == 0 and len(jobs) == 2 and "jobs of this run are already in the queue (17_[1-7])" in again.err
    name = option(array, "job-name")
    assert f"--name={name},{name}-merge" in (tmp_path / "log.squeue").read_text()


def test_only_what_is_not_finished_is_submitted(crema, slurm, tmp_path):
    plan(crema, tmp_path)
    (tmp_path / "data/case03/ben.nii.gz").write_bytes(b"no mask")
    assert crema("cohort", "plan", "data", "-o", "run", "--shards", "7", "--force").code == 0
    codes = [crema("cohort", "run", "--shard", str(shard), "-o", "run").code for shard in (1, 2, 3, 4, 6)]
    assert sorted(codes)[-1] in (0, 5)
    failed = [shard for shard, code in zip((1, 2, 3, 4, 6), codes, strict=True) if code]
    todo = sorted({5, 7, *failed})
    _, (array, _) = slurm()
    tasks = [part.split("-") for part in option(array, "array").split(",")]
    assert [n for part in tasks for n in range(int(part[0]), int(part[-1]) + 1)] == todo
    _, (array, _) = slurm("--all-shards")
    assert option(array, "array") == "1-7"


def test_a_finished_run_is_merged_alone(crema, slurm, tmp_path):
    plan(crema, tmp_path, cases=2, shards=2)
    for shard in "12":
        assert crema("cohort", "run", "--shard", shard, "-o", "run").code == 0
    result, jobs = slurm()
    assert result.code == 0 and len(jobs) == 1 and "all shards are finished" in result.out, result
    assert option(jobs[0], "dependency") == "singleton" and jobs[0][-1].endswith("submit-merge.sh")


def test_more_shards_than_the_cluster_allows_become_fewer_tasks(crema, slurm, program, tmp_path):
    plan(crema, tmp_path, cases=9, shards=9)
    assert crema("cohort", "run", "data", "-o", "alone").code == 0
    result, (array, _) = slurm(MAX_ARRAY="4")
    assert option(array, "array") == "1-3" and "3 tasks of up to 3 shards" in result.out
    script = (tmp_path / "run/submit-run.sh").read_text()
    assert "--shard auto --per-task 3 " in script
    for task in "123":
        env = {**os.environ, "SLURM_ARRAY_TASK_ID": task}
        done = subprocess.run(["bash", array[-1]], env=env, cwd="/", capture_output=True, text=True)
        assert done.returncode == 0, done
    assert crema("cohort", "merge", "run").code == 0
    ours = {k: v for k, v in bytes_of(tmp_path / "run").items() if not k.startswith(("plan", "logs", "submit"))}
    assert ours == bytes_of(tmp_path / "alone")


def test_time_and_memory_are_those_that_the_plan_measured(crema, slurm, tmp_path):
    plan(crema, tmp_path)
    _, (array, merge) = slurm()
    assert option(array, "time") == "10" and option(array, "mem").endswith("M") and option(merge, "mem") is None
    assert 128 <= int(option(array, "mem")[:-1]) <= 512
    _, (eight, _) = slurm("--sbatch", "-c8")
    assert int(option(eight, "mem")[:-1]) > int(option(array, "mem")[:-1])
    for given in ("--mem=1G", "--mem-per-cpu=1G", "--mem-per-cpu 1G"):
        _, (array, _) = slurm("--sbatch", f"{given} -t 5")
        assert option(array, "time") is None and option(array, "mem") in (None, "1G")
    _, (array, _) = slurm(SELECT="CR_CPU")  # where nobody counts memory, Slurm refuses to be asked for it
    assert option(array, "time") == "10" and option(array, "mem") is None
    os.remove(tmp_path / "run/plan/sizes.json")
    _, (array, _) = slurm()
    assert option(array, "time") is None and option(array, "mem") is None


@pytest.mark.parametrize(
    "words, why",
    [
        (["--sbatch", "--array=1-10%2"], "--max-running"),
        (["--sbatch", "-a 1-10"], "--max-running"),
        (["--sbatch-merge", "--array 1"], "--max-running"),
        (["--sbatch", "--job-name=mine"], "--comment"),
        (["--sbatch-merge", "-Jmine"], "--comment"),
        (["--sbatch", "--dependency='afterok:5?afterok:6'"], "put commas there"),
        (["--sbatch", '--comment="two words'], "a quote is not closed"),
        (["--sbatch", "--comment=$HOME"], "means something to a shell"),
        (["--command", "crema; rm -rf x"], "means something to a shell"),
        (["--command", "apptainer-that-is-not-there exec image.sif crema"], "not found in PATH"),
        (["--command", "./not-there crema"], "not a file that can be run"),
        (["--command", "  "], "has no words"),
        (["--program", "not-there"], "not a file that can be run"),
        (["--program", "apptainer exec image.sif crema"], "--command"),
        (["--program", "data"], "not a file that can be run"),
        (["--program", "/bin/true", "--command", "true"], "--program"),
        (["--max-running", "0"], "--max-running"),
    ],
)
@pytest.mark.parametrize("dry", [[], ["--dry-run"]])
def test_what_cannot_work_is_refused_before_anything_is_submitted(crema, slurm, tmp_path, words, why, dry):
    plan(crema, tmp_path, cases=2, shards=2)
    before = bytes_of(tmp_path / "run")
    result, jobs = slurm(*words, *dry)
    assert result.code == 2 and why in result.err and jobs == [], result
    assert bytes_of(tmp_path / "run") == before


def test_a_command_of_several_words_is_what_runs(crema, slurm, program, tmp_path):
    plan(crema, tmp_path, cases=2, shards=2)
    box = tmp_path / "my box"
    box.write_text('#!/bin/bash\n[ "$1 $2" = "exec it\'s.sif" ] || exit 9\nshift 2\nexec "$@"\n')
    box.chmod(0o755)
    words = shlex.join(["./my box", "exec", "it's.sif", str(program)])
    result, (array, merge) = slurm("--command", words)
    assert result.code == 0, result
    for script, task in ((array, "1"), (array, "2"), (merge, "")):
        env = {**os.environ, "SLURM_ARRAY_TASK_ID": task} if task else None
        assert subprocess.run(["bash", script[-1]], env=env, cwd="/", capture_output=True).returncode == 0
    assert [row["status"] for row in read_table(tmp_path / "run/cases.csv")] == ["done", "done"]


@pytest.fixture
def stopped(crema, slurm, tmp_path):
    """stopped(program, scontrol, …) → what a task says and what scontrol got on USR1; Slurm is not needed."""
    plan(crema, tmp_path, cases=2, shards=2)
    slow, started, log = tmp_path / "slow", tmp_path / "started", tmp_path / "log"

    def stop(program, scontrol="exit 0", restarts="", early=""):
        slow.write_text(f"#!/bin/bash\n{program}\n")
        slow.chmod(0o755)
        (tmp_path / "bin/scontrol").write_text(SCONTROL)
        _, (array, _) = slurm("--program", slow)
        (tmp_path / "bin/scontrol").write_text(f'#!/bin/bash\necho "$@" >> "$LOG"\n{scontrol}\n')
        (tmp_path / "bin/sleep").write_text("#!/bin/bash\n/bin/sleep 0.01\n")  # what the script waits for
        (tmp_path / "bin/sleep").chmod(0o755)
        started.unlink(missing_ok=True)
        log.unlink(missing_ok=True)
        env = {**os.environ, "PATH": f"{tmp_path}/bin:{os.environ['PATH']}", "STARTED": str(started)}
        env |= {"LOG": str(log), "SLURM_ARRAY_JOB_ID": "31", "SLURM_ARRAY_TASK_ID": "1"}
        if restarts:
            env["SLURM_RESTART_COUNT"] = restarts
        if early:
            (tmp_path / "early").write_text(early)
            env["BASH_ENV"] = str(tmp_path / "early")
        task = subprocess.Popen(["bash", array[-1]], env=env, stdout=subprocess.PIPE, text=True)
        while not early and not started.exists():
            assert task.poll() is None
        if not early:
            task.send_signal(signal.SIGUSR1)
        reply, _ = task.communicate(timeout=PATIENCE)
        assert task.returncode == 143
        return reply, log.read_text().splitlines() if log.exists() else []

    return stop


# For longer than the test would wait: it holds the pipe that the answer comes through.
HANGS = 'touch "$STARTED"\nexec /bin/sleep 3000'


def test_a_task_that_is_stopped_says_so_to_slurm(stopped):
    for restarts, requested in (("", ["requeue 31_1"]), ("19", ["requeue 31_1"]), ("20", [])):
        reply, calls = stopped(HANGS, restarts=restarts)
        assert calls == requested and ("queued again" in reply) == bool(requested), reply


def test_a_controller_that_does_not_answer_is_called_again(stopped):
    reply, calls = stopped(HANGS, '[ "$(grep -c . "$LOG")" = 3 ]')
    assert calls == ["requeue 31_1"] * 3 and "failed" not in reply
    reply, calls = stopped(HANGS, "exit 1")
    assert calls == ["requeue 31_1"] * 4 and "scontrol requeue failed: not queued again" in reply


def test_a_program_that_does_not_stop_is_queued_again_too(stopped):
    reply, calls = stopped("trap '' TERM\n" + HANGS)
    assert calls == ["requeue 31_1"] and "queued again" in reply


def test_a_signal_right_behind_the_start_stops_the_program(stopped):
    early = """[ "$0" = "${0%submit-run.sh}" ] || trap '
      case $BASH_COMMAND in (child=*|wait*) trap - DEBUG; kill -USR1 $$ ;; esac' DEBUG"""
    reply, calls = stopped(HANGS, early=early)
    assert calls == ["requeue 31_1"] and "queued again" in reply
