# SPDX-License-Identifier: Apache-2.0
"""The package inside Nipype and napari."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

import crema
from crema import _napari

MANIFEST = Path(_napari.__file__).parent / "napari.yaml"


@pytest.fixture
def raters(tmp_path, masks):
    paths = [str(tmp_path / f"{k}.nii.gz") for k in range(3)]
    geometry = crema.Geometry(masks[0].shape[::-1], (1.0, 0.5, 3.0), (7.0, -2.0, 1.0))
    for path, mask in zip(paths, masks):
        crema.write(path, mask, geometry=geometry)
    return paths


def test_nipype_runs_the_program_with_the_settings_of_the_table(raters, tmp_path, program_path, monkeypatch):
    pytest.importorskip("nipype", reason="nipype is not installed; scripts/test installs it")
    from crema.nipype import Fuse, FuseInputSpec

    monkeypatch.setenv("PATH", f"{Path(program_path).resolve().parent}:{os.environ['PATH']}")
    listed = subprocess.run([program_path, "fuse", "--help"], capture_output=True, text=True, check=True).stdout
    flags = set(re.findall(r"^  (?:-\w, )?--([a-z0-9-]+)", listed, re.M))
    others = {"raters", "out_file", "out_record", "args", "environ"}
    assert {name.replace("_", "-") for name in FuseInputSpec().copyable_trait_names()} - {
        name.replace("_", "-") for name in others
    } <= flags
    node = Fuse(raters=raters, method="tversky", alpha=0.3, beta=1, no_gap=True, connectivity=6, tie="foreground")
    node.inputs.out_file, node.inputs.out_record = str(tmp_path / "out.nii.gz"), str(tmp_path / "out.json")
    outputs = node.run().outputs
    expected = crema.fuse(raters, method="tversky", alpha=0.3, beta=1, gap=False, connectivity=6, tie="foreground")
    assert np.array_equal(crema.read(outputs.out_file).array, expected.image.array)
    assert Path(outputs.out_record).stat().st_size > 0


def test_the_recipe_for_nipype_runs_as_it_stands(raters, tmp_path, program_path, monkeypatch):
    pytest.importorskip("nipype", reason="nipype is not installed; scripts/test installs it")
    (recipe,) = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/tools.md").read_text(), re.M | re.S)
    for path, who in zip(raters, ("anna", "ben", "carl")):
        Path(path).rename(tmp_path / f"{who}.nii.gz")
    monkeypatch.setenv("PATH", f"{Path(program_path).resolve().parent}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    exec(compile(recipe, "docs/tools.md", "exec"), {})
    expected = crema.fuse([f"{who}.nii.gz" for who in ("anna", "ben", "carl")], method="dice")
    assert np.array_equal(crema.read("consensus.nii.gz").array, expected.image.array)


def test_npe2_accepts_the_manifest():
    npe2 = pytest.importorskip("npe2", reason="npe2 is not installed; scripts/test installs it")
    manifest = npe2.PluginManifest.from_file(MANIFEST)
    manifest.validate_imports()
    for command in manifest.contributions.commands:
        assert callable(getattr(_napari, command.python_name.split(":")[1]))


def test_napari_opens_and_saves_a_mask(raters, tmp_path, masks, monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    napari = pytest.importorskip("napari", reason="napari is not installed: left out")
    npe2 = pytest.importorskip("npe2", reason="npe2 is not installed; scripts/test installs it")
    manifest = npe2.PluginManifest.from_file(MANIFEST)
    npe2.PluginManager.instance().register(manifest)
    viewer = napari.Viewer(show=False)
    try:
        (layer,) = viewer.open(raters[0], plugin=manifest.name)
        assert np.array_equal(layer.data, masks[0]) and tuple(layer.scale) == (3.0, 0.5, 1.0)
        layer.save(str(tmp_path / "saved.nii.gz"), plugin=manifest.name)
    finally:
        viewer.close()
    saved, first = crema.read(tmp_path / "saved.nii.gz"), crema.read(raters[0])
    assert np.array_equal(saved.array, first.array) and saved.geometry == first.geometry


def test_what_the_manifest_lists_is_written_and_read_back(raters, tmp_path):
    yaml = MANIFEST.read_text()
    [layer] = _napari.get_reader(raters[0])(raters[0])
    data, meta, kind = layer
    assert kind == "labels" and meta["scale"] == (3.0, 0.5, 1.0) and meta["translate"] == (1.0, -2.0, 7.0)
    endings = re.findall(r'"(\.[a-z.]+)"', yaml)
    assert len(endings) == 4
    for ending in endings:
        path = str(tmp_path / f"written{ending}")
        assert _napari.write_mask(path, data, meta) == [path] and f"*{ending}" in yaml
        [(again, place, _)] = _napari.get_reader([path])([path])
        assert np.array_equal(again, data) and place["scale"] == pytest.approx(meta["scale"])
        assert place["translate"] == pytest.approx(meta["translate"])
    moved = {"scale": (3.0, 0.5, 1.0), "metadata": {}}
    _napari.write_mask(str(tmp_path / "own.nrrd"), data[1:], moved)
    assert crema.read(tmp_path / "own.nrrd").geometry.spacing == (1.0, 0.5, 3.0)


def test_napari_gets_label_maps_and_sentences(tmp_path):
    nibabel = pytest.importorskip("nibabel")
    labels = np.zeros((5, 4, 3), np.uint8)
    labels[1:4, 1:3, 1], labels[4, 3, 2] = 2, 7
    nibabel.Nifti1Image(labels, np.eye(4)).to_filename(tmp_path / "map.nii")
    [(data, _, kind)] = _napari.get_reader("")(str(tmp_path / "map.nii"))
    assert kind == "labels" and np.array_equal(data, labels.T)
    with pytest.raises(ValueError, match="other values than 0 and 1"):
        _napari.write_mask(str(tmp_path / "again.nii"), data, {})
    (tmp_path / "bad.nii").write_bytes(b"no mask")
    with pytest.raises(ValueError, match=r"bad\.nii"):
        _napari.get_reader("")(str(tmp_path / "bad.nii"))
