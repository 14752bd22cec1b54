# SPDX-License-Identifier: Apache-2.0
"""What `crema fuse --xml` says, as a form and as a command line; knows nothing of 3D Slicer."""

from __future__ import annotations

import subprocess
import xml.etree.ElementTree as ET
from dataclasses import dataclass

#: The module names these itself.
OWN = {"raters", "output", "force", "quiet"}


@dataclass(frozen=True)
class Field:
    """One option of the program."""

    name: str
    kind: str  #: "boolean", "integer", "double", "string", "string-enumeration", "file"
    flag: str
    text: str
    words: tuple[str, ...]
    group: str
    advanced: bool


def fields_of(description: str) -> list[Field]:
    """The options that a description lists, without those that the module names itself."""
    found = []
    for group in ET.fromstring(description.encode()).iter("parameters"):
        for element in group:
            name = element.findtext("name")
            if name is None or name in OWN:
                continue
            found.append(
                Field(
                    name,
                    element.tag,
                    element.findtext("longflag", ""),
                    element.findtext("description", ""),
                    tuple(word.text or "" for word in element.findall("element")),
                    group.findtext("label", ""),
                    group.get("advanced") == "true",
                )
            )
    return found


def describe(program: str) -> list[Field]:
    """Queries the program itself, so that the form has the options of the installed version."""
    done = subprocess.run([program, "fuse", "--xml"], capture_output=True, text=True, check=True)
    return fields_of(done.stdout)


def command_line(
    program: str, fields: list[Field], raters: list[str], output: str, values: dict[str, object]
) -> list[str]:
    """The words to run; what is empty, None or False was not chosen."""
    words = [program, "fuse", *raters, "--output", output, "--force"]
    for field in fields:
        value = values.get(field.name)
        if value is None or value is False or value == "":
            continue
        words += [field.flag] if field.kind == "boolean" else [field.flag, str(value)]
    return words


def run(words: list[str]) -> str:
    """What the program said. Raises RuntimeError with its sentence where it refuses."""
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or f"crema ended with code {done.returncode}.")
    return done.stderr
