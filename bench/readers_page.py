# SPDX-License-Identifier: Apache-2.0
"""The tables of bench/readers, as text and as the page docs/readers.md."""

PROGRAMS = ["crema", "ITK", "nibabel", "MRtrix3"]
FORMATS = ["NIfTI", "NIfTI-2", "NRRD", "MetaImage", "PNG", "TIFF"]
MARKS = {
    "refused": "refused",
    "crashed": "**crashed**",
    "hung": "**hung**",
    "right": "right",
    "other voxels": "**other voxels**",
}

ABOUT = """# How readers take damaged files

{count} files of [the test corpus](../test/corpus/make.py), each of which stands for itself, were given to {crema},
ITK {ITK}, nibabel {nibabel} and MRtrix3 {MRtrix3}, the last three as Debian 12 packages them, on {date}. Only
formats that a program claims to read count for it.

Each file was read to its last voxel in a process of its own with 4 GB of address space: by a small program around
`itk::ImageFileReader`, by nibabel's `load` and the whole array, by `mrconvert`, by `crema check` and `crema fuse`. Five
seconds of work or twenty of waiting count as hung. Voxels are compared with those that were written, by which of them
are inside: above half of the largest absolute value.

- **Bad** files are cut short, damaged, or contradict themselves. Where one is accepted, the voxels may still be those
  that were written, as in a file that lost only its checksum; where they are not, numbers that nobody wrote go into a
  result without a word.
- **Good** files are what the formats allow.
- **Doubtful** files can be read, but something about them is odd: padded with zeros, wrongly named, no usable position.
  crema reads them with a warning. Whether another program refuses them is a matter of taste.

## Summary

"""

FAIR = """
Read this with care:

- The corpus is crema's own test: what crema did wrong on it was fixed, so that its zeros are a goal that was reached
  and no measurement. The other programs have never seen it, and some of its files are there because readers were known
  to stumble over their like.
- They are readers of images at large. Files that only a mask tool has to refuse (probability maps, several labels, NaN,
  colour, several volumes, voxels in another folder; {mask} files) count for nobody and are marked "—" below.
- Accepting can be a defensible choice for a general reader: raw data longer than needed, bytes after the end of a gzip
  or PNG file, a `bitpix` that contradicts the `datatype`, a wrong `sizeof_hdr` behind a right magic, a size of 0 taken
  as 1, an odd `vox_offset` that older tools wrote. A tool whose result is a measurement should ask instead.
- A program that stops when it has enough voxels never sees a checksum that is wrong or missing. It is faster for it.
- Among good files, ITK {ITK} takes 32-bit whole numbers in TIFF and a slope of 0 with an intercept for something else,
  and refuses 64-bit TIFF and sheared NIfTI, each with a clear message.
- ITK, nibabel and MRtrix3 read many formats that are not compared here. Later versions may do better.

To repeat it: `bench/readers build/release/cli/crema`, with `--markdown` for this page.

## File by file

What the names mean is in [test/corpus](../test/corpus/kit.py). "accepted" and "right": the voxels that were written.

"""


def tally(results, program, kind):
    """How many files of a kind, and what became of them."""
    took = [result["took"][program] for result in results if result["kind"] == kind and program in result["took"]]
    return len(took), {name: took.count(name) for name in MARKS}


def cells(results, program):
    """In the order of the columns."""
    count, bad = tally(results, program, "bad")
    row = [count, bad["right"], bad["other voxels"], bad["crashed"], bad["hung"]]
    for kind in ("good", "doubtful"):
        count, took = tally(results, program, kind)
        row += [count, took["refused"], took["other voxels"], took["crashed"] + took["hung"]]
    return row


def rows(results, programs):
    for kind in FORMATS:
        some = [result for result in results if result["format"] == kind]
        for program in programs:
            if any(program in result["took"] for result in some):
                yield [kind, program, *cells(some, program)]


HEAD = ["", "", "bad files", "accepted as written", "**accepted, other voxels**", "crashed", "hung"]
HEAD += ["good files", "refused", "other voxels", "crashed or hung"]
HEAD += ["doubtful files", "refused", "other voxels", "crashed or hung"]


def table(head, lines):
    return "\n".join(["| " + " | ".join(map(str, line)) + " |" for line in [head, ["---"] * len(head), *lines]]) + "\n"


def summary(results, programs):
    return table(HEAD, rows(results, programs))


def by_case(results):
    words = {"bad": "bad", "good": "good", "doubtful": "doubtful", "mask": "—"}
    for result in results:
        took = [result["took"].get(program, "") for program in PROGRAMS]
        plain = result["kind"] == "mask"
        took = [
            (
                ("refused" if t == "refused" else MARKS[t] if t in ("crashed", "hung") else "accepted")
                if t and plain
                else t
            )
            for t in took
        ]
        if result["kind"] == "bad":
            took = ["accepted" if t == "right" else MARKS.get(t, t) for t in took]
        elif not plain:
            took = [MARKS.get(t, t) for t in took]
        yield [result["id"], words[result["kind"]], *took]


def page(results, versions, date):
    mask = sum(result["kind"] == "mask" for result in results)
    text = ABOUT.format(count=len(results), date=date, **versions)
    text += summary(results, PROGRAMS) + FAIR.format(mask=mask, **versions)
    return text + table(["file", "is", *PROGRAMS], by_case(results)).rstrip("\n")
