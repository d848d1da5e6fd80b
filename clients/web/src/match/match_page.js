// <match-page>: one match: played by the seats that this browser holds, watched, or stepped through.

import { html, nothing } from "../../vendor/lit.js";
import { listGames } from "../api/service.js";
import { explain } from "../api/refusal.js";
import { announce } from "../page/announcer.js";
import { parameters, Part, segments } from "../page/part.js";
import { heldSeats, resumeClaims, tokensOf } from "../seats/seats.js";
import { storyOf } from "../words/events.js";
import { statusText } from "../words/status.js";
import "./actions.js";
import "./board.js";
import { Bot } from "./bot.js";
import "./clocks.js";
import { cover } from "./cover.js";
import "./free_seats.js";
import { matchDetails } from "./match_details.js";
import "./match_files.js";
import "./move_builder.js";
import "./move_list.js";
import { Pictures } from "./pictures.js";
import { seenBy } from "./seen_by.js";
import { Session } from "./session.js";
import { playSound } from "./sound.js";
import "./timeline.js";

/** @typedef {import("../seats/seats.js").HeldSeat} HeldSeat */
/** @typedef {import("../api/messages.js").MatchEvent} MatchEvent */

/** How many positions ahead of the one shown are fetched while someone steps through a match. */
const PREFETCHED = 6;

/** How long a position must be looked at before its neighbours are fetched. */
const PREFETCH_AFTER_MS = 150;

class MatchPage extends Part {
  static properties = {
    session: { attribute: false },
    version: { state: true },
    atSeq: { state: true },
    viewer: { state: true },
    isCovered: { state: true },
    refusal: { state: true },
    isDrawn: { state: true },
  };

  constructor() {
    super();
    this.matchId = segments()[1] ?? "";
    /** @type {HeldSeat[]} */
    this.held = [];
    /** @type {Session | null} */
    this.session = null;
    /** @type {Pictures | null} */
    this.pictures = null;
    /** @type {import("../api/messages.js").Game[]} */
    this.games = [];
    /** @type {Bot[]} */
    this.bots = [];
    this.version = 0;
    /** The position that is looked at, if it is not the newest. @type {number | null} */
    this.atSeq = Number(parameters().get("at")) || null;
    /** Whose side is shown once the match is over. */
    this.viewer = parameters().get("viewer") ?? "";
    /** Whether the board waits until the device is passed. */
    this.isCovered = false;
    this.refusal = "";
    /** Whether a board is shown. */
    this.isDrawn = false;
    /** The position of the board that is shown, and what it was asked for. */
    this.shownSeq = 0;
    this.shownKey = "";
    this.isDrawing = false;
    this.prefetchTimer = 0;
    this.queryTimer = 0;
    /** The seat whose move is being built, and its place, which stays the same object meanwhile. */
    this.turnToken = "";
    /** @type {import("../api/service.js").Place | null} */
    this.turnPlace = null;
  }

  connectedCallback() {
    super.connectedCallback();
    this.start();
    window.addEventListener("storage", () => this.adoptSeats());
  }

  async start() {
    const games = listGames().then((games) => ((this.games = games), this.requestUpdate()), () => {});
    this.held = heldSeats(this.matchId);
    // Nobody's hand is shown until it is known whose turn at the device it is.
    this.isCovered = this.people.length > 1;
    this.open(this.isCovered ? null : (this.people[0] ?? null));
    try {
      await resumeClaims(this.matchId);
    } catch (error) {
      this.refusal = explain(error);
    }
    this.adoptSeats();
    await games;
    this.react();
  }

  /** The seats that people at this browser play. */
  get people() {
    return this.held.filter(({ player }) => player === "person");
  }

  get game() {
    return this.games.find(({ gameId }) => gameId === this.session?.match?.gameId) ?? null;
  }

  /** Whether anything was played, so that the match cannot be called off any more. */
  get hasMoves() {
    return (this.session?.events ?? []).some((event) => event?.moveMade || event?.moveSealed || event?.turnRevealed);
  }

