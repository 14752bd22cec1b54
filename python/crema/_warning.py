# SPDX-License-Identifier: Apache-2.0
"""What a careful colleague would say about a run."""

from __future__ import annotations


class Warning(str):
    """A warning: a sentence that knows what it is about.

    Attributes
    ----------
    kind : str
        A stable word, such as "empty-mask"; docs/formats.md lists them.
    severity : str
        "defect" of the input, "caution" or "note".
    """

    kind: str
    severity: str

    def __new__(cls, text: str, kind: str = "other", severity: str = "caution") -> Warning:
        result = super().__new__(cls, text)
        result.kind, result.severity = kind, severity
        return result
