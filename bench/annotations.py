#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long the import of 10 000 annotations takes: bench/annotations.py PROGRAM. The goal is 5 seconds."""

import json
import math
import random
import resource
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


def write_annotator(path, categories):
    images = [
        {"id": number, "file_name": f"{number:05}.jpg", "width": 640, "height": 480} for number in range(PICTURES)
    ]
    drawn = [
        {
            "id": number,
            "image_id": number % PICTURES,
            "category_id": random.randrange(categories),
            "segmentation": [ring((random.uniform(50, 590), random.uniform(50, 430)), random.uniform(10, 45))],
        }
        for number in range(OBJECTS // ANNOTATORS)
    ]
    named = [{"id": number, "name": f"cell {number}"} for number in range(categories)]
    path.write_text(json.dumps({"images": images, "categories": named, "annotations": drawn}), encoding="utf-8")
    return path


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    random.seed(1)
    ways = {"pictures": (1, []), "objects": (1, ["--instances", "--quorum", "1"]), "80 categories": (80, [])}
    for name, (categories, options) in ways.items():
        with tempfile.TemporaryDirectory() as folder:
            files = [write_annotator(Path(folder) / f"annotator-{who}.json", categories) for who in range(ANNOTATORS)]
            start, before = time.perf_counter(), processor_seconds()
            subprocess.run([sys.argv[1], "import", *files, "-o", Path(folder) / "data", "-q", *options], check=True)
            seconds, busy = time.perf_counter() - start, processor_seconds() - before
            print(f"{name}: {seconds:.2f} s, {busy:.2f} s of processor time, goal {GOAL} s")


if __name__ == "__main__":
    main()
