// <home-page>: the games of this service, and its matches: one's own, open, running and finished ones.

import { html, nothing } from "../../vendor/lit.js";
import { getMatch, listGames, listMatches } from "../api/service.js";
import { explain } from "../api/refusal.js";
import { Part } from "../page/part.js";
import "../keys/key_form.js";
import { heldMatches, heldSeats } from "../seats/seats.js";
import "./game_picture.js";
import { matchRow } from "./match_row.js";

/** @typedef {import("../api/messages.js").Match} Match */

/** How long the lists are shown before they are read again; longer after each failure in a row. */
const [POLL_MS, MAX_POLL_MS] = [3000, 60_000];

/** How many of one's own matches are shown. */
const MAX_OWN = 8;

/** The lists, with what they say when they are empty. */
const LISTS = /** @type {[string, string, string][]} */ ([
  ["MATCH_STATUS_OPEN", "Open: take a seat", "Nobody waits for an opponent. Start a match of your own."],
  ["MATCH_STATUS_RUNNING", "Running: watch", "No public match is running."],
  ["MATCH_STATUS_OVER", "Finished: replay", "No public match is finished yet."],
]);

class HomePage extends Part {
  static properties = {
    games: { state: true },
    lists: { state: true },
    own: { state: true },
    refusal: { state: true },
  };

  constructor() {
    super();
    /** @type {import("../api/messages.js").Game[] | null} */
    this.games = null;
    /** @type {Record<string, Match[]>} */
    this.lists = {};
    /** @type {Match[]} */
    this.own = [];
    this.refusal = "";
    this.timer = 0;
    this.isPolling = false;
    /** How often in a row the lists could not be read. */
    this.failures = 0;
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = "Matchbook";
    this.poll();
    document.addEventListener("visibilitychange", this.look);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("visibilitychange", this.look);
    clearTimeout(this.timer);
  }

  // There is no stream of lists, and the feed of all events starts with the first one ever, so the lists are
  // read again and again; not while nobody sees them.
  look = () => {
    if (document.visibilityState === "visible" && !this.isPolling) this.poll();
  };

  async poll() {
    this.isPolling = true;
    clearTimeout(this.timer);
    try {
      this.games ??= await listGames();
      const lists = await Promise.all(LISTS.map(([status]) => listMatches({ status, pageSize: 12 })));
      this.lists = Object.fromEntries(LISTS.map(([status], index) => [status, lists[index]]));
      this.own = await this.readOwn();
      [this.refusal, this.failures] = ["", 0];
    } catch (error) {
      [this.refusal, this.failures] = [explain(error), this.failures + 1];
    } finally {
      this.isPolling = false;
      const waitMs = Math.min(MAX_POLL_MS, POLL_MS * 2 ** this.failures);
      if (this.isConnected) this.timer = window.setTimeout(this.look, waitMs);
    }
  }

  async readOwn() {
    const ids = heldMatches().slice(0, MAX_OWN);
    const matches = ids.map((matchId) => this.readMatch(matchId));
    return (await Promise.all(matches)).filter((match) => match !== null);
  }

  /** What is over stays as it is. @param {string} matchId */
  async readMatch(matchId) {
    const known = this.own.find((match) => match.matchId === matchId);
    if (known?.status === "MATCH_STATUS_OVER") return known;
    return getMatch({ matchId, token: heldSeats(matchId)[0]?.token }).catch(() => null);
  }

  render() {
    return html`
      <h1>Play, watch, replay</h1>
      ${this.refusal ? html`<p class="refusal" role="alert">${this.refusal}</p>` : nothing}
      <section aria-labelledby="games"><h2 id="games">Games</h2>
        <ul class="games">${this.games
          ? this.games.map(gameCard)
          : [1, 2, 3, 4].map(() => html`<li class="card skeleton">Loading</li>`)}</ul>
      </section>
      ${this.own.length === 0 ? nothing : this.list("Your seats", this.own, "")}
      ${LISTS.map(([status, title, none]) => this.list(title, this.lists[status], none))}
      <p class="details">Updated every ${POLL_MS / 1000} seconds.</p>
      <key-form @keychange=${this.poll}></key-form>`;
  }

  /** @param {string} title @param {Match[] | undefined} matches @param {string} none */
  list(title, matches, none) {
    const rows = matches?.map((match) => matchRow(match, this.games ?? []));
    return html`<section class="matches">
      <h2>${title}</h2>
      ${!rows ? html`<p class="skeleton">Loading</p>`
        : rows.length > 0 ? html`<ul>${rows}</ul>` : html`<p>${none}</p>`}
    </section>`;
  }
}

/** @param {import("../api/messages.js").Game} game */
const gameCard = ({ gameId, title, summary }) => html`<li class="card">
  <game-picture game=${gameId}></game-picture>
  <h3>${title}</h3>
  <p>${summary}</p>
  <p class="buttons"><a class="button primary" href="/new/${gameId}"
    >New match<span class="hidden"> of ${title}</span></a>
    <a class="button" href="/games/${gameId}">Rules<span class="hidden"> of ${title}</span></a></p>
</li>`;

customElements.define("home-page", HomePage);
