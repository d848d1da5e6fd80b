// What lies over a board with hidden hands while two people pass their device.

import { html } from "../../vendor/lit.js";

/**
 * @param {import("../api/messages.js").View | null} view if it is known yet
 * @param {import("../seats/seats.js").HeldSeat} next the seat that the device goes to
 * @param {() => void} uncover
 */
export const cover = (view, next, uncover) => {
  if (!view) return html`<div class="skeleton board" role="status">Loading the board</div>`;
  if (view.toAct.length === 0) return html`<div class="cover"><p>Waiting for the match to begin.</p></div>`;
  const seat = view.seats[next.seat];
  const name = seat?.player?.displayName ?? seat?.title;
  return html`<div class="cover">
    <h2>Pass the device to <bdi>${name}</bdi></h2>
    <p>The ${seat?.title} hand is hidden until then.</p>
    <button type="button" class="primary" @click=${uncover}><span>I am <bdi>${name}</bdi></span></button>
  </div>`;
};
