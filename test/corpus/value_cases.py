# SPDX-License-Identifier: Apache-2.0
"""Values that are or are not a mask, and raters that are few, many, empty or the same."""

import numpy
from kit import MASK, SIZE, Case, halves, packed
from nifti_bytes import about, nifti

NAN = float("nan")


def floats(low, high, dtype="f4"):
    return nifti(numpy.where(MASK, high, low), dtype)


def one_voxel(value, dtype="f4"):
    array = MASK.astype(dtype)
    array[2, 1, 3] = value
    return nifti(array, dtype)


def pairs_of_values():
    yield about("values/0.9999", "values", "a.nii", floats(0, 0.9999), "warning", ("0\\.9999|round",))
    yield about("values/0.0004-and-1.0004", "values", "a.nii", floats(0.0004, 1.0004), "warning", ("round",))
    yield about("values/254.9995", "values", "a.nii", floats(0, 254.9995, "f8"), "warning", ("255",))
    yield about("values/0.998", "values", "a.nii", floats(0, 0.998), says=("0\\.998", "--threshold"), general=True)
    yield about("values/0-and-255", "values", "a.nii", nifti(255 * MASK), "warning", ("255",))
    yield about("values/0-and-7", "values", "a.nii", nifti(7 * MASK), "warning", ("\\b7\\b",))
    yield about("values/0-and-minus-1", "values", "a.nii", nifti(-1.0 * MASK, "i2"), "warning", ("[-−]1\\b",))
    yield about("values/minus-zero", "values", "a.nii", floats(-0.0, 1), "fine")
    hounsfield = nifti(numpy.where(MASK, 10000, -1024), "i2")
    yield about(
        "values/minus-1024-and-10000",
        "values",
        "a.nii",
        hounsfield,
        says=("-1024|−1024", "10000|10 000", "--label|--threshold"),
        general=True,
    )
    yield about(
        "values/1-and-2",
        "values",
        "a.nii",
        nifti(MASK + 1),
        says=("\\b1\\b", "\\b2\\b", "--label|--threshold"),
        general=True,
    )
    ones = numpy.ones_like(MASK)
    yield about(
        "values/1-only", "values", "a.nii", nifti(ones), "warning", ("all|every|only|no background",), want=ones
    )
    yield about(
        "values/largest-uint64",
        "values",
        "a.nii",
        nifti(MASK.astype("u8") * (2**64 - 1), "u8"),
        "warning",
        ("18446744073709551615|1\\.8.*e.?19",),
    )


def wide_values():
    for dtype, low in (("i8", 2**53), ("u8", 2**64 - 2)):
        array = MASK.astype(dtype) * numpy.array(low, dtype)
        name = numpy.dtype(dtype).name
        yield about(f"values/{name}-beyond-2-to-53", "values", "a.nii", nifti(array, dtype), "warning", ("e.?1",))
        array[2, 1, 3] = low + 1
        says = (str(low), str(low + 1), "labels")
        yield about(f"values/{name}-neighbours", "values", "a.nii", nifti(array, dtype), says=says, general=True)
        yield about(
            f"values/{name}-label-beyond",
            "values",
            "a.nii",
            nifti(array, dtype),
            says=("exactly",),
            reading=["--label", str(low)],
            alone=False,
        )


def more_values():
    ramp = numpy.linspace(0, 1, MASK.size).reshape(MASK.shape)
    maps = {"general": True, "says": ("probability", "--threshold 0\\.5")}
    yield about("values/probabilities", "values", "a.nii", nifti(ramp, "f4"), **maps)
    # Grey values as far as anybody can see: cut by a threshold they would pass for a rater.
    grey = {"general": True, "says": ("from 0 to 255", "image", "leave it out")}
    yield about("values/fractions-0-to-255", "values", "a.nii", nifti(255 * ramp, "f4"), **grey)
    yield about("values/one-voxel-0.5", "values", "a.nii", one_voxel(0.5), **maps)
    labels = MASK + halves(SIZE)[0] * MASK
    yield about("values/0-1-2", "values", "a.nii", nifti(labels), says=("labels?", "--label"), general=True)
    striped = 2 * MASK
    striped[tuple(numpy.argwhere(MASK == 0)[0])] = 1
    yield about(
        "values/0-1-2-with-label",
        "values",
        "a.nii",
        nifti(striped),
        "fine",
        reading=["--label", "2"],
        want=(striped == 2).astype("u1"),
        alone=False,
        beside=labelled_partners(),
    )


