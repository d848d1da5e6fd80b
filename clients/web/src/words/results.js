// Results, statuses and times controls in words.

import { durationMs, lengthText } from "../time/server_time.js";

/** @typedef {import("../api/messages.js").SeatStatus} SeatStatus */

const REASONS = /** @type {Record<string, string>} */ ({
  resignation: "by resignation",
  agreement: "by agreement",
  time: "on time",
  aborted: "before the first move",
  expired: "because a seat stayed free",
});

/** Returns how a match ended.
 * @param {import("../api/messages.js").MatchResult} result @param {SeatStatus[]} seats */
export const resultText = ({ outcome, standings, reason }, seats) => {
  const how = REASONS[reason] ?? `(${reason.replaceAll("-", " ")})`;
  if (outcome === "OUTCOME_NONE") return reason === "expired" ? `Expired ${how}` : `Called off ${how}`;
  if (outcome === "OUTCOME_DRAW") return `Draw ${how}`;
  const winners = standings
    .filter(({ rank }) => rank === 1)
    .map(({ seat }) => seats[seat]?.title ?? `Seat ${seat}`);
  return `${winners.join(" and ")} won ${how}`;
};

/** Returns a time control in words. @param {import("../api/messages.js").TimeControl | undefined} control */
export const timeControlText = (control) => {
  if (control?.perMove) return `${lengthText(durationMs(control.perMove.moveTime))} a move`;
  if (!control?.bank) return "No clocks";
  const increment = durationMs(control.bank.increment ?? "0s");
  const budget = lengthText(durationMs(control.bank.budget));
  return increment === 0 ? `${budget} a side` : `${budget} a side and ${lengthText(increment)} a move`;
};

/** Returns who plays a match, in words. @param {SeatStatus[]} seats */
export const playersText = (seats) => {
  const free = seats.filter(({ claimed }) => !claimed).map(({ title }) => title);
  const taken = seats.filter(({ claimed }) => claimed);
  const nameOf = (/** @type {SeatStatus} */ { title, player }) => player?.displayName ?? title;
  if (free.length === 0) return taken.map(nameOf).join(" and ");
  if (taken.length === 0) return free.length === 2 ? "Both seats are free" : "All seats are free";
  const isPlural = free.length > 1 || free[0].endsWith("s");
  return `${taken.map((seat) => `${nameOf(seat)} plays ${seat.title}`).join(", ")}; ` +
    `${free.join(" and ")} ${isPlural ? "are" : "is"} free`;
};
