# SPDX-License-Identifier: Apache-2.0
"""Segmentations: segments as labels by name, one of them as a mask, and those that overlap."""

import gzip
import json

import nibabel
import numpy
import pytest
from labels_test import SIZE, ball, liver_and_tumour, load

COLOURS = {"liver": "0.8 0.4 0.3", "tumour": "0.1 0.9 0.2"}
EVERY = ["liver", "tumour"]


def write_segments(path, layers, segments):
    """`segments` are (name, layer, value); `layers` are arrays [x, y, z]."""
    lines = ["NRRD0004", "type: unsigned char", f"dimension: {4 if len(layers) > 1 else 3}"]
    sizes = " ".join(map(str, SIZE))
    vectors = "(1,0,0) (0,1,0) (0,0,2)"
    if len(layers) > 1:
        lines += [f"sizes: {len(layers)} {sizes}", "kinds: list domain domain domain"]
        lines += ["space: left-posterior-superior", f"space directions: none {vectors}"]
    else:
        lines += [f"sizes: {sizes}", "kinds: domain domain domain"]
        lines += ["space: left-posterior-superior", f"space directions: {vectors}"]
    lines += ["space origin: (0,0,0)", "encoding: raw"]
    for k, (name, layer, value) in enumerate(segments):
        about = {"ID": f"Segment_{k}", "Name": name, "LabelValue": value, "Layer": layer}
        about["Color"] = COLOURS.get(name, "0.5 0.5 0.5")
        lines += [f"Segment{k}_{key}:={text}" for key, text in about.items()]
    body = numpy.stack(layers, axis=0).astype(numpy.uint8).tobytes(order="F")
    path.write_bytes("\n".join([*lines, "", ""]).encode() + body)
    return path.name


def read_segments(path):
    """Each segment's name with its colour and its voxels."""
    head, body = path.read_bytes().split(b"\n\n", 1)
    fields = dict(line.replace(":=", ": ", 1).split(": ", 1) for line in head.decode().split("\n")[1:])
    sizes = [int(n) for n in fields["sizes"].split()]
    kind = numpy.dtype({"unsigned char": "u1", "unsigned short": "<u2"}[fields["type"]])
    layers = numpy.frombuffer(gzip.decompress(body), kind).reshape(sizes, order="F")
    layers = layers if len(sizes) == 4 else layers[numpy.newaxis]
    found = {}
    for k in range(len([key for key in fields if key.endswith("_ID")])):
        own = {key: fields[f"Segment{k}_{key}"] for key in ("Name", "Color", "Layer", "LabelValue", "Extent")}
        mask = layers[int(own["Layer"])] == int(own["LabelValue"])
        extent = [f(axis) for axis in numpy.nonzero(mask) for f in (numpy.min, numpy.max)] if mask.any() else None
        assert extent is None or [int(n) for n in own["Extent"].split()] == extent
        found[own["Name"]] = (own["Color"], mask)
    return found


@pytest.fixture
def studies(tmp_path):
    """Three raters, and the same maps without names."""
    maps = liver_and_tumour(5)
    affine = numpy.diag([-1, -1, 2, 1])
    for k, labels in enumerate(maps):
        write_segments(tmp_path / f"r{k}.seg.nrrd", [labels], [("liver", 0, 1), ("tumour", 0, 2)])
        nibabel.save(nibabel.Nifti1Image(labels, affine), tmp_path / f"r{k}.nii")
    return maps, [f"r{k}.seg.nrrd" for k in range(3)], [f"r{k}.nii" for k in range(3)]


def test_several_segments_and_nothing_said_names_the_ways_on(crema, studies):
    done = crema("fuse", *studies[1], "-o", "out.seg.nrrd")
    assert done.code == 3
    for part in ("r0.seg.nrrd", "liver and tumour", "--segment liver", "r0.seg.nrrd#liver", "--labels all"):
        assert part in done.err, part
    assert "--segments-are raters" in done.err


@pytest.mark.parametrize(
    "given", ["--labels=all", "--labels=liver,tumour", "--labels=1,2", "--labels=liver=1,tumour=2"]
)
def test_segments_are_labels_by_name(crema, studies, tmp_path, given):
    _, segmented, plain = studies
    assert crema("fuse", *segmented, "-o", "out.seg.nrrd", given, "--json", "record.json").code == 0
    assert crema("fuse", *plain, "-o", "out.nii", "--labels", "all").code == 0
    labels, _ = load(tmp_path, "out.nii")
    found = read_segments(tmp_path / "out.seg.nrrd")
    assert list(found) == EVERY
    for value, name in enumerate(EVERY, start=1):
        assert found[name][0] == COLOURS[name]
        numpy.testing.assert_array_equal(found[name][1], labels == value)
    record = json.loads((tmp_path / "record.json").read_text())
    assert [row["name"] for row in record["label_table"]] == EVERY
    assert [rater["file"] for rater in record["raters"]] == segmented


