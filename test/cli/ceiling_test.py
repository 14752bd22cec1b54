# SPDX-License-Identifier: Apache-2.0
"""--max-memory bounds the whole run: what does not fit is refused before it is taken."""

import csv
import json
import os
import subprocess

import nibabel
import numpy
import pytest
from conftest import PATIENCE

SANITIZED = os.environ.get("CREMA_SLOWDOWN", "1") != "1"
MEGABYTE = 1 << 20

pytestmark = pytest.mark.skipif(SANITIZED, reason="a sanitizer keeps memory of its own")


# A process starts with the peak of the one that it was made from, so that a small one stands between.
BETWEEN = """
import os, sys
code = os.waitstatus_to_exitcode(os.waitpid(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ), 0)[1])
import resource
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
"""


def run(program, *words):
    """Exit code, peak of what was resident, and what was said."""
    command = ["/usr/bin/python3", "-I", "-S", "-c", BETWEEN, program, *map(str, words)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=PATIENCE)
    *errors, last = done.stderr.decode().splitlines()
    code, kilobytes = map(int, last.split())
    return code, kilobytes * 1024, "\n".join(errors)


def save(folder, masks):
    paths = []
    for k, mask in enumerate(masks):
        paths.append(folder / f"rater-{k + 1}.nii")
        nibabel.Nifti1Image(mask, numpy.eye(4)).to_filename(paths[-1])
    return paths


def draw_lattice(size, k):
    """Voxels that touch nobody; the first rater has them all, each other misses some."""
    mask = numpy.zeros((size, size, size), numpy.uint8)
    mask[::2, ::2, ::2] = 1
    if k > 0:
        mask[:: 2 * k + 4, ::4, ::2] = 0
    return mask


@pytest.fixture(scope="module")
def lattice(tmp_path_factory):
    """128³ voxels, 262 144 components."""
    return save(tmp_path_factory.mktemp("lattice"), [draw_lattice(128, k) for k in range(3)])


@pytest.fixture(scope="module")
def noise(tmp_path_factory):
    """One component with about as many rows as voxels."""
    drawn = numpy.random.default_rng(5)
    masks = [(drawn.random((96, 96, 48)) < 0.5).astype(numpy.uint8) for _ in range(24)]
    return save(tmp_path_factory.mktemp("noise"), masks)


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """The same of 64 raters: what solvers hold of it is rows times raters."""
    drawn = numpy.random.default_rng(6)
    masks = [(drawn.random((64, 48, 32)) < 0.5).astype(numpy.uint8) for _ in range(64)]
    return save(tmp_path_factory.mktemp("many"), masks)


@pytest.fixture(scope="module")
def base(program, tmp_path_factory):
    """What the program takes for next to nothing: half a megabyte more or less from run to run, so the most of some."""
    paths = save(tmp_path_factory.mktemp("tiny"), [draw_lattice(4, k) for k in range(3)])
    return max(run(program, "fuse", *paths, "-o", paths[0].with_name("out.nii"), "-q", "--force")[1] for _ in range(7))


def stays_below(program, base, megabytes, *words):
    code, peak, errors = run(program, *words, "--max-memory", f"{megabytes}M", "-q")
    assert code in (0, 6), errors
    assert peak <= 1.15 * megabytes * MEGABYTE + base, (code, peak / MEGABYTE, errors)
    assert code == 0 or ("--max-memory" in errors and " MB" in errors), errors
    return code


LIMITS = [4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256]


@pytest.mark.parametrize("method", ["jaccard", "majority,average", "staple", "paper"])
def test_a_lattice_stays_below_the_ceiling(program, base, lattice, tmp_path, method):
    out = tmp_path / ("out" if "," in method or method == "paper" else "out.nii")
    codes = []
    for megabytes in LIMITS:
        words = ["-m", method, "-o", out, "--json", tmp_path / "record.json", "--force"]
        codes.append(stays_below(program, base, megabytes, "fuse", *lattice, *words))
        assert out.exists() == (0 in codes)
    assert codes[0] == 6 and codes == sorted(codes, reverse=True)
    assert codes[-1] == (6 if method == "paper" else 0)


@pytest.mark.parametrize("method", ["shape", "shape-soft", "staple-mrf", "local-staple"])
def test_spatial_methods_stay_below_the_ceiling(program, base, lattice, tmp_path, method):
    codes = [stays_below(program, base, m, "fuse", *lattice, "-m", method, "-o", tmp_path / "out.nii", "--force")
             for m in (16, 64, 128, 192, 512)]  # fmt: skip
    assert codes[0] == 6 and codes[-1] == 0


@pytest.mark.parametrize("command", ["agreement", "compare", "certify", "cohort"])
def test_many_components_stay_below_the_ceiling_of_every_command(program, base, lattice, tmp_path, command):
    """What is found out about each component is asked for before it is taken."""
    words = {
        "agreement": ["agreement", *lattice, "--no-surfaces", "--csv", tmp_path / "tables", "--force"],
        "compare": ["compare", *lattice, "-m", "jaccard,majority"],
        "certify": ["certify", lattice[0], *lattice],
        "cohort": ["cohort", "run", tmp_path / "data", "-o", tmp_path / "run", "--no-surfaces", "--force"],
    }[command]
    if command == "cohort":
        (tmp_path / "data/p1").mkdir(parents=True)
        for path in lattice:
            (tmp_path / "data/p1" / path.name).symlink_to(path)
    for megabytes in (48, 96, 128, 160, 192, 448):
        code, peak, errors = run(program, *words, "--max-memory", f"{megabytes}M", "-q")
        assert code in (0, 5, 6), errors
        most = 1.15 if command == "compare" else 1.05  # methods are compared part by part beside their decisions
        assert peak <= most * megabytes * MEGABYTE + base, (megabytes, code, peak / MEGABYTE, errors)
    assert code == 0, errors


