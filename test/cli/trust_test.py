# SPDX-License-Identifier: Apache-2.0
"""What used to mislead with an exit code of 0: outputs that collide, files that mislead together, silent choices."""

import json

import nibabel
import numpy
import pytest
from conftest import AFFINE, blob
from refusal_test import refused


@pytest.fixture
def pairs(crema, raters):
    """Each rater as a header with a data file of its own, by ending."""

    def convert(ending):
        names = []
        for k, rater in enumerate(raters, 1):
            names.append(f"pair-{k}{ending}")
            assert crema("fuse", rater, "-o", names[-1], "-q").code == 0
        return names

    return convert


@pytest.mark.parametrize("ending,part", [(".mhd", ".zraw"), (".nhdr", ".raw.gz"), (".hdr", ".img")])
def test_a_record_never_replaces_a_part_of_a_rater(crema, pairs, tmp_path, ending, part):
    names = pairs(ending)
    voxels = tmp_path / f"pair-1{part}"
    before = voxels.read_bytes()
    refused(crema("fuse", *names, "-o", "c.nii.gz", "--json", voxels.name, "--force"), 2, voxels.name, "is the input")
    assert voxels.read_bytes() == before and not (tmp_path / "c.nii.gz").exists()


@pytest.mark.parametrize("image,part", [("z.mhd", "z.zraw"), ("y.hdr", "y.img"), ("x.nhdr", "x.raw.gz")])
def test_a_record_never_replaces_a_part_of_the_image(crema, raters, tmp_path, image, part):
    refused(crema("fuse", *raters, "-o", image, "--json", part, "--force"), 2, part, "both the image and the record")
    assert not (tmp_path / image).exists() and not (tmp_path / part).exists()


def test_a_certificate_never_replaces_a_part_of_its_inputs(crema, pairs, raters, tmp_path):
    consensus = pairs(".mhd")[0]
    before = (tmp_path / "pair-1.zraw").read_bytes()
    refused(crema("certify", consensus, *raters, "--json", "pair-1.zraw", "--force"), 2, "pair-1.zraw")
    assert (tmp_path / "pair-1.zraw").read_bytes() == before


@pytest.mark.parametrize("name", ["all.tiff", "all.mha", "all.nii", "all.seg.nrrd", "all.png"])
def test_several_methods_take_no_image_as_a_folder(crema, raters, tmp_path, name):
    refused(crema("fuse", *raters, "-o", name, "-m", "jaccard,dice"), 2, name, "looks like an image")
    assert not (tmp_path / name).exists()


def test_a_run_that_fails_late_leaves_all_results_of_the_run_before(crema, raters, tmp_path):
    assert crema("fuse", *raters, "-o", "out", "-m", "jaccard,majority", "-q").code == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    (tmp_path / "out" / "staple.nii.gz").mkdir()
    result = crema("fuse", *raters, "-o", "out", "-m", "jaccard,majority,staple", "--force")
    assert result.code in (2, 4), result
    (tmp_path / "out" / "staple.nii.gz").rmdir()
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before


def test_a_label_nobody_has_is_refused_with_those_there_are(crema, save, tmp_path):
    labels = blob(0) + blob(1)
    names = [save(f"l{k}.nii.gz", labels) for k in (1, 2)]
    refused(crema("fuse", *names, "-o", "o.nii.gz", "--label", "7"), 3, "7", "0, 1, 2")
    assert not (tmp_path / "o.nii.gz").exists()


@pytest.mark.parametrize("method", ["staple", "shape", "local-staple", "simple"])
def test_slices_are_refused_by_methods_they_do_not_concern(crema, raters, method):
    result = crema("fuse", *raters, "-o", "o.nii.gz", "-m", method, "--slice-wise", "z")
    refused(result, 2, "--slice-wise applies to", f"not to {method}")


def test_crops_of_one_lattice_fuse_in_any_order(crema, save, tmp_path):
    whole = [blob(0), blob(1), blob(1)]
    parts = [(slice(0, 9), slice(0, 9), slice(0, 6)), (slice(2, 12), slice(1, 10), slice(0, 5)), (slice(0, 12),) * 3]
    names, full = [], [save(f"w{k}.nii.gz", mask) for k, mask in enumerate(whole)]
    for k, (mask, part) in enumerate(zip(whole, parts)):
        affine = AFFINE.copy()
        affine[:3, 3] = AFFINE[:3, :3] @ [axis.start for axis in part]
        names.append(save(f"c{k}.nii.gz", mask[part], affine))
    assert crema("fuse", *full, "-o", "full.nii.gz", "-q").code == 0
    want = numpy.asarray(nibabel.load(tmp_path / "full.nii.gz").dataobj)
    for order in ([0, 1, 2], [1, 2, 0], [2, 0, 1]):
        result = crema("fuse", *[names[k] for k in order], "-o", "o.nii.gz", "--force")
        assert result.code == 0 and "padded with background" in result.err, result
        image = nibabel.load(tmp_path / "o.nii.gz")
        got = numpy.zeros_like(want)
        low = numpy.rint(numpy.linalg.inv(AFFINE) @ image.affine[:, 3])[:3].astype(int)
        box = tuple(slice(a, a + n) for a, n in zip(low, image.shape))
        got[box] = numpy.asarray(image.dataobj)
        assert (got == want).all()
    assert crema("fuse", *names, "-o", "o.nii.gz", "--force", "--like", full[0]).code == 0
    assert (numpy.asarray(nibabel.load(tmp_path / "o.nii.gz").dataobj) == want).all()


