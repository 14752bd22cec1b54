# SPDX-License-Identifier: Apache-2.0
"""crema import and crema export: what people see, and what they get for files that are not right."""

import json
import os
import resource
import subprocess
import zipfile

import pytest
from plain import read_csv

SQUARE = [[2, 2, 8, 2, 8, 8, 2, 8]]


def coco(objects=((7, 3, SQUARE),), categories=((3, "cell"),), pictures=((7, "a.jpg", 12, 10),)):
    return {
        "images": [{"id": i, "file_name": name, "width": w, "height": h} for i, name, w, h in pictures],
        "categories": [{"id": i, "name": name} for i, name in categories],
        "annotations": [
            {"id": number, "image_id": image, "category_id": category, "segmentation": shape}
            for number, (image, category, shape) in enumerate(objects)
        ],
    }


@pytest.fixture
def put(tmp_path):
    def write(name, content):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content if isinstance(content, str) else json.dumps(content))
        return name

    return write


@pytest.fixture
def three(put):
    return [put(f"{who}.json", coco()) for who in ("anna", "ben", "carl")]


def test_an_import_says_what_it_read_and_what_comes_next(crema, three):
    done = crema("import", *three, "-o", "data")
    assert done.code == 0, done.err
    assert "3 files of COCO: 1 picture, 3 annotators, 1 category, 3 objects" in done.out
    assert done.out.endswith("Next:\n  crema cohort run data -o results\n")
    listed = crema("cohort", "list", "data")
    assert "the folder has a manifest.tsv" in listed.out
    assert "3 (anna, ben, carl)" in listed.out


def test_the_line_that_comes_next_runs_as_it_stands_with_several_categories(crema, put):
    two = coco([(7, 3, SQUARE), (7, 4, [[4, 4, 10, 4, 10, 9, 4, 9]])], [(3, "cell"), (4, "nucleus")])
    files = [put(f"{who}.json", two) for who in ("anna", "ben", "carl")]
    done = crema("import", *files, "-o", "data")
    line = done.out.splitlines()[-1].split()[1:]
    ran = crema(*line)
    assert ran.code == 0, ran.err
    assert "mm" not in (ran.out + ran.err).replace("mm²", "mm")
    assert crema("export", "results", "-o", "out.json").code == 0


def test_files_of_one_name_are_told_apart_by_their_folders(crema, put, tmp_path):
    files = [put(f"{who}/instances_default.json", coco()) for who in ("anna", "ben")]
    assert crema("import", *files, "-o", "data").code == 0
    assert "anna/instances_default" in (tmp_path / "data/manifest.tsv").read_text()


def test_a_picture_that_an_annotator_left_empty_is_a_mask_and_one_that_is_not_there_is_none(crema, put, tmp_path):
    both = ((7, "a.jpg", 12, 10), (8, "b.jpg", 5, 5))
    put("anna.json", coco(pictures=both))
    put("ben.json", coco(objects=(), pictures=both[:1]))
    assert crema("import", "anna.json", "ben.json", "-o", "data").code == 0
    masks = {str(path.relative_to(tmp_path / "data/masks")) for path in (tmp_path / "data/masks").rglob("*.png")}
    assert masks == {"a/anna.png", "a/ben.png", "b/anna.png"}


def test_names_of_pictures_lead_nowhere_else(crema, put, tmp_path):
    names = [
        "../../evil.jpg",
        "/etc/passwd",
        "a\nb.jpg",
        "..",
        "x/y.jpg",
        "z/y.jpg",
        "é'\"<script>.jpg",
        "https://h/p.jpg?d=1",
    ]
    pictures = [(number, name, 12, 10) for number, name in enumerate(names)]
    put("anna.json", coco([(number, 3, SQUARE) for number, _ in enumerate(names)], pictures=pictures))
    done = crema("import", "anna.json", "-o", "data")
    assert done.code == 0, done.err
    assert len(list((tmp_path / "data/masks").rglob("*.png"))) == len(names)
    assert sorted(os.listdir(tmp_path)) == ["anna.json", "data"]
    ran = crema("cohort", "run", "data", "-o", "results")
    assert ran.code == 0, ran.err
    assert crema("export", "results", "-o", "out.json").code == 0
    result = json.loads((tmp_path / "out.json").read_text())
    assert [one["file_name"] for one in result["images"]] == names


