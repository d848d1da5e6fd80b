// Whose side of a finished match is shown.

import { html, nothing } from "../../vendor/lit.js";

/**
 * @param {import("../api/messages.js").View} view
 * @param {number | null} seat the seat whose token this browser has
 * @param {string} viewer the chosen kind of viewer; empty for what this browser sees by itself
 * @param {(viewer: string) => void} choose
 */
export const seenBy = (view, seat, viewer, choose) => {
  if (view.status !== "MATCH_STATUS_OVER") return nothing;
  const own = seat === null ? [] : [["", view.seats[seat]?.title ?? `Seat ${seat}`]];
  const sides = [...own, [seat === null ? "" : "KIND_SPECTATOR", "Spectator"], ["KIND_OPEN", "Everything"]];
  return html`<fieldset class="viewers"><legend>Seen by</legend>
    ${sides.map(([kind, name]) => html`<label><input type="radio" name="viewer" .checked=${viewer === kind}
      @change=${() => choose(kind)} /> ${name}</label>`)}
  </fieldset>`;
};
