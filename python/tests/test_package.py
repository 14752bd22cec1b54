# SPDX-License-Identifier: Apache-2.0
"""What the package itself promises: types, version, no strangers among its imports."""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.resources
import re
import subprocess
import sys

import pytest
from conftest import ROOT

import crema


def test_one_version():
    (written,) = re.findall(r'^version = "([^"]+)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert crema.__version__ == written == importlib.metadata.version("crema-consensus")
    assert re.search(rf"^version: {re.escape(written)}$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)


def test_it_is_the_installed_package_that_is_tested():
    assert "site-packages" in str(importlib.resources.files("crema"))


def test_it_says_that_it_is_typed():
    assert importlib.resources.files("crema").joinpath("py.typed").is_file()


def statements(path):
    """What a stub says, however it is laid out."""
    return sorted(map(ast.unparse, ast.parse(path.read_text(encoding="utf-8")).body))


def test_the_stubs_of_the_extension_are_fresh(tmp_path):
    pytest.importorskip("nanobind")
    made = tmp_path / "_core.pyi"
    subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "crema._core", "-o", made], check=True)
    stale = "stale; run: python -m nanobind.stubgen -m crema._core -o python/crema/_core.pyi, then ruff"
    assert statements(made) == statements(ROOT / "python/crema/_core.pyi"), stale


def test_importing_it_imports_nothing_but_numpy():
    strangers = ("SimpleITK", "nibabel", "torch", "scipy", "macchiato")
    code = f"import sys, crema; print([m for m in {strangers} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_everything_public_has_a_docstring_and_is_listed():
    for name in crema.__all__:
        assert getattr(crema, name).__doc__, name
    assert sorted(crema.__all__) == crema.__all__
    assert {*crema._ROOMS, "__version__"} == set(crema.__all__) <= set(dir(crema))


def test_a_name_that_is_not_there_is_told_as_python_tells_it():
    with pytest.raises(AttributeError, match="module 'crema' has no attribute 'fused'"):
        _ = crema.fused


def test_importing_loads_no_module_before_it_is_needed():
    code = "import sys, crema; a = 'crema._result' in sys.modules; crema.fuse; print(a, 'crema._result' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split() == [
        "False",
        "True",
    ]


def test_the_table_of_methods_is_the_librarys():
    names = [method.name for method in crema.methods()]
    assert len(set(names)) == len(names) and {"jaccard", "dice", "tanimoto", "staple"} <= set(names)
    page = (ROOT / "docs/methods.md").read_text(encoding="utf-8")
    assert [f"| `{name}`" in page for name in names] == [True] * len(names)
