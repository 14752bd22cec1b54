# SPDX-License-Identifier: Apache-2.0
"""The page of a report in a real browser: run.py FOLDER [WORD...], where what npm installs and the screenshots go.

Words choose suites by their names. `run.py FOLDER --picture FILE.png` makes the picture of docs/report.md instead,
`--readme-picture FILE.png` that of the README, `--app-picture FILE.png` that of the app in docs/report.md,
`--cohort-picture FILE.png` that of docs/cohort.md, and `run.py FOLDER --speeds` the numbers of docs/report.md.
Exits 77, with a sentence, where node, npm or chromium is missing; Debian has all three: nodejs, npm, chromium.
The suite about Firefox is skipped where firefox-esr is missing.
"""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PICTURES = {
    "--picture": "picture.mjs",
    "--readme-picture": "readme_picture.mjs",
    "--app-picture": "app_picture.mjs",
    "--cohort-picture": "cohort_picture.mjs",
}


def skip(sentence):
    print(f"skipped: {sentence}")
    sys.exit(77)


def installed(folder):
    """The packages of package.json, installed once; a changed list is installed anew."""
    wanted = (HERE / "package.json").read_text(encoding="utf-8")
    kept = folder / "package.json"
    if not kept.exists() or kept.read_text(encoding="utf-8") != wanted or not (folder / "node_modules").exists():
        kept.write_text(wanted, encoding="utf-8")
        command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            kept.unlink()
            skip("npm could not install what test/report/package.json names: " + done.stderr.strip()[-300:])


def main(arguments):
    for tool in ["node", "npm", "chromium"]:
        if shutil.which(tool) is None:
            skip(f"{tool} is not installed; 'scripts/setup test' installs it")
    folder = pathlib.Path(arguments[0]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    installed(folder)
    # Modules are looked for from where a file lies, so that the tests are run beside what was installed.
    for source in HERE.glob("*.mjs"):
        shutil.copy(source, folder)
    suites = sorted(str(path) for path in folder.glob("*.test.mjs"))
    command = ["node", "--test"]
    if arguments[1:2] and arguments[1] in PICTURES:
        command, suites = ["node", PICTURES[arguments[1]]], [str(pathlib.Path(arguments[2]).resolve())]
    elif arguments[1:] == ["--speeds"]:
        command, suites = ["node", "speeds.mjs"], []
    elif len(arguments) > 1:
        suites = [suite for suite in suites if any(word in pathlib.Path(suite).name for word in arguments[1:])]
    environment = {**os.environ, "CREMA_ROOT": str(HERE.parents[1]), "CHROMIUM": shutil.which("chromium")}
    if shutil.which("firefox-esr"):
        environment["FIREFOX"] = shutil.which("firefox-esr")
    sys.exit(subprocess.run([*command, *suites], cwd=folder, env=environment).returncode)


if __name__ == "__main__":
    main(sys.argv[1:])
