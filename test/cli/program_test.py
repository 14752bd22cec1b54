# SPDX-License-Identifier: Apache-2.0
"""The program as a citizen of its system: help, completion, manual, streams, signals, locale, odd names."""

import json
import os
import shutil
import signal
import subprocess
import time

import numpy
import pytest
from conftest import PATIENCE, blob
from subject import VERSION

COMMANDS = [
    *("fuse", "agreement", "compare", "certify", "background", "figure", "check", "methods", "cite", "demo"),
    *("completion", "manual", "study", "report", "app", "apply", "annotations", "import", "export", "bids", "nnunet"),
    *(f"cohort {word}" for word in ("list", "run", "plan", "submit", "status", "merge", "get")),
]


def test_the_version_is_printed(crema):
    result = crema("--version")
    assert (result.code, result.out, result.err) == (0, f"crema {VERSION}\n", "")


def test_without_arguments_the_first_steps_are_shown(crema):
    result = crema()
    assert result.code == 2 and result.out == ""
    lines = result.err.splitlines()
    assert lines[0] == "First steps:" and all(line.startswith("  crema ") for line in lines[1:6]), result


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_names_every_command(crema, flag):
    result = crema(flag)
    assert result.code == 0 and result.err == ""
    for command in COMMANDS:
        assert f"\n  {command} " in result.out, command


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_begins_with_examples(crema, command):
    result = crema(*command.split(), "--help")
    assert result.code == 0 and result.err == ""
    assert result.out.startswith("Examples:\n  ")
    assert result.out.index("Examples:") < result.out.index("Usage:") < result.out.index("--help")


def test_the_first_steps_work_as_they_are_printed(crema, program, tmp_path):
    """Pasted into a shell, line by line."""
    steps = [line.split("  #")[0].strip() for line in crema("--help").out.splitlines()[1:6]]
    (tmp_path / "bin").mkdir()
    os.symlink(program, tmp_path / "bin/crema")
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    for step in steps:
        done = subprocess.run(
            ["bash", "-c", step],
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, (step, done.stderr)
    assert (tmp_path / "consensus.nii.gz").exists() and (tmp_path / "results/record.json").exists()


def test_methods_are_listed_with_references(crema):
    table = " ".join(crema("methods").out.split())
    listed = json.loads(crema("methods", "--json").out)
    markdown = crema("methods", "--markdown").out
    assert [method["name"] for method in listed][:2] == ["jaccard", "dice"]
    for method in listed:
        for field in ("name", "paper_name", "summary", "reference"):
            assert method[field] and method[field] in table and method[field] in markdown


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_parse(crema, tmp_path, shell):
    result = crema("completion", shell)
    assert result.code == 0 and "--slice-wise" in result.out.replace("-l slice-wise", "--slice-wise")
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "script").write_text(result.out)
    subprocess.run([shell, "-n", "script"], cwd=tmp_path, check=True, timeout=PATIENCE)


COMPLETED = pytest.mark.parametrize(
    "typed, offered",
    [
        (["fu"], {"fuse"}),
        (["fuse", "--thr"], {"--threads", "--threshold", "--threshold-output"}),
        (["fuse", "--tie", "b"], {"background"}),
        (["fuse", "--method", "ja"], {"jaccard"}),
        (["fuse", "rat"], {"rater-1.nii.gz", "rater-2.nii.gz", "rater-3.nii.gz"}),
        (["fuse", "-o", "rater-1"], {"rater-1.nii.gz"}),
        (["fuse", "--threads", "r"], set()),
        (["completion", "z"], {"zsh"}),
        (["demo", "--kind", "co"], {"cord"}),
        (["coh"], {"cohort"}),
        (["cohort", "me"], {"merge"}),
        (["cohort", "run", "--layout", "b"], {"bids"}),
        (["cohort", "run", "rater-1"], {"rater-1.nii.gz"}),
        (["cohort", "merge", "--q"], {"--quiet"}),
    ],
)


