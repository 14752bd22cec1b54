# SPDX-License-Identifier: Apache-2.0
"""A Slurm of two nodes on this machine, in a folder of its own: munged, slurmctld and two slurmd."""

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

# All that Slurm decides by the clock is far longer than a busy machine keeps anything waiting: a node that is silent,
# a batch step that is late or does not end, a job that ended long ago and is forgotten. A job that is queued again
# waits as long, until nodes have forgotten its first credential, because one that remembers refuses it.
FAR = 7200

NEEDED = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol"]

CONFIGURATION = """\
ClusterName=crema
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire={far}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
DefMemPerCPU=100
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
ReturnToService=2
JobRequeue=1
SlurmdParameters=config_overrides
SlurmdTimeout={far}
BatchStartTimeout={far}
UnkillableStepTimeout={far}
MinJobAge={far}
MessageTimeout=100
TCPTimeout=60
KillWait=1
SchedulerParameters=sched_interval=2,batch_sched_delay=1,sched_min_interval=100000
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=2 RealMemory=4000 State=UNKNOWN
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=2 RealMemory=4000 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES State=UP MaxTime=INFINITE
"""


def why_not():
    """Why there can be no cluster here; empty where there can."""
    missing = [tool for tool in NEEDED if not shutil.which(tool, path=search_path())]
    if missing:
        return f"no {missing[0]}: apt-get install munge slurmctld slurmd slurm-client"
    if os.geteuid() != 0:
        return "Slurm's daemons are started by root alone"
    return ""


def search_path():
    return os.environ["PATH"] + ":/usr/sbin:/sbin"


