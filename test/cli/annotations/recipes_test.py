# SPDX-License-Identifier: Apache-2.0
"""docs/tools.md, line by line as it stands, in one folder."""

import json
import re
import shlex
import zipfile
from pathlib import Path

PAGE = Path(__file__).resolve().parents[3] / "docs/tools.md"


def shifted(by):
    return [[4 + by, 4, 14 + by, 4, 14 + by, 14, 4 + by, 14]]


def test_every_line_of_the_page_runs_as_it_stands(crema, tmp_path):
    tasks = [{"id": 1, "data": {"image": "a.jpg"}, "annotations": []}]
    for by, who in enumerate(("anna", "ben", "carl")):
        picture = {"id": 1, "file_name": "a.jpg", "width": 40, "height": 30}
        drawn = {"id": 1, "image_id": 1, "category_id": 1, "segmentation": shifted(by)}
        content = {"images": [picture], "categories": [{"id": 1, "name": "cell"}], "annotations": [drawn]}
        (tmp_path / f"{who}.json").write_text(json.dumps(content))
        points = f"{4 + by},4;{14 + by},4;{14 + by},14;{4 + by},14"
        with zipfile.ZipFile(tmp_path / f"{who}.zip", "w") as job:
            job.writestr(
                "annotations.xml",
                '<annotations><image id="0" name="a.jpg" width="40" height="30">'
                f'<polygon label="cell" points="{points}"></polygon></image></annotations>',
            )
        percent = [[x / 0.4, y / 0.3] for x, y in ((4 + by, 4), (14 + by, 4), (14 + by, 14), (4 + by, 14))]
        region = {"id": who, "type": "polygonlabels", "original_width": 40, "original_height": 30}
        region["value"] = {"points": percent, "polygonlabels": ["cell"]}
        tasks[0]["annotations"].append({"id": by, "completed_by": by, "result": [region]})
    (tmp_path / "project.json").write_text(json.dumps(tasks))
    assert crema("demo", "-o", "demo", "--size", "30,30,20", "--raters", "3").code == 0
    for number, who in enumerate(("anna", "ben", "carl"), 1):
        words = ("--labels", "lesion=1", "-o", f"{who}.seg.nrrd")
        assert crema("fuse", f"demo/rater-{number}.nii.gz", *words).code == 0
    # test/files/dicom_write_test.py runs the recipes for DICOM.
    text = re.sub(r"^## DICOM\n.*?(?=^## )", "", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [part for block in blocks for line in block.splitlines() for part in line.split(" && ")]
    assert len(lines) > 15
    for line in lines:
        words = shlex.split(line)
        assert words[0] == "crema"
        done = crema(*words[1:])
        assert done.code == 0, (line, done.err)
    assert json.loads((tmp_path / "consensus.json").read_text())["annotations"]
    assert json.loads((tmp_path / "objects.json").read_text())["annotations"]
