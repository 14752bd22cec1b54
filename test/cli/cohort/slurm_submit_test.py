# SPDX-License-Identifier: Apache-2.0
"""A real Slurm: throttled arrays, double submission, several shards for a task, a command of words, the time limit."""

import time

import pytest
import slurm_kit
from cohort_kit import bytes_of, make_cohort, read_table
from conftest import SLOWDOWN


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    reason = slurm_kit.why_not()
    if reason:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("cluster")
    folder.chmod(0o755)
    with slurm_kit.Cluster(folder, "MaxArraySize=5\nOverTimeLimit=0\n") as running:
        yield running


def script(folder, name, text):
    result = folder / name
    result.write_text("#!/bin/bash\n" + text)
    result.chmod(0o755)
    return result


def wait_until_all_ended(cluster, seconds=90):
    # An answer that did not come is no answer, and a job that is queued again is at work in no state for a moment.
    final = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY"}

    def ended():
        states = [line.split()[1] for line in cluster.jobs()]
        return states and set(states) <= final

    slurm_kit.wait_for(ended, seconds * SLOWDOWN, pause=0.3)


def results(folder):
    """What does not depend on who did it."""
    return {k: v for k, v in bytes_of(folder).items() if not k.startswith(("plan", "logs", "submit"))}


def test_submitting_twice_through_words_does_every_case_once(cluster, crema, program, tmp_path):
    make_cohort(tmp_path / "data", cases=24)
    assert crema("cohort", "run", "data", "-o", "alone").code == 0
    assert crema("cohort", "plan", "data", "-o", "run", "--shards", "12").code == 0
    # Counts who is at work at the same time, as a container's launcher would stand between.
    box = script(
        tmp_path,
        "box",
        f'shift\necho "+ $SLURM_ARRAY_TASK_ID" >> {tmp_path}/at-work\n"$@"\ncode=$?\n'
        f'echo "- $SLURM_ARRAY_TASK_ID" >> {tmp_path}/at-work\nexit $code\n',
    )
    words = ["cohort", "submit", "run", "--command", f"{box} image.sif {program}", "--max-running", "2"]
    first = crema(*words, env=cluster.env)
    assert first.code == 0 and "4 tasks of up to 3 shards" in first.out, first
    assert "in the queue already" not in first.err
    again = crema(*words, env=cluster.env)
    assert again.code == 0 and "in the queue already" in again.err, again
    wait_until_all_ended(cluster)
    states = {line.split()[0]: line.split()[1] for line in cluster.jobs()}
    assert set(states.values()) == {"COMPLETED"}, states
    assert results(tmp_path / "run") == results(tmp_path / "alone")
    at_work, most, tasks = 0, 0, []
    for line in (tmp_path / "at-work").read_text().splitlines():
        sign, *task = line.split()
        if not task:
            continue  # the merge
        at_work += 1 if sign == "+" else -1
        most = max(most, at_work)
        tasks += task if sign == "+" else []
    assert most <= 2 and sorted(tasks) == sorted("1234" * 2), tasks
    result = [log.read_text() for log in (tmp_path / "run/logs").glob("*_*.txt")]
    assert sum(text.count(" made, 0 already there") for text in result) == 12, result


def test_at_its_time_limit_a_task_is_queued_again_and_goes_on(cluster, crema, program, tmp_path):
    make_cohort(tmp_path / "data", cases=6)
    assert crema("cohort", "run", "data", "-o", "alone").code == 0
    assert crema("cohort", "plan", "data", "-o", "run", "--shards", "2").code == 0
    # The first attempt does its work and hangs, as a case that takes too long.
    slow = script(
        tmp_path,
        "slow",
        f'[ "$2" = merge ] || [ -n "$SLURM_RESTART_COUNT" ] || {{ {program} "$@"; exec sleep 300; }}\n'
        f'exec {program} "$@"\n',
    )
    limit = "--time=1 --signal=B:USR1@50"
    start = time.monotonic()
    done = crema("cohort", "submit", "run", "--program", slow, "--sbatch", limit, env=cluster.env)
    assert done.code == 0, done
    wait_until_all_ended(cluster, 150)
    print(f"all done after {time.monotonic() - start:.1f} s")
    states = {line.split()[0]: line.split()[1] for line in cluster.jobs()}
    assert set(states.values()) == {"COMPLETED"}, (states, cluster.complaints())
    logs = [log.read_text() for log in sorted((tmp_path / "run/logs").glob("*_[0-9].txt"))]
    assert len(logs) == 2
    for text in logs:
        assert text.count("time limit: queued again") == 1 and "0 made, 3 already there" in text, text
    assert results(tmp_path / "run") == results(tmp_path / "alone")
    assert {row["status"] for row in read_table(tmp_path / "run/cases.csv")} == {"done"}