def test_names_count_not_numbers(crema, studies, tmp_path):
    maps, segmented, _ = studies
    assert crema("fuse", *segmented, "-o", "same.nii", "--labels", "all").code == 0
    other = numpy.choose(maps[1], [0, 7, 3])
    write_segments(tmp_path / "r1.seg.nrrd", [other], [("tumour", 0, 3), ("liver", 0, 7)])
    done = crema("fuse", *segmented, "-o", "out.nii", "--labels", "all")
    assert done.code == 0 and "1 liver, 2 tumour" in done.err
    assert (tmp_path / "same.nii").read_bytes()[352:] == (tmp_path / "out.nii").read_bytes()[352:]
    done = crema("fuse", *segmented, "-o", "no.nii", "--labels", "1,2")
    assert done.code == 3 and "by name" in done.err and "r1.seg.nrrd" in done.err
    done = crema("fuse", *segmented, "-o", "given.nii", "--labels", "tumour=9")
    assert done.code == 0 and "liver" in done.err
    assert set(numpy.unique(load(tmp_path, "given.nii")[0])) == {0, 9}


@pytest.mark.parametrize("how", ["option", "name"])
def test_one_segment_is_a_mask_and_keeps_name_and_colour(crema, studies, tmp_path, how):
    _, segmented, plain = studies
    chosen = [f"{name}#tumour" for name in segmented] if how == "name" else [*segmented, "--segment", "tumour"]
    done = crema("fuse", *chosen, "-o", "out.seg.nrrd", "--json", "record.json")
    assert done.code == 0, done.err
    assert crema("fuse", *plain, "-o", "out.nii", "--label", "2").code == 0
    found = read_segments(tmp_path / "out.seg.nrrd")
    assert list(found) == ["tumour"] and found["tumour"][0] == COLOURS["tumour"]
    numpy.testing.assert_array_equal(found["tumour"][1], load(tmp_path, "out.nii")[0] == 1)
    record = json.loads((tmp_path / "record.json").read_text())
    assert record["raters"][0]["file"] == "r0.seg.nrrd#tumour"
    assert record["inputs"][0]["path"] == "r0.seg.nrrd"
    assert crema("check", *chosen).code == 0


def test_two_segments_of_one_file_are_two_raters(crema, tmp_path):
    first, second, third = (ball((11 + k, 10, 4), 6) for k in range(3))
    write_segments(tmp_path / "a.seg.nrrd", [first, second], [("Ann", 0, 1), ("Bo", 1, 1)])
    write_segments(tmp_path / "b.seg.nrrd", [third], [("Cy", 0, 1)])
    named = ["a.seg.nrrd#Ann", "a.seg.nrrd#Bo", "b.seg.nrrd"]
    done = crema("fuse", *named, "-o", "out.nii")
    assert done.code == 0 and "same file" not in done.err
    assert crema("fuse", "a.seg.nrrd", "b.seg.nrrd", "--segments-are", "raters", "-o", "two.nii").code == 0
    assert (tmp_path / "out.nii").read_bytes() == (tmp_path / "two.nii").read_bytes()
    assert "same file" in crema("fuse", *named, named[0], "-o", "again.nii").err
    done = crema("fuse", *named, "-o", "a.seg.nrrd", "--force")
    assert done.code == 2 and "a.seg.nrrd" in done.err


def test_segments_that_overlap_are_fused_alone(crema, tmp_path):
    livers = [ball((11 + k, 10, 4), 8) for k in range(3)]
    tumours = [ball((13, 10 + k, 4), 4) for k in range(3)]
    names = []
    for k in range(3):
        layers = [livers[k], tumours[k]]
        names.append(write_segments(tmp_path / f"r{k}.seg.nrrd", layers, [("liver", 0, 1), ("tumour", 1, 1)]))
    done = crema("fuse", *names, "-o", "out.seg.nrrd", "--labels", "all", "--json", "record.json")
    assert done.code == 0 and "fused alone" in done.err, done.err
    found = read_segments(tmp_path / "out.seg.nrrd")
    for name in EVERY:
        assert crema("fuse", *names, "-o", f"{name}.nii", "--segment", name).code == 0
        numpy.testing.assert_array_equal(found[name][1], load(tmp_path, f"{name}.nii")[0] == 1)
    record = json.loads((tmp_path / "record.json").read_text())
    assert record["overlapping"] is True
    assert record["voxels_of_several_labels"] == (found["liver"][1] & found["tumour"][1]).sum() > 0
    done = crema("fuse", *names, "-o", "out.nii", "--labels", "all")
    assert done.code == 3 and ".seg.nrrd" in done.err and not (tmp_path / "out.nii").exists()
    done = crema("fuse", *names, "-o", "staple.seg.nrrd", "--labels", "all", "--method", "staple")
    assert done.code == 2 and "overlap" in done.err
    assert crema("fuse", *names, "-o", "tumour.nii", "--labels", "tumour", "--force").code == 0


