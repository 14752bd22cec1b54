# SPDX-License-Identifier: Apache-2.0
"""The table of bad inputs, case by case: verdict, exit code, sentence, memory, time, and nothing left behind.

Run with the program's path in the environment: CREMA=…/crema python3 -m pytest test/corpus/corpus_test.py
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import kit
import make
import nibabel
import nifti_bytes
import numpy
import pytest
from runner import Runner

SLOWDOWN = float(os.environ.get("CREMA_SLOWDOWN", "1"))
CREMA = os.environ.get("CREMA")
GERMAN = {"LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de", "TZ": "Asia/Kathmandu"}
NOBODY = 65534
MORE_MEMORY = 64  # MB above what the program takes for a sound file
# What to do, at the end of a refusal.
FIX = re.compile(
    r"[;:] [^;:]*\b(again|anew|convert|copy|choose|create|crop|cut|export|fetch|flatten|leave|name|put|replace|resample"
    r"|save|see|split|use|unpack|write|check|--force|--help)\b[^;]*$",
    re.IGNORECASE,
)
CASES = make.cases()


@pytest.fixture(scope="session")
def run():
    if not CREMA:
        pytest.fail("set CREMA to the program under test")
    runner = Runner()

    def start(arguments, folder, **keywords):
        return runner([str(Path(CREMA).resolve()), *arguments], folder, **keywords)

    yield start
    runner.close()


@pytest.fixture(scope="session")
def own_memory(run):
    """Of fusing three sound masks."""
    sound = next(case for case in CASES if case.id == "types/uint8-little-1-zipped")
    with tempfile.TemporaryDirectory() as folder:
        kit.put_all(folder, sound)
        return run(["fuse", *sound.inputs, "-o", "out.nii.gz", "--method", "majority"], folder).megabytes


def tree(folder):
    """Every file below a folder with its content."""
    found = {}
    for where, _, names in os.walk(os.fsencode(folder)):
        for name in names:
            path = os.path.join(where, name)
            regular = os.path.isfile(path) and not os.path.islink(path) and os.access(path, os.R_OK)
            regular = regular and os.path.getsize(path) < 1 << 28
            found[path] = hashlib.sha256(Path(os.fsdecode(path)).read_bytes()).hexdigest() if regular else "special"
    return found


@pytest.fixture
def folder(tmp_path, case):
    """The case's files. What root may do anyway is tried as nobody, who must be able to get there."""
    if not (case.unprivileged and os.geteuid() == 0):
        kit.put_all(tmp_path, case)
        yield str(tmp_path)
        return
    if not os.access(CREMA, os.X_OK) or not all(p.stat().st_mode & 1 for p in Path(CREMA).resolve().parents):
        pytest.skip("root may do everything, and nobody cannot run the program where it is")
    place = tempfile.mkdtemp()
    os.chmod(place, 0o777)
    kit.put_all(place, case)
    yield place
    shutil.rmtree(place)


def pattern(name):
    """What a file name looks like when printed: letters as they are, the rest somehow escaped."""
    pieces = re.split(r"[^\w./ -]+", os.fsdecode(name), flags=re.ASCII)
    return ".{1,20}".join(re.escape(piece) for piece in pieces)


def printable(text):
    """Nothing that would act on a terminal and no broken letters."""
    return not re.search("[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\udc80-\udcff]", text)


def says_it(case, sentences, before):
    """One of the sentences starts with the file and says all that belongs there."""
    about = [line for line in sentences if re.match(before + pattern(case.named or case.subject), line)]
    assert about, (case.id, sentences)
    for part in case.says:
        assert re.search(part, "\n".join(about)), (case.id, part, about)
    return about


def within_limits(case, done, own_memory, fused):
    """The record, which fuse prints, holds names as they are; sentences do not."""
    assert not done.hung and done.code >= 0, done
    assert done.busy < 5 * SLOWDOWN, done
    assert done.busy < 1 * SLOWDOWN or case.row not in ("meta", "detached"), done
    assert printable(done.err) and (done is fused or printable(done.out)), (done.out, done.err)
    assert "bug" not in done.err, done
    if SLOWDOWN == 1 and case.row != "raters":
        assert done.megabytes < own_memory + MORE_MEMORY, done


def named_inputs(case):
    """As one has to write them on a command line."""
    return ["--", *case.inputs] if any(os.fsencode(name).startswith(b"-") for name in case.inputs) else case.inputs


def check(run, folder, case, **keywords):
    return run(["check", *case.reading, *named_inputs(case)], folder, **keywords)


def fuse(run, folder, case, **keywords):
    options = ["-o", case.output, "--method", case.method, "--json", "-", *case.reading, *case.options]
    return run(["fuse", *options, *named_inputs(case)], folder, **keywords)


def warnings(done):
    """The sentences at the end of a run."""
    _, _, tail = done.err.partition("warning")
    return [line.strip() for line in tail.splitlines()[1:]]


def refused(case, checked, fused):
    assert fused.code == case.code, fused
    sentences = [line for line in fused.err.splitlines() if line.startswith("crema: ")]
    assert len(sentences) == 1, fused
    says_it(case, sentences, "crema: ")
    assert FIX.search(sentences[0]), sentences
    if case.check is None:
        return
    assert checked.code == case.check, checked
    if case.check == 3:
        bad = [line for line in checked.out.splitlines() if line.startswith("bad ")]
        assert bad, checked
        assert all(FIX.search(line) for line in says_it(case, bad, "bad +[0-9]* *")), bad


