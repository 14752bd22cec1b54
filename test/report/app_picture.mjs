// SPDX-License-Identifier: Apache-2.0
// The picture of the app in docs/report.md, of a made-up case: node app_picture.mjs FILE.png
import { browser, crema, drawn, folder, join, open, phantom, remove, until } from "./kit.mjs";

const cwd = folder();
const names = phantom(cwd);
crema(cwd, "app", "-o", "crema.html");
const running = await browser();
const { page } = await open(running, join(cwd, "crema.html"), { wait: false, viewport: { width: 1180, height: 1150 } });
await until(page, () => globalThis.crema !== undefined);
await page.locator("#choose").setInputFiles(names.map((name) => join(cwd, name)));
await until(page, () => globalThis.crema.views[0]?.scale > 0);
await drawn(page);
await page.screenshot({ path: process.argv[2] });
await running.close();
remove(cwd);