def test_layers_without_overlaps_are_one_label_map(crema, studies, tmp_path):
    maps, segmented, plain = studies
    for k, labels in enumerate(maps):
        layers = [labels == 1, labels == 2]
        write_segments(tmp_path / segmented[k], layers, [("liver", 0, 1), ("tumour", 1, 1)])
    assert crema("fuse", *segmented, "-o", "out.nii", "--labels", "all").code == 0
    assert crema("fuse", *plain, "-o", "plain.nii", "--labels", "all").code == 0
    numpy.testing.assert_array_equal(load(tmp_path, "out.nii")[0], load(tmp_path, "plain.nii")[0])


def test_files_with_names_and_files_with_numbers(crema, studies, tmp_path):
    _, segmented, plain = studies
    mixed = [segmented[0], plain[1], plain[2]]
    done = crema("fuse", *mixed, "-o", "out.nii", "--labels", "all")
    assert done.code == 3 and "r1.nii" in done.err and "liver=1" in done.err
    assert crema("fuse", *mixed, "-o", "out.nii", "--labels", "liver=1,tumour=2").code == 0
    assert crema("fuse", *plain, "-o", "plain.nii", "--labels", "all").code == 0
    numpy.testing.assert_array_equal(load(tmp_path, "out.nii")[0], load(tmp_path, "plain.nii")[0])
    done = crema("fuse", *plain, "-o", "names.nii", "--labels", "liver")
    assert done.code == 3 and "without names" in done.err


@pytest.mark.parametrize(
    "arguments",
    [["--segment", "spleen"], ["--labels", "liver,spleen"], ["--labels", "spleen=3"]],
)
def test_a_segment_nobody_has_is_refused_with_those_there_are(crema, studies, arguments):
    done = crema("fuse", *studies[1], "-o", "out.nii", *arguments)
    assert done.code == 3
    assert "spleen" in done.err and "liver and tumour" in done.err


@pytest.fixture
def consensus(crema, studies):
    """Both segments, and the voxels of each."""
    assert crema("fuse", *studies[1], "--labels", "all", "-o", "consensus.seg.nrrd").code == 0
    return "consensus.seg.nrrd"


def test_a_segment_of_the_consensus_is_certified_by_name(crema, studies, consensus, tmp_path):
    size = {name: int(mask.sum()) for name, (_, mask) in read_segments(tmp_path / consensus).items()}
    assert len(set(size.values())) == 2
    for name in ("liver", "tumour"):
        raters = [f"{file}#{name}" for file in studies[1]]
        for words in ([f"{consensus}#{name}", *raters], [consensus, *studies[1], "--segment", name]):
            done = crema("certify", *words)
            assert done.code == 0 and f"({size[name]} voxels" in done.out, done
    done = crema("certify", consensus, *raters)
    assert done.code == 3 and f"{consensus}#liver" in done.err and "2 segments" in done.err, done
    done = crema("certify", f"{consensus}#spleen", *raters)
    assert done.code == 3 and "has no segment 'spleen'" in done.err, done
    done = crema("certify", f"{consensus}#liver", *studies[1], "--labels", "all")
    assert done.code == 3 and "give the whole file" in done.err, done


def test_a_segment_is_named_wherever_a_file_is(crema, studies, consensus, tmp_path):
    """As the consensus, a candidate, the grid and the region; none of them is ever replaced."""
    raters = [f"{file}#tumour" for file in studies[1]]
    named = f"{consensus}#tumour"
    runs = [
        (["agreement", *raters, "--consensus", named], []),
        (["agreement", *raters, "--candidate", named], []),
        (["certify", named, *raters], []),
        (["fuse", *raters, "--like", named], []),
        (["fuse", *raters, "--like", consensus], []),
        (["fuse", *raters, "--roi", named, "-m", "staple"], []),
    ]
    before = (tmp_path / consensus).read_bytes()
    for words, more in runs:
        done = crema(*words, "--json", "record.json", "--force", *more)
        assert done.code == 0, done
        done = crema(*words, "--json", consensus, "--force")
        assert done.code == 2 and "is the input" in done.err, done
    assert (tmp_path / consensus).read_bytes() == before
    inputs = [fact["path"] for fact in json.loads((tmp_path / "record.json").read_text())["inputs"]]
    assert consensus in inputs
    done = crema("fuse", *raters, "--roi", consensus, "-m", "staple")
    assert done.code == 3 and f"{consensus}#liver" in done.err, done


