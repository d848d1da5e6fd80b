// The terms of a match, where it comes from, and what this tab does in it.

import { html, nothing } from "../../vendor/lit.js";
import { agoText } from "../time/server_time.js";
import { timeControlText } from "../words/results.js";

/** @param {import("../api/messages.js").Match} match @param {import("../api/messages.js").View} view
 * @param {import("../seats/seats.js").HeldSeat[]} held @param {number} spectators */
export const matchDetails = (match, view, held, spectators) => {
  const fork = match.forkedFrom;
  const visibility = match.visibility.replace("VISIBILITY_", "").toLowerCase();
  const isOver = view.status === "MATCH_STATUS_OVER";
  const bots = isOver ? [] : held.filter(({ player }) => player === "bot");
  return html`<p class="details">
    ${timeControlText(match.timeControl)} · ${visibility} · created ${agoText(match.createTime)}
    ${spectators > 0 ? html` · ${spectators} watching` : nothing}
    ${fork ? html` · <a href="/matches/${fork.matchId}?at=${fork.seq}"
      >forked from another match</a>` : nothing}
    ${match.rematchOf ? html` · <a href="/matches/${match.rematchOf}">rematch</a>` : nothing}
    · <a href="/games/${match.gameId}">rules</a>
    ${bots.map(({ seat }) => html` · This tab plays ${view.seats[seat]?.title}: keep it open.`)}
  </p>`;
};