def not_finite():
    for name, value in (("nan", NAN), ("infinite", float("inf")), ("minus-infinite", -float("inf"))):
        for dtype in ("f4", "f8"):
            yield about(
                f"values/{name}-{dtype}",
                "values",
                "a.nii",
                one_voxel(value, dtype),
                says=("NaN|[Ii]nf|finite", "\\b1 (voxel|value)|one", "3, ?1, ?2"),
                general=True,
            )
    nans = numpy.where(MASK, 1.0, NAN)
    yield about(
        "values/nan-as-background",
        "values",
        "a.nii",
        nifti(nans, "f4"),
        says=("NaN", f"\\b{int(MASK.size - MASK.sum())}\\b"),
        general=True,
    )
    yield about(
        "values/nan-under-threshold",
        "values",
        "a.nii",
        one_voxel(NAN),
        says=("NaN",),
        alone=False,
        reading=["--threshold", "0.5"],
    )


def labelled_partners():
    one, other = halves(SIZE)
    return {"half.nii": nifti(2 * one), "rest.nii": nifti(2 * other)}


def raters(id, masks, verdict="fine", says=(), want=None, names=None, **more):
    """A case of plain raters, where what matters is how many they are."""
    files = {f"r{i}.nii.gz": packed(nifti(mask)) for i, mask in enumerate(masks)}
    more.setdefault("named", "r0.nii.gz" if files else "RATER")
    return Case(f"raters/{id}", "raters", files, names or list(files), verdict, says, want=want, alone=False, **more)


def few_raters():
    nothing, everything = numpy.zeros_like(MASK), numpy.ones_like(MASK)
    one, other = halves(SIZE)
    yield raters("one-empty", [MASK, MASK | one, nothing], "warning", ("empty|nothing",), MASK, named="r2.nii.gz")
    for method in ("jaccard", "dice", "staple", "ml-staple", "simple", "average", "shape", "tanimoto", "local-staple"):
        yield raters(f"all-empty-{method}", [nothing] * 3, "accepted", want=nothing, method=method)
    yield raters("all-ones", [everything] * 3, "accepted", want=everything, method="jaccard")
    yield raters("all-ones-staple", [everything] * 3, "accepted", want=everything, method="staple")
    yield raters("one", [MASK], "warning", ("only rater|one rater",), MASK)
    yield raters("none", [], "refused", code=2, says=("RATER",), check=2)
    yield raters("tie", [one, MASK], want=one & MASK)
    yield raters("tie-foreground", [one, MASK], want=one | MASK, options=["--tie", "foreground"])
    yield raters("tie-of-four", [one, MASK, other, MASK * other], want=MASK * other)
    yield raters(
        "same-file-twice",
        [MASK, one],
        "warning",
        ("twice|same file",),
        MASK & one,
        names=["r0.nii.gz", "r0.nii.gz", "r1.nii.gz", "r1.nii.gz"],
    )


def many_raters():
    for count in (33, 64):
        masks = [MASK]
        for seed in range((count - 1) // 2):
            half = (numpy.random.default_rng(seed).permutation(MASK.size) % 2).reshape(MASK.shape).astype("u1")
            masks += [half, 1 - half]
        if count % 2 == 0:
            masks.append(MASK & masks[1])
        # Of an even number the last one decides what would be a tie.
        yield raters(f"{count}", masks, want=MASK & masks[-1] if count % 2 == 0 else MASK)
    for count in (65, 100):
        yield raters(
            f"{count}", [MASK] * count, "refused", (f"\\b{count}\\b", "\\b64\\b"), check=None, named=f"{count} raters"
        )


def cases():
    for part in (pairs_of_values, wide_values, more_values, not_finite, few_raters, many_raters):
        yield from part()