def test_an_export_may_be_of_another_tool_and_comes_in_again(crema, three, tmp_path):
    assert crema("import", *three, "-o", "data").code == 0
    assert crema("cohort", "run", "data", "-o", "results", "--methods", "jaccard,tanimoto").code == 0
    for tool, ending in (("coco", "json"), ("cvat", "xml"), ("label-studio", "json")):
        written = f"{tool}.{ending}"
        done = crema("export", "results", "-o", written, "--as", tool, "--method", "tanimoto")
        assert done.code == 0, done.err
        assert crema("import", written, "-o", f"again-{tool}").code == 0
        (mask,) = (tmp_path / f"again-{tool}/masks").rglob("*.png")
        assert mask.read_bytes() == (tmp_path / "data/masks/a/anna.png").read_bytes()
    done = crema("export", "results", "-o", "coco.json")
    assert done.code == 2
    assert "coco.json" in done.err
    assert crema("export", "results", "-o", "coco.json", "--force").code == 0
    done = crema("export", "results", "-o", "x.json", "--method", "dice")
    assert done.code == 2
    assert "--method dice: the run has jaccard, tanimoto." in done.err
    done = crema("export", "data", "-o", "x.json")
    assert done.code in (2, 3)
    assert "run.json" in done.err


def test_cases_without_a_result_are_named_and_the_exit_code_is_5(crema, three, tmp_path):
    assert crema("import", *three, "-o", "data").code == 0
    assert crema("cohort", "run", "data", "-o", "results").code == 0
    (tmp_path / "results/cases/a/result.json").unlink()
    done = crema("export", "results", "-o", "out.json")
    assert done.code == 5
    assert "1 case has no result and is not in the file, such as a" in done.err


def test_a_record_of_an_import_that_was_changed_is_refused(crema, three, tmp_path):
    assert crema("import", *three, "-o", "data").code == 0
    assert crema("cohort", "run", "data", "-o", "results").code == 0
    record = json.loads((tmp_path / "data/annotations.json").read_text())
    for change in ({"tool": "paint"}, {"pictures": 3}, {"cases": [{**record["cases"][0], "picture": 9}]}):
        (tmp_path / "data/annotations.json").write_text(json.dumps({**record, **change}))
        done = crema("export", "results", "-o", "out.json")
        assert done.code == 3, change
        assert "annotations.json" in done.err
        assert not (tmp_path / "out.json").exists()


def nested(depth):
    return "[" * depth