  /** The seat that can move now, here. @returns {HeldSeat | null} */
  get acting() {
    const view = this.session?.view;
    if (!view || this.isCovered) return null;
    const candidates = this.hidesHands ? this.people.filter(({ seat }) => seat === this.session?.seat) : this.people;
    return candidates.find(({ seat }) => view.toAct.includes(seat)) ?? null;
  }

  /** The seat that draws, resigns and so on. */
  get speaking() {
    return this.acting ?? this.people.find(({ seat }) => seat === this.session?.seat) ?? this.people[0] ?? null;
  }

  /** Whether two people share this device in a game whose hands are hidden. */
  get hidesHands() {
    return this.people.length > 1 && this.game?.hasSecrets !== false;
  }

  /** Shows the match as a seat or as a spectator. @param {HeldSeat | null} seat */
  open(seat) {
    this.session?.close();
    const session = new Session(this.matchId, seat);
    this.session = session;
    this.pictures = new Pictures(session.place);
    this.shownKey = "";
    session.addEventListener("change", () => this.react());
    session.addEventListener("happened", (event) => this.happen(/** @type {CustomEvent} */ (event).detail));
    session.open();
    if (this.atSeq === null && !this.isCovered) this.drawFirst();
  }

  /** The first board does not wait for the events. */
  async drawFirst() {
    const { pictures } = this;
    const drawing = await pictures?.get(/** @type {any} */ ({})).catch(() => null);
    if (drawing && pictures === this.pictures && this.shownSeq === 0) this.show(drawing, []);
  }

  /** @param {string} drawing @param {Record<string, any>[]} facts */
  show(drawing, facts) {
    this.board?.show(drawing, facts);
    this.isDrawn = true;
  }

  /** Takes up seats that were claimed here or in another tab. */
  adoptSeats() {
    const held = heldSeats(this.matchId);
    if (JSON.stringify(held) === JSON.stringify(this.held)) return;
    const hadNone = this.people.length === 0;
    this.held = held;
    if (hadNone && this.people.length === 1) this.open(this.people[0]);
    this.react();
  }

  react() {
    const { session } = this;
    const view = session?.view;
    this.version += 1;
    if (!session || !view) return;
    this.bots = this.held.filter(({ player }) => player === "bot").map((held) => this.bots.find(({ seat }) => seat === held.seat) ?? new Bot(this.matchId, held));
    for (const bot of this.bots) bot.play(() => this.session?.view ?? null);
    this.passDevice(view);
    this.draw();
  }

  /** Covers the board when the other player at this device is to choose. @param {import("../api/messages.js").View} view */
  passDevice(view) {
    if (this.games.length === 0 || this.people.length < 2) return;
    if (!this.hidesHands || view.status === "MATCH_STATUS_OVER") {
      this.isCovered = false;
      return;
    }
    const isOwnTurn = this.session?.seat !== null && view.toAct.includes(/** @type {number} */ (this.session?.seat));
    if (!isOwnTurn && this.people.some(({ seat }) => view.toAct.includes(seat))) this.isCovered = true;
  }

  /** The seat that the device goes to. */
  get next() {
    return this.people.find(({ seat }) => this.session?.view?.toAct.includes(seat)) ?? this.people[0];
  }

  uncover() {
    [this.isCovered, this.isDrawn, this.shownSeq] = [false, false, 0];
    this.open(this.next);
    this.updateComplete.then(() => this.querySelector("move-builder")?.scrollIntoView({ block: "nearest" }));
  }

  /** @param {MatchEvent} event */
  happen(event) {
    const seats = this.session?.view?.seats ?? [];
    announce(storyOf(event, seats));
    if (event.moveMade || event.turnRevealed || event.matchEnded) playSound();
  }

  get board() {
    return /** @type {import("./board.js").MatchBoard | null} */ (this.querySelector("match-board"));
  }

  /** Seq of the position to show. */
  get seq() {
    return this.atSeq ?? this.session?.view?.seq ?? 0;
  }

  /** What to ask the service to draw. @param {number} atSeq */
  picture(atSeq) {
    if (this.session?.view?.status !== "MATCH_STATUS_OVER" || this.viewer === "") return { atSeq };
    return { atSeq, "viewer.kind": this.viewer };
  }

