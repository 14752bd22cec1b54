# SPDX-License-Identifier: Apache-2.0
"""Runs commands from a small process, so that the memory measured is theirs.

A process inherits the peak memory of the one it was forked from: measured from inside a large test process, nothing
below that would be seen. Runner() starts this file as a process of its own and sends it one command a line.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time


class Done:
    """What a run left behind; both streams decoded so that odd bytes survive."""

    def __init__(self, answer):
        self.code, self.hung = answer["code"], answer["hung"]
        self.seconds, self.busy = answer["seconds"], answer["busy"]
        self.megabytes = answer["kilobytes"] / 1024
        self.out, self.err = answer["out"], answer["err"]

    def __repr__(self):
        what = "hung" if self.hung else f"exit {self.code}"
        cost = f"{self.seconds:.2f} s ({self.busy:.2f} s busy), {self.megabytes:.0f} MB"
        return f"{what}, {cost}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


class Runner:
    def __init__(self):
        command = [sys.executable, "-S", "-E", os.path.abspath(__file__)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="ascii"
        )

    def __call__(self, arguments, folder, env=None, limit=600.0, user=None, space=0, file_size=0):
        """`space` and `file_size` are limits in bytes of the address space and of any file written."""
        order = {
            "arguments": [os.fsdecode(a) for a in arguments],
            "folder": os.fsdecode(folder),
            "env": env or {},
            "limit": limit,
            "user": user,
            "space": space,
            "file_size": file_size,
        }
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return Done(json.loads(self.process.stdout.readline()))

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def prepare(order):
    """In the child, before the command starts."""
    if order["space"]:
        resource.setrlimit(resource.RLIMIT_AS, (order["space"], order["space"]))
    if order["file_size"]:
        # Beyond it, writing fails as on a full disk; the signal would end the process instead.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (order["file_size"], order["file_size"]))
    if order["user"] is not None:
        os.setgroups([])
        os.setgid(order["user"])
        os.setuid(order["user"])


def text_of(stream):
    stream.seek(0)
    return stream.read(1 << 20).decode("utf-8", "surrogateescape")


def run(order):
    hung = threading.Event()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        before = time.monotonic()
        child = subprocess.Popen(
            order["arguments"],
            cwd=order["folder"],
            env={**os.environ, **order["env"]},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            preexec_fn=lambda: prepare(order),
        )

        def give_up():
            hung.set()
            child.kill()

        watch = threading.Timer(order["limit"], give_up)
        watch.start()
        _, status, usage = os.wait4(child.pid, 0)
        watch.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        return {
            "code": child.returncode,
            "hung": hung.is_set(),
            "seconds": time.monotonic() - before,
            "busy": usage.ru_utime + usage.ru_stime,
            "kilobytes": usage.ru_maxrss,
            "out": text_of(out),
            "err": text_of(err),
        }


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)
