# SPDX-License-Identifier: Apache-2.0
"""DICOM segmentations, sound and broken."""

import struct

import numpy
from dicom_bytes import Writer, frames_of, numbers, position, segmentation, tag
from kit import MASK, Case
from nifti_bytes import ORIGIN, SPACING, partners

W = Writer()


def case(id, content, verdict="refused", says=(), want=None, **more):
    files = {"a.dcm": content, **partners()}
    want = MASK if want is None and verdict != "refused" else want
    return Case(f"dicom/{id}", "dicom", files, list(files), verdict, says, want=want, general=True, **more)


def changed(id, number, element, says, **more):
    return case(id, segmentation(change={number: element}, **more), "refused", says)


def text(number, kind, value):
    return number, W.element(number, kind, value)


def sound():
    yield case("binary", segmentation(), "fine")
    yield case("implicit", segmentation(implicit=True), "fine")
    yield case("unknown-lengths", segmentation(open_ended=True), "fine")
    yield case("implicit-unknown-lengths", segmentation(implicit=True, open_ended=True), "fine")
    yield case("fractions-of-all-or-nothing", segmentation(frames_of([MASK * 255]), kind="FRACTIONAL"), "fine")
    yield case("label-map", segmentation(kind="LABELMAP"), "fine")
    backwards = frames_of([MASK])[::-1]
    yield case("frames-backwards", segmentation(backwards), "fine")
    kept = MASK.copy()
    kept[3] = 0
    left_out = [frame for z, frame in enumerate(frames_of([MASK])) if z != 3]
    yield case("frame-left-out", segmentation(left_out), "fine", want=kept)
    yield case("zeros-behind", segmentation() + bytes(300), "warning", ("300 zero bytes",))
    yield case("spacing-not-stated", segmentation(between=""), "warning", ("smallest",))


def refused():
    ramp = numpy.clip(MASK * 255 - 9 * numpy.arange(MASK.shape[2]), 0, 255)
    yield case("fractions", segmentation(frames_of([ramp]), kind="FRACTIONAL"), "refused", ("--threshold",))
    whole = segmentation()
    for cut in (131, 140, 180, 400, len(whole) - 1):
        yield case(f"cut-{cut if cut < 1000 else 'last'}", whole[:cut], "refused", ())
    yield case("more-behind", whole + b"more", "refused", ("behind|cut short",))
    two = segmentation(frames_of([MASK, 1 - MASK]), names=("Ann", "Bo"))
    yield case("several-segments", two, "refused", ("2 segments", "--segment Ann"))
    yield case(
        "duplicate-place", segmentation([*frames_of([MASK]), *frames_of([MASK])[:1]]), "refused", ("same place",)
    )
    odd = [(s, p if z != 4 else position(4.4), f) for z, (s, p, f) in enumerate(frames_of([MASK]))]
    yield case("gap", segmentation(odd), "refused", ("lattice",))
    beside = [
        (s, p if z != 4 else position(4, numpy.add(ORIGIN, (1, 0, 0))), f)
        for z, (s, p, f) in enumerate(frames_of([MASK]))
    ]
    yield case("frame-beside", segmentation(beside), "refused", ("lattice",))
    mixed = [(s, p if z else "", f) for z, (s, p, f) in enumerate(frames_of([MASK]))]
    yield case("one-frame-without-place", segmentation(mixed), "refused", ("positions for only",))
    for name, syntax in (("rle", "1.2.840.10008.1.2.5"), ("jpeg-2000", "1.2.840.10008.1.2.4.90")):
        yield case(name, segmentation(syntax=syntax), "refused", ("transfer syntax", syntax.replace(".", "\\.")))
    yield case("big-endian", segmentation(syntax="1.2.840.10008.1.2.2"), "refused", ("big endian",))
    yield case("no-transfer-syntax", segmentation(meta=b""), "refused", ("transfer syntax",))
    yield changed("ct", *text(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.2"), ("a CT image",))
    yield changed("tiled", *text(0x00209311, "CS", "TILED_FULL"), ("TILED_FULL",))
    yield changed("frames-negative", *text(0x00280008, "IS", "-4"), ("frames",))
    yield changed("frames-huge", *text(0x00280008, "IS", "9" * 12), ("cut short",))
    yield changed("rows-zero", *text(0x00280010, "US", 0), ("rows|cut short",))
    yield changed("rows-huge", *text(0x00280010, "US", 65535), ("cut short",))
    yield changed("bits", *text(0x00280100, "US", 8), ("bits|cut short",))
    yield changed("type", *text(0x00620001, "CS", "OTHER"), ("OTHER",))
    yield changed("no-pixels", 0x7FE00010, None, ("no pixels",))
    yield changed("no-segments", 0x00620002, None, ("no segment",))
    yield changed("no-frames", 0x52009230, None, ("describes 0",))
    yield changed("number-of-three-bytes", *text(0x00280010, "US", b"\1\2\3\4"), ("bytes long",))
    fragments = tag(0x7FE00010) + b"OB\0\0\xff\xff\xff\xff" + tag(0xFFFEE000) + bytes(4)
    yield changed("fragments", 0x7FE00010, fragments, ("fragments",))
    nested = b""
    for _ in range(100):
        nested = Writer(open_ended=True).sequence(0x00081140, [nested])
    yield changed("nested", 0x00081140, nested, ("deep",))
    yield changed("length-beyond", 0x00081140, tag(0x00081140) + b"OB\0\0" + struct.pack("<I", 2**31), ("cut short",))
    shared = W.sequence(0x00209116, [W.element(0x00200037, "DS", "1\\0\\0\\1\\0\\0")])
    shared += W.sequence(0x00289110, [W.element(0x00280030, "DS", numbers(SPACING[:2]))])
    yield changed("axes-in-a-line", 0x52009229, W.sequence(0x52009229, [shared]), ("right angle",))


def cases():
    yield from sound()
    yield from refused()