def test_a_component_of_many_rows_stays_below_the_ceiling(program, base, noise, tmp_path):
    codes = [stays_below(program, base, m, "fuse", *noise, "-m", "majority", "-o", tmp_path / "out.nii", "--force")
             for m in (4, 8, 16, 32, 64, 128, 256)]  # fmt: skip
    assert codes[0] == 6 and codes[-1] == 0


@pytest.mark.parametrize(
    "words",
    [
        ["fuse", "-m", "jaccard"],
        ["fuse", "-m", "soergel"],
        ["fuse", "-m", "paper"],
        ["agreement"],
        ["compare", "-m", "jaccard,majority"],
        ["certify"],
        ["report", "-o", "page.html", "--force"],
    ],
    ids=" ".join,
)
def test_rows_of_many_raters_stay_below_the_ceiling(program, base, many, tmp_path, words):
    words = [tmp_path / word if word == "page.html" else word for word in words]
    masks = [many[0], *many] if words[0] == "certify" else many
    for megabytes in (16, 48, 96):
        stays_below(program, base, megabytes, words[0], *masks, *words[1:])
    assert stays_below(program, base, 160, "fuse", *many, "-m", "jaccard") == 0


def test_memory_is_told_in_the_units_it_was_given_in(program, lattice):
    for given, told in (("1k", "1.0 kB are allowed"), ("2M", "2.0 MB are allowed"), ("0.5M", "512.0 kB are allowed")):
        code, _, errors = run(program, "fuse", *lattice, "--max-memory", given)
        assert code == 6 and told in " ".join(errors.split()), errors


@pytest.mark.parametrize(
    "megabytes, words, stage, fix",
    [
        (2, [], "2097152 voxels and 3 raters", "raise --max-memory"),
        (12, [], "finding the components", "crop the images"),
        (40, ["--threads", "2"], "counting the crowns of 262144 components", "--low-memory"),
        (80, [], "deciding by 1 method", "crop the images"),
        (150, ["-m", "paper"], "deciding by 3 methods", "fewer methods at once"),
    ],
)
def test_the_refusal_names_stage_estimate_and_fix(program, lattice, megabytes, words, stage, fix):
    code, _, errors = run(program, "fuse", *lattice, *words, "--max-memory", f"{megabytes}M")
    assert code == 6 and stage in errors and fix in errors, errors


def test_the_table_of_components_is_written_as_it_goes(program, base, lattice, tmp_path):
    words = ["fuse", *lattice, "-q", "--force", "--json", tmp_path / "record.json"]
    _, without, _ = run(program, *words)
    code, peak, errors = run(program, *words, "--components", tmp_path / "table.csv")
    assert code == 0, errors
    assert peak <= without + 4 * MEGABYTE
    record = json.loads((tmp_path / "record.json").read_text())
    rows = list(csv.DictReader((tmp_path / "table.csv").open()))
    assert "component_table" not in record and record["components"] == len(rows) == 64**3
    assert record["component_summary"]["kept"] == sum(int(row["kept"]) for row in rows)
    assert record["voxels"] == sum(int(row["consensus_voxels"]) for row in rows)
    assert [int(row["component"]) for row in rows] == list(range(1, 64**3 + 1))
    assert (peak - base) / len(rows) < 400  # all that is held of a component with one method


def test_the_table_agrees_with_the_record(program, tmp_path):
    masks = [draw_lattice(8, k) for k in range(3)]
    masks[1][0, 0, 1] = 1
    paths = save(tmp_path, masks)
    words = ["-m", "jaccard,majority", "-o", tmp_path / "out", "--components", tmp_path / "table.csv", "-q"]
    assert run(program, "fuse", *paths, *words)[0] == 0
    rows = list(csv.DictReader((tmp_path / "table.csv").open()))
    reply = []
    for result in json.loads((tmp_path / "out" / "record.json").read_text())["results"]:
        for number, row in enumerate(result["component_table"]):
            box = [*row["box"]["low"], *row["box"]["high"]]
            reply.append([number + 1, *box, row["union_voxels"], row["consensus_voxels"], int(row["kept"])])
            reply[-1].append(result["method"])
    assert [list(row.values()) for row in rows] == [[str(value) for value in row] for row in reply]


def test_the_table_is_one_of_the_outputs(program, tmp_path):
    paths = save(tmp_path, [draw_lattice(4, k) for k in range(3)])
    before = paths[0].read_bytes()
    code, _, errors = run(program, "fuse", *paths, "--components", paths[0], "--force")
    assert code == 2 and paths[0].read_bytes() == before, errors
    (tmp_path / "table.csv").write_text("mine")
    code, _, errors = run(program, "fuse", *paths, "--components", tmp_path / "table.csv")
    assert code == 2 and (tmp_path / "table.csv").read_text() == "mine", errors
