# SPDX-License-Identifier: Apache-2.0
"""`crema report`: what the page holds, and what is refused. test/report/ opens it in a browser."""

import base64
import csv
import gzip
import html.parser
import itertools
import json
import re

import numpy
import pytest
from conftest import AFFINE, blob


class Page(html.parser.HTMLParser):
    """A page by its scripts, its tables and its text."""

    def __init__(self, text):
        super().__init__()
        self.blocks, self.tables, self.policy, self.words = {}, {}, "", []
        self.block = self.table = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag == "script":
            self.block = found.get("id", found.get("type"))
            self.blocks[self.block] = ""
        if tag == "meta" and found.get("http-equiv") == "Content-Security-Policy":
            self.policy = found["content"]
        if tag == "table":
            self.table = self.tables.setdefault(found["id"], [])
        if tag == "tr" and self.table is not None:
            self.table.append([])
        if tag in {"td", "th"} and self.table is not None:
            self.table[-1].append("")

    def handle_endtag(self, tag):
        if tag == "script":
            self.block = None
        if tag == "table":
            self.table = None

    def handle_data(self, data):
        if self.block is not None:
            self.blocks[self.block] += data
            return
        self.words.append(data)
        if self.table and self.table[-1]:
            self.table[-1][-1] += data

    def data(self):
        return json.loads(self.unpacked("data").tobytes())

    def unpacked(self, name):
        return numpy.frombuffer(gzip.decompress(base64.b64decode(self.blocks[name])), numpy.uint8)

    def text(self):
        return "".join(self.words)


@pytest.fixture
def report(crema, tmp_path):
    def run(*arguments, name="report.html"):
        result = crema("report", *arguments, "-o", name, "--force")
        assert result.code == 0, result
        return Page((tmp_path / name).read_text(encoding="utf-8"))

    return run


def rows_of(page):
    """The row of each voxel of the box, from 1; the box."""
    data = page.data()
    low, high = numpy.array(data["box"])
    size = high - low
    planes = page.unpacked("voxels").reshape(data["bytes"], *size[::-1]).astype(numpy.int64)
    rows = sum(plane << (8 * b) for b, plane in enumerate(planes))
    return rows.transpose(2, 1, 0), low, high


def test_each_voxel_has_the_row_of_those_who_drew_it(report, raters):
    page = report(*raters)
    data = page.data()
    rows, low, high = rows_of(page)
    masks = [blob(0), blob(1), blob(1)]
    masks[2][10:12, 0:2, 0] = 1
    sets = sum(mask.astype(int) << k for k, mask in enumerate(masks))
    box = tuple(slice(a, b) for a, b in zip(low, high))
    of_row = numpy.array([0, *data["rows"]["low"]])
    assert (of_row[rows] == sets[box]).all()
    assert sets.sum() == sets[box].sum()
    for row, voxels in enumerate(data["rows"]["voxels"], 1):
        assert (rows == row).sum() == voxels


def test_the_levels_are_those_of_fuse(report, crema, raters, tmp_path):
    import nibabel

    page = report(*raters, "-m", "jaccard,tanimoto,average")
    crema("fuse", *raters, "-m", "jaccard,tanimoto,average", "-o", "results")
    rows, low, high = rows_of(page)
    box = tuple(slice(a, b) for a, b in zip(low, high))
    for method in page.data()["methods"]:
        fused = numpy.asarray(nibabel.load(tmp_path / "results" / f"{method['name']}.nii.gz").dataobj)[box]
        assert numpy.abs(numpy.array([0, *method["levels"]])[rows] - fused).max() < 2e-6


def test_a_method_that_looks_at_neighbours_is_painted_by_voxels(report, crema, raters, tmp_path):
    import nibabel

    page = report(*raters, "-m", "jaccard,shape")
    crema("fuse", *raters, "-m", "shape", "-o", "shape.nii.gz")
    data = page.data()
    low, high = numpy.array(data["box"])
    painted = json.loads(page.blocks["painted"])["shape"]
    levels = numpy.frombuffer(gzip.decompress(base64.b64decode(painted)), numpy.uint8)
    levels = levels.reshape((high - low)[::-1]).transpose(2, 1, 0)
    box = tuple(slice(a, b) for a, b in zip(low, high))
    fused = numpy.asarray(nibabel.load(tmp_path / "shape.nii.gz").dataobj)[box]
    assert ((levels > 127) == (fused > 0)).all()


