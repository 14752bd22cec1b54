# SPDX-License-Identifier: Apache-2.0
"""What findings are made of."""

HARD = ["jaccard", "dice"]
SOFT = ["tanimoto", "soergel", "dice2", "dice1"]


def verdict(truths):
    truths = list(truths)
    if not truths:
        return "not looked at"
    if all(truths):
        return "holds"
    return f"holds in part ({sum(truths)} of {len(truths)})" if any(truths) else "does not hold"


def finding(text, truths, evidence):
    return f"**{text}** *{verdict(truths).capitalize()}.* {evidence}\n"


def said(parts):
    return "; ".join(parts) + "."


def curve(one, method, image):
    found = [row for row in one.tables["fig_1a"] if row["method"] == method and row["image"] == image]
    return found[0] if found else None


def far(one, method):
    """The image with the most background."""
    return [row for row in one.tables["fig_1a"] if row["method"] == method][-1]
