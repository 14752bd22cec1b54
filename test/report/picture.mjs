// SPDX-License-Identifier: Apache-2.0
// The picture of docs/report.md, of a made-up case: node picture.mjs FILE.png
import { browser, crema, drawn, folder, join, open, phantom, remove } from "./kit.mjs";

const cwd = folder();
const names = phantom(cwd);
crema(cwd, "report", ...names, "-o", "report.html", "--case", "phantom of lesions");
const running = await browser();
const { page } = await open(running, join(cwd, "report.html"), { viewport: { width: 1180, height: 900 } });
await drawn(page);
await page.locator("#look").screenshot({ path: process.argv[2] });
await running.close();
remove(cwd);