def test_the_passes_tell_what_was_taken(report, raters):
    for method in report(*raters, "-m", "jaccard,dice").data()["methods"]:
        first = 0
        for component, answer in zip(report(*raters).data()["components"], method["pass"]):
            for row in range(first, first + component["rows"]):
                level = method["levels"][row]
                expected = {0: 0, 1: 0 if method["shrink"][row] > 0 else 1}.get(answer)
                if expected is not None:
                    assert level == expected
                elif level == 1:
                    assert method["grow"][row] >= 0
            first += component["rows"]


def test_the_page_fetches_nothing_and_says_what_it_is_made_of(report, raters):
    page = report(*raters)
    assert page.policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-inline" not in page.policy.split("style-src")[0]
    assert "; worker-src blob:; " in page.policy
    words = page.text()
    for part in ["components kept", "What would change without", "BibTeX", "SHA-256", "crema report"]:
        assert part in words
    assert len(page.tables["components"]) == 3
    assert len(page.tables["inputs"]) == 4
    assert page.tables["components"][1][2] == "3 of 3"
    assert "left out" in page.tables["components"][2][5]


def test_the_image_lies_beneath(report, save, raters):
    rng = numpy.random.default_rng(7)
    values = rng.normal(100, 20, blob(0).shape).astype(numpy.float32)
    page = report(*raters, "--image", save("image.nii.gz", values))
    low, high = numpy.array(page.data()["box"])
    scale = json.loads(page.blocks["grey-scale"])
    planes = page.unpacked("grey").reshape((scale["bytes"], *(high - low)[::-1])).astype(int)
    codes = sum(plane << (8 * b) for b, plane in enumerate(planes)).transpose(2, 1, 0)
    box = tuple(slice(a, b) for a, b in zip(low, high))
    assert abs(scale["low"] + scale["step"] * codes - values[box]).max() <= 0.51 * scale["step"]
    assert scale["step"] < 0.01  # 16 bits
    assert "image.nii.gz" in "".join(itertools.chain(*page.tables["inputs"]))


def test_only_some_slices(report, raters):
    data = report(*raters, "--slices", "z=2:3").data()
    assert [data["box"][0][2], data["box"][1][2]] == [2, 4]
    assert data["partial"] is True


def test_raters_are_told_as_agreement_tells_them(report, crema, raters, tmp_path):
    page = report(*raters, "-m", "dice")
    assert crema("agreement", *raters, "-m", "dice", "--csv", "tables").code == 0
    with (tmp_path / "tables" / "raters.csv").open(encoding="utf-8") as file:
        expected = [[f"{float(row['dice']):.3f}", f"{float(row['hd95_mm']):.2f}"] for row in csv.DictReader(file)]
    assert [[row[3], row[6]] for row in page.tables["raters"][1:]] == expected


def test_a_large_page_is_told_of_and_slices_make_it_small(crema, save, tmp_path):
    shape = (200, 200, 220)
    mask = numpy.zeros(shape, numpy.uint8)
    mask[:3, :3, :3] = mask[-3:, -3:, -3:] = 1  # far apart, so that all between is shown
    noise = numpy.random.default_rng(3).integers(0, 256, shape, numpy.uint8)
    given = [save("a.nii", mask), save("b.nii", mask), "--image", save("image.nii", noise), "-m", "majority"]
    result = crema("report", *given, "-o", "large.html")
    assert result.code == 0, result
    assert (tmp_path / "large.html").stat().st_size > 10_000_000
    assert "opens slowly; restrict it to some slices, such as --slices z=20:60" in result.err
    result = crema("report", *given, "-o", "small.html", "--slices", "z=0:20")
    assert result.code == 0, result
    assert (tmp_path / "small.html").stat().st_size < 4_000_000
    assert "opens slowly" not in result.err


def test_the_same_masks_give_the_same_page(report, raters, tmp_path):
    for name in ["a.html", "b.html"]:
        report(*raters, "--no-provenance", name=name)
    pages = [(tmp_path / name).read_bytes().replace(name.encode(), b"") for name in ["a.html", "b.html"]]
    assert pages[0] == pages[1]
    assert "Checksums and date were left out" in pages[0].decode()