  /** Draws what is wanted, one board at a time: while a slider runs, those that have been passed are left out. */
  async draw() {
    if (this.isDrawing) return;
    this.isDrawing = true;
    for (let key = this.wantedKey; key && key !== this.shownKey; key = this.wantedKey) {
      if (!(await this.drawPosition(key))) break;
    }
    this.isDrawing = false;
    clearTimeout(this.prefetchTimer);
    if (this.atSeq !== null) this.prefetchTimer = window.setTimeout(() => this.prefetch(), PREFETCH_AFTER_MS);
  }

  /** What is to be drawn, as text; empty if nothing is. */
  get wantedKey() {
    return this.isCovered || this.seq === 0 ? "" : JSON.stringify(this.picture(this.seq));
  }

  /** Returns whether to go on. @param {string} key */
  async drawPosition(key) {
    const { pictures, shownSeq } = this;
    const which = JSON.parse(key);
    try {
      const drawing = pictures?.kept(which) ?? (await pictures?.get(which)) ?? "";
      if (!this.board) await this.updateComplete;
      if (pictures !== this.pictures || this.isCovered) return true;
      const isNext = shownSeq > 0 && which.atSeq > shownSeq && which.atSeq - shownSeq < 4;
      this.show(drawing, isNext ? this.factsBetween(shownSeq, which.atSeq) : []);
      [this.shownSeq, this.shownKey, this.refusal] = [which.atSeq, key, ""];
      return true;
    } catch (error) {
      if (pictures === this.pictures) this.refusal = explain(error);
      return pictures !== this.pictures;
    }
  }

  /** @param {number} after @param {number} to */
  factsBetween(after, to) {
    return this.session?.events.slice(after, to).flatMap((event) => event?.facts ?? []) ?? [];
  }

  /** Fetches the neighbours of the position that is looked at. */
  prefetch() {
    const head = this.session?.view?.seq ?? 0;
    for (let seq = Math.max(1, this.seq - 2); seq <= Math.min(head, this.seq + PREFETCHED); seq++) {
      this.pictures?.get(this.picture(seq)).catch(() => {});
    }
  }

  /** Looks at a position. @param {number} seq */
  seek(seq) {
    const head = this.session?.view?.seq ?? 0;
    const isNewest = seq >= head && this.session?.view?.status !== "MATCH_STATUS_OVER";
    this.atSeq = isNewest ? null : seq;
    const query = parameters();
    if (isNewest) query.delete("at");
    else query.set("at", String(seq));
    this.replaceQuery(query);
    this.draw();
  }

  /** @param {URLSearchParams} query */
  replaceQuery(query) {
    clearTimeout(this.queryTimer);
    // Browsers limit how often an address may change.
    this.queryTimer = window.setTimeout(() => history.replaceState(null, "", query.size > 0 ? `?${query}` : location.pathname), 300);
  }

  /** @param {string} viewer */
  lookAs(viewer) {
    this.viewer = viewer;
    const query = parameters();
    if (viewer) query.set("viewer", viewer);
    else query.delete("viewer");
    this.replaceQuery(query);
    this.draw();
  }

  /** @param {Map<string, unknown>} _changed */
  updated(_changed) {
    if (!this.acting || this.atSeq !== null) this.board?.offer([]);
  }

  render() {
    const { session } = this;
    if (session?.failure) return this.failure(session.failure.sentence);
    const { view = null, match = null } = session ?? {};
    document.title = match ? `${this.game?.title ?? match.gameId} - Matchbook` : "Matchbook";
    return html`
      <div class="match">
        <section class="table" aria-label="Board">
          ${this.isCovered ? cover(this.games.length > 0 ? (view ?? null) : null, this.next, () => this.uncover()) : html`<match-board @choose=${this.chooseOnBoard}></match-board>`}
          ${!this.isCovered && !this.isDrawn ? html`<div class="skeleton board" role="status">Loading the board</div>` : nothing}
          ${this.isCovered || !view || view.seq < 2 ? nothing : html`<match-timeline .seq=${this.seq} .head=${view.seq} @seek=${this.sought}></match-timeline>`}
        </section>
        <section class="side" aria-label="Match" @offer=${this.offer} @focusboard=${this.focusBoard} @moved=${() => this.seek(Infinity)}>
          ${this.connection()}
          ${view ? this.side(view) : html`<p class="skeleton">Loading</p>`}
        </section>
      </div>`;
  }