HOSTILE = {
    "empty": "",
    "a word": "hello",
    "cut": json.dumps(coco())[:-40],
    "deep": nested(100_000),
    "deep xml": "<annotations>" + "<a>" * 100_000,
    "not a number": json.dumps(coco()).replace("12", "NaN"),
    "another object": '{"some": "thing"}',
    "a list of nothing": "[]",
    "a name twice": '{"images": [], "images": [], "annotations": [], "categories": []}',
    "an id twice": coco([(7, 3, SQUARE)] * 1, pictures=[(7, "a.jpg", 12, 10), (7, "b.jpg", 12, 10)]),
    "a picture twice": coco(pictures=[(7, "a.jpg", 12, 10), (8, "a.jpg", 12, 10)]),
    "outside": coco([(7, 3, [[50, 50, 60, 50, 60, 60]])]),
    "sum": coco([(7, 3, {"size": [10, 12], "counts": [5, 5]})]),
    "packed sum": coco([(7, 3, {"size": [10, 12], "counts": "j28R5"})]),
    "a huge run": coco([(7, 3, {"size": [10, 12], "counts": [0, 2**63 - 1]})]),
    "a picture without end": coco(pictures=[(7, "a.jpg", 2**40, 10)]),
    "entities": '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><annotations>&c;</annotations>',
    "nothing drawn": coco(objects=()),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_not_right_is_refused_with_a_sentence_and_nothing_is_left(crema, put, tmp_path, what):
    put("bad.json", HOSTILE[what])
    done = crema("import", "bad.json", "-o", "data")
    assert done.code == 3, (done.code, done.err)
    assert done.err.startswith("crema: ") or "bad.json" in done.err
    assert len(done.err) < 1000
    assert os.listdir(tmp_path) == ["bad.json"]


def archive(path, members, how=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", how) as made:
        for name, text in members.items():
            made.writestr(name, text)


def test_an_archive_of_a_tool_is_read_as_the_file_in_it(crema, three, tmp_path):
    """CVAT packs what it exports, with the pictures if they are wanted."""
    for number, who in enumerate(("anna", "ben", "carl")):
        how = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)[number % 2]
        shadows = {"images/a.jpg": "none", "__MACOSX/annotations/._instances.json": "shadow"}
        packed = {"annotations/instances.json": (tmp_path / f"{who}.json").read_text()}
        archive(tmp_path / f"{who}.zip", {**packed, **shadows}, how)
    assert crema("import", "anna.zip", "ben.zip", "carl.zip", "-o", "packed").code == 0
    assert crema("import", *three, "-o", "plain").code == 0
    names = {path.relative_to(tmp_path / "plain") for path in (tmp_path / "plain").rglob("*") if path.is_file()}
    assert len(names) == 5
    for name in names:
        assert (tmp_path / "packed" / name).read_bytes() == (tmp_path / "plain" / name).read_bytes(), name


def test_an_archive_that_is_not_one_export_is_refused(crema, tmp_path):
    text = json.dumps(coco())
    archive(tmp_path / "none.zip", {"a.jpg": "none"})
    archive(tmp_path / "two.zip", {"a.json": text, "b/c.xml": "<annotations/>"})
    archive(tmp_path / "sound.zip", {"a.json": text})
    sound = (tmp_path / "sound.zip").read_bytes()
    (tmp_path / "cut.zip").write_bytes(sound[:-30])
    archive(tmp_path / "stored.zip", {"a.json": text}, zipfile.ZIP_STORED)
    flipped = (tmp_path / "stored.zip").read_bytes().replace(b"cell", b"cels", 1)
    (tmp_path / "flipped.zip").write_bytes(flipped)
    archive(tmp_path / "bomb.zip", {"a.json": " " * 80_000_000})
    before = sorted(os.listdir(tmp_path))
    for name, code, sentence in (
        ("none.zip", 3, "none.zip: is a zip archive without a file in .json or .xml; unpack it"),
        ("two.zip", 3, "two.zip: is a zip archive with 2 files, such as a.json and b/c.xml; unpack it"),
        ("cut.zip", 3, "cut.zip: is cut short: it has no end record (zip)"),
        ("flipped.zip", 3, "flipped.zip: is damaged: the checksum of its member a.json is wrong"),
        ("bomb.zip", 6, "bomb.zip: "),
    ):
        done = crema("import", name, "-o", "data", "--max-memory", "50M")
        assert done.code == code and sentence in done.err, (name, done.code, done.err)
    assert sorted(os.listdir(tmp_path)) == before


def test_what_would_take_too_much_memory_is_exit_6_before_it_is_taken(program, put, tmp_path):
    put("large.json", coco(pictures=[(7, "a.jpg", 900_000, 900_000)]))
    with open(tmp_path / put("long.json", "["), "r+b") as file:
        file.truncate(3 << 30)
    put("many.json", '{"images": [], "categories": [], "annotations": [' + "[]," * 300_000 + "[]]}")

    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

    for name in ("large.json", "many.json", "long.json"):
        done = subprocess.run(
            [program, "import", name, "-o", "data", "--max-memory", "50M"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=None if os.environ.get("CREMA_SLOWDOWN", "1") != "1" else limited,
        )
        assert done.returncode == 6, done.stderr
        assert "50.0 MB are allowed" in done.stderr
        assert not (tmp_path / "data").exists()


def test_options_that_need_others_are_refused_without_them(crema, three, tmp_path):
    for options in (["--quorum", "2"], ["--overlap", "iou"], ["--preset", "cvat"]):
        done = crema("import", *three, "-o", "data", *options)
        assert done.code == 2
        assert "--instances" in done.err
    done = crema("import", *three, "-o", "data", "--instances", "--preset", "cvat", "--quorum", "1")
    assert done.code == 2
    done = crema("import", *three, "-o", "data", "--instances", "--min-overlap", "0")
    assert done.code == 2
    (tmp_path / "data").mkdir()
    (tmp_path / "data/mine.txt").write_text("x")
    done = crema("import", *three, "-o", "data")
    assert done.code == 2
    assert "is not empty" in done.err
    assert os.listdir(tmp_path / "data") == ["mine.txt"]


def test_files_of_two_tools_are_refused(crema, put):
    put("anna.json", coco())
    put("ben.xml", '<annotations><image id="0" name="a.jpg" width="12" height="10"/></annotations>')
    done = crema("import", "anna.json", "ben.xml", "-o", "data")
    assert done.code == 3
    assert "ben.xml: is of CVAT, but the first file is of COCO; import them apart." in done.err


def test_objects_below_the_quorum_and_splits_are_listed(crema, put, tmp_path):
    left, right = [[2, 2, 5, 2, 5, 8, 2, 8]], [[5, 2, 8, 2, 8, 8, 5, 8]]
    put("anna.json", coco())
    put("ben.json", coco([(7, 3, left), (7, 3, right)]))
    put("carl.json", coco())
    done = crema("import", "anna.json", "ben.json", "carl.json", "-o", "data", "--instances")
    assert done.code == 0, done.err
    rows = (tmp_path / "data/objects.csv").read_text().splitlines()[1:]
    assert rows[0] == "a,cell,a cell 1,3,3,anna;ben;carl,2,2,6,6"
    assert rows[1].startswith("a,cell,,1,3,ben,")
    assert "2 objects that others drew as several" in done.out
    splits = (tmp_path / "data/splits.csv").read_text().splitlines()[1:]
    assert splits == ["a,cell,anna,2,2,6,6,ben,2", "a,cell,carl,2,2,6,6,ben,2"]


def test_the_lists_of_objects_run_nothing_in_a_spreadsheet(crema, put, tmp_path):
    """As all tables: what begins like a formula begins with an apostrophe."""
    left, right = [[2, 2, 5, 2, 5, 8, 2, 8]], [[5, 2, 8, 2, 8, 8, 5, 8]]
    named = {"categories": ((3, "=1+1"),), "pictures": ((7, "@a.jpg", 12, 10),)}
    put("+anna.json", coco(**named))
    put("ben.json", coco([(7, 3, left), (7, 3, right)], **named))
    done = crema("import", "+anna.json", "ben.json", "-o", "data", "--instances")
    assert done.code == 0, done.err
    assert len(read_csv(tmp_path / "data/objects.csv")) > 0 and len(read_csv(tmp_path / "data/splits.csv")) == 1
    for name in ("objects.csv", "splits.csv"):
        cells = [cell for row in read_csv(tmp_path / "data" / name) for cell in row.values()]
        assert "'=1+1" in cells and not [cell for cell in cells if cell[:1] in ("=", "+", "-", "@")], cells


def test_an_export_replaces_nothing_of_the_run_and_of_the_import(crema, three, tmp_path):
    assert crema("import", *three, "-o", "data").code == 0
    assert crema("cohort", "run", "data", "-o", "results").code == 0
    there = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.parent != tmp_path}
    for path in there:
        done = crema("export", "results", "-o", path, "--force")
        assert done.code == 2 and "an input; write to another file" in done.err, (path, done.err)
    assert {path: path.read_bytes() for path in there} == there
    for again in ((), ("--force",)):
        assert crema("export", "results", "-o", "results.json", *again).code == 0


def test_a_consensus_that_was_changed_since_the_run_is_not_exported(crema, three, tmp_path):
    assert crema("import", *three, "-o", "data").code == 0
    assert crema("cohort", "run", "data", "-o", "results").code == 0
    consensus = tmp_path / "results/cases/a/jaccard.png"
    sound = consensus.read_bytes()
    for spoil in (
        lambda: consensus.write_bytes((tmp_path / "data/masks/a/ben.png").read_bytes() + b"x"),
        consensus.unlink,
    ):
        spoil()
        done = crema("export", "results", "-o", "out.json")
        assert done.code == 3 and "jaccard.png: was changed or removed since the run wrote it" in done.err, done.err
        assert not (tmp_path / "out.json").exists()
        consensus.write_bytes(sound)
    assert crema("export", "results", "-o", "out.json").code == 0


def test_what_all_files_lack_is_said_of_them(crema, put):
    empty = [put(f"{who}.json", coco(objects=())) for who in ("anna", "ben", "carl")]
    done = crema("import", *empty, "-o", "data")
    assert done.code == 3 and "anna.json and 2 more files: no annotator drew an area" in done.err, done.err
    done = crema("import", put("none.json", coco(objects=(), pictures=())), "-o", "data")
    assert done.code == 3 and "crema: none.json: no annotation names a picture" in done.err, done.err


def test_a_file_that_is_named_twice_is_warned_of(crema, three):
    done = crema("import", *three, f"./{three[0]}", "-o", "data")
    assert done.code == 0 and "./anna.json: is named twice and counts as two annotators." in done.err, done.err
    assert "named twice" not in crema("import", *three, "-o", "other").err