def test_fuse_writes_the_page_as_well(crema, raters, tmp_path):
    result = crema("fuse", *raters, "-o", "out.nii.gz", "-m", "shape", "--report", "page.html")
    assert result.code == 0, result
    page = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert [method["name"] for method in page.data()["methods"]] == ["shape"]
    assert (tmp_path / "out.nii.gz").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-o", "report.pdf"], "must end in .html"),
        (["-o", "missing/report.html"], "missing"),
        (["-o", "report.html", "--slices", "z=9"], "--slices"),
        (["-o", "report.html", "--slices", "z=3:99"], "0 to 5"),
        (["-o", "report.html", "--slices", "z=4:3"], "before the last"),
        (["-o", "report.html", "--image", "rater-1.nii.gz", "--methods", "nobody"], "nobody"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_written(crema, raters, tmp_path, arguments, words):
    result = crema("report", *raters, *arguments)
    assert result.code in {2, 4}, result
    assert words in result.err
    assert not list(tmp_path.glob("*.html"))


def test_nothing_drawn_is_refused(crema, save, tmp_path):
    names = [save(f"empty-{k}.nii.gz", numpy.zeros((6, 5, 4), numpy.uint8), AFFINE) for k in range(2)]
    result = crema("report", *names, "-o", "report.html")
    assert result.code == 3
    assert "no rater marked anything" in result.err
    assert not (tmp_path / "report.html").exists()


def test_one_rater_and_flat_images(report, save):
    flat = numpy.zeros((20, 16, 1), numpy.uint8)
    flat[4:9, 5:12] = 1
    page = report(save("alone.nii.gz", flat))
    assert page.data()["grid"]["size"] == [20, 16, 1]
    assert "pairs" not in page.tables


def test_pages_of_flat_images_speak_of_pixels(report, save):
    masks = []
    for k in range(4):
        mask = numpy.zeros((20, 16, 1), numpy.uint8)
        mask[4 - k % 2 : 9 + k, 5:12] = 1
        masks.append(save(f"r{k}.nii.gz", mask))
    page = report(*masks, "--image", save("image.nii.gz", numpy.arange(320, dtype=numpy.float32).reshape(20, 16, 1)))
    # Warnings, rules and sentences for a paper are in the words of the terminal.
    shared = re.compile("a better result is known|, but for|were fused with|[{]")
    assert [words for words in page.words if "voxel" in words.lower() and not shared.search(words)] == []
    assert "slice" not in page.text()[page.text().index("Each rater’s contour") :][:400]
    assert page.data()["box"] == [[0, 0, 0], [20, 16, 1]]  # all of the picture


def test_the_window_is_that_of_what_lies_around_the_masks(report, save):
    mask = numpy.zeros((40, 40, 30), numpy.uint8)
    mask[18:23, 18:23, 13:17] = 1
    values = numpy.full(mask.shape, -1000, numpy.float32)
    values[12:29, 12:29, 8:22] = numpy.random.default_rng(1).uniform(20, 80, (17, 17, 14))
    names = [save(f"r{k}.nii.gz", mask) for k in range(2)]
    page = report(*names, "--image", save("image.nii.gz", values))
    low, high = json.loads(page.blocks["grey-scale"])["window"]
    assert 15 < low < 30 and 70 < high < 85


def test_the_page_lists_all_decisions_and_says_how_many_there_are(report, crema, save, tmp_path):
    masks = numpy.zeros((3, 64, 64, 6), numpy.uint8)
    masks[:, ::8, ::8, 1:3] = 1
    masks[0, ::8, ::8, 3] = 1
    names = [save(f"r{k}.nii.gz", mask) for k, mask in enumerate(masks)]
    page = report(*names, "-m", "jaccard")
    assert crema("agreement", *names, "--no-surfaces", "--review", "all.csv").code == 0
    rows = (tmp_path / "all.csv").read_text().strip().splitlines()[1:]
    desk = page.data()["desk"]
    assert len(desk["items"]) == desk["all"] == len(rows) == 64
    assert len(page.tables["review"]) == 1 + 25
    assert "The first 25 of 64 decisions" in page.text()
    masks = numpy.zeros((3, 128, 128, 6), numpy.uint8)
    masks[:, ::4, ::4, 1:3] = 1
    masks[0, ::4, ::4, 3] = 1
    names = [save(f"many{k}.nii.gz", mask) for k, mask in enumerate(masks)]
    desk = report(*names, "-m", "jaccard").data()["desk"]
    assert [len(desk["items"]), desk["all"]] == [400, 1024]


def test_ragged_outlines_on_a_large_picture_have_their_list_at_once(crema, save, tmp_path):
    x, y = numpy.mgrid[:600, :600]
    far = numpy.hypot(x - 300, y - 300)
    angle = numpy.arctan2(y - 300, x - 300)
    masks = [(far < 200 + 80 * numpy.sin((3 + k) * angle + k)).astype(numpy.uint8)[..., None] for k in range(6)]
    names = [save(f"r{k}.nii.gz", mask) for k, mask in enumerate(masks)]
    assert crema("report", *names, "-m", "jaccard", "-o", "many.html").code == 0
    page = Page((tmp_path / "many.html").read_text(encoding="utf-8"))
    assert "review" in page.tables
