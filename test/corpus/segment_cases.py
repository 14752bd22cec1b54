# SPDX-License-Identifier: Apache-2.0
"""Slicer segmentations, where each segment is said to be a rater."""

import numpy
from kit import MASK, SIZE, Case, halves, packed, raw
from nifti_bytes import ORIGIN, SPACING, partners
from text_bytes import nrrd, numbers

ONE, OTHER = halves(SIZE)


def keys(segments):
    """Lines about segments: (id, name, layer, label)."""
    lines = []
    for i, (id, name, layer, label) in enumerate(segments):
        lines += [
            f"Segment{i}_ID:={id}",
            f"Segment{i}_Name:={name}",
            f"Segment{i}_Layer:={layer}",
            f"Segment{i}_LabelValue:={label}",
        ]
    return lines


def segmentation(layers, segments, origin=ORIGIN, more=()):
    """Layers are arrays [z, y, x]; in the file the layer runs fastest."""
    shape = tuple(reversed(layers[0].shape))
    vectors = [f"({','.join(str(SPACING[a] if a == b else 0) for b in range(3))})" for a in range(3)]
    changes = {"space_origin": f"({','.join(map(str, origin))})", "sizes": numbers(shape), "encoding": "gzip"}
    if len(layers) > 1:
        changes |= {
            "dimension": "4",
            "sizes": numbers((len(layers), *shape)),
            "kinds": "list domain domain domain",
            "space_directions": " ".join(["none", *vectors]),
        }
    return nrrd(packed(raw(numpy.stack(layers, axis=-1))), more=[*keys(segments), *more], **changes)


def case(id, content, verdict="fine", says=(), want=None, beside=None, **more):
    files = {"a.seg.nrrd": content, **(beside or {})}
    want = MASK if want is None and verdict != "refused" else want
    return Case(
        f"segments/{id}",
        "segments",
        files,
        list(files),
        verdict,
        says,
        want=want,
        alone=False,
        **{"reading": ["--segments-are", "raters"], **more},
    )


TRIO = [("s1", "Ann", 0, 1), ("s2", "Bo", 1, 1), ("s3", "Cy", 2, 1)]


def cases():
    yield case("layers", segmentation([MASK, ONE, OTHER], TRIO))
    # One layer holds two segments that do not overlap; the second layer one that overlaps both.
    shared = [("s1", "Ann", 0, 1), ("s2", "Bo", 0, 2), ("s3", "Cy", 1, 1)]
    yield case("overlapping", segmentation([ONE + 2 * OTHER, MASK], shared))
    says = ("3 segments \\(Ann, Bo and Cy\\)", "--segment Ann", "a.seg.nrrd#Ann", "--segments-are raters")
    yield case("nothing-said", segmentation([MASK, ONE, OTHER], TRIO), "refused", says, reading=[])
    yield case("one-layer", segmentation([MASK * 5], [("s1", "Ann", 0, 5)]), beside=partners())
    twice = [("s1", "Ann", 0, 1), ("s1", "Bo", 1, 1), ("s3", "Cy", 2, 1)]
    yield case("duplicate-ids", segmentation([MASK, ONE, OTHER], twice), "refused", ("s1", "two segments"))
    zero = [("s1", "Ann", 0, 0), ("s2", "Bo", 1, 1), ("s3", "Cy", 2, 1)]
    yield case("label-value-0", segmentation([MASK, ONE, OTHER], zero), "refused", ("LabelValue|label", "\\b0\\b"))
    same = [("s1", "Ann", 0, 1), ("s2", "Bo", 0, 1), ("s3", "Cy", 2, 1)]
    yield case("same-label-same-layer", segmentation([MASK, ONE, OTHER], same), "refused", ("label|value|Label",))
    beyond = [("s1", "Ann", 0, 1), ("s2", "Bo", 1, 1), ("s3", "Cy", 3, 1)]
    yield case("layer-beyond-the-last", segmentation([MASK, ONE, OTHER], beyond), "refused", ("[Ll]ayer", "\\b3\\b"))
    for name, value in (("word", "one"), ("huge", "9" * 25)):
        odd = [("s1", "Ann", 0, value), *TRIO[1:]]
        yield case(f"label-value-{name}", segmentation([MASK, ONE, OTHER], odd), "refused", ("LabelValue|label value",))
    nothing = segmentation([numpy.zeros((1, 1, 1), "u1")], [("s1", "Ann", 0, 1)])
    blank = case("no-data", nothing, "warning", ("empty|nothing|no data",), want=ONE & OTHER, beside=partners())
    blank.named = "a.seg.nrrd"
    blank.inputs = ["half.nii.gz", "rest.nii.gz", "a.seg.nrrd"]
    yield blank
    corner = numpy.add(ORIGIN, numpy.multiply(SPACING, (3, 2, 1)))
    kept = numpy.zeros_like(MASK)
    kept[1:5, 2:7, 3:9] = MASK[1:5, 2:7, 3:9]
    crop = segmentation([MASK[1:5, 2:7, 3:9]], [("s1", "Ann", 0, 1)], origin=corner)
    cropped = case("crop", crop, "warning", ("crop|padded",), want=kept, beside=partners())
    cropped.row, cropped.named = "grids", "a.seg.nrrd"
    cropped.inputs = ["half.nii.gz", "rest.nii.gz", "a.seg.nrrd"]
    yield cropped
    yield case("cut", segmentation([MASK, ONE, OTHER], TRIO)[:-9], "refused", ("cut short",))
