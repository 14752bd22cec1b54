# SPDX-License-Identifier: Apache-2.0
"""What every suite needs that runs the built program, which the environment names."""

import os
import re
import signal
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
(VERSION,) = re.findall(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
SLOWDOWN = float(os.environ.get("CREMA_SLOWDOWN", "1"))
# Seconds, after which what a test waits for hangs. Nothing is promised about speed.
PATIENCE = 600

# Whoever starts the tests in the background may have these ignored, and the program would ignore them too.
for _number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    if signal.getsignal(_number) == signal.SIG_IGN:
        signal.signal(_number, signal.SIG_DFL)


def from_environment(name, what):
    path = os.environ.get(name)
    if not path:
        pytest.fail(f"set {name} to {what}")
    return str(Path(path).resolve())


@pytest.fixture(scope="session")
def program():
    return from_environment("CREMA", "the program under test")


class Result:
    """What a run left behind; both streams decoded so that odd bytes survive."""

    def __init__(self, done):
        self.code = done.returncode
        self.out = done.stdout.decode("utf-8", "surrogateescape")
        self.err = done.stderr.decode("utf-8", "surrogateescape")

    def __repr__(self):
        return f"exit {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"
