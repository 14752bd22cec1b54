# SPDX-License-Identifier: Apache-2.0
"""What the Python package costs above the library: at most 5 % of a call on uint8 arrays, or a millisecond.

    python bench/python_overhead.py BUILD_FOLDER [--check]

The library's fuse() is timed in C++ (BUILD_FOLDER/bench/libcrema_timer.so), on the same buffers; that both give the
same voxels is tested in python/tests. With SimpleITK at hand, STAPLE is timed against ITK's after the answers were
compared."""

import ctypes
import pathlib
import statistics
import sys
import time

import numpy as np

import crema

LIMIT = 1.05
REPEATS = 151
PAUSE = 5e-3
FIXED = 1e-3  # seconds that any call may cost, however small its image


def library(masks, name):
    """Seconds that crema::fuse takes on these buffers."""
    buffers = (ctypes.c_void_p * len(masks))(*(mask.ctypes.data for mask in masks))
    size = (ctypes.c_int32 * 3)(*masks.shape[:0:-1])
    seconds = timer.crema_time_fuse(buffers, len(masks), size, name.encode())
    assert seconds >= 0, name
    return seconds


def package(masks, name):
    """Seconds until the caller has the image; giving its memory back is neither's to count."""
    began = time.perf_counter()
    result = crema.fuse(masks, method=name)
    image = result.image
    seconds = time.perf_counter() - began
    assert image.shape == masks.shape[1:]
    return seconds


def in_turn(masks, name):
    """The library's median seconds, and by how many the package's call next to it took longer, in the median: what
    the machine does meanwhile moves both alike. They take turns at going first, each after a pause: the library's
    threads stay awake for a while after a call, which only the call that follows at once would gain from."""
    theirs, more = [], []
    for turn in range(REPEATS):
        order = (package, library) if turn % 2 else (library, package)
        seconds = {}
        for which in order:
            time.sleep(PAUSE)
            seconds[which] = which(masks, name)
        theirs.append(seconds[library])
        more.append(seconds[package] - seconds[library])
    return statistics.median(theirs), statistics.median(more)


def overhead():
    worst = 0.0
    for kind in ("organ", "lesions", "cord"):
        masks, _ = crema.phantom(kind, size="full")
        for name in ("jaccard", "tanimoto", "majority"):
            theirs, more = in_turn(masks, name)
            ratio = 1 + more / theirs
            if more > FIXED:
                worst = max(worst, ratio)
            print(f"{kind:8} {name:9} library {1e3 * theirs:8.2f} ms, package {1e3 * more:+8.2f} ms, {ratio:.3f}")
    return worst


def staple():
    try:
        import SimpleITK as sitk
    except ImportError:
        return
    masks, _ = crema.phantom("organ", size=(32, 256, 256), raters=5)
    images = [sitk.GetImageFromArray(mask) for mask in masks]
    began = time.perf_counter()
    theirs = sitk.GetArrayFromImage(sitk.STAPLE(images, 1.0))
    itk = time.perf_counter() - began
    began = time.perf_counter()
    ours = crema.fuse(images, method="staple", preset="itk").image
    own = time.perf_counter() - began
    assert np.abs(sitk.GetArrayFromImage(ours) - theirs).max() < 1e-6
    print(f"STAPLE, {masks.shape}: ITK {1e3 * itk:.1f} ms, crema {1e3 * own:.1f} ms, {itk / own:.0f} times faster")


if __name__ == "__main__":
    timer = ctypes.CDLL(str(pathlib.Path(sys.argv[1]).resolve() / "bench" / "libcrema_timer.so"))
    timer.crema_time_fuse.restype = ctypes.c_double
    found = overhead()
    staple()
    print(f"worst {found:.3f}, the limit is {LIMIT}")
    sys.exit(1 if "--check" in sys.argv and found > LIMIT else 0)
