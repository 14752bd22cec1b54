# SPDX-License-Identifier: Apache-2.0
"""The commands of README.md work when they are pasted in order into an empty folder, and so do those of the pages."""

import os
import re
import subprocess

import nibabel
import numpy
import pytest
from subject import PATIENCE, ROOT, SLOWDOWN

pytestmark = pytest.mark.skipif(SLOWDOWN > 1, reason="the commands are run without a sanitizer in the same stage")

BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
# These build and install; test/checks/consumer, test/package and .ci run them.
OF_THE_CHECKOUT = re.compile(r"(scripts/\w+)|cmake --install")


def shell_blocks(text):
    return [match[1] for match in BLOCK.finditer(text)]


def for_users(block):
    """The lines that are run with an installed program."""
    return [line for line in block.splitlines() if not OF_THE_CHECKOUT.match(line)]


@pytest.fixture
def shell(program, tmp_path):
    """Runs lines as one script in the test's folder, where `crema` is the program under test."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "crema").symlink_to(program)
    folder = tmp_path / "empty"
    folder.mkdir()

    def run(script):
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=folder,
            env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    run.folder = folder
    return run


def test_the_readme_pasted_in_order_works(shell):
    blocks = shell_blocks((ROOT / "README.md").read_text(encoding="utf-8"))
    lines = [line for block in blocks for line in for_users(block)]
    assert len([line for line in lines if line.startswith("crema ")]) > 20
    done = shell("\n".join(lines))
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    for name in ("consensus.nii.gz", "report.html", "labels.html", "results/cohort.html", "study/study.md"):
        assert (shell.folder / name).stat().st_size > 0, name


def test_the_summary_of_a_conflict_is_what_the_page_on_labels_shows(crema, save):
    text = (ROOT / "docs/labels.md").read_text(encoding="utf-8")
    text = text.partition("## A conflict")[2].partition("\n## ")[0]
    rows = re.findall(r"^    rater \d +([\d ]+)$", text, re.MULTILINE)
    maps = [numpy.array(row.split(), numpy.uint8).reshape(-1, 1, 1) for row in rows]
    done = crema("fuse", *[save(f"rater-{k}.nii.gz", labels) for k, labels in enumerate(maps)], "--labels", "all")
    shown = re.findall(r"^    ((?:jaccard|disputed|  ) .*)$", text, re.MULTILINE)
    assert len(rows) == 3 and len(shown) == 3
    for line in shown:
        assert line in done.err.splitlines() or line in done.out.splitlines(), done


def test_the_scripts_that_the_readme_names_exist():
    for name in re.findall(r"\bscripts/\w+", (ROOT / "README.md").read_text(encoding="utf-8")):
        assert os.access(ROOT / name, os.X_OK), name


def test_the_first_commands_of_the_page_on_cohorts_work_in_order(shell):
    (shell.folder / "data").mkdir()
    cases = "for k in 1 2; do crema demo -o data/case-$k --size 24,24,8 --raters 3 --seed $k; done\n"
    done = shell(cases + shell_blocks((ROOT / "docs/cohort.md").read_text(encoding="utf-8"))[0])
    assert done.returncode == 0, done.stderr


def example_data(folder):
    """What the pages talk of: raters with labels, an image, segments, probability maps and a consensus."""
    random = numpy.random.default_rng(5)
    affine = numpy.diag([1.0, 1.0, 3.0, 1.0])
    x, y, z = numpy.indices((24, 22, 8))
    for k in range(1, 4):
        labels = ((x - 11) ** 2 + (y - 10 - k) ** 2 + 4 * (z - 4) ** 2 < 70).astype(numpy.uint8)
        labels[(x - 12 - k) ** 2 + (y - 11) ** 2 + 4 * (z - 4) ** 2 < 20] = 2
        labels[(x - 12) ** 2 + (y - 11) ** 2 + 4 * (z - 4) ** 2 < 5] = 4
        nibabel.Nifti1Image(labels, affine).to_filename(folder / f"rater-{k}.nii.gz")
    nibabel.Nifti1Image(random.normal(size=x.shape), affine).to_filename(folder / "flair.nii.gz")


# A page, and what its commands need besides: label maps are masks once a label is named.
PAGES = {"figure.md": ["--label", "1"], "figures.md": [], "labels.md": [], "report.md": ["--label", "1"]}


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_work(page, shell):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    commands = [line.split("#")[0] for line in re.findall(r"^    (crema (?!app).*)$", text, re.MULTILINE)]
    assert commands, f"docs/{page} has no commands"
    example_data(shell.folder)
    segments = "for k in 1 2 3; do crema fuse rater-$k.nii.gz -o rater-$k.seg.nrrd --labels liver=1,tumour=2 -q; done\n"
    done = shell(segments if any("seg.nrrd" in command for command in commands) else "true")
    assert done.returncode == 0, done.stderr
    for command in commands:
        # Pages repeat output names; a reader types one of the commands.
        done = shell(" ".join([command, *PAGES[page], "--force" if "-o " in command else ""]))
        assert done.returncode == 0, f"{command}\n{done.stderr}"