def test_two_runs_differ_in_nothing_but_what_stands_under_run(crema, raters):
    records = [json.loads(crema("fuse", *raters, "-m", "dice", "--json", "-").out) for _ in range(2)]
    for record in records:
        assert set(record.pop("run")) >= {"date", "seconds"}
        assert [len(fact["sha256"]) for fact in record["inputs"]] == [64, 64, 64]
    assert records[0] == records[1]
    bare = json.loads(crema("fuse", *raters, "-m", "dice", "--json", "-", "--no-provenance").out)
    assert "run" not in bare and "inputs" not in bare


def test_numbers_alone_need_no_place_for_an_image(crema, raters, nothing_new):
    nothing_new.start()
    result = crema("fuse", *raters, "-m", "jaccard, dice")
    nothing_new.check()
    assert result.code == 0 and "jaccard" in result.err and "dice" in result.err, result


def test_levels_are_certified_by_a_soft_distance_unless_told_otherwise(crema, raters):
    assert crema("fuse", *raters, "-o", "levels.nii.gz", "-m", "average", "-q").code == 0
    result = crema("certify", "levels.nii.gz", *raters)
    assert result.code == 0 and "soergel" in result.out, result
    assert "jaccard" in crema("certify", raters[0], *raters).out


def test_a_rater_who_meets_nobody_is_named(crema, save):
    far = numpy.flip(blob(0), 0).copy()
    far[:] = 0
    far[0:2, 0:2, 5] = 1
    names = [save("a.nii.gz", blob(0)), save("b.nii.gz", blob(1)), save("stranger.nii.gz", far)]
    result = crema("fuse", *names, "-o", "o.nii.gz")
    assert result.code == 0 and result.err.count("stranger.nii.gz") >= 1, result


def test_a_file_given_twice_is_told_once(crema, raters):
    result = crema("fuse", *raters, raters[0])
    assert result.err.count("rater 4 is the same file as rater 1") == 1, result
    assert "identical to rater 1" not in result.err, result


def test_an_error_stands_first_and_last(crema, raters, save, tmp_path):
    odd = save("odd.nii.gz", blob(0) * 7)
    (tmp_path / "cut.nii.gz").write_bytes((tmp_path / raters[1]).read_bytes()[:-6])
    result = crema("fuse", odd, raters[0], "cut.nii.gz", "-o", "o.nii.gz")
    lines = result.err.strip().splitlines()
    assert result.code == 3 and lines[-1].startswith("crema: cut.nii.gz"), result


def test_meant_words_are_understood(crema):
    assert crema("version").out == crema("--version").out
    assert crema("help").out == crema("--help").out
    assert crema("help", "fuse").out == crema("fuse", "--help").out


@pytest.mark.parametrize("typed,meant", [("-method", "--method"), ("--out", "--output"), ("--forc", "--force")])
def test_what_was_meant_is_suggested(crema, raters, typed, meant):
    refused(crema("fuse", *raters, typed, "dice"), 2, f"Did you mean {meant}?")


def test_one_dash_too_few_is_all_that_is_said(crema, raters):
    assert crema("fuse", *raters, "-method", "dice").err.startswith("crema: unknown option -method. Did you mean")


@pytest.mark.parametrize("typed", ["--verbose", "-v"])
def test_whoever_wants_more_words_is_told_who_has_them(crema, raters, typed):
    refused(crema("fuse", *raters, typed), 2, f"unknown option {typed}.", "unless --quiet")


@pytest.mark.parametrize("command", ["fuse", "certify", "background", "check"])
def test_every_command_that_reads_raters_can_be_quiet_and_write_a_record(crema, raters, command):
    inputs = [raters[0], *raters] if command == "certify" else raters
    result = crema(command, *inputs, "-q", "--json", "-")
    assert result.code == 0 and result.err == "" and json.loads(result.out)["crema"], result
    result = crema(command, *inputs, "-q", "--json", "record.json")
    assert (result.code, result.out, result.err) == (0, "", ""), result


