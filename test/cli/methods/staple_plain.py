# SPDX-License-Identifier: Apache-2.0
"""STAPLE and its relatives voxel by voxel, from the formulas of docs/method.md: no groups, no logarithms."""

import numpy

TOLERANCE = 1e-7
MOST = 10_000

# Three raters of 1000 voxels: who drew, and how many voxels.
PATTERNS = {"111": 200, "110": 30, "101": 20, "011": 25, "100": 15, "010": 40, "001": 10, "000": 660}


def pattern_masks(patterns=PATTERNS, size=(10, 10, 10)):
    """One mask per rater; voxels of a pattern lie one after the other."""
    codes = numpy.array([list(map(int, code)) for code, count in patterns.items() for _ in range(count)], numpy.uint8)
    return [codes[:, k].reshape(size) for k in range(codes.shape[1])]


def levels_by_pattern(image, masks):
    """The level of the first voxel of each pattern; all of a pattern must have the same."""
    found = {}
    for level, *drew in zip(image.ravel(), *(mask.ravel() for mask in masks)):
        code = "".join(map(str, drew))
        assert found.setdefault(code, float(level)) == float(level)
    return found


def rates(votes, levels, method):
    """Sensitivity and specificity of every rater under the levels."""
    inside, outside = levels.sum(), (1 - levels).sum()
    p = (votes * levels).sum(axis=1) / inside
    q = ((1 - votes) * (1 - levels)).sum(axis=1) / outside
    if method == "accuracy":
        p = q = (p * inside + q * outside) / levels.size
    if method == "shared":
        p, q = numpy.full_like(p, p.mean()), numpy.full_like(q, q.mean())
    return p, q


def chances(votes, p, q):
    """How likely each voxel's votes are, inside and outside."""
    p, q = p[:, None], q[:, None]
    return numpy.where(votes == 1, p, 1 - p).prod(axis=0), numpy.where(votes == 0, q, 1 - q).prod(axis=0)


def estimate(votes, prior, method="staple", tolerance=TOLERANCE, most=MOST):
    """Levels, sensitivities, specificities and the number of iterations. votes: raters × voxels, 0 and 1."""
    votes = numpy.asarray(votes, float)
    levels, before = votes.mean(axis=0), None
    for iteration in range(1, most + 1):
        p, q = rates(votes, levels, method)
        inside, outside = chances(votes, p, q)
        levels = prior * inside / (prior * inside + (1 - prior) * outside)
        now = numpy.concatenate([p, q, levels])  # neither a rate nor a level may move
        if before is not None and numpy.abs(now - before).max() <= tolerance:
            break
        before = now
    log_likelihood = numpy.log(prior * inside + (1 - prior) * outside).sum()
    return levels, p, q, iteration, log_likelihood


def ml_staple(votes):
    """A mask, sensitivities and specificities; ties are background."""
    votes = numpy.asarray(votes, float)
    mask = votes.mean(axis=0) > 0.5
    seen = []
    while True:
        p, q = rates(votes, mask.astype(float), "ml-staple")
        inside, outside = chances(votes, p, q)
        likelier = (inside > outside) & ~numpy.isclose(inside, outside, rtol=1e-12, atol=0)
        if (likelier == mask).all() or any((likelier == old).all() for old in seen):
            return likelier, p, q, bool((likelier == mask).all())
        seen.append(mask)
        mask = likelier
