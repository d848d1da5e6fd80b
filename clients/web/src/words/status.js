// What a match waits for, in words.

import { resultText } from "./results.js";

/**
 * @param {import("../api/messages.js").View} view the newest position
 * @param {number | null} atSeq the position that is looked at, if it is not the newest
 * @param {boolean} isOwnMove whether someone here is to move
 */
export const statusText = (view, atSeq, isOwnMove) => {
  if (atSeq !== null && atSeq < view.seq) return `Position ${atSeq} of ${view.seq}`;
  if (view.result) return `${resultText(view.result, view.seats)}.`;
  // The board says it.
  if (view.status === "MATCH_STATUS_OPEN") return "";
  const title = (/** @type {number} */ seat) => view.seats[seat]?.title ?? `Seat ${seat}`;
  const chosen = view.sealed.map(
    (seat) => `${title(seat)} ${title(seat).endsWith("s") ? "have" : "has"} chosen.`,
  );
  const names = view.toAct.map(title).join(" and ");
  return [...chosen, isOwnMove ? "It is your move." : `Waiting for ${names}.`].join(" ");
};
