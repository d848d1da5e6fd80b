// Whose side of a finished match is shown.

import { html, nothing } from "../../vendor/lit.js";

/** @typedef {import("../seats/seats.js").HeldSeat} HeldSeat */
/** @typedef {{kind: string, seat: HeldSeat | null}} Side the kind of viewer, empty for a seat of this
 *   browser, and that seat */

/**
 * The service shows a seat's side to the holder of its token alone: a visitor is offered the other two.
 * @param {import("../api/messages.js").View} view
 * @param {HeldSeat[]} held the seats of this browser
 * @param {number | null} seat the one of them as which this browser looks
 * @param {string} viewer the chosen kind of viewer
 * @param {(side: Side) => void} choose
 */
export const seenBy = (view, held, seat, viewer, choose) => {
  if (view.status !== "MATCH_STATUS_OVER") return nothing;
  /** @type {[Side, string, boolean][]} */
  const own = held.map((one) => [
    { kind: "", seat: one },
    view.seats[one.seat]?.title ?? `Seat ${one.seat}`,
    viewer === "" && seat === one.seat,
  ]);
  const spectator = seat === null ? "" : "KIND_SPECTATOR";
  /** @type {[Side, string, boolean][]} */
  const all = [
    ...own,
    [{ kind: spectator, seat: null }, "Spectator", [spectator, "KIND_SPECTATOR"].includes(viewer)],
    [{ kind: "KIND_OPEN", seat: null }, "Everything", viewer === "KIND_OPEN"],
  ];
  return html`<fieldset class="viewers"><legend>Seen by</legend>
    ${all.map(([side, name, isShown]) => html`<label><input type="radio" name="viewer" .checked=${isShown}
      @change=${() => choose(side)} /> ${name}</label>`)}
  </fieldset>`;
};
