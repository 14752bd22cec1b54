// SPDX-License-Identifier: Apache-2.0
// The picture of the README, the top of a report of a made-up case: node readme_picture.mjs FILE.png
import { browser, crema, drawn, folder, join, open, phantom, remove } from "./kit.mjs";

const cwd = folder();
const names = phantom(cwd);
crema(cwd, "report", ...names, "-o", "report.html", "--methods", "jaccard,dice,tanimoto,majority", "--case", "phantom of lesions");
const running = await browser();
const { page } = await open(running, join(cwd, "report.html"), { viewport: { width: 1180, height: 860 } });
await drawn(page);
await page.screenshot({ path: process.argv[2] });
await running.close();
remove(cwd);
