# SPDX-License-Identifier: Apache-2.0
"""`python -m crema` runs the program that was installed with this package, not whatever the PATH has."""

from __future__ import annotations

import importlib.metadata
import os
import sys
from pathlib import Path


def candidates() -> list[Path]:
    """Where the list of installed files says that it is; system packages keep no such list for the program."""
    listed: list[Path] = []
    try:
        files = importlib.metadata.files("crema-consensus") or []
        listed = [Path(str(file.locate())).resolve() for file in files if file.name == "crema" and not file.suffix]
    except importlib.metadata.PackageNotFoundError:
        pass
    listed = [path for path in listed if path.parent.name == "bin"]
    return [*listed, Path(sys.prefix, "bin", "crema")]


def main() -> int:
    for path in candidates():
        if os.access(path, os.X_OK) and path.is_file():
            os.execv(path, ["crema", *sys.argv[1:]])
    looked = " or ".join(map(str, dict.fromkeys(candidates())))
    print(f"crema: the program is not in {looked}; install the package again, from its wheel.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