def test_overwrite_is_another_word_for_force(crema, raters):
    for _ in range(2):
        assert crema("fuse", *raters, "-o", "o.nii.gz", "--overwrite", "-q").code == 0


def test_a_number_is_no_axis(crema, raters):
    refused(crema("fuse", *raters, "-o", "o.nii.gz", "--slice-wise", "3"), 2, "--slice-wise: 3 is not one of")


ENDINGS = [".nii.gz", ".nii", ".hdr", ".nrrd", ".nhdr", ".seg.nrrd", ".mha", ".mhd", ".tif"]


@pytest.mark.parametrize("command", ["fuse", "check"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_consensus_among_the_raters_is_noticed(crema, raters, ending, command):
    name = f"consensus{ending}"
    assert crema("fuse", *raters, "-o", name, "-q").code == 0
    result = crema(command, *raters, name)
    reply = name + ("#consensus" if ending == ".seg.nrrd" else "")
    assert result.code == 0 and result.err.count(f"{reply}: is a consensus written by crema") == 1, result


@pytest.mark.parametrize("method", ["jaccard", "average"])
def test_a_flat_consensus_among_the_raters_is_noticed(crema, save, method):
    names = [save(f"s{k}.nii.gz", blob(k)[:, :, 2]) for k in (0, 1)]
    assert crema("fuse", *names, "-o", "consensus.png", "-m", method, "-q").code == 0
    result = crema("fuse", *names, "consensus.png", "--threshold", "0.5")
    assert result.code == 0 and result.err.count("consensus.png: is a consensus") == 1, result


def test_what_was_not_made_of_raters_is_no_consensus(crema):
    assert crema("demo", "-o", "demo", "--kind", "cord", "--raters", "3").code == 0
    result = crema("check", *[f"demo/rater-{k}.nii.gz" for k in (1, 2, 3)])
    assert result.code == 0 and "is a consensus" not in result.err, result


@pytest.mark.parametrize("command", ["fuse", "check"])
def test_slices_of_another_thickness_are_told_in_words(crema, save, command):
    thick = AFFINE.copy()
    thick[2, 2] = 9
    names = [save("thin.nii.gz", blob(0)), save("thick.nii.gz", blob(1)[:, :, ::3].copy(), thick)]
    result = crema(command, *names)
    reply = result.out + result.err
    assert result.code == 3 and "its slices across z lie 9 mm apart, not 3;" in reply and "resample" in reply, result
    same = [names[0], save("tall.nii.gz", blob(1), thick)]
    result = crema(command, *same)
    assert result.code == 3 and "lie 9 mm apart, not 3;" in result.out + result.err, result


@pytest.mark.parametrize("command", ["fuse", "check"])
def test_single_slices_of_another_thickness_are_noticed(crema, save, command):
    thick = AFFINE.copy()
    thick[2, 2] = 9
    names = [save("thin.nii.gz", blob(0)[:, :, 2:3]), save("thick.nii.gz", blob(1)[:, :, 2:3], thick)]
    result = crema(command, *names)
    assert result.code == 0 and result.err.count("thick.nii.gz: its slice is 9 mm thick, that of thin.nii.gz 3 mm") == 1


@pytest.mark.parametrize("command", ["fuse", "check"])
def test_numbers_in_names_are_read_as_numbers(crema, save, command):
    names = [save(f"r{k}.nii.gz", blob(k % 3)) for k in (1, 10, 2)]
    result = crema(command, *names)
    assert result.code == 0 and result.err.count("r10.nii.gz is rater 2 and r2.nii.gz is rater 3") == 1, result
    assert "is rater 2" not in crema(command, names[0], names[2], names[1]).err
    assert "is rater 2" not in crema(command, names[1], names[0], names[2]).err


def test_raters_are_listed_by_number_where_numbers_are_used(crema, raters):
    for options in (["-m", "staple"], ["-m", "jaccard", "--weights", "auto"]):
        lines = crema("fuse", *raters, *options).err.splitlines()
        assert [line.split() for line in lines[1:4]] == [[str(k), name] for k, name in enumerate(raters, 1)]
    assert "rater-2.nii.gz" not in crema("fuse", *raters, "--no-gap").err.split("warning")[0]


def test_what_to_cite_is_printed_ready_to_paste(crema):
    one = " ".join(crema("cite").out.split())
    assert "MACCHIatO-J [hamzaoui2023macchiato]" in one and "@article{hamzaoui2023macchiato," in one
    several = crema("cite", "--method", "jaccard, staple").out
    assert "MML STAPLE [warfield2004staple]" in " ".join(several.split())
    assert several.count("@article") == 2 and several.count("@software{crema,") == 1
    assert crema("cite", "--bibtex").out.startswith("@software{crema,")
    refused(crema("cite", "-m", "jacard"), 2, "Did you mean jaccard")
