// SPDX-License-Identifier: Apache-2.0
// Hands the module over to the page that shows this one; that page knows its checksum.
if (parent !== globalThis) parent.postMessage(document.getElementById("wasm").textContent, "*");
