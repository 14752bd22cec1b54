# SPDX-License-Identifier: Apache-2.0
"""Random small cases: the masks, and the options and setting that go with them."""

from dataclasses import dataclass

import numpy
from oracle import Setting

AXES = "xyz"
SPACINGS = (0.5, 1.0, 1.5, 2.0, 3.0)
# Connectivity, and the axis of slice-wise work: a letter, "auto" for the program's choice, or None.
MODES_2D = ((4, None), (8, None))
MODES_3D = ((6, None), (18, None), (26, None)) + tuple((n, a) for n in (4, 8) for a in (*AXES, "auto"))
MODES = tuple((2, *mode) for mode in MODES_2D) + tuple((3, *mode) for mode in MODES_3D)


@dataclass(frozen=True)
class Case:
    masks: list
    spacing: tuple
    setting: Setting
    options: tuple


def noise(random, shape):
    return random.random(shape) < random.choice([0.05, 0.15, 0.3, 0.6])


def ball(random, shape):
    """An ellipsoid somewhere; it may stick out of the image."""
    middle = random.uniform(0, shape)
    radius = random.uniform(0.7, numpy.maximum(1, numpy.array(shape) / 2.2))
    places = numpy.moveaxis(numpy.indices(shape), 0, -1)
    return (((places - middle) / radius) ** 2).sum(axis=-1) <= 1


def blobs(random, shape, raters):
    """Balls that each rater draws with another border, shifted, or not at all."""
    masks = [numpy.zeros(shape, bool) for _ in range(raters)]
    for _ in range(random.integers(1, 4)):
        drawn = ball(random, shape)
        for mask in masks:
            if random.random() < 0.75:
                shifts = tuple(int(s) for s in random.integers(-1, 2, len(shape)))
                mask |= numpy.roll(drawn, shifts, range(len(shape))) & (random.random(shape) < 0.95)
    return masks


def boxes(random, shape, raters):
    """Straight-edged boxes from few corners: many exact ties."""
    masks = [numpy.zeros(shape, bool) for _ in range(raters)]
    for mask in masks:
        low = [int(random.integers(0, max(1, n // 3))) for n in shape]
        high = [int(a + random.integers(1, max(2, n - a))) for a, n in zip(low, shape)]
        mask[tuple(slice(a, b) for a, b in zip(low, high))] = True
    return masks


def draw(random, shape, raters):
    kind = random.choice(["noise", "blobs", "boxes", "mixture"])
    if kind == "noise":
        masks = [noise(random, shape) for _ in range(raters)]
    elif kind == "blobs":
        masks = blobs(random, shape, raters)
    elif kind == "boxes":
        masks = boxes(random, shape, raters)
    else:
        masks = [mask | (random.random(shape) < 0.06) for mask in blobs(random, shape, raters)]
    if random.random() < 0.15:
        masks[random.integers(raters)][...] = False
    if random.random() < 0.15:
        masks[random.integers(raters)] = masks[0].copy()
    return masks


def flat_axis(dimensions, axis, spacing):
    if dimensions == 2:
        return 2
    if axis == "auto":
        return max(range(3), key=lambda i: (spacing[i], i))
    return None if axis is None else AXES.index(axis)


def random_case(seed):
    """Of consecutive seeds each takes the next mode, and with it the next tie policy and number of raters."""
    random = numpy.random.default_rng(seed)
    dimensions, connectivity, axis = MODES[seed % len(MODES)]
    turn = seed // len(MODES)
    tie = ("background", "foreground")[turn % 2]
    raters = 1 + (turn // 2 + seed) % 6
    low, high = ((4, 17), (2, 9))[dimensions - 2]
    shape = tuple(int(n) for n in random.integers(low, high, dimensions))
    spacing = tuple(float(s) for s in random.choice(SPACINGS, dimensions)) + (1.0,) * (3 - dimensions)
    options = ["--connectivity", str(connectivity), "--tie", tie]
    if axis is not None:
        options += ["--slice-wise"] + [axis] * (axis != "auto")
    setting = Setting(connectivity, flat_axis(dimensions, axis, spacing), tie)
    return Case(draw(random, shape, raters), spacing, setting, tuple(options))