def free_ports(count):
    """Below the ports that the system hands out, so that no connection of another program takes one meanwhile."""
    sockets = []
    while len(sockets) < count:
        one = socket.socket()
        try:
            one.bind(("127.0.0.1", random.randrange(10000, 32000)))
        except OSError:
            one.close()
            continue
        sockets.append(one)
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def wait_for(what, seconds=600, pause=0.2, why=lambda: ""):
    """What `what` returns, once it is true; `why` tells how far things came when it does not."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(pause)
    raise TimeoutError(f"{what.__name__} did not come true in {seconds} s {why()}")


def processes_of(conf):
    """All that this Slurm has started: daemons, steps, jobs, and commands that speak with it."""
    variable = f"SLURM_CONF={conf}\0".encode()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if variable in Path(f"/proc/{pid}/environ").read_bytes():
                yield int(pid)
        except OSError:
            continue


def kill(pids):
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def running(folder, more=""):
    """A cluster for one test, so that no test waits for what another one left; skips where there can be none."""
    reason = why_not()
    if reason:
        pytest.skip(reason)
    (folder / "cluster").mkdir(mode=0o755)
    with Cluster(folder / "cluster", more) as cluster:
        yield cluster


class Cluster:
    def __init__(self, folder, more=""):
        """`more` are further lines of its configuration."""
        self.folder = folder
        self.processes = {}
        for name in ("munge", "state", "spool-n1", "spool-n2"):
            (folder / name).mkdir(mode=0o700)
        host = socket.gethostname().split(".")[0]
        conf = CONFIGURATION.format(folder=folder, host=host, ports=free_ports(3), far=FAR)
        self.conf = folder / "slurm.conf"
        self.conf.write_text(conf + more)
        self.env = {**os.environ, "SLURM_CONF": str(self.conf), "PATH": search_path()}
        words = [sys.executable, __file__, self.conf]
        self.watchdog = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)

    def __enter__(self):
        try:
            self.start_munge()
            self.start("slurmctld", "slurmctld", "-D")
            for node in ("n1", "n2"):
                self.start(node, "slurmd", "-D", "-N", node)
            wait_for(self.idle, why=self.complaints)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self, name, *words):
        with open(self.folder / f"{name}.out", "wb") as log:
            # A group of its own, so that no signal meant for the test reaches it.
            self.processes[name] = subprocess.Popen(
                words, env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    def start_munge(self):
        munge = self.folder / "munge"
        key = munge / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        options = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        words = [f"--{option}={munge / file}" for option, file in options.items()]
        self.start("munged", "munged", "--foreground", "--force", *words)
        wait_for((munge / "socket").exists)

    def call(self, *words):
        return subprocess.run(words, env=self.env, capture_output=True, text=True)

    def ask(self, *words):
        """What a command printed; empty where it failed, as it does when the controller does not answer in time."""
        done = self.call(*words)
        return done.stdout if done.returncode == 0 else ""

    def tell(self, *words):
        """What a command printed, which is called again until it succeeds."""

        def succeeds():
            done = self.call(*words)
            complaints.append(done.stderr)
            return [done.stdout] if done.returncode == 0 else None

        complaints = []
        (printed,) = wait_for(succeeds, pause=1, why=lambda: (words, complaints[-1:], self.complaints()))
        return printed

    def idle(self):
        return self.ask("sinfo", "--noheader", "--format=%T %D").split() == ["idle", "2"]

    def jobs(self, state="all"):
        return self.ask("squeue", "--noheader", "--array", f"--states={state}", "--format=%i %T %N").splitlines()

    def wait_until_all_ended(self):
        """The state in which each job ended."""
        # An answer that did not come is no answer, and a job that is queued again is at work in no state for a moment.
        final = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY"}

        def all_ended():
            states = {line.split()[0]: line.split()[1] for line in self.jobs()}
            return states if set(states.values()) <= final else None

        return wait_for(all_ended, pause=0.3, why=lambda: (self.jobs(), self.complaints()))

    def complaints(self):
        """What the daemons logged as errors, for the message of a test that failed."""
        logs = [self.folder / f"{name}.log" for name in ("slurmctld", "n1", "n2")]
        return [line for log in logs if log.exists() for line in log.read_text().splitlines() if "error" in line]

    def start_elsewhere(self, job, node):
        """Starts a job that is queued again on another node than `node`, where it was before."""

        def is_pending():
            return self.ask("squeue", "--noheader", "--array", f"--jobs={job}", "--format=%T").split() == ["PENDING"]

        wait_for(is_pending, why=lambda: (self.jobs(), self.complaints()))
        self.tell("scontrol", "update", f"jobid={job}", f"ExcNodeList={node}")
        self.tell("scontrol", "update", f"jobid={job}", "StartTime=now")

    def kill_node(self, node):
        """As a power cut does: the daemon, its steps and what they run, at once."""
        # A daemon that stands still starts nothing that this would not see.
        self.processes[node].send_signal(signal.SIGSTOP)
        kill([*self.below(node), self.processes[node].pid])
        self.processes.pop(node).wait()

    def lose_node(self, node):
        """It is dead, and the controller knows. By itself it would after a while of silence, which no clock can tell
        from that of a busy machine."""
        self.kill_node(node)
        self.tell("scontrol", "update", f"nodename={node}", "state=down", "reason=lost")

    def below(self, node):
        """Processes of the jobs on a node, those that watch over them first, so that nobody reports a death."""
        found, watching = [], []
        for pid in processes_of(self.conf):
            try:
                environment = Path(f"/proc/{pid}/environ").read_bytes()
                parent = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1]
                name = Path(f"/proc/{parent}/comm").read_text()
            except OSError:
                continue
            if f"SLURMD_NODENAME={node}\0".encode() not in environment:
                continue
            found.append(pid)
            if name.startswith("slurmstepd"):
                watching.append(int(parent))
        return watching + found

    def stop(self):
        self.watchdog.communicate()  # until it has ended
        for process in self.processes.values():
            process.wait()


def watch(conf):
    """Ends this Slurm when the test has, however that ended. No child of the test, because who ends a test for taking
    too long ends its children with it."""
    if os.fork() == 0:
        sys.stdin.read()
        while pids := list(processes_of(conf)):
            kill(pids)
            time.sleep(0.1)


if __name__ == "__main__":
    watch(sys.argv[1])
