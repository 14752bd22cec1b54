// SPDX-License-Identifier: Apache-2.0
// What the app shows as a page of its own, to be kept: all pictures and tables, without a script.
import { make } from "./format.js";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
const POINTING = ["id", "aria-labelledby", "aria-describedby", "for"];

/** Sections as nodes, without what takes a script; names of parts end with a number, since labels have the same. */
function sectionsOf(html, number) {
  const box = make("div", {});
  box.innerHTML = html; // made by the module, where names are escaped
  for (const part of box.querySelectorAll("#viewer, #whatif, noscript")) part.remove();
  if (number > 0) {
    for (const name of POINTING)
      for (const part of box.querySelectorAll(`[${name}]`)) part.setAttribute(name, `${part.getAttribute(name)}-${number}`);
    for (const link of box.querySelectorAll('a[href^="#"]')) link.setAttribute("href", `${link.getAttribute("href")}-${number}`);
  }
  return [...box.childNodes];
}

/** Which files it was made of. */
function inputsSection(sums) {
  const rows = [...sums].map(([path, sum]) => make("tr", {}, make("td", {}, make("bdi", {}, path)), make("td", {}, make("code", { class: "hash" }, sum))));
  return make("section", { id: "provenance", "aria-labelledby": "provenance-heading" },
    make("h2", { id: "provenance-heading" }, "Provenance"),
    make("div", { class: "scroll" }, make("table", {},
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "File"), make("th", { scope: "col" }, "SHA-256"))),
      make("tbody", {}, ...rows))));
}

/** The text of the page: `structures` are the sections of each, `end` what concerns all. */
export function reportText(structures, end, sums) {
  const page = document.implementation.createHTMLDocument("Raters and consensus");
  page.documentElement.lang = "en";
  const meta = (facts) => page.head.append(make("meta", facts));
  page.head.prepend(make("meta", { charset: "utf-8" }));
  meta({ "http-equiv": "Content-Security-Policy", content: POLICY });
  meta({ name: "viewport", content: "width=device-width, initial-scale=1" });
  meta({ name: "color-scheme", content: "light dark" });
  page.head.append(make("style", {}, document.querySelector("style").textContent));
  page.body.append(make("header", {}, make("p", { class: "brand" }, "crema report"), make("h1", {}, "Raters and consensus")),
    make("main", {}, ...structures.flatMap((html, n) => sectionsOf(html, n)), ...sectionsOf(end, 0), inputsSection(sums)),
    document.querySelector("footer").cloneNode(true));
  return `<!DOCTYPE html>\n${page.documentElement.outerHTML}\n`;
}
