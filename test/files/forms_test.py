# SPDX-License-Identifier: Apache-2.0
"""The descriptions of `crema fuse` for other programs: those programs' own readers take them, and what they run is
what the command line runs. 3D Slicer itself is not there: its module runs with stand-ins for Slicer's functions."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import types
from pathlib import Path

import numpy
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test"))
from subject import PATIENCE, program  # noqa: F401, E402

DESCRIPTOR = ROOT / "packaging/boutiques/crema-fuse.json"


@pytest.fixture
def demo(program, tmp_path):
    def run(*words):
        done = subprocess.run([program, *words], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("demo", "-o", "demo", "--size", "20,18,6", "--raters", "3")
    return run


def flags_of(help_text):
    """Each option by its long name, as the help lists them."""
    return set(re.findall(r"^  (?:-\w, )?(--[a-z0-9-]+)", help_text, re.M)) - {"--help", "--xml"}


def test_ctk_reads_every_option_of_the_help_from_the_xml(demo, tmp_path, caplog):
    ctk_cli = pytest.importorskip("ctk_cli", reason="ctk-cli is not installed; scripts/test installs it")
    (tmp_path / "fuse.xml").write_text(demo("fuse", "--xml"))
    module = ctk_cli.CLIModule(str(tmp_path / "fuse.xml"))
    arguments, options, outputs = module.classifyParameters()
    assert not caplog.records, caplog.text  # it warns of what it does not understand
    assert [(one.name, one.multiple, one.channel) for one in arguments] == [("raters", True, "input")] and not outputs
    assert {one.longflag for one in options} == flags_of(demo("fuse", "--help"))
    kinds = {one.name: one.typ for one in options}
    assert (kinds["margin"], kinds["floor"], kinds["certify"], kinds["roi"]) == (
        "integer",
        "double",
        "boolean",
        "string",
    )
    blocks = next(one for one in options if one.name == "blocks")
    assert blocks.elements == ["subcrown", "crown", "voxel", "group"]
    assert module.version == demo("--version").split()[1]


def test_xml_is_refused_where_a_command_has_none(program, tmp_path):
    done = subprocess.run([program, "check", "--xml"], capture_output=True, text=True)
    assert done.returncode == 2 and "unknown option --xml" in done.stderr


def test_boutiques_accepts_the_descriptor_and_launches_the_same_consensus(demo, program, tmp_path, monkeypatch):
    pytest.importorskip("boutiques", reason="boutiques is not installed; scripts/test installs it")
    from boutiques.bosh import bosh

    assert json.loads(DESCRIPTOR.read_text()) == json.loads(demo("manual", "--boutiques"))
    with contextlib.redirect_stdout(io.StringIO()):
        bosh(["validate", str(DESCRIPTOR)])
    raters = [str(tmp_path / f"demo/rater-{k}.nii.gz") for k in (1, 2, 3)]
    requested = {"raters": raters, "method": "dice", "output": "launched.nii.gz", "certify": True, "connectivity": "6"}
    (tmp_path / "asked.json").write_text(json.dumps(requested))
    monkeypatch.setenv("PATH", f"{Path(program).resolve().parent}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        result = bosh(["exec", "launch", "--skip-data-collection", str(DESCRIPTOR), "asked.json"])
    assert result.exit_code == 0, result
    demo("fuse", *raters, "-m", "dice", "--certify", "--connectivity", "6", "-o", "typed.nii.gz")
    assert (tmp_path / "launched.nii.gz").read_bytes() == (tmp_path / "typed.nii.gz").read_bytes()


def test_the_recipe_for_boutiques_runs_as_it_stands(demo, program, tmp_path, monkeypatch):
    pytest.importorskip("boutiques", reason="boutiques is not installed; scripts/test installs it")
    from boutiques.bosh import bosh

    page = (ROOT / "docs/tools.md").read_text(encoding="utf-8")
    (request,) = re.findall(r"^```json\n(.*?)^```", page, re.M | re.S)
    (line,) = re.findall(r"^    bosh (.*)$", page, re.M)
    (tmp_path / "request.json").write_text(request)
    (tmp_path / "crema-fuse.json").write_bytes(DESCRIPTOR.read_bytes())
    raters = [f"{who}.nii.gz" for who in ("anna", "ben", "carl")]
    for k, name in enumerate(raters, 1):
        (tmp_path / f"demo/rater-{k}.nii.gz").rename(tmp_path / name)
    monkeypatch.setenv("PATH", f"{Path(program).resolve().parent}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        assert bosh(line.split()).exit_code == 0
    demo("fuse", *raters, "-m", "dice", "-o", "typed.nii.gz")
    assert (tmp_path / "consensus.nii.gz").read_bytes() == (tmp_path / "typed.nii.gz").read_bytes()


@pytest.fixture
def slicer_module(monkeypatch):
    """The module of 3D Slicer, with nodes that are files."""
    slicer = types.ModuleType("slicer")
    base = types.ModuleType("slicer.ScriptedLoadableModule")
    for name in ("ScriptedLoadableModule", "ScriptedLoadableModuleLogic", "ScriptedLoadableModuleWidget"):
        setattr(base, name, type(name, (), {}))
    slicer.util = types.SimpleNamespace(
        saveNode=lambda node, path: bool(Path(path).write_bytes(Path(node).read_bytes())),
        loadSegmentation=lambda path: Path(path).read_bytes(),
    )
    for name, module in {"slicer": slicer, "slicer.ScriptedLoadableModule": base}.items():
        monkeypatch.setitem(sys.modules, name, module)
    for name in ("ctk", "qt"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.syspath_prepend(str(ROOT / "packaging/slicer"))
    import CremaConsensus

    yield CremaConsensus
    for name in ("CremaConsensus", "crema_form"):
        sys.modules.pop(name, None)


def test_the_slicer_module_fuses_segmentations_by_name(demo, program, tmp_path, slicer_module):
    nrrd = pytest.importorskip("nrrd", reason="pynrrd is not installed; scripts/test installs it")
    form = slicer_module.crema_form
    nodes = []
    for k in (1, 2, 3):
        segments = f"{k}.seg.nrrd"
        demo("fuse", f"demo/rater-{k}.nii.gz", "--labels", "lesion=1", "-o", segments)
        nodes.append(tmp_path / segments)
    fields = form.describe(program)
    assert {field.flag for field in fields} == flags_of(demo("fuse", "--help")) - {"--output", "--force", "--quiet"}
    values = {field.name: False if field.kind == "boolean" else "" for field in fields}
    written, said = slicer_module.CremaConsensusLogic().fuse(program, fields, nodes, {**values, "method": "dice"})
    (tmp_path / "made.seg.nrrd").write_bytes(written)
    demo("fuse", *map(str, nodes), "--labels", "all", "-m", "dice", "-o", "typed.seg.nrrd")
    built, typed = (nrrd.read(str(tmp_path / name)) for name in ("made.seg.nrrd", "typed.seg.nrrd"))
    assert numpy.array_equal(built[0], typed[0]) and built[0].any() and built[1]["Segment0_Name"] == "lesion"
    assert "dice" in said
    with pytest.raises(RuntimeError, match="blocks"):
        slicer_module.CremaConsensusLogic().fuse(program, fields, nodes, {**values, "blocks": "none"})
