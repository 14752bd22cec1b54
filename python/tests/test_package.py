# SPDX-License-Identifier: Apache-2.0
"""What the package itself promises: types, version, no strangers among its imports."""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.resources
import os
import re
import subprocess
import sys
from pathlib import Path

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
    result = tmp_path / "_core.pyi"
    subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "crema._core", "-o", result], check=True)
    stale = "stale; run: python -m nanobind.stubgen -m crema._core -o python/crema/_core.pyi, then ruff"
    assert statements(result) == statements(ROOT / "python/crema/_core.pyi"), stale


def test_importing_it_imports_nothing_but_numpy():
    strangers = ("SimpleITK", "nibabel", "torch", "scipy", "macchiato")
    code = f"import sys, crema; print([m for m in {strangers} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_it_says_so_where_another_crema_is_installed_beside_it(tmp_path):
    (tmp_path / "crema").mkdir()
    for file in Path(crema.__file__).parent.iterdir():
        (tmp_path / "crema" / file.name).symlink_to(file)
    for libraries in Path(crema.__file__).parents[1].glob("crema*.libs"):  # a wheel keeps them beside the package
        (tmp_path / libraries.name).symlink_to(libraries)
    command = [sys.executable, "-c", "import crema"]
    environment = dict(os.environ, PYTHONPATH=str(tmp_path))
    assert subprocess.run(command, capture_output=True, text=True, env=environment, check=True).stderr == ""
    (tmp_path / "crema/analyze.py").write_text("")
    said = subprocess.run(command, capture_output=True, text=True, env=environment, check=True).stderr
    assert "another package named crema" in said and "analyze.py" in said and "pip uninstall" in said


def test_names_of_the_version_before_still_stand():
    assert crema.LabelResult is crema.Result and crema.LabelPart is crema.Part


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
