// SPDX-License-Identifier: Apache-2.0
// Which structure of a case is shown.

/** Calls `show` with the number of the structure whose button is pressed; nothing where there is one alone. */
export function startChooser(root, show, labels) {
  const box = root.querySelector("#chooser");
  const buttons = [...(box?.querySelectorAll("button") ?? [])];
  if (buttons.length < 2) return;
  const press = (button) => buttons.forEach((one) => one.setAttribute("aria-pressed", String(one === button)));
  const turnTo = async (number) => {
    if (number === labels.shown) return;
    press(buttons[number]);
    await show(number);
  };
  labels.turn = turnTo;
  buttons.forEach((button, number) => button.addEventListener("click", async () => {
    await turnTo(number);
    globalThis.crema.jumps.disputed();
  }));
  labels.chips(buttons);
  box.hidden = false;
  // A voxel that several labels claimed is seen as the label has it that got it.
  root.querySelector("#disputes")?.addEventListener("click", async (event) => {
    const link = event.target.closest?.("a[data-structure]");
    if (!link) return;
    await turnTo(Number(link.dataset.structure));
    globalThis.crema.jumps.toPlace(link.dataset.place.split(",").map(Number));
  });
}
