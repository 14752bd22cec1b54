// SPDX-License-Identifier: Apache-2.0
// Colours of what is painted, as [red, green, blue].

const parsed = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));

/** The program's own shades, from almost white at 0 to dark at 1. */
export function shadesOf(list) {
  const colours = list.map(parsed);
  return (share) => colours[Math.round(Math.min(Math.max(share, 0), 1) * (colours.length - 1))];
}

/** A colour for a subcrown: neighbours in number differ much. */
export function subcrownColour(row) {
  const hue = (row * 137.508) % 360;
  const light = 0.52 + 0.22 * ((row * 7) % 5) / 4;
  const reach = 0.62 * Math.min(light, 1 - light);
  const channel = (n) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (light - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

/** Lines of consensuses: the first is the page's own. */
export const CONSENSUS = [
  { width: 2.6, dash: [] },
  { width: 2, dash: [7, 3] },
  { width: 2, dash: [2, 3] },
  { width: 2, dash: [9, 3, 2, 3] },
  { width: 1.6, dash: [4, 4] },
  { width: 1.6, dash: [12, 4] },
];

export const lineOf = (method) => CONSENSUS[Math.min(method, CONSENSUS.length - 1)];