  /** @param {string} sentence */
  failure(sentence) {
    return html`<h1>This match can't be shown</h1><p class="refusal" role="alert">${sentence}</p><p><a href="/">All matches</a></p>`;
  }

  /** @param {import("../api/messages.js").View} view */
  side(view) {
    const { session, acting } = this;
    const isOpen = view.status === "MATCH_STATUS_OPEN";
    return html`
      <h1>${this.game?.title ?? session?.match?.gameId ?? "Match"}</h1>
      <p class="status">${statusText(view, this.atSeq, acting !== null)}</p>
      <match-clocks .view=${view} .held=${this.held}></match-clocks>
      ${this.refusal ? html`<p class="refusal" role="alert">${this.refusal}</p>` : nothing}
      ${isOpen ? html`<free-seats .view=${view} .held=${this.held} .tokensBefore=${tokensOf(session?.match?.rematchOf)} @seated=${this.adoptSeats}></free-seats>` : nothing}
      ${this.turn(acting)}
      ${this.isCovered ? nothing : html`<match-actions .view=${view} .game=${this.game} .match=${session?.match ?? null} .held=${this.held} .seat=${this.speaking} .hasMoves=${this.hasMoves}></match-actions>`}
      ${this.game?.hasSecrets ? seenBy(view, session?.seat ?? null, this.viewer, (viewer) => this.lookAs(viewer)) : nothing}
      ${this.story(view)}
      ${this.isCovered ? nothing : html`<move-list .events=${session?.events ?? []} .count=${session?.events.length ?? 0} .seats=${view.seats} .seq=${this.seq} @seek=${this.sought}></move-list>`}
      ${session?.match ? matchDetails(session.match, session.spectators) : nothing}
      ${this.isCovered ? nothing : html`<match-files .place=${session?.place ?? null} .view=${view} .seq=${this.seq} .game=${this.game} .drawing=${() => this.board?.drawing ?? ""}></match-files>`}`;
  }

  /** @param {HeldSeat | null} acting */
  turn(acting) {
    if (!acting) return nothing;
    if (this.atSeq !== null) {
      return html`<p class="buttons"><button type="button" class="primary" @click=${() => this.seek(Infinity)}>Back to the newest position, where you are to move</button></p>`;
    }
    if (this.turnToken !== acting.token) {
      this.turnToken = acting.token;
      this.turnPlace = { matchId: this.matchId, token: acting.token };
    }
    return html`<move-builder .place=${this.turnPlace} .positionSeq=${this.session?.positionSeq ?? 0}></move-builder>`;
  }

  connection() {
    if (this.session?.connection !== "lost") return nothing;
    return html`<p class="connection lost" role="status">The connection is lost. Trying again.</p>`;
  }

  /** What led to the position, in words. @param {import("../api/messages.js").View} view */
  story(view) {
    const event = this.session?.events[this.seq - 1];
    return event && !this.isCovered ? html`<p class="story">${storyOf(event, view.seats)}</p>` : nothing;
  }

  /** @param {CustomEvent<number>} event */
  sought(event) {
    this.seek(event.detail);
  }

  /** @param {CustomEvent} event */
  offer(event) {
    this.board?.offer(event.detail);
  }

  /** @param {CustomEvent} event */
  focusBoard(event) {
    event.detail.isTaken = this.board?.focusFirst() ?? false;
  }

  /** @param {CustomEvent<string>} event */
  chooseOnBoard(event) {
    /** @type {import("./move_builder.js").MoveBuilder | null} */ (this.querySelector("move-builder"))?.choose(event.detail, "board");
  }
}

customElements.define("match-page", MatchPage);
