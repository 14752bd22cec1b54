# SPDX-License-Identifier: Apache-2.0
"""An installed wheel has program, manual pages and completions, starts quickly, and fuses an example."""

import importlib.metadata
import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import crema

PREFIX = Path(sys.prefix)


def run(*command, env=None):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=env)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout


def quickest(*command, times=15):
    """The least processor time of several runs, in seconds: others may be at work on the machine."""
    seconds = []
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run(*command)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return min(seconds)


def check_program():
    program = PREFIX / "bin/crema"
    assert shutil.which("crema") == str(program), "crema is not on the PATH"
    assert program.read_bytes()[:4] == b"\x7fELF", "the program is a script, which starts slowly"
    said = {run("crema", "--version"), run(sys.executable, "-m", "crema", "--version")}
    assert said == {f"crema {crema.__version__}\n"}, said
    assert importlib.metadata.version("crema-consensus") == crema.__version__
    # Somebody else's program comes first on the PATH; the package has its own.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "crema").write_text("#!/bin/sh\necho another\n")
        Path(folder, "crema").chmod(0o755)
        other = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}")
        assert run(sys.executable, "-m", "crema", "--version", env=other) in said
    failed = subprocess.run([sys.executable, "-m", "crema", "no-such-command"], capture_output=True)
    assert failed.returncode == subprocess.run(["crema", "no-such-command"], capture_output=True).returncode != 0


def check_pages():
    for page in ("man/man1/crema.1", "man/man1/crema-fuse.1", "bash-completion/completions/crema",
                 "zsh/site-functions/_crema", "fish/vendor_completions.d/crema.fish"):  # fmt: skip
        assert (PREFIX / "share" / page).stat().st_size > 100, page


def check_libraries():
    """Program and extension take every library from the wheel, or from the C and C++ run-time."""
    for binary in (PREFIX / "bin/crema", Path(crema._core.__file__)):
        for line in run("ldd", binary).splitlines():
            found = re.search(r"=> (\S+)", line)
            ours = found and "crema_consensus.libs" in found[1]
            system = re.match(r"\s*(linux-vdso|/lib|lib(c|m|dl|pthread|rt|gcc_s|stdc\+\+|z)\.so)", line)
            assert ours or system, f"{binary}: {line.strip()}"


def check_speed():
    start = quickest("crema", "--version")
    assert start < 0.020, f"crema --version takes {start * 1000:.1f} ms"
    clock = "time.process_time()"
    code = f"import time; a = {clock}; import numpy; b = {clock}; import crema; c = {clock}; print(c - a, c - b)"
    whole, own = (
        min(times) for times in zip(*(map(float, run(sys.executable, "-c", code).split()) for _ in range(15)))
    )
    # Where NumPy alone has used it all up, ours is still a small part.
    assert whole < 0.150 or own < 0.030, f"import crema takes {whole * 1000:.0f} ms, {own * 1000:.0f} ms without NumPy"
    print(f"crema --version: {start * 1000:.1f} ms; import crema: {whole * 1000:.0f} ms, {own * 1000:.0f} of them ours")


def check_wheel(path):
    names = zipfile.ZipFile(path).namelist()
    assert "manylinux_2_34" in path.name, path.name
    assert path.stat().st_size < 8_000_000
    assert any("/licenses/" in name for name in names)


def tiff_packed_by(code):
    """Eight by eight pixels that are said to be packed by this codec."""
    data = bytes(32)
    tags = [(256, 8), (257, 8), (258, 8), (259, code), (262, 1), (273, 8), (277, 1), (278, 8), (279, len(data))]
    entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
    return b"II*\0" + struct.pack("<I", 8 + len(data)) + data + struct.pack("<H", len(tags)) + entries + bytes(4)


def check_codecs():
    """JPEG, JBIG, LERC and WebP are refused in words: for these the wheel has stand-ins, which end the program."""
    with tempfile.TemporaryDirectory() as folder:
        for code in (6, 7, 34661, 34887, 50001):
            path = Path(folder, f"{code}.tif")
            path.write_bytes(tiff_packed_by(code))
            done = subprocess.run(["crema", "fuse", path, path, "-o", Path(folder, "never.tif")], capture_output=True)
            assert done.returncode == 3 and path.name.encode() in done.stderr, (code, done)


def check_example():
    with tempfile.TemporaryDirectory() as folder:
        run("crema", "demo", "-o", f"{folder}/raters", "--kind", "lesions", "--raters", "5")
        raters = sorted(map(str, Path(folder, "raters").glob("rater-*.nii.gz")))
        run("crema", "fuse", *raters, "-o", f"{folder}/consensus.nii.gz")
        by_program = crema.read(f"{folder}/consensus.nii.gz").array
        by_package = crema.fuse(raters).image.array
        assert (by_program == by_package).all() and by_package.any()


if __name__ == "__main__":
    check_wheel(Path(sys.argv[1]))
    check_program()
    check_pages()
    check_libraries()
    check_codecs()
    check_example()
    check_speed()
    print("installed: ok")
