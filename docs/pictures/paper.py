# SPDX-License-Identifier: Apache-2.0
"""Pictures of docs/figures.md: each is drawn by the command that stands on the page."""

import glob
import pathlib
import re
import shlex
import subprocess

PAGE = pathlib.Path(__file__).resolve().parent.parent / "figures.md"
COMMANDS = [shlex.split(line) for line in re.findall(r"^    crema (.+)$", PAGE.read_text(), re.MULTILINE)]


def run(crema, folder, words):
    expanded = [name for word in words for name in (sorted(glob.glob(word, root_dir=folder)) or [word])]
    subprocess.run([str(crema), *expanded], cwd=folder, check=True, capture_output=True)


def draw_with(command):
    """A function that makes the phantoms that a command names, and runs it."""

    def draw(crema, folder):
        for words in COMMANDS:
            if words[0] == "demo" and any(word.startswith(words[2] + "/") for word in command):
                run(crema, folder, words)
        run(crema, folder, command)
        return (folder / command[-1]).read_text()

    return draw


PICTURES = {f"paper/{words[-1]}": draw_with(words) for words in COMMANDS if words[0] == "figure"}
