# SPDX-License-Identifier: Apache-2.0
"""Every header compiles alone. Usage: headers.py COMPILER"""
import concurrent.futures
import os
import subprocess
import sys

import tree


def compile_alone(compiler, header):
    """What the compiler says of a file that holds nothing but this include; empty when it is content."""
    command = [compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I", str(tree.ROOT), "-x",
               "c++", "-"]
    run = subprocess.run(command, input=f'#include "{header.as_posix()}"\n', text=True, capture_output=True)
    return "" if run.returncode == 0 else f"{header}: does not compile alone\n{run.stderr}"


def main():
    headers = [p for p in tree.cpp() if p.suffix == ".h" and p.parts[0] in tree.PRODUCT]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = pool.map(lambda header: compile_alone(sys.argv[1], header), headers)
        tree.finish([s for s in said if s], f"{len(headers)} headers")


if __name__ == "__main__":
    main()
