// A match in a list.

import { html } from "../../vendor/lit.js";
import { agoText } from "../time/server_time.js";
import { playersText, resultText } from "../words/results.js";

/** @param {import("../api/messages.js").Match} match @param {import("../api/messages.js").Game[]} games */
export const matchRow = (match, games) => {
  const title = games.find(({ gameId }) => gameId === match.gameId)?.title ?? match.gameId;
  const result = match.result ? resultText(match.result, match.seats) : "";
  return html`<li>
    <a href="/matches/${match.matchId}"><strong>${title}</strong> <bdi>${playersText(match.seats)}</bdi></a>
    <small>${result ? `${result} · ` : ""}${agoText(match.createTime)}</small>
  </li>`;
};
