// Whether a finished move is shown before it is made. Kept in this browser.

import { keep, load } from "../storage/storage.js";

const ENTRY = "matchbook.confirm";

/** The habits, with what each says. */
export const CONFIRMATIONS = /** @type {[string, string][]} */ ([
  ["single", "Where one tap makes a move"],
  ["always", "Before each move"],
  ["never", "Never"],
]);

/** Returns this browser's habit. */
export const confirmation = () => {
  const stored = load(ENTRY) ?? "";
  return CONFIRMATIONS.some(([name]) => name === stored) ? stored : CONFIRMATIONS[0][0];
};

/** @param {string} habit */
export const setConfirmation = (habit) => keep(ENTRY, habit);

/** Returns whether to ask before a move is made. Who took a piece and set it down on the board has meant it.
 * @param {{from: string}[]} answers what led to the move */
export const asksBefore = (answers) => {
  const habit = confirmation();
  if (habit !== "single") return habit === "always" || answers.length === 0;
  return answers.length < 2 || answers.some(({ from }) => from !== "board");
};
