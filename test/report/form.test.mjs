// SPDX-License-Identifier: Apache-2.0
// The form of the page: valid HTML, open to everybody, at home on small screens; pictures are kept to be looked at.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { HtmlValidate } from "html-validate";
import { browser, crema, drawn, folder, join, open, phantom, pictures, remove, until } from "./kit.mjs";

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

test("the page is valid HTML", async () => {
  const validator = new HtmlValidate({
    extends: ["html-validate:recommended"],
    rules: {
      "long-title": "off", // a case is called what it is called
      "no-inline-style": "off", // colours of raters are data
      "no-trailing-whitespace": "off",
      "tel-non-breaking": "off", // numbers are no telephones
      "svg-focusable": "off",
      "no-redundant-role": "off",
    },
  });
  const result = await validator.validateString(readFileSync(join(cwd, "report.html"), "utf8"));
  const told = result.results.flatMap((one) => one.messages.map((m) => `${m.line}: ${m.ruleId}: ${m.message}`));
  assert.deepEqual(told.slice(0, 12), []);
});

for (const colorScheme of ["light", "dark"])
  for (const width of [1280, 390])
    test(`axe-core finds nothing, ${colorScheme}, ${width} pixels`, async () => {
      const { page, close } = await open(running, join(cwd, "report.html"),
        { colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
      await until(page, () => globalThis.crema.whatIf !== undefined);
      const weight = page.locator("#whatif .rater select").first();
      if (await weight.count()) await weight.selectOption("out");
      await drawn(page);
      await page.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core/axe.min.js") });
      const found = await page.evaluate(() => globalThis.axe.run());
      const told = found.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120))}`);
      assert.deepEqual(told, []);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
      await page.screenshot({ path: join(pictures, `report-${width}-${colorScheme}.png`), fullPage: true });
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
