# SPDX-License-Identifier: Apache-2.0
"""The same cohort through a real Slurm, where a task fails and a node is lost, gives the same bytes."""

import time

import pytest
import slurm_kit
from cohort_kit import bytes_of, make_cohort, read_table
from conftest import SLOWDOWN

CASES, SHARDS = 240, 12


@pytest.fixture
def cluster(tmp_path):
    reason = slurm_kit.why_not()
    if reason:
        pytest.skip(reason)
    folder = tmp_path / "cluster"
    folder.mkdir(mode=0o755)
    with slurm_kit.Cluster(folder, lost_after=10) as running:
        yield running


def slow_program(program, folder):
    """The program, but a task of the node that is to be lost never ends; every other one has done its work by then."""
    script = folder / "slow-crema"
    script.write_text(
        "#!/bin/sh\n"
        'if [ "$SLURMD_NODENAME" = n2 ]; then\n'
        f'  [ $((SLURM_ARRAY_TASK_ID % 2)) = 0 ] && {program} "$@"\n'
        "  sleep 300\n"
        "fi\n"
        f'exec {program} "$@"\n'
    )
    script.chmod(0o755)
    return script


def test_a_lost_node_and_a_failed_task_change_no_byte(cluster, crema, program, tmp_path):
    make_cohort(tmp_path / "data", cases=CASES)
    (tmp_path / "data/case07/ben.nii.gz").write_bytes(b"no mask")
    assert crema("cohort", "run", "data", "-o", "whole").code == 5
    assert crema("cohort", "plan", "data", "-o", "parts", "--shards", str(SHARDS)).code == 0
    reply = crema("cohort", "submit", "parts", "--engine", "slurm", "--dry-run").out
    assert f" --array=1-{SHARDS} " in reply and " --requeue " in reply and " --dependency=singleton " in reply
    # What is submitted goes through a program that waits a moment; all else is as it is.
    slow = slow_program(program, tmp_path)
    result = crema("cohort", "submit", "parts", "--engine", "slurm", "--program", slow, env=cluster.env)
    assert result.code == 0, result
    array, merge = (line.split()[2].rstrip(",") for line in result.out.splitlines()[:2])

    def two_on_the_node():
        tasks = [line.split()[0] for line in cluster.jobs("running") if line.endswith("n2")]
        return tasks if len(tasks) == 2 else None

    why = lambda: (cluster.jobs(), cluster.complaints())  # noqa: E731
    lost = slurm_kit.wait_for(two_on_the_node, 120 * SLOWDOWN, why=why)
    time.sleep(1)
    cluster.kill_node("n2")
    start = time.monotonic()
    states = cluster.wait_until_all_ended(300 * SLOWDOWN)
    print(f"lost {lost}, all done {time.monotonic() - start:.1f} s later")
    for job in lost:
        shown = cluster.tell("scontrol", "show", "job", job)
        assert "Restarts=1" in shown and "NodeList=n1" in shown, shown
    assert sum(state == "FAILED" for job, state in states.items() if job.startswith(f"{array}_")) == 1, states
    assert merge in states
    plain = lambda files: {  # noqa: E731
        name: digest for name, digest in files.items() if not name.startswith(("plan", "logs", "submit"))
    }
    assert plain(bytes_of(tmp_path / "parts")) == plain(bytes_of(tmp_path / "whole"))
    assert len(read_table(tmp_path / "parts/cases.csv")) == CASES
    assert [row["case"] for row in read_table(tmp_path / "parts/failures.csv")] == ["case07"]
