# SPDX-License-Identifier: Apache-2.0
"""Projects of Label Studio as its community edition serves them."""

import json
import os


def test_local_files_are_called_by_their_paths(crema, tmp_path):
    """All of them have one address, with the path behind it."""
    region = {"id": "r", "type": "polygonlabels", "original_width": 12, "original_height": 10}
    region["value"] = {"points": [[20, 20], [60, 20], [60, 60]], "polygonlabels": ["cell"]}
    drawn = [{"id": 1, "completed_by": 1, "result": [region]}]
    places = ("set/one.png", "set/two.png", "a/three.png", "b/three.png")
    addresses = [f"/data/local-files/?d={place}" for place in places]
    tasks = [{"id": k, "data": {"image": one}, "annotations": drawn} for k, one in enumerate(addresses)]
    (tmp_path / "tasks.json").write_text(json.dumps(tasks))
    assert crema("import", "tasks.json", "-o", "data").code == 0
    assert set(os.listdir(tmp_path / "data/masks")) == {"one", "two", "a%2Fthree", "b%2Fthree"}
    assert crema("cohort", "run", "data", "-o", "results").code == 0
    assert crema("export", "results", "-o", "out.json").code == 0
    assert [one["data"]["image"] for one in json.loads((tmp_path / "out.json").read_text())] == addresses
