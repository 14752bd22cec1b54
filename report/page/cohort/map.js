// SPDX-License-Identifier: Apache-2.0
// Leads from the map of raters and cases to a case.
import { goTo } from "./table.js";

const map = document.querySelector(".map");
if (map !== null) {
  const columns = [...map.querySelectorAll(".column")];
  const pointedAt = document.getElementById("pointed-at");
  let at = -1;
  const point = (n) => {
    columns[at]?.classList.remove("at");
    at = Math.min(Math.max(n, 0), columns.length - 1);
    columns[at].classList.add("at");
    pointedAt.textContent = columns[at].querySelector("title").textContent;
  };
  // As many as stand beside each other: the next band is one step down.
  const band = () => {
    const top = columns[0].getBoundingClientRect().top;
    const next = columns.findIndex((column) => column.getBoundingClientRect().top > top + 1);
    return next < 0 ? columns.length : next;
  };
  const steps = { ArrowLeft: () => at - 1, ArrowRight: () => at + 1, ArrowUp: () => at - band(),
    ArrowDown: () => at + band(), Home: () => 0, End: () => columns.length - 1 };
  map.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && at >= 0) return goTo(columns[at].dataset.key);
    if (!Object.hasOwn(steps, event.key)) return;
    event.preventDefault();
    point(steps[event.key]());
    columns[at].scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  const columnOf = (event) => columns.indexOf(event.target.closest(".column"));
  map.addEventListener("pointerover", (event) => columnOf(event) >= 0 && point(columnOf(event)));
  map.addEventListener("click", (event) => columnOf(event) >= 0 && goTo(columns[columnOf(event)].dataset.key));
}
