// SPDX-License-Identifier: Apache-2.0
// The form of a report.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertOpen, assertValid, nameOf, screens } from "./form.mjs";
import { answered, browser, crema, drawn, folder, join, open, phantom, pictures, remove, until } from "./kit.mjs";

let cwd, running;

before(async () => {
  cwd = folder();
  const names = phantom(cwd);
  crema(cwd, "report", ...names, "-o", "report.html", "--case", "phantom of lesions");
  running = await browser();
});

after(async () => {
  await running?.close();
  remove(cwd);
});

test("the page is valid HTML", () => assertValid(join(cwd, "report.html")));

for (const screen of screens)
  test(`axe-core finds nothing, ${nameOf(screen)}`, async () => {
    const { page, close } = await open(running, join(cwd, "report.html"), screen);
    await until(page, () => globalThis.crema.whatIf !== undefined);
    const weight = page.locator("#whatif .rater select").first();
    if (await weight.count()) await weight.selectOption("out");
    await answered(page);
    await drawn(page);
    await assertOpen(page, `report-${nameOf(screen)}`);
    await close();
  });

test("it prints the still picture and all tables", async () => {
  const { page, close } = await open(running, join(cwd, "report.html"));
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.locator("#still svg").isVisible());
  assert.equal(await page.locator("#viewer").isVisible(), false);
  await page.screenshot({ path: join(pictures, "print.png"), fullPage: true });
  await close();
});