@COMPLETED
def test_fish_completes(crema, raters, tmp_path, typed, offered):
    """Each with its description, as people see it."""
    if not shutil.which("fish"):
        pytest.skip("fish is not installed")
    script = tmp_path / "script"
    script.write_text(crema("completion", "fish").out)
    done = subprocess.run(
        ["fish", "--no-config", "-c", f'source {script}; complete -C "$argv"', " ".join(["crema", *typed])],
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    lines = done.stdout.splitlines()
    assert {line.split("\t")[0] for line in lines} == offered, done
    assert "\\" not in done.stdout
    if typed == ["fu"]:
        assert lines == ["fuse\tFuse raters' masks into a consensus"]


@COMPLETED
def test_bash_completes(crema, raters, tmp_path, typed, offered):
    (tmp_path / "script").write_text(crema("completion", "bash").out)
    words = " ".join(f"'{word}'" for word in ["crema", *typed])
    ask = f'. ./script; COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _crema; printf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", ask], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
    assert set(done.stdout.split()) == offered, done


def test_man_pages_are_clean(crema, tmp_path):
    assert crema("manual", "--man", "man1").code == 0
    pages = sorted(os.listdir(tmp_path / "man1"))
    assert pages == sorted(["crema.1"] + [f"crema-{command.replace(' ', '-')}.1" for command in COMMANDS])
    if not shutil.which("mandoc"):
        pytest.skip("mandoc is not installed")
    done = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "error", *pages],
        cwd=tmp_path / "man1",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout


def test_the_manual_is_printed_as_markdown(crema):
    page = crema("manual", "--markdown").out
    for command in COMMANDS:
        assert f"## crema {command}\n" in page
    assert "`--slice-wise [x|y|z]`" in page


# Streams


def run_with_stdout(program, arguments, stdout, cwd):
    return subprocess.run([program, *arguments], cwd=cwd, stdout=stdout, stderr=subprocess.PIPE, timeout=PATIENCE)


def test_a_pipe_that_was_closed_ends_the_program_without_a_complaint(program, tmp_path):
    """As `crema manual --markdown | head` does."""
    read, write = os.pipe()
    os.close(read)
    done = run_with_stdout(program, ["manual", "--markdown"], write, tmp_path)
    os.close(write)
    assert done.returncode == 141 and done.stderr == b""


def test_closed_streams_never_hit_a_file(program, raters, tmp_path):
    done = subprocess.run(
        ["sh", "-c", f'"$0" fuse {" ".join(raters)} -o out.nii.gz --json - <&- >&- 2>&-', program],
        cwd=tmp_path,
        timeout=PATIENCE,
    )
    assert done.returncode == 4
    again = subprocess.run(
        [program, "fuse", *raters, "-o", "again.nii.gz"], cwd=tmp_path, timeout=PATIENCE, capture_output=True
    )
    assert again.returncode == 0
    assert (tmp_path / "out.nii.gz").read_bytes() == (tmp_path / "again.nii.gz").read_bytes()


def test_a_standard_error_that_is_closed_is_no_failure(program, raters, tmp_path):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([program, "fuse", *raters, "-o", "out.nii.gz"], cwd=tmp_path, stderr=write, timeout=PATIENCE)
    os.close(write)
    assert done.returncode == 0 and (tmp_path / "out.nii.gz").exists()


# Signals


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_leaves_nothing_half_written(program, save, tmp_path, number, code):
    rng = numpy.random.default_rng(1)
    for k in range(2):
        mask = numpy.zeros((256, 256, 96), numpy.uint8)
        mask[20:230, 20:230, 5:90] = rng.random((210, 210, 85)) < 0.9
        save(f"r{k}.nii", mask)
    out = tmp_path / "out"
    out.mkdir()
    caught = 0
    for _ in range(500):  # far more than it takes on a busy machine, which may keep this test from looking
        process = subprocess.Popen(
            [program, "fuse", "r0.nii", "r1.nii", "-o", "out/average.nii", "-m", "average"],
            cwd=tmp_path,
            stderr=subprocess.DEVNULL,
        )
        while process.poll() is None and not any(name.startswith(".") for name in os.listdir(out)):
            time.sleep(0.0005)
        process.send_signal(number)
        ended = process.wait(timeout=PATIENCE)
        assert ended in (0, code)
        assert sorted(os.listdir(out)) == (["average.nii"] if ended == 0 else []) or (
            # The signal may come between the rename and the end of the program.
            os.listdir(out) == ["average.nii"]
        )
        for name in os.listdir(out):
            assert os.path.getsize(out / name) == 352 + 4 * 256 * 256 * 96
            os.remove(out / name)
        caught += ended == code
        if caught == 3:
            return
    assert caught > 0, "the program was never caught while it wrote"


