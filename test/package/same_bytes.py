# SPDX-License-Identifier: Apache-2.0
"""Two builds of the program give the same bytes: made-up raters of each kind, and every method's consensus of them.

Files are compared unpacked: ISA-L packs the same bytes otherwise on each kind of processor.
Usage: same_bytes.py CREMA OTHER_CREMA
"""

import gzip
import hashlib
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CASES = {
    "organ": ("40,36,30", "5"),
    "lesions": ("48,44,20", "5"),
    "cord": ("40,40,9", "4"),
}


def run(crema, folder):
    """Every file that comes of it, by its name."""
    folder.mkdir()
    for kind, (size, raters) in CASES.items():
        case = folder / kind
        quiet = dict(check=True, stdout=subprocess.DEVNULL)
        subprocess.run([crema, "demo", "-o", case, "--kind", kind, "--size", size, "--raters", raters], **quiet)
        masks = sorted(case.glob("rater-*.nii.gz"))
        command = [crema, "fuse", *masks, "-o", case / "all", "--method", "all", "--no-provenance", "--quiet"]
        subprocess.run(command, **quiet)
    return {
        str(path.relative_to(folder)): hashlib.sha256(gzip.decompress(path.read_bytes())).hexdigest()
        for path in sorted(folder.rglob("*.nii.gz"))
    }


def main():
    result, seconds = [], []
    with tempfile.TemporaryDirectory() as scratch:
        for number, crema in enumerate(sys.argv[1:3]):
            start = time.perf_counter()
            result.append(run(Path(crema).resolve(), Path(scratch, str(number))))
            seconds.append(time.perf_counter() - start)
    one, other = result
    differing = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
    for name in differing:
        print(f"same_bytes: {name} differs", file=sys.stderr)
    if differing or len(one) < 60:
        sys.exit(f"same_bytes: {len(differing)} of {len(one)} files differ")
    print(f"same_bytes: {len(one)} files are the same, in {seconds[0]:.1f} s and {seconds[1]:.1f} s")


if __name__ == "__main__":
    main()
