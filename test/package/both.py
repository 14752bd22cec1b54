# SPDX-License-Identifier: Apache-2.0
"""A wheel in an environment that sees the system's packages: programs and packages load their own libraries, and agree.

Usage: both.py PYTHON_OF_THE_WHEEL, by the system's python3 and where both are installed
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

# What either brings or asks the system for; all else is the C and C++ run-time's.
OURS = re.compile(r"/(libcrema|libtbb|libfmt|libdeflate|libisal|libpng|libtiff|libnettle)[^/]*$")
LOADED = """
import crema, crema._core, sys
assert crema.read(sys.argv[1]).array.any()
print(crema.__file__, crema._core.__file__)
"""


def run(*command):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout


def libraries(binary):
    found = [path for path in re.findall(r"=> (\S+)", run("ldd", binary)) if OURS.search(path)]
    assert found, f"{binary} takes no library that could be another's"
    return found


def check(python, program, is_own, scratch):
    """The consensus that this installation makes of the case in the folder."""
    by_program = scratch / f"{python.parent.parent.name}.nii"
    run(program, "fuse", *sorted(scratch.glob("raters/rater-*")), "-o", by_program, "--no-provenance", "--quiet")
    package, extension = run(python, "-c", LOADED, by_program).split()
    for path in [package, extension, *libraries(extension), *libraries(program)]:
        assert is_own(path), f"{python} and {program} take {path}"
    assert run(python, "-m", "crema", "--version") == run(program, "--version")
    return by_program.read_bytes()


def main():
    system, wheel = Path("/usr/bin/python3"), Path(sys.argv[1])
    environment = str(wheel.parent.parent)
    with tempfile.TemporaryDirectory() as folder:
        run("/usr/bin/crema", "demo", "-o", f"{folder}/raters", "--kind", "lesions")
        ones = check(system, "/usr/bin/crema", lambda path: not path.startswith(environment), Path(folder))
        others = check(wheel, wheel.with_name("crema"), lambda path: path.startswith(environment), Path(folder))
    assert ones == others
    print("both: ok")


if __name__ == "__main__":
    main()
