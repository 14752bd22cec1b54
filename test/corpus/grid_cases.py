# SPDX-License-Identifier: Apache-2.0
"""Where grids lie: crops, turned axes, small and large offsets, and orientations that contradict themselves."""

import itertools

import numpy
from kit import MASK, SIZE
from nifti_bytes import ORIGIN, SPACING, about, affine_of, nifti, partners

NAN, INFINITE = float("nan"), float("inf")
UNIT = numpy.eye(4)


def turned(axes, signs):
    """The mask and its affine with axes exchanged and reversed; the place of each voxel stays what it was."""
    array = MASK.transpose(2, 1, 0)
    affine = affine_of()
    change = numpy.zeros((4, 4))
    change[3, 3] = 1
    for new, (old, sign) in enumerate(zip(axes, signs)):
        change[old, new] = sign
        change[old, 3] = SIZE[old] - 1 if sign < 0 else 0
    picked = array.transpose(axes)[tuple(slice(None, None, sign) for sign in signs)]
    return picked.transpose(2, 1, 0), affine @ change


def second(id, content, verdict, says=(), **more):
    """A case whose subject comes after a reference, since the first rater is always right about the grid."""
    case = about(f"grids/{id}", "grids", "a.nii", content, verdict, says, alone=False, named="a.nii", **more)
    case.inputs = [*case.inputs[1:], "a.nii"]
    return case


def moved(offset, **more):
    return nifti(affine=affine_of(origin=numpy.add(ORIGIN, offset)), **more)


def placed():
    yield second(
        "shape-differs",
        nifti(MASK[:, :, :-1], affine=affine_of(origin=(0.3, 0.4, 0.5))),
        "refused",
        ("8 ?× ?8 ?× ?7", "9 ?× ?8 ?× ?7", "half", "resample|leave"),
    )
    # Without a position nothing says how two sizes would lie on each other.
    yield second(
        "shape-larger",
        nifti(numpy.pad(MASK, 1), sform=0, qform=0),
        "refused",
        ("11 ?× ?10 ?× ?9", "9 ?× ?8 ?× ?7", "resample|leave"),
    )
    corner_kept = numpy.zeros_like(MASK)
    corner_kept[:5, :6, :7] = MASK[:5, :6, :7]
    yield second("crop-at-the-first-corner", nifti(MASK[:5, :6, :7]), "warning", ("padded",), want=corner_kept)
    crop = MASK[1:5, 2:7, 3:9]
    kept = numpy.zeros_like(MASK)
    kept[1:5, 2:7, 3:9] = crop
    corner = numpy.add(ORIGIN, numpy.multiply(SPACING, (3, 2, 1)))
    yield second("crop", nifti(crop, affine=affine_of(origin=corner)), "warning", ("crop|padded",), want=kept)
    off = nifti(crop, affine=affine_of(origin=numpy.add(corner, (0.75, 0, 0))))
    yield second("crop-half-a-voxel-off", off, "refused", ("resample|leave",))
    for axes in itertools.permutations(range(3)):
        for signs in itertools.product((1, -1), repeat=3):
            if axes == (0, 1, 2) and signs == (1, 1, 1):
                continue
            array, affine = turned(axes, signs)
            name = "turned-" + "".join("+-"[sign < 0] + "xyz"[axis] for axis, sign in zip(axes, signs))
            yield second(name, nifti(array, affine=affine, qform=0), "warning", ("reoriented|flipped|turned|axes",))
    yield second("origin-1e-6", moved((1e-6, 0, 0), version=2), "fine")
    yield second("origin-4e-5", moved((0, 4e-5, 0), version=2), "fine")
    yield second("origin-0.05-voxels", moved((0, 0, 0.1)), "warning", ("0\\.05",))
    yield second("origin-0.3-voxels", moved((0, 0, 0.6)), "refused", ("0\\.3", "resample|leave"))
    yield second("origin-90-mm", moved((90, 0, 0)), "refused", ("\\b60\\b|\\b90\\b", "resample|leave"))
    yield second("spacing-differs", nifti(affine=affine_of((1.5, 1.25, 2.5))), "refused", ("resample|leave",))


def orientation(id, verdict, says=(), beside=None, **fields):
    content = nifti(**fields)
    return about(f"orientation/{id}", "orientation", "a.nii", content, verdict, says, beside=beside)


def contradictions():
    # A quarter turn about z; the sform says none.
    yield orientation("qform-and-sform-disagree", "warning", ("qform", "sform"), quatern=(0, 0, 0.70710678))
    yield orientation("qform-elsewhere", "warning", ("qform", "sform"), qoffset=(50, 20, 5))
    sheared = affine_of(shear=0.02)
    yield orientation("shear-0.02", "fine", affine=sheared, qform=0, beside=partners(affine=sheared, qform=0))
    rows = affine_of()[:3]
    spoilt = {"nan": (0, 0, NAN), "infinite": (1, 1, INFINITE), "nan-origin": (0, 3, NAN)}
    for name, (row, column, value) in spoilt.items():
        bad = rows.copy()
        bad[row, column] = value
        yield orientation(f"sform-{name}-with-qform", "warning", ("sform",), srow=tuple(bad.ravel()))
        yield orientation(
            f"sform-{name}-alone", "warning or refused", ("sform",), srow=tuple(bad.ravel()), qform=0, beside=spaced()
        )
    flat = rows.copy()
    flat[2] = flat[1]
    for name, bad in (("singular", flat), ("zero", 0 * rows)):
        yield orientation(f"sform-{name}-with-qform", "warning", ("sform",), srow=tuple(bad.ravel()))
        yield orientation(
            f"sform-{name}-alone", "warning or refused", ("sform",), srow=tuple(bad.ravel()), qform=0, beside=spaced()
        )
    yield orientation(
        "quaternion-too-long", "warning or refused", ("qform",), quatern=(3, 4, 5), sform=0, beside=spaced()
    )
    yield orientation("quaternion-nan", "warning or refused", ("qform",), quatern=(NAN, 0, 0), sform=0, beside=spaced())
    yield orientation("codes-0", "warning", ("sform|qform|orientation|position",), sform=0, qform=0, beside=spaced())
    yield orientation("codes-0-against-codes-1", "warning", ("sform|qform|orientation|position",), sform=0, qform=0)


def spaced():
    """Partners that say nothing about where they lie, but for the spacing."""
    return partners(sform=0, qform=0)


def spacings():
    for name, value in (("negative", -1.5), ("0", 0), ("nan", NAN), ("infinite", INFINITE)):
        pixdim = (1, value, 1.25, 2.0)
        yield orientation(
            f"spacing-{name}",
            "warning or refused",
            ("spacing|pixdim",),
            pixdim=pixdim,
            sform=0,
            qform=0,
            beside=partners(pixdim=(1, 1.5, 1.25, 2.0), sform=0, qform=0),
        )
        yield orientation(
            f"spacing-{name}-of-the-qform", "warning or refused", ("spacing|pixdim",), pixdim=pixdim, sform=0
        )
    yield orientation("qfac-0", "fine", pixdim=(0, *SPACING), sform=0)
    turned_back = affine_of((1.5, 1.25, -2.0))
    yield orientation(
        "qfac-minus-1",
        "fine",
        pixdim=(-1, *SPACING),
        sform=0,
        beside=partners(affine=turned_back, pixdim=(-1, *SPACING)),
    )


def cases():
    yield from placed()
    yield from contradictions()
    yield from spacings()