def no_such_number(text):
    raise AssertionError(f"{text} in the record")


def accepted(case, checked, fused, verdict):
    assert fused.code == 0, fused
    assert checked.code == 0, checked
    record = json.loads(fused.out, parse_constant=no_such_number)
    reply = warnings(fused)
    assert len(record["warnings"]) == len(reply), fused
    noted = warnings(checked)
    if verdict == "fine":
        assert not reply and not noted, (fused, checked)
    if verdict == "warning":
        says_it(case, reply, "")
        if case.row != "raters":
            says_it(case, noted, "")


def voxels(path):
    """Indexed [z, y, x]."""
    image = nibabel.load(path)
    assert numpy.isfinite(image.affine).all() and abs(numpy.linalg.det(image.affine)) > 1e-6, image.affine
    array = numpy.asanyarray(image.dataobj)
    return array.reshape(array.shape + (1,) * (3 - array.ndim)).transpose()


def same_elsewhere(run, folder, case, once):
    """Another locale and another time zone change nothing: not the bytes, not the sentences."""
    output = Path(folder, case.output)
    before = output.read_bytes() if case.verdict != "refused" and output.exists() else None
    if before is not None:
        output.unlink()
    again = fuse(run, folder, case, env=GERMAN)
    assert again.code == once.code
    if before is not None:
        assert output.read_bytes() == before

    def timeless(text):
        return re.sub(r"[\d.]+ s\b|\"run\": \{[^}]*\}", "", text)

    assert timeless(again.err) == timeless(once.err)
    assert timeless(again.out) == timeless(once.out)


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_case(run, own_memory, folder, case):
    user = NOBODY if case.unprivileged and os.geteuid() == 0 else None
    before = tree(folder)
    checked = check(run, folder, case, user=user) if case.check is not None else None
    assert tree(folder) == before, "check wrote something"
    fused = fuse(run, folder, case, user=user)
    after = tree(folder)
    runs = [done for done in (checked, fused) if done]
    for done in runs:
        within_limits(case, done, own_memory, fused)
    verdict = case.verdict
    if verdict == "warning or refused":
        verdict = "warning" if fused.code == 0 else "refused"
    # A busy machine may stall any run for a while; what waits for something does so every time.
    if max(done.seconds for done in runs) >= 5 * SLOWDOWN:
        again = fuse if verdict == "refused" else check
        assert any(again(run, folder, case, user=user).seconds < 5 * SLOWDOWN for _ in range(10)), runs
    if verdict == "refused":
        refused(case, checked, fused)
        assert after == before, "something is left behind"
    else:
        accepted(case, checked, fused, verdict)
        output = os.path.join(os.fsencode(folder), os.fsencode(case.output))
        assert after.keys() - before.keys() == {output}
        numpy.testing.assert_array_equal(voxels(os.fsdecode(output)), case.want)
    if user is None and SLOWDOWN == 1:
        same_elsewhere(run, folder, case, fused)


def test_every_row_of_the_table_has_cases():
    """The locale is tried with every case, a full disk in tests of its own."""
    assert {case.row for case in CASES} == set(kit.ROWS) - {"locale"}
    assert len({case.id for case in CASES}) == len(CASES)


def test_the_locale_is_there(run, tmp_path):
    """Else another locale means nothing."""
    done = subprocess.run(["locale", "decimal_point"], env={**os.environ, **GERMAN}, capture_output=True, text=True)
    if done.stdout.strip() != ",":
        pytest.skip("there is no German locale (LOCPATH): nothing was tried with a decimal comma")


def test_the_corpus_is_the_same_every_time(tmp_path):
    trees = []
    for name in ("once", "again"):
        make.make(str(tmp_path / name))
        trees.append(
            {os.path.relpath(path, os.fsencode(tmp_path / name)): hash for path, hash in tree(tmp_path / name).items()}
        )
    assert trees[0] == trees[1]


# A full disk


def raters(folder):
    """Masks whose consensus does not fit into a few kilobytes."""
    random = numpy.random.default_rng(1)
    masks = [(random.random((40, 64, 64)) < 0.5).astype("u1") for _ in range(3)]
    for k, mask in enumerate(masks):
        kit.put(folder, f"r{k}.nii.gz", kit.packed(nifti_bytes.nifti(mask), 1))
    return [f"r{k}.nii.gz" for k in range(3)]


ENDINGS = ["nii", "nii.gz", "hdr", "nrrd", "nhdr", "seg.nrrd", "mha", "mhd", "tif"]


def full(done, folder, before):
    assert done.code == 4, done
    assert re.match("crema: ", done.err.splitlines()[-1]) and "out." in done.err.splitlines()[-1], done
    assert tree(folder) == before, "something is left behind"


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_that_may_not_grow(run, tmp_path, ending):
    """As a quota has it; needs no right to mount anything."""
    names = raters(tmp_path)
    before = tree(tmp_path)
    full(run(["fuse", *names, "-o", f"out.{ending}"], tmp_path, file_size=4096), tmp_path, before)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_full_disk(run, tmp_path, ending):
    names = [str(tmp_path / name) for name in raters(tmp_path)]
    small = tmp_path / "small"
    small.mkdir()
    if (
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", str(small)], capture_output=True).returncode
        != 0
    ):
        pytest.skip("a small disk cannot be mounted here")
    try:
        full(run(["fuse", *names, "-o", f"small/out.{ending}"], tmp_path), small, {})
    finally:
        subprocess.run(["umount", str(small)], check=True)
