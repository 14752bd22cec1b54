// SPDX-License-Identifier: Apache-2.0
// The picture of docs/cohort.md, of made-up cases: node cohort_picture.mjs FILE.png
import { mkdirSync } from "node:fs";
import { browser, crema, folder, join, open, remove, until } from "./kit.mjs";

const cwd = folder();
mkdirSync(join(cwd, "data"));
for (let n = 1; n <= 60; ++n)
  crema(cwd, "demo", "-o", `data/case${String(n).padStart(2, "0")}`, "--kind", "lesions", "--size", "48,48,24",
    "--raters", "5", "--seed", String(n));
crema(cwd, "cohort", "run", "data", "-o", "run", "--methods", "jaccard,majority,staple", "--no-images", "--no-surfaces", "--report");
const running = await browser();
const { page } = await open(running, join(cwd, "run/cohort.html"), { wait: false, viewport: { width: 1180, height: 900 } });
await until(page, () => !document.getElementById("find").hidden);
// What to look at first, and how the methods lie; the table of cases stands between them.
const [top, bottom] = await page.evaluate(() => {
  document.getElementById("cases-section").hidden = true;
  document.querySelector("#queue-section .scroll").style.maxHeight = "430px";
  return [["#queue-section", "top", -8], ["#methods .panels", "bottom", 8]].map(([part, edge, room]) =>
    scrollY + document.querySelector(part).getBoundingClientRect()[edge] + room);
});
await page.screenshot({ path: process.argv[2], fullPage: true, clip: { x: 0, y: top, width: 1180, height: bottom - top } });
await running.close();
remove(cwd);
