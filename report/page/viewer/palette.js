// SPDX-License-Identifier: Apache-2.0
// Colours of what is painted, as [red, green, blue].

export const parsedColour = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));

/** The program's own shades, from almost white at 0 to dark at 1. */
export function shadesOf(list) {
  const colours = list.map(parsedColour);
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

/** Lines of consensuses: the first is the page's own, in the colour of letters. */
export const CONSENSUS = [
  { width: 2.6, dash: [], colour: null },
  { width: 2, dash: [7, 3], colour: "#c2255c" },
  { width: 2, dash: [2, 3], colour: "#0b8a8f" },
  { width: 2, dash: [9, 3, 2, 3], colour: "#5f7f00" },
  { width: 2, dash: [4, 4], colour: "#8a5cd6" },
  { width: 2, dash: [12, 4], colour: "#c46a00" },
  { width: 2.2, dash: [6, 2], colour: "#0f7ad1" },
  { width: 2.2, dash: [3, 2], colour: "#a8009a" },
];

export const lineOf = (method) => CONSENSUS[Math.min(method, CONSENSUS.length - 1)];

/** Of two masks: colours that most people can distinguish. */
export const DIFFERENCE = { both: [150, 150, 150], gained: [0, 114, 178], lost: [213, 94, 0] };
