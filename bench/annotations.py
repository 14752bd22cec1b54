#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long the import of 10 000 annotations takes: bench/annotations.py PROGRAM. The goal is 5 seconds."""

import json
import math
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PICTURES, ANNOTATORS, OBJECTS, GOAL = 1000, 3, 10_000, 5.0


def ring(centre, reach):
    points = []
    for corner in range(40):
        angle = corner * math.tau / 40
        points += [centre[0] + reach * math.cos(angle), centre[1] + reach * math.sin(angle)]
    return [round(value, 2) for value in points]


def main():
    random.seed(1)
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for who in range(ANNOTATORS):
            images = [
                {"id": number, "file_name": f"{number:05}.jpg", "width": 640, "height": 480}
                for number in range(PICTURES)
            ]
            drawn = [
                {
                    "id": number,
                    "image_id": number % PICTURES,
                    "category_id": 1,
                    "segmentation": [ring((random.uniform(50, 590), random.uniform(50, 430)), random.uniform(10, 45))],
                }
                for number in range(OBJECTS // ANNOTATORS)
            ]
            content = {"images": images, "categories": [{"id": 1, "name": "cell"}], "annotations": drawn}
            names.append(Path(folder) / f"annotator-{who}.json")
            names[-1].write_text(json.dumps(content), encoding="utf-8")
        for options in ([], ["--instances", "--quorum", "1"]):
            start = time.perf_counter()
            subprocess.run(
                [sys.argv[1], "import", *names, "-o", Path(folder) / f"data{len(options)}", "-q", *options], check=True
            )
            seconds = time.perf_counter() - start
            print(f"{' '.join(options) or 'pictures'}: {seconds:.2f} s, goal {GOAL} s")


if __name__ == "__main__":
    main()
