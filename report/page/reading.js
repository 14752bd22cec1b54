// SPDX-License-Identifier: Apache-2.0
// How files are read: which of them is the image, and what was chosen where the program would want an option.
import { make } from "./format.js";
import { linesOf } from "./engine.js";

/** What the program offers by an option, as a button says it. */
const OFFERED = {
  "probabilities True": "fuse the levels as they are",
  "threshold 0.5": "cut the maps at 0.5",
  "logits sigmoid": "they are logits: sigmoid",
  "logits softmax": "they are logits: softmax",
};

/** What buttons say better than the options of the program: from the advice on that names one. */
function withoutFlags(sentence) {
  const at = sentence.search(/--[a-z]/);
  const advice = at < 0 ? -1 : Math.max(sentence.lastIndexOf(";", at), sentence.lastIndexOf(": ", at));
  return advice < 0 ? sentence : `${sentence.slice(0, advice)}; choose how to read the files.`;
}

export class Reading {
  constructor(paths) {
    this.masks = paths;
    this.image = null;
    this.photo = false; // one that the page has lies beneath
    this.offers = []; // what was offered when files were refused
    this.chosen = null; // one of them
  }

  /** Lines as the module reads them. */
  request() {
    return this.masks.map((path) => `mask ${path}\n`).join("") + (this.image ? `image ${this.image}\n` : "") + (this.photo ? "photo beneath\n" : "") +
      (this.chosen ? linesOf({ ...(this.chosen.name === "logits" ? { probabilities: "True" } : {}), [this.chosen.name]: this.chosen.value }) : "");
  }

  /** Calls the module; what it takes for an image lies beneath the others, once. */
  ask(call) {
    try {
      return call(this.request());
    } catch (error) {
      const offers = error.offers ?? [];
      const known = offers.filter(({ name, value }) => OFFERED[`${name} ${value}`]);
      if (known.length) {
        this.offers = known;
        error.message = withoutFlags(error.message);
      }
      const image = offers.some(({ name }) => name === "image") && this.masks.find((path) => error.message.startsWith(`${path}: `));
      if (!image || this.image || this.masks.length < 2) throw error;
      this.image = image;
      this.masks = this.masks.filter((path) => path !== image);
      return this.ask(call);
    }
  }

  words() {
    return this.image ? ` ${this.image} lies beneath.` : "";
  }
}

/** Buttons for what was offered. */
export function askAgain(box, reading, again) {
  if (!reading.offers.length) return;
  const same = ({ name, value }) => reading.chosen?.name === name && reading.chosen.value === value;
  box.append(make("div", { class: "buttons", role: "group", "aria-label": "how to read the files" },
    ...reading.offers.map((offer) => make("button", {
      type: "button", "aria-pressed": String(same(offer)),
      onclick: () => {
        reading.chosen = offer;
        again();
      },
    }, OFFERED[`${offer.name} ${offer.value}`]))));
}
