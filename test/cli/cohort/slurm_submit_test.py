# SPDX-License-Identifier: Apache-2.0
"""A real Slurm: throttled arrays, double submission, several shards for a task, a command of words, the time limit."""

import time

import pytest
import slurm_kit
from cohort_kit import bytes_of, make_cohort, read_table


@pytest.fixture
def cluster(tmp_path):
    yield from slurm_kit.running(tmp_path, "MaxArraySize=5\n")


def script(folder, name, text):
    result = folder / name
    result.write_text("#!/bin/bash\n" + text)
    result.chmod(0o755)
    return result


def results(folder):
    """What does not depend on who did it."""
    return {k: v for k, v in bytes_of(folder).items() if not k.startswith(("plan", "logs", "submit"))}


def test_submitting_twice_through_words_does_every_case_once(cluster, crema, program, tmp_path):
    make_cohort(tmp_path / "data", cases=24)
    assert crema("cohort", "run", "data", "-o", "alone").code == 0
    assert crema("cohort", "plan", "data", "-o", "run", "--shards", "12").code == 0
    at_work = tmp_path / "at-work"
    # Counts who is at work at the same time, as a container's launcher would stand between. Nobody ends before the
    # second submission.
    box = script(
        tmp_path,
        "box",
        f'shift\necho "+ $SLURM_ARRAY_TASK_ID" >> {at_work}\nuntil [ -e {tmp_path}/go ]; do sleep 0.1; done\n'
        f'"$@"\ncode=$?\n'
        f'echo "- $SLURM_ARRAY_TASK_ID" >> {at_work}\nexit $code\n',
    )
    words = ["cohort", "submit", "run", "--command", f"{box} image.sif {program}", "--max-running", "2"]
    first = crema(*words, env=cluster.env)
    assert first.code == 0 and "4 tasks of up to 3 shards" in first.out, first
    assert "already in the queue" not in first.err
    again = crema(*words, env=cluster.env)
    assert again.code == 0 and "already in the queue" in again.err, again

    def two_are_at_work():
        return at_work.exists() and len(at_work.read_text().splitlines()) == 2

    slurm_kit.wait_for(two_are_at_work, why=lambda: (cluster.jobs(), cluster.complaints()))
    (tmp_path / "go").touch()
    states = cluster.wait_until_all_ended()
    assert set(states.values()) == {"COMPLETED"}, (states, cluster.complaints())
    assert results(tmp_path / "run") == results(tmp_path / "alone")
    now, most, tasks = 0, 0, []
    for line in at_work.read_text().splitlines():
        sign, *task = line.split()
        if not task:
            continue  # the merge
        now += 1 if sign == "+" else -1
        most = max(most, now)
        tasks += task if sign == "+" else []
    assert most == 2 and sorted(tasks) == sorted("1234" * 2), tasks
    result = [log.read_text() for log in (tmp_path / "run/logs").glob("*_*.txt")]
    assert sum(text.count(" made, 0 already there") for text in result) == 12, result


# Slurm looks at limits every half minute, and sends the signal up to so much earlier. A minute before the limit is
# crema's choice; here it is ten, so that a busy machine has that long to put a task back into the queue.
EARLY = 10


def set_limit(cluster, array, minutes):
    """As an administrator does."""
    for task in (1, 2):
        cluster.tell("scontrol", "update", f"jobid={array}_{task}", f"timelimit={minutes}")


def test_at_its_time_limit_a_task_is_queued_again_and_goes_on(cluster, crema, program, tmp_path):
    make_cohort(tmp_path / "data", cases=6)
    assert crema("cohort", "run", "data", "-o", "alone").code == 0
    assert crema("cohort", "plan", "data", "-o", "run", "--shards", "2").code == 0
    # The first attempt does its work and hangs, as a case that takes too long.
    slow = script(
        tmp_path,
        "slow",
        f'if [ "$2" = run ] && [ -z "$SLURM_RESTART_COUNT" ]; then\n'
        f'  {program} "$@"\n  echo $SLURMD_NODENAME > {tmp_path}/hangs-$SLURM_ARRAY_TASK_ID\n  exec sleep 100000\nfi\n'
        f'exec {program} "$@"\n',
    )
    start = time.monotonic()
    words = ["cohort", "submit", "run", "--program", slow, "--sbatch", f"--time=600 --signal=B:USR1@{60 * EARLY}"]
    done = crema(*words, env=cluster.env)
    assert done.code == 0, done
    array = done.out.split()[2].rstrip(",")
    logs = [tmp_path / f"run/logs/{array}_{task}.txt" for task in (1, 2)]
    why = lambda: (cluster.jobs(), [log.read_text() for log in logs if log.exists()], cluster.complaints())  # noqa: E731

    def both_hang():
        """On which nodes."""
        nodes = [path.read_text().strip() for path in sorted(tmp_path.glob("hangs-*"))]
        return nodes if len(nodes) == 2 and all(nodes) else None

    def both_are_queued_again():
        return all("time limit: queued again" in log.read_text() for log in logs)

    nodes = slurm_kit.wait_for(both_hang, why=why)
    # The limit comes near now that both hang, and is far again before the second attempts start.
    set_limit(cluster, array, int((time.monotonic() - start) // 60) + EARLY + 1)
    slurm_kit.wait_for(both_are_queued_again, why=why)
    set_limit(cluster, array, 600)
    for task, node in enumerate(nodes, 1):
        cluster.start_elsewhere(f"{array}_{task}", node)
    states = cluster.wait_until_all_ended()
    assert set(states.values()) == {"COMPLETED"}, (states, why())
    for task, log in enumerate(logs, 1):
        text = log.read_text()
        assert text.count("time limit: queued again") == 1, text
        assert "Restarts=1 " in cluster.tell("scontrol", "show", "job", f"{array}_{task}"), text
        assert text.count("3 made, 0 already there") == 1 and text.count("0 made, 3 already there") == 1, text
    assert results(tmp_path / "run") == results(tmp_path / "alone")
    assert {row["status"] for row in read_table(tmp_path / "run/cases.csv")} == {"done"}
