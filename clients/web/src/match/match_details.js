// The terms of a match, and where it comes from.

import { html, nothing } from "../../vendor/lit.js";
import { agoText } from "../time/server_time.js";
import { timeControlText } from "../words/results.js";

/** @param {import("../api/messages.js").Match} match @param {number} spectators */
export const matchDetails = (match, spectators) => {
  const fork = match.forkedFrom;
  const visibility = match.visibility.replace("VISIBILITY_", "").toLowerCase();
  return html`<p class="details">
    ${timeControlText(match.timeControl)} · ${visibility} · created ${agoText(match.createTime)}
    ${spectators > 0 ? html` · ${spectators} watching` : nothing}
    ${fork ? html` · <a href="/matches/${fork.matchId}?at=${fork.seq}">forked from another match</a>` : nothing}
    ${match.rematchOf ? html` · <a href="/matches/${match.rematchOf}">rematch</a>` : nothing}
    · <a href="/games/${match.gameId}">rules</a>
  </p>`;
};