def test_a_signal_before_the_end_leaves_no_folder(program, tmp_path, save):
    save("r.nii", numpy.ones((256, 256, 96), numpy.uint8))
    process = subprocess.Popen(
        [program, "fuse", *["r.nii"] * 30, "-o", "results", "-m", "all"], cwd=tmp_path, stderr=subprocess.DEVNULL
    )
    time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    if process.wait(timeout=PATIENCE) == 143:
        assert not (tmp_path / "results").exists() or os.listdir(tmp_path / "results")


# Locale and names


def test_a_decimal_comma_changes_nothing(crema, raters, save, tmp_path):
    save("map.nii.gz", blob(0) * numpy.float32(0.7))
    runs = {}
    for locale in ("C", "de_DE.UTF-8"):
        env = {"LC_ALL": locale, "TZ": "Pacific/Chatham"}
        result = crema(
            "fuse", *raters, "map.nii.gz", "-o", f"{locale}.nii.gz", "--threshold", "0.5", "--json", "-", env=env
        )
        assert result.code == 0, result
        record = json.loads(result.out)
        runs[locale] = ((tmp_path / f"{locale}.nii.gz").read_bytes(), record["lmsd"], record["grid"])
    assert runs["C"] == runs["de_DE.UTF-8"]


ODD_NAMES = [
    b"with space.nii.gz",
    b"new\nline.nii.gz",
    b"quo'te\".nii.gz",
    b"<script>alert(1)<|script>.nii.gz",
    b"-leading-dash.nii.gz",
    b"--slice-wise",
    b"not-utf8-\xff\xfe.nii.gz",
    "Größe×3.nii.gz".encode(),
    b"[a,b]",
    b"check",
    b"x",
    b"$(touch hacked).nii.gz",
    b"%s%n.nii.gz",
    b"a" * 248 + b".nii.gz",
]


@pytest.mark.parametrize("name", ODD_NAMES, ids=lambda name: repr(name)[2:30])
def test_odd_names_are_files_like_any_other(program, save, tmp_path, name):
    save("plain.nii.gz", blob(0))
    save(os.fsdecode(name), blob(0))
    done = subprocess.run(
        [program, "fuse", "-o", "out.nii.gz", "--json", "r.json", "--", "plain.nii.gz", name],
        cwd=tmp_path,
        capture_output=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    record = json.loads((tmp_path / "r.json").read_text())
    assert len(record["raters"]) == 2
    shown = done.stderr.decode("utf-8")
    assert all(c >= " " or c == "\n" for c in shown)
    assert not (tmp_path / "hacked").exists()


def test_an_odd_name_in_an_error_is_escaped(program, tmp_path):
    done = subprocess.run(
        [program, "fuse", b"bad\x1b[31m\xff\nname.nii", "-o", "out.nii.gz"],
        cwd=tmp_path,
        capture_output=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 3
    assert done.stderr.count(b"\n") == 1 and b"\x1b" not in done.stderr and b"\xff" not in done.stderr


@pytest.mark.parametrize("typed", [b"fu\x1bse", b"\xff"])
def test_an_odd_command_in_an_error_is_escaped(program, tmp_path, typed):
    done = subprocess.run([program, typed], cwd=tmp_path, capture_output=True, timeout=PATIENCE)
    assert done.returncode == 2 and b"\x1b" not in done.stderr and b"\xff" not in done.stderr


def test_an_odd_method_in_an_error_is_escaped(program, tmp_path):
    done = subprocess.run(
        [program, "fuse", "a", "-o", "b", "-m", b"\x1b[2J\xff"], cwd=tmp_path, capture_output=True, timeout=PATIENCE
    )
    assert done.returncode == 2 and b"\x1b" not in done.stderr and b"\xff" not in done.stderr
