# SPDX-License-Identifier: Apache-2.0
"""The same cohort through a real Slurm, where a task fails and a node is lost, gives the same bytes."""

import os
import subprocess
import sys

import pytest
import slurm_kit
from cohort_kit import bytes_of, make_cohort, read_table

CASES, SHARDS = 240, 12


@pytest.fixture
def cluster(tmp_path):
    yield from slurm_kit.running(tmp_path)


def slow_program(program, folder):
    """The program, but a task of the node that is to be lost never ends; every other one has done its work by then."""
    script = folder / "slow-crema"
    script.write_text(
        "#!/bin/sh\n"
        'if [ "$SLURMD_NODENAME" = n2 ]; then\n'
        f'  [ $((SLURM_ARRAY_TASK_ID % 2)) = 0 ] && {program} "$@"\n'
        f"  touch {folder}/hangs-$SLURM_ARRAY_TASK_ID\n"
        "  exec sleep 100000\n"
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

    def two_hang():
        found = [path.name.split("-")[1] for path in tmp_path.glob("hangs-*")]
        return found if len(found) == 2 else None

    lost = slurm_kit.wait_for(two_hang, why=lambda: (cluster.jobs(), cluster.complaints()))
    cluster.lose_node("n2")
    for task in lost:
        cluster.start_elsewhere(f"{array}_{task}", "n2")
    states = cluster.wait_until_all_ended()
    for task in lost:
        shown = cluster.tell("scontrol", "show", "job", f"{array}_{task}")
        assert "Restarts=1" in shown and "NodeList=n1" in shown, shown
    assert sum(state == "FAILED" for job, state in states.items() if job.startswith(f"{array}_")) == 1, states
    assert merge in states
    plain = lambda files: {  # noqa: E731
        name: digest for name, digest in files.items() if not name.startswith(("plan", "logs", "submit"))
    }
    assert plain(bytes_of(tmp_path / "parts")) == plain(bytes_of(tmp_path / "whole"))
    assert len(read_table(tmp_path / "parts/cases.csv")) == CASES
    assert [row["case"] for row in read_table(tmp_path / "parts/failures.csv")] == ["case07"]


def test_nothing_stays_behind_of_a_test_that_is_killed(tmp_path):
    reason = slurm_kit.why_not()
    if reason:
        pytest.skip(reason)
    code = (
        "import pathlib, sys\n"
        f"sys.path.insert(0, {os.path.dirname(slurm_kit.__file__)!r})\n"
        "import slurm_kit\n"
        "with slurm_kit.Cluster(pathlib.Path.cwd()) as cluster:\n"
        "    cluster.tell('sbatch', '--wrap=touch hangs; exec sleep 100000')\n"
        "    slurm_kit.wait_for(pathlib.Path('hangs').exists, why=cluster.complaints)\n"
        "    print('hangs', flush=True)\n"
        "    slurm_kit.time.sleep(100000)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"hangs\n"
        process.kill()

    def all_are_gone():
        return not list(slurm_kit.processes_of(tmp_path / "slurm.conf"))

    slurm_kit.wait_for(all_are_gone)
