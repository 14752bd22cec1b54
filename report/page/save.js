// SPDX-License-Identifier: Apache-2.0
// The consensus as a file.
import { make } from "./format.js";
import { handOver, sifted } from "./desk/files.js";
import { request, linesOf, wordsOf } from "./engine.js";
import { reportText } from "./report_file.js";

/** A part of the module’s memory, copied. */
export function partOf(calls, [place, size]) {
  return new Uint8Array(calls.memory.buffer, place, size).slice();
}

async function gzipped(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Formats of a header and a file of voxels, and what holds both in one. */
const IN_ONE_FILE = { ".mhd": ".mha", ".nhdr": ".nrrd", ".dcm": ".seg.nrrd" };

/** Chooses among the consensuses of the page and hands them over as NIfTI. */
export class Save {
  /** Endings: NIfTI, and what the masks are themselves where the page can write it, in one file; segments remain segments. */
  static endings(masks) {
    const own = /\.(seg\.nrrd|nrrd|nhdr|mha|mhd|png|dcm)$/i.exec(masks[0] ?? "")?.[0].toLowerCase();
    return [".nii.gz", ".nii", ...(own ? [IN_ONE_FILE[own] ?? own] : [])];
  }

  constructor(shown, calls) {
    this.shown = shown;
    this.calls = calls;
    this.method = make("select", { "aria-label": "consensus to save" });
    this.status = make("div", { role: "status" });
    this.refresh();
    // A what-if comes in when there is one.
    shown.look.watch(({ stamp }) => {
      if (stamp) this.refresh();
    });
  }

  refresh() {
    const names = this.shown.data.methods.map((method) => method.name);
    const chosen = names.includes(this.method.value) ? this.method.value : names[0];
    this.method.replaceChildren(...names.map((name) => make("option", { value: name }, name)));
    this.method.value = chosen;
  }

  /** Fused again from the files, as the program does it, so that the file is the program’s. */
  fused(kind, name) {
    const settings = name === "what if" ? this.shown.whatIf.settings() : { method: name };
    return partOf(this.calls, request(this.calls, "crema_save", `${kind}\n${linesOf(settings)}`).file);
  }

  /** The mask so far, as crema apply makes it of the files. */
  async decided(kind) {
    const { desk } = this.shown;
    await sifted(desk);
    return partOf(this.calls, request(this.calls, "crema_apply", `${kind}\n${desk.ledger.text()}`).file);
  }

  /** Hands the consensus that is chosen to the browser. */
  async save(ending) {
    const name = this.method.value;
    const file = `consensus-${name.replace(" ", "-")}${ending}`;
    const setStatus = (words) => this.status.replaceChildren(make("p", { class: "note" }, words));
    try {
      const kind = ending === ".nii.gz" ? ".nii" : ending;
      const bytes = name === "decided" ? await this.decided(kind) : this.fused(kind, name);
      handOver(ending === ".nii.gz" ? await gzipped(bytes) : bytes, file);
      setStatus(`${file} was handed to the browser.`);
    } catch (error) {
      setStatus(wordsOf(error));
    }
  }

  /** Everything that is shown but the viewer, as a page. */
  saveReport() {
    const { calls } = this;
    const text = (place) => new TextDecoder().decode(partOf(calls, place));
    handOver(reportText(calls.structures.map(({ html }) => text(html)), text(calls.end), calls.sums), "report.html");
    this.status.replaceChildren(make("p", { class: "note" }, "report.html was handed to the browser: all pictures and tables, without the viewer."));
  }

  box() {
    const button = (ending) => make("button", { type: "button", onclick: () => this.save(ending) }, `save as ${ending}`);
    return make("section", { id: "save", "aria-labelledby": "save-heading" },
      make("h2", { id: "save-heading" }, "Save"),
      make("p", { class: "how" }, this.shown.data.meta.label
        ? "The consensus of all labels as a label map on the grid of the raters, as the program writes it."
        : "The consensus as a file on the grid of the masks, as the program writes it."),
      make("div", { class: "buttons" }, make("label", { class: "choice" }, "consensus ", this.method),
        ...Save.endings(this.calls.masks).map(button),
        make("button", { type: "button", id: "save-report", onclick: () => this.saveReport() }, "save the report")),
      this.status);
  }
}
