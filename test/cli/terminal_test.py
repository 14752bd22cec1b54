# SPDX-License-Identifier: Apache-2.0
"""What people see in a terminal: lines that fit, and colours where they are wanted."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

import pytest
from conftest import PATIENCE, blob

COMMANDS = ["fuse", "certify", "background", "check", "methods", "cite", "demo", "completion", "manual"]


def widest(text):
    return max(len(line) for line in text.splitlines())


@pytest.fixture
def on_terminal(program, tmp_path):
    """Runs the program with these streams on a terminal of that many columns and returns code and text."""

    def run(*arguments, columns=80, env=None, streams=("out", "err")):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
        process = subprocess.Popen(
            [program, *arguments],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=theirs if "out" in streams else subprocess.DEVNULL,
            stderr=theirs if "err" in streams else subprocess.DEVNULL,
            env={**kept, "TERM": "xterm", **(env or {})},
        )
        os.close(theirs)
        text = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:
                break
            if not part:
                break
            text += part
        os.close(ours)
        return process.wait(PATIENCE), text.decode().replace("\r\n", "\n")

    return run


def plain(text):
    return re.sub(r"\033\[\d*m", "", text)


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_help_fits_the_width(crema, columns):
    env = {"COLUMNS": str(columns)}
    pages = [crema("--help", env=env).out, crema("methods", env=env).out, crema(env=env).err]
    pages += [crema(command, "--help", env=env).out for command in COMMANDS]
    for page in pages:
        assert widest(page) <= columns, max(page.splitlines(), key=len)


def test_without_a_terminal_lines_have_eighty_letters(crema):
    env = {"COLUMNS": ""}
    assert 70 < widest(crema("fuse", "--help", env=env).out) <= 80
    for odd in ("0", "wide", "-3", "99999999999"):
        assert crema("fuse", "--help", env={"COLUMNS": odd}).out == crema("fuse", "--help", env=env).out


@pytest.mark.parametrize("columns,most", [(20, 60), (70, 70), (100, 100), (300, 120)])
def test_the_width_of_the_terminal_is_followed(on_terminal, columns, most):
    code, text = on_terminal("fuse", "--help", columns=columns)
    assert code == 0 and most - 8 < widest(plain(text)) <= most


def test_examples_too_long_for_a_line_can_be_pasted(crema, raters, program):
    """A line that goes on below ends with a backslash; nothing but white space was added."""
    page = crema("fuse", "--help", env={"COLUMNS": "60"}).out
    joined = page.replace("\\\n", " ")
    assert "crema fuse rater-*.nii.gz -o staple.nii.gz --method staple --roi box --margin 10" in " ".join(
        joined.split()
    )


@pytest.mark.parametrize("columns", [60, 80])
def test_tables_fit_the_width(crema, raters, columns):
    env = {"COLUMNS": str(columns)}
    many = raters * 8
    numbers = crema("fuse", *many, "-m", "all", env=env).err.split("warning")[0]
    rows = [line for line in numbers.splitlines() if "voxels" in line or re.search(r"\d\.\d{4}  ", line)]
    assert rows and max(map(len, rows)) <= columns, max(rows, key=len)
    tables = crema("background", *raters, env=env).out
    assert widest(tables) <= columns, max(tables.splitlines(), key=len)


def test_colours_are_for_terminals(crema, on_terminal, raters):
    code, text = on_terminal("fuse", "none.nii.gz", "-o", "o.nii.gz")
    assert code == 3 and text.startswith("\033[31mcrema: none.nii.gz"), text
    code, text = on_terminal("fuse", raters[0], "-o", "o.nii.gz")
    assert code == 0 and re.search(r"\033\[33m\d+ warnings?:\033\[0m\n", text), text
    code, text = on_terminal("--help")
    assert code == 0 and "\033[1mCommands:\033[0m\n" in text and "\033[1mUsage:\033[0m crema" in text, text
    assert "\033" not in crema("--help", env={"TERM": "xterm"}).out
    assert "\033" not in crema("fuse", "none.nii.gz", "-o", "o.nii.gz", env={"TERM": "xterm"}).err


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}])
def test_colours_are_left_out_where_they_are_not_wanted(on_terminal, raters, env):
    for arguments in (["--help"], ["fuse", "none.nii.gz", "-o", "o.nii.gz"], ["check", raters[0], "none.nii.gz"]):
        assert "\033[3" not in on_terminal(*arguments, env=env)[1]
        assert "\033[1m" not in on_terminal(*arguments, env=env)[1]


def words(text):
    return " ".join(plain(text).split())


@pytest.mark.parametrize("columns", [60, 72, 100])
def test_sentences_are_broken_where_the_terminal_ends(crema, on_terminal, raters, save, columns):
    save("copy.nii.gz", blob(0))
    for arguments in (
        ("agreement", *raters, "copy.nii.gz", "--bootstrap", "5", "--leave-one-out", "fixed"),
        ("fuse", *raters, "copy.nii.gz", "-m", "staple", "--weights", "auto", "--certify"),
        ("check", *raters, "a-file-with-quite-a-long-name-that-is-not-there-and-has-no-business-here.nii.gz"),
        ("fuse", *raters, "--threshold", "half"),
    ):
        _, reply = on_terminal(*arguments, columns=columns)
        shown = plain(reply)
        long_words = [line for line in shown.splitlines() if len(line) > columns]
        assert all(len(max(line.split(), key=len)) > columns - 16 for line in long_words), long_words


LONG = "a-reader-whose-name-takes-more-room-than-most.nii.gz"
OUTPUT = ["-o", "out.svg", "--force"]


@pytest.fixture
def long_sentences(save, raters, crema, tmp_path):
    """Commands that have much to say, about masks, labels and cohorts."""
    save(LONG, blob(0)[::-1].copy())
    save("empty.nii.gz", blob(0) * 0)
    masks = [*raters, LONG, "empty.nii.gz"]
    maps = [save(f"map-{k}.nii.gz", blob(0) + blob(k % 2)) for k in range(3)]
    labels = ["--labels", "an-organ-with-a-name=1,another-organ=2"]
    (tmp_path / "data").mkdir()
    assert crema("demo", "-o", "data/p1", "--size", "20,20,10", "--raters", "2").code == 0
    assert crema("demo", "-o", "data/p2", "--size", "20,20,10", "--raters", "3").code == 0
    return [
        ["fuse", *masks, "-m", "jaccard,dice,tanimoto", "--certify", "--weights", "auto"],
        ["fuse", *masks, "-m", "staple", "--json", "-"],
        ["fuse", *maps, *labels, "--certify"],
        ["fuse", *maps, "--regions", "whole-of-the-organ=1+2,core-of-the-organ=2"],
        ["fuse", *maps],
        ["agreement", *masks, "--bootstrap", "3", "--leave-one-out", "fixed", "--json", "-"],
        ["agreement", *maps, *labels],
        ["compare", *masks, "--uniqueness"],
        ["certify", raters[0], *masks, "--json", "-"],
        ["check", *maps, *labels],
        ["check", *masks, maps[0], "there-is-no-file-of-this-name-anywhere-in-this-folder.nii.gz"],
        ["background", *masks],
        ["figure", *masks, *OUTPUT],
        ["figure", *maps, *labels, *OUTPUT],
        ["report", *masks, "-o", "out.html", "--force"],
        ["cohort", "list", "data"],
        ["cohort", "run", "data", "-o", "run", "-m", "paper", "--no-surfaces"],
        ["cohort", "status", "run"],
        ["cohort", "merge", "run"],
        ["cohort", "plan", "data", "-o", "planned", "--shards", "2"],
    ]


@pytest.mark.parametrize("streams", [("out",), ("err",)])
def test_no_line_of_any_command_leaves_the_terminal(on_terminal, long_sentences, streams):
    """Wherever the other stream goes: a summary on standard error is broken although the record goes into a file."""
    for words in long_sentences:
        if "--json" in words and "out" in streams:
            continue  # there it is the record
        _, reply = on_terminal(*words, streams=streams)
        too_long = [line.split("\r")[-1] for line in plain(reply).splitlines() if len(line.split("\r")[-1]) > 80]
        assert all(len(max(line.split(), key=len)) > 64 for line in too_long), (words, too_long)


def test_warnings_and_errors_say_the_same_on_a_terminal_and_elsewhere(crema, on_terminal, raters, save):
    save("copy.nii.gz", blob(0))
    elsewhere = crema("fuse", *raters, "copy.nii.gz", "-o", "a.nii.gz").err
    warnings = [line.strip() for line in elsewhere.split("warning")[-1].splitlines()[1:]]
    assert warnings
    _, reply = on_terminal("fuse", *raters, "copy.nii.gz", "-o", "b.nii.gz", columns=60)
    assert all(warning in words(reply) for warning in warnings)
    sentence = crema("fuse", *raters, "--threshold", "half").err.strip()
    assert "\n" not in sentence and sentence in words(
        on_terminal("fuse", *raters, "--threshold", "half", columns=60)[1]
    )


def test_what_follows_a_break_stands_below_its_sentence(on_terminal, raters):
    _, reply = on_terminal("fuse", *raters, "--threshold", "half", columns=60)
    first, *more = plain(reply).rstrip().splitlines()
    assert first.startswith("crema: ") and more and all(line.startswith(" " * 7) for line in more)