def test_a_cohort_takes_a_segment_for_a_region(crema, studies, consensus, tmp_path):
    for k in range(3):
        (tmp_path / "data/p1").mkdir(parents=True, exist_ok=True)
        done = crema("fuse", f"{studies[1][k]}#tumour", "-o", f"data/p1/r{k}.nii.gz")
        assert done.code == 0, done
    words = ["cohort", "run", "data", "-o", "run", "-m", "staple", "--roi", f"{consensus}#liver"]
    assert crema(*words).code == 0
    assert "1 already there" in " ".join(crema(*words).out.split())
    assert crema("fuse", studies[1][0], "--labels", "all", "-o", consensus, "--force").code == 0
    assert crema(*words).code != 0


def test_label_maps_have_no_segments(crema, studies):
    done = crema("fuse", *studies[2], "-o", "out.nii", "--segment", "liver")
    assert done.code == 3 and "no segments" in done.err and "r0.nii" in done.err
    done = crema("fuse", *studies[1], "-o", "out.nii", "--segment", "liver", "--labels", "all")
    assert done.code == 2 and "exclude" in done.err


def test_ids_that_two_files_share_are_distinct_in_the_output(crema, tmp_path):
    """Slicer numbers ids in each file: here the second segment is a tumour, there a vessel."""
    for name, second in (("a", "tumour"), ("b", "vessel")):
        labels = ball((11, 10, 4), 8) + ball((14, 10, 4), 4).astype(numpy.uint8)
        write_segments(tmp_path / f"{name}.seg.nrrd", [labels], [("liver", 0, 1), (second, 0, 2)])
    done = crema("fuse", "a.seg.nrrd", "b.seg.nrrd", "-o", "out.seg.nrrd", "--labels", "all")
    assert done.code == 0, done.err
    assert list(read_segments(tmp_path / "out.seg.nrrd")) == ["liver", "tumour", "vessel"]
    assert "'tumour' and 'vessel' have the same label value 2" in " ".join(done.err.split())
    done = crema("check", "out.seg.nrrd", "--segment", "vessel")
    assert "damaged" not in done.err and "id" not in done.err.split()


def test_layers_that_all_store_one_are_not_numbered_differently(crema, tmp_path):
    names = []
    for k in range(2):
        layers = [ball((8 + k, 10, 4), 4), ball((17, 10, 4), 4)]
        names.append(write_segments(tmp_path / f"r{k}.seg.nrrd", layers, [("liver", 0, 1), ("spleen", 1, 1)]))
    done = crema("fuse", *names, "-o", "out.nii", "--labels", "all")
    assert done.code == 0 and "differently" not in done.err
    assert "'liver' and 'spleen' have the same label value 1" in " ".join(done.err.split())


def test_masks_from_segments_of_different_names_need_a_yes(crema, tmp_path, nothing_new):
    for name, segment in (("a", "liver"), ("b", "kidney"), ("c", "Liver")):
        write_segments(tmp_path / f"{name}.seg.nrrd", [ball((11, 10, 4), 6)], [(segment, 0, 1)])
    nothing_new.start()
    done = crema("fuse", "a.seg.nrrd", "b.seg.nrrd", "-o", "out.nii")
    reply = " ".join(done.err.split())
    assert done.code == 3
    for part in ("'liver'", "'kidney'", "--labels all", "--segments-are raters"):
        assert part in reply, part
    nothing_new.check()
    assert crema("fuse", "a.seg.nrrd", "b.seg.nrrd", "-o", "yes.nii", "--segments-are", "raters").code == 0
    assert crema("fuse", "a.seg.nrrd#liver", "b.seg.nrrd#kidney", "-o", "both.nii").code == 0
    for half in (["a.seg.nrrd#liver", "b.seg.nrrd"], ["b.seg.nrrd", "a.seg.nrrd#liver", "c.seg.nrrd"]):
        done = crema("fuse", *half, "-o", "half.nii")
        assert done.code == 3 and "give b.seg.nrrd#kidney if both show the same structure" in done.err, done
    assert crema("fuse", "a.seg.nrrd#liver", "c.seg.nrrd", "-o", "half.nii").code == 0
    done = crema("fuse", "a.seg.nrrd", "c.seg.nrrd", "-o", "case.nii")
    assert done.code == 0 and "'Liver'" in done.err and "treated as the same" in " ".join(done.err.split())
