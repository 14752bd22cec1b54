// SPDX-License-Identifier: Apache-2.0
// The form of a page: valid HTML, open to everybody, no wider than the screen; pictures are kept to be looked at.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { HtmlValidate } from "html-validate";
import { join, pictures } from "./kit.mjs";

const RULES = {
  "long-title": "off", // a case is called what it is called
  "no-inline-style": "off", // colours of raters are data
  "no-trailing-whitespace": "off",
  "tel-non-breaking": "off", // numbers are no telephones
  "svg-focusable": "off",
  "no-redundant-role": "off",
};

/** A page as it is seen: with its first structure, and with each of those that wait in templates in its place. */
function versionsOf(text) {
  const waiting = [...text.matchAll(/<template id="case-\d+">\n([^]*?)<\/template>\n/g)];
  const bare = waiting.reduce((left, [whole]) => left.replace(whole, () => ""), text);
  const first = /(<div id="case">\n)[^]*?(<\/div>\n<section id="(?:overview|cite)")/;
  return [bare, ...waiting.map(([, sections]) => bare.replace(first, (_, before, after) => before + sections + after))];
}

export async function assertValid(path) {
  const validator = new HtmlValidate({ extends: ["html-validate:recommended"], rules: RULES });
  for (const text of versionsOf(readFileSync(path, "utf8"))) {
    const result = await validator.validateString(text);
    const shown = result.results.flatMap((one) => one.messages.map((m) => `${m.line}: ${m.ruleId}: ${m.message}`));
    assert.deepEqual(shown.slice(0, 12), []);
  }
}

/** What every page is tried with. */
export const screens = ["light", "dark"].flatMap((colorScheme) =>
  [1280, 390].map((width) => ({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true })));

export const nameOf = ({ colorScheme, viewport }) => `${viewport.width}-${colorScheme}`;

/** axe-core finds nothing, and nothing sticks out; the page was opened with `bypassCSP`. */
export async function assertOpen(page, picture) {
  if (!(await page.evaluate(() => "axe" in globalThis)))
    await page.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core/axe.min.js") });
  const found = await page.evaluate(() => globalThis.axe.run());
  const shown = found.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120))}`);
  assert.deepEqual(shown, []);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
  await page.screenshot({ path: join(pictures, `${picture}.png`), fullPage: true });
}
