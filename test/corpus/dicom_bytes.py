# SPDX-License-Identifier: Apache-2.0
"""DICOM segmentations made element by element, so that each can be wrong."""

import struct

import numpy
from kit import MASK
from nifti_bytes import ORIGIN, SPACING

EXPLICIT, IMPLICIT = "1.2.840.10008.1.2.1", "1.2.840.10008.1.2"
SEG, LABEL_MAP = "1.2.840.10008.5.1.4.1.1.66.4", "1.2.840.10008.5.1.4.1.1.66.7"
WIDE = ("SQ", "OB", "OW", "UN")
UNKNOWN = 0xFFFFFFFF


def tag(number):
    return struct.pack("<HH", number >> 16, number & 0xFFFF)


class Writer:
    """Elements in one of the two codings."""

    def __init__(self, implicit=False, open_ended=False):
        self.implicit, self.open_ended = implicit, open_ended

    def element(self, number, kind, value):
        if isinstance(value, str):
            value = value.encode("latin-1")
        elif isinstance(value, int):
            value = struct.pack("<H", value)
        if len(value) % 2:
            value += b"\0" if kind in ("UI", "OB") else b" "
        if self.implicit:
            return tag(number) + struct.pack("<I", len(value)) + value
        size = struct.pack("<HI", 0, len(value)) if kind in WIDE else struct.pack("<H", len(value))
        return tag(number) + kind.encode() + size + value

    def sequence(self, number, items):
        if not self.open_ended:
            return self.element(number, "SQ", b"".join(tag(0xFFFEE000) + struct.pack("<I", len(i)) + i for i in items))
        body = b"".join(tag(0xFFFEE000) + struct.pack("<I", UNKNOWN) + i + tag(0xFFFEE00D) + bytes(4) for i in items)
        head = b"" if self.implicit else b"SQ\0\0"
        return tag(number) + head + struct.pack("<I", UNKNOWN) + body + tag(0xFFFEE0DD) + bytes(4)


def numbers(values):
    return "\\".join(f"{v:g}" for v in values)


BETWEEN = numbers(SPACING[2:])


def position(z, origin=ORIGIN):
    """DICOM's axes point left and posterior, those of the partners right and anterior."""
    return numbers((-origin[0], -origin[1], origin[2] + z * SPACING[2]))


def frames_of(masks):
    """One frame for each slice of each mask: (segment, position, pixels)."""
    return [(s + 1, position(z), plane) for s, mask in enumerate(masks) for z, plane in enumerate(mask)]


def segmentation(
    frames=None,
    names=("Ann",),
    kind="BINARY",
    syntax=None,
    implicit=False,
    open_ended=False,
    between=BETWEEN,
    change=None,
    meta=None,
):
    """A file; `change` maps tags to whole elements, or to None for those to be left out."""
    frames = frames_of([MASK]) if frames is None else frames
    w = Writer(implicit, open_ended)
    bits = {"BINARY": 1}.get(kind, 8)
    stack = numpy.stack([pixels for _, _, pixels in frames]).astype("u1")
    pixels = numpy.packbits(stack.ravel(), bitorder="little").tobytes() if bits == 1 else stack.tobytes()
    measures = w.element(0x00180088, "DS", between) if between else b""
    measures += w.element(0x00280030, "DS", numbers((SPACING[1], SPACING[0])))
    turned = w.element(0x00200037, "DS", "-1\\0\\0\\0\\-1\\0")
    shared = w.sequence(0x00209116, [turned]) + w.sequence(0x00289110, [measures])
    described = [w.element(0x00620004, "US", i + 1) + w.element(0x00620005, "LO", n) for i, n in enumerate(names)]
    groups = []
    for segment, place, _ in frames:
        group = w.sequence(0x00209113, [w.element(0x00200032, "DS", place)]) if place else b""
        if kind != "LABELMAP":
            group += w.sequence(0x0062000A, [w.element(0x0062000B, "US", segment)])
        groups.append(group)
    elements = {
        0x00080016: w.element(0x00080016, "UI", LABEL_MAP if kind == "LABELMAP" else SEG),
        0x00280002: w.element(0x00280002, "US", 1),
        0x00280008: w.element(0x00280008, "IS", str(len(frames))),
        0x00280010: w.element(0x00280010, "US", stack.shape[1]),
        0x00280011: w.element(0x00280011, "US", stack.shape[2]),
        0x00280100: w.element(0x00280100, "US", bits),
        0x00280101: w.element(0x00280101, "US", bits),
        0x00280103: w.element(0x00280103, "US", 0),
        0x00620001: w.element(0x00620001, "CS", kind),
        0x00620002: w.sequence(0x00620002, described),
        0x52009229: w.sequence(0x52009229, [shared]),
        0x52009230: w.sequence(0x52009230, groups),
        0x7FE00010: w.element(0x7FE00010, "OB", pixels),
    }
    if kind == "FRACTIONAL":
        elements[0x0062000E] = w.element(0x0062000E, "US", 255)
    elements.update(change or {})
    data = b"".join(elements[number] for number in sorted(elements) if elements[number] is not None)
    syntax = syntax or (IMPLICIT if implicit else EXPLICIT)
    head = Writer().element(0x00020010, "UI", syntax) if meta is None else meta
    return bytes(128) + b"DICM" + Writer().element(0x00020000, "UL", struct.pack("<I", len(head))) + head + data


def ct_series(shape, spacing):
    """The slices of a CT image as files, by name. Its first voxel lies at 0; axes point right, anterior, superior."""
    w = Writer()
    files = {}
    for k in range(shape[2]):
        uid = f"1.2.826.0.1.3680043.8.498.5.{k + 1}"
        elements = {
            0x00080016: ("UI", "1.2.840.10008.5.1.4.1.1.2"),
            0x00080018: ("UI", uid),
            0x00100020: ("LO", "P-17"),
            0x0020000D: ("UI", "1.2.826.0.1.3680043.8.498.2"),
            0x0020000E: ("UI", "1.2.826.0.1.3680043.8.498.3"),
            0x00200032: ("DS", numbers((0, 0, k * spacing[2]))),
            0x00200037: ("DS", "-1\\0\\0\\0\\-1\\0"),
            0x00200052: ("UI", "1.2.826.0.1.3680043.8.498.4"),
            0x00280010: ("US", shape[1]),
            0x00280011: ("US", shape[0]),
            0x00280030: ("DS", numbers((spacing[1], spacing[0]))),
        }
        data = b"".join(w.element(number, *elements[number]) for number in sorted(elements))
        head = w.element(0x00020010, "UI", EXPLICIT)
        start = bytes(128) + b"DICM" + w.element(0x00020000, "UL", struct.pack("<I", len(head)))
        files[f"slice{k}.dcm"] = start + head + data
    return files
