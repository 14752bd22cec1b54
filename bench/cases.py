# SPDX-License-Identifier: Apache-2.0
"""The cases that are measured: made once, kept in the data folder."""

import dataclasses
import pathlib
import shutil

import measuring
import nibabel
import numpy


@dataclasses.dataclass(frozen=True)
class Sizes:
    """What a run measures on; `quick` is for seeing that everything works."""

    organ: str
    lesions: str
    huge: str
    huge_lesions: int
    padded: float  # share of the phantoms' sides, for volumes that grow up to a hundredfold
    raters: tuple
    lesion_counts: tuple
    lesion_volume: str
    shares: tuple  # of the full phantoms' sides


FULL = Sizes(
    "160,480,480",
    "200,370,370",
    "2048,2048,512",
    100_000,
    0.5,
    (2, 4, 8, 16, 32, 64),
    (10, 100, 1000, 10_000),
    "800,740,740",
    (0.25, 0.35, 0.5, 0.7, 1.0),
)
QUICK = Sizes(
    "80,160,160", "80,128,128", "256,256,128", 1000, 0.5, (2, 8, 64), (10, 100, 300), "160,160,160", (0.25, 0.5)
)


def scaled(size, share):
    return ",".join(str(max(16, round(int(side) * share))) for side in size.split(","))


@dataclasses.dataclass(frozen=True)
class Bench:
    """Where things are, and how much is measured."""

    build: pathlib.Path
    data: pathlib.Path
    sizes: Sizes
    runs: int
    quick: bool

    @property
    def crema(self):
        return self.build / "cli/crema"

    def case(self, **options):
        """Files of a case, made unless they are there."""
        name = "-".join(f"{key}{value}" for key, value in options.items()).replace(",", "x")
        folder = self.data / name
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            words = [word for key, value in options.items() for word in (f"--{key}", value)]
            measuring.run(self.build / "bench/crema_case", folder, *words)
            (folder / "complete").touch()
        return sorted(folder.glob("rater-*.nii.gz"))

    def padded(self, kind):
        """The size of what gets more and more background."""
        return scaled(getattr(self.sizes, kind), self.sizes.padded)

    def phantom(self, kind, **more):
        return self.case(kind=kind, size=getattr(self.sizes, kind), **more)

    def fuse(self, raters, threads=2, method="jaccard", *more):
        """Seconds of the whole program, from files to file."""
        out = self.data / "out.nii.gz"
        return measuring.run(*self.fuse_words(raters, out, threads, method, *more)).elapsed

    def peak(self, *command):
        """The most bytes a program had."""
        return int(measuring.run(self.build / "bench/crema_peak", *command).printed.splitlines()[-1])

    def fuse_words(self, raters, out, threads, method, *more):
        return [
            self.crema,
            "fuse",
            *raters,
            "-o",
            out,
            "--force",
            "--quiet",
            "--threads",
            threads,
            "--method",
            method,
            *more,
        ]


def masks_of(raters):
    """All masks as booleans, each in the order of its file, which is Fortran's."""
    return [numpy.asfortranarray(numpy.asanyarray(nibabel.load(path).dataobj).astype(bool)) for path in raters]


def image_of(path):
    return numpy.asanyarray(nibabel.load(path).dataobj)


def voxels_of(path):
    return int(numpy.prod(nibabel.load(path).shape, dtype=numpy.int64))
