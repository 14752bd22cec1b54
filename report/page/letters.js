// SPDX-License-Identifier: Apache-2.0
// Keys by the letters that stand in the manual, whatever the keyboard writes.

/** A letter in small, a digit, or the name of a key. Where the keyboard writes other letters, or digits with Shift alone, the place of the key counts. */
export function keyOf({ key, code = "", shiftKey = false }) {
  const [, letter, digit] = /^(?:Key([A-Z])|Digit([0-9]))$/.exec(code) ?? [];
  if (letter && key.length === 1 && key > "\x7f") return letter.toLowerCase();
  if (digit && !shiftKey && key.length === 1 && !"[]".includes(key)) return digit;
  return key.toLowerCase();
}

/** The same where Alt or Option is held, with which keyboards write other signs. */
export function plainKeyOf({ key, code = "" }) {
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  return (/^[a-z]$/i.test(key) ? key : letter ?? key).toLowerCase();
}
