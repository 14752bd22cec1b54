# SPDX-License-Identifier: Apache-2.0
"""Stand-ins for the codecs of libtiff that no mask may use, so that a wheel need not bring 600 kB of them.

The program refuses a TIFF file packed by JPEG, WebP, LERC or JBIG when it has read how it is packed, before libtiff
unpacks anything; but libtiff names these libraries, and the loader wants every name that libtiff asks of them.
"""

import re
import shutil
import subprocess
from pathlib import Path

UNUSED = ("libjbig.so", "libjpeg.so", "libLerc.so", "libwebp.so")
WORDS = "crema: libtiff needs a codec that no mask may use; this is a bug in crema.\\n"


def lines(*command):
    return subprocess.run(
        [str(part) for part in command], check=True, capture_output=True, text=True
    ).stdout.splitlines()


def symbols(library, which):
    """Pairs of name and version; the version is empty where there is none."""
    found = (line.split()[-1].replace("@@", "@").partition("@") for line in lines("nm", "-D", which, library))
    return {(name, version) for name, _, version in found}


def write_stand_in(real, required, folder):
    """A library of the same name and versions, whose functions end the program."""
    wanted = sorted(required & symbols(real, "--defined-only"))
    source, versions = folder / "codec.c", folder / "codec.map"
    text = [
        "#include <stdlib.h>\n#include <unistd.h>",
        f'static const char words[] = "{WORDS}";',
        "static void stop(void) { if (write(2, words, sizeof words - 1) >= 0) abort(); abort(); }",
        *(f"void {name}(void) {{ stop(); }}" for name, _ in wanted),
    ]
    source.write_text("\n".join(text) + "\n")
    named = sorted({version for _, version in wanted if version})
    versions.write_text(
        "".join(
            f"{version} {{ global: {' '.join(f'{name};' for name, own in wanted if own == version)} }};\n"
            for version in named
        )
    )
    script = [f"-Wl,--version-script={versions}"] if named else []
    result = folder / real.name
    lines("cc", "-shared", "-fPIC", "-Os", "-fno-builtin", source, "-o", result, f"-Wl,-soname,{real.name}", *script)
    source.unlink()
    versions.unlink()


def write_all(program, folder):
    """Into an empty folder, for what the libtiff of this program wants; returns their names."""
    needed = dict(re.findall(r"(\S+) => (/\S+)", "\n".join(lines("ldd", program))))
    tiff = next((path for name, path in needed.items() if name.startswith("libtiff.so")), None)
    if tiff is None or not shutil.which("cc"):
        return set()
    required = symbols(tiff, "--undefined-only")
    direct = re.findall(r"\(NEEDED\).*\[(\S+)\]", "\n".join(lines("readelf", "-d", tiff)))
    result = set()
    for name in direct:
        if name.startswith(UNUSED):
            write_stand_in(Path(needed[name]), required, folder)
            result.add(name)
    return result
