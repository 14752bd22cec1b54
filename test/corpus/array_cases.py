# SPDX-License-Identifier: Apache-2.0
"""NumPy arrays and archives; nothing in them is ever run."""

import io
import pickle
import struct
import zipfile

import numpy
from kit import MASK, SIZE, Case, flipped_bit, halves, patched

DATE = (1980, 1, 1, 0, 0, 0)


def npy(array=MASK, head=None, version=1):
    """A file of the array; `head` replaces what is said about it."""
    shape = array.shape
    kind = numpy.lib.format.dtype_to_descr(array.dtype)
    order = array.flags.f_contiguous and not array.flags.c_contiguous
    text = head or f"{{'descr': {kind!r}, 'fortran_order': {order}, 'shape': {shape!r}, }}"
    text = text.ljust(117) + "\n" if len(text) < 117 else text + "\n"
    width = "<H" if version == 1 else "<I"
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack(width, len(text)) + text.encode() + array.tobytes("A")


def npz(members, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, DATE)
            info.compress_type = method
            archive.writestr(info, data)
    return out.getvalue()


def about(id, content, verdict="accepted", says=(), name="a.npy", want=MASK, **more):
    one, other = halves(SIZE)
    files = {name: content, "half.npy": npy(one), "rest.npy": npy(other)}
    return Case(
        f"arrays/{id}", "arrays", files, list(files), verdict, says, want=None if verdict == "refused" else want, **more
    )


class Evil:
    """Would write a file if it were unpickled."""

    def __reduce__(self):
        return (open, ("unpickled", "w"))


def arrays():
    for dtype in ("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"):
        for order in ("<", ">"):
            yield about(
                f"{numpy.dtype(dtype).name}-{'big' if order == '>' else 'little'}", npy(MASK.astype(order + dtype))
            )
    yield about("fortran", npy(numpy.asfortranarray(MASK)))
    yield about("version-2", npy(version=2))
    whole = npy()
    yield about("cut", whole[:-1], "refused", ("cut short",))
    yield about("header-cut", whole[:50], "refused", ("cut short|header",))
    yield about("too-long", whole + b"\1", "refused", ("more data|after|too long",))
    yield about("version-9", patched(whole, 6, b"\x09"), "refused", ("version", "9"))
    for name, shape in (
        ("huge", "(9999999999, 9999999999, 7)"),
        ("negative", "(-7, 8, 9)"),
        ("0", "(0, 8, 9)"),
        ("cut", "(7, 8"),
        ("call", "__import__('os')"),
    ):
        head = f"{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}"
        yield about(f"shape-{name}", npy(head=head), "refused", ("shape|size|header|cut short|damaged|0",))
    objects = npy(MASK, head="{'descr': '|O', 'fortran_order': False, 'shape': (1,), }")[:128] + pickle.dumps(Evil(), 2)
    yield about("pickle", objects, "refused", ("pickle|object",))
    yield about("complex", npy(MASK.astype("c8")), "refused", ("complex|c8",))
    yield about("text", npy(numpy.array(["a", "b"])), "refused", ("text|type|<U1",))
    yield about("four-axes", npy(numpy.stack([MASK] * 3)), "refused", ("\\b3\\b|axes|4",))


def archives():
    named = {"name": "a.npz"}
    for method, called in ((zipfile.ZIP_STORED, "stored"), (zipfile.ZIP_DEFLATED, "deflated")):
        whole = npz({"mask.npy": npy()}, method)
        yield about(f"archive-{called}", whole, **named)
        yield about(f"archive-{called}-cut", whole[:-30], "refused", ("cut short|damaged|directory",), **named)
        yield about(
            f"archive-{called}-flip",
            flipped_bit(whole, 90, 3),
            "refused",
            ("damaged|checksum|CRC|header|cut short",),
            **named,
        )
    maps = numpy.stack([1 - 0.75 * MASK, 0.75 * MASK]).astype("f4")
    one, other = halves(SIZE)
    likely = about("probabilities", npz({"probabilities.npy": npy(maps)}), reading=["--threshold", "0.5"], **named)
    likely.files |= {"half.npy": npy(one), "rest.npy": npy(other)}
    yield likely
    yield about(
        "probabilities-without-threshold", npz({"probabilities.npy": npy(maps)}), "refused", ("--threshold",), **named
    )
    yield about("two-arrays", npz({"a.npy": npy(), "b.npy": npy()}), "refused", ("\\ba\\b", "\\bb\\b"), **named)
    yield about("no-array", npz({}), "refused", ("without NumPy arrays",), **named)
    yield about("no-npy", npz({"readme.txt": b"hello"}), "refused", ("array|ZIP|zip",), **named)
    whole = npz({"mask.npy": npy()})
    directory = whole.rindex(b"PK\x01\x02")
    yield about(
        "encrypted", patched(patched(whole, 6, b"\1"), directory + 8, b"\1"), "refused", ("encrypted",), **named
    )
    yield about(
        "wrong-crc",
        patched(patched(whole, 14, bytes(4)), directory + 16, bytes(4)),
        "refused",
        ("checksum|CRC",),
        **named,
    )
    lying = patched(patched(whole, 22, b"\xff\xff\xff\x7f"), directory + 24, b"\xff\xff\xff\x7f")
    yield about("lying-size", lying, "refused", ("size|cut short|damaged|bytes|hold",), **named)


def cases():
    yield from arrays()
    yield from archives()
