// <match-page>: one match: played by the seats that this browser holds, watched, or stepped through.

import { html, nothing } from "../../vendor/lit.js";
import { listGames } from "../api/service.js";
import { explain, isBadToken } from "../api/refusal.js";
import { announce } from "../page/announcer.js";
import { Part, segments } from "../page/part.js";
import "../keys/key_form.js";
import { heldSeats, markStale, resumeClaims, staleSeats } from "../seats/seats.js";
import { storyOf } from "../words/events.js";
import "./board.js";
import { Bot } from "./bot.js";
import "./clocks.js";
import { cover } from "./cover.js";
import { LookedAt } from "./looked_at.js";
import "./match_panel.js";
import "./match_past.js";
import "./match_turn.js";
import { PositionDrawing } from "./position_drawing.js";
import { Session } from "./session.js";
import { playSound } from "./sound.js";

/** @typedef {import("../seats/seats.js").HeldSeat} HeldSeat */
/** @typedef {import("../api/messages.js").MatchEvent} MatchEvent */
/** @typedef {import("../api/messages.js").View} View */

/** Games whose drawings are the same from both sides. */
const HAVE_NO_EDGES = ["cresnovian-chess"];

class MatchPage extends Part {
  static properties = {
    version: { state: true },
    isCovered: { state: true },
    isLarge: { state: true },
    isTurned: { state: true },
    refusal: { state: true },
  };

  constructor() {
    super();
    this.matchId = segments()[1] ?? "";
    /** @type {HeldSeat[]} */
    this.held = [];
    /** @type {Session | null} */
    this.session = null;
    /** @type {import("../api/messages.js").Game[]} */
    this.games = [];
    /** @type {Bot[]} */
    this.bots = [];
    this.looked = new LookedAt();
    /** Counts what happened, so that each of it shows. */
    this.version = 0;
    /** Whether the board waits until the device is passed. */
    this.isCovered = false;
    /** Whether the board is larger than a small screen, and scrolls. */
    this.isLarge = false;
    /** Whether the other side of the board than usual is at the bottom. */
    this.isTurned = false;
    this.refusal = "";
    /** The seat of this browser whose side is shown, unless another viewer's is. @type {number | null} */
    this.seenAs = null;
    this.drawing = new PositionDrawing({
      wanted: () => (this.isCovered || this.seq === 0 ? null : this.picture(this.seq)),
      board: async () => (this.board || (await this.updateComplete), this.board),
      facts: (after, to) =>
        this.session?.events.slice(after, to).flatMap((event) => event?.facts ?? []) ?? [],
      changed: () => (this.version += 1),
    });
    this.adopt = () => this.adoptSeats();
  }

  connectedCallback() {
    super.connectedCallback();
    this.start();
    window.addEventListener("storage", this.adopt);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener("storage", this.adopt);
    this.session?.close();
    for (const bot of this.bots) bot.stop();
  }

  async start() {
    const games = listGames().then((games) => (this.games = games), () => {});
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

  /** The seat that can move now, here. @returns {HeldSeat | null} */
  get acting() {
    const view = this.session?.view;
    if (!view || this.isCovered) return null;
    const own = this.people.filter(({ seat }) => seat === this.session?.seat);
    return (this.hidesHands ? own : this.people).find(({ seat }) => view.toAct.includes(seat)) ?? null;
  }

  /** The seat that draws, resigns and so on. */
  get speaking() {
    return (
      this.acting ?? this.people.find(({ seat }) => seat === this.session?.seat) ?? this.people[0] ?? null
    );
  }

  /** Whether two people share this device in a game whose hands are hidden. */
  get hidesHands() {
    return this.people.length > 1 && this.game?.hasSecrets !== false;
  }

  /** The seats whose tokens in this browser are void. */
  get stale() {
    return staleSeats(this.matchId);
  }

  /** Seq of the position to show. */
  get seq() {
    const head = this.session?.view?.seq ?? 0;
    return Math.min(this.looked.atSeq ?? head, head);
  }

  /** Seq of the position that is shown. */
  get shownSeq() {
    return this.drawing.shownSeq;
  }

  get board() {
    return /** @type {import("./board.js").MatchBoard | null} */ (this.querySelector("match-board"));
  }

  /** Shows the match as a seat or as a spectator. @param {HeldSeat | null} seat */
  open(seat) {
    this.session?.close();
    const session = new Session(this.matchId, seat);
    this.session = session;
    this.seenAs = session.seat;
    this.drawing.open(session.place);
    session.addEventListener("change", () => this.react());
    session.addEventListener("happened", (event) => this.happen(/** @type {CustomEvent} */ (event).detail));
    session.open();
    if (this.looked.atSeq === null && !this.isCovered) this.drawing.drawFirst();
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

  /** Watches on when the token of this browser's seat was replaced elsewhere. */
  loseSeat() {
    const seat = this.session?.seat ?? null;
    if (seat === null) return;
    markStale(this.matchId, seat, this.session?.place.token ?? "");
    this.held = heldSeats(this.matchId);
    this.open(this.people[0] ?? null);
  }

  react() {
    const view = this.session?.view;
    this.version += 1;
    if (isBadToken(this.session?.failure)) return this.loseSeat();
    if (!view) return;
    // An address may name a position that the match does not have.
    if ((this.looked.atSeq ?? 0) > view.seq) this.looked.seek(null);
    const played = this.held.filter(({ player }) => player === "bot");
    const botOf = (/** @type {HeldSeat} */ held) => this.bots.find(({ seat }) => seat === held.seat);
    this.bots = played.map((held) => botOf(held) ?? new Bot(this.matchId, held));
    for (const bot of this.bots) bot.play(() => this.session?.view ?? null);
    this.passDevice(view);
    this.draw();
  }

  /** Covers the board when the other player at this device is to choose. @param {View} view */
  passDevice(view) {
    if (this.games.length === 0 || this.people.length < 2) return;
    if (!this.hidesHands || view.status === "MATCH_STATUS_OVER") {
      this.isCovered = false;
      return;
    }
    const isOwnTurn = view.toAct.some((seat) => seat === this.session?.seat);
    if (isOwnTurn || !this.people.some(({ seat }) => view.toAct.includes(seat))) return;
    this.isCovered = true;
    this.drawing.cover();
  }

  /** The seat that the device goes to. */
  get next() {
    return this.people.find(({ seat }) => this.session?.view?.toAct.includes(seat)) ?? this.people[0];
  }

  uncover() {
    this.isCovered = false;
    this.drawing.cover();
    this.open(this.next);
    this.updateComplete.then(() => this.querySelector("move-builder")?.scrollIntoView({ block: "nearest" }));
  }

  /** @param {MatchEvent} event */
  happen(event) {
    announce(storyOf(event, this.session?.view?.seats ?? []));
    if (event.moveMade || event.turnRevealed || event.matchEnded) playSound();
  }

  /** What to ask the service to draw. @param {number} atSeq @returns {import("./pictures.js").Which} */
  picture(atSeq) {
    const { viewer } = this.looked;
    const side = this.isTurned ? { bottomSeat: this.nearSeat } : {};
    if (this.session?.view?.status !== "MATCH_STATUS_OVER" || viewer === "") return { atSeq, ...side };
    return { atSeq, "viewer.kind": viewer, ...side };
  }

  /** The seat whose side of the board is at the bottom: one's own, unless the board is turned. */
  get nearSeat() {
    const usual = this.looked.viewer === "" ? (this.seenAs ?? 0) : 0;
    return this.isTurned ? 1 - usual : usual;
  }

  turnBoard() {
    this.isTurned = !this.isTurned;
    this.draw();
  }

  draw() {
    this.drawing.draw();
    const head = this.session?.view?.seq ?? 0;
    if (this.looked.atSeq !== null) this.drawing.prefetch(head, (seq) => this.picture(seq));
  }

  /** Looks at a position. @param {number} seq */
  seek(seq) {
    const view = this.session?.view;
    const isNewest = seq >= (view?.seq ?? 0) && view?.status !== "MATCH_STATUS_OVER";
    this.looked.seek(isNewest ? null : seq);
    this.version += 1;
    this.draw();
  }

  /** A move was made here: its position is fetched before its event is here. @param {CustomEvent} event */
  showMove(event) {
    const { seq } = event.detail.view ?? {};
    if (seq) this.drawing.fetch(this.picture(seq));
    this.seek(Infinity);
  }

  /** @param {import("./seen_by.js").Side} side */
  lookAs({ kind, seat }) {
    this.looked.lookAs(kind);
    if (seat && seat.seat !== this.seenAs) {
      this.seenAs = seat.seat;
      this.drawing.open({ matchId: this.matchId, token: seat.token });
    }
    this.version += 1;
    this.draw();
  }

  async enlarge() {
    this.isLarge = !this.isLarge;
    await this.updateComplete;
    // The buttons on the board are laid out for its size first.
    requestAnimationFrame(() => requestAnimationFrame(() => this.board?.showChoices()));
  }

  updated() {
    if (!this.acting || this.looked.atSeq !== null) this.board?.offer([]);
  }

  render() {
    const { session, game, isCovered } = this;
    if (session?.failure) return failure(session.failure.sentence);
    const { view = null, match = null } = session ?? {};
    document.title = match ? `${game?.title ?? match.gameId} - Matchbook` : "Matchbook";
    return html`
      <div class="match" @seek=${(/** @type {CustomEvent<number>} */ event) => this.seek(event.detail)}
        @lookas=${(/** @type {CustomEvent} */ event) => this.lookAs(event.detail)}>
        <section class="table" aria-label="Board">${this.table(view)}</section>
        <match-turn .page=${this} .version=${this.version} @offer=${this.offer} @focusboard=${this.focusBoard}
          @badtoken=${this.loseSeat} @moved=${this.showMove}></match-turn>
        ${isCovered || !view ? nothing : html`
          <match-past .session=${session} .seq=${this.seq} .version=${this.version}
            .inColumns=${game?.hasSecrets === false}></match-past>`}
        ${view ? html`<match-panel .page=${this} .version=${this.version}
          @badtoken=${this.loseSeat}></match-panel>` : nothing}
      </div>`;
  }

  /** The board between the seats. @param {View | null} view */
  table(view) {
    const seats = view?.seats.map(({ seat }) => seat) ?? [];
    const near = seats.filter((seat) => seat === this.nearSeat);
    const clocks = (/** @type {number[]} */ seats) =>
      html`<match-clocks .view=${view} .held=${this.held} .seats=${seats}></match-clocks>`;
    const waits = this.games.length === 0 ? null : view;
    return html`
      ${clocks(seats.filter((seat) => !near.includes(seat)))}
      ${this.isCovered ? cover(waits, this.next, () => this.uncover()) : html`
        <match-board ?large=${this.isLarge} @choose=${this.chooseOnBoard} @unchoose=${this.unchooseOnBoard}
        ></match-board>`}
      ${this.isCovered || this.drawing.isDrawn ? nothing : html`
        <div class="skeleton board" role="status">Loading the board</div>`}
      <div class="under">
        ${this.drawing.isDrawn && view?.status !== "MATCH_STATUS_OPEN" ? this.boardButtons() : nothing}
        ${clocks(near)}
      </div>`;
  }

  boardButtons() {
    return html`<button type="button" class="small enlarge" aria-pressed=${this.isLarge}
        @click=${this.enlarge}>Larger<span class="hidden"> board</span></button>
      ${HAVE_NO_EDGES.includes(this.session?.match?.gameId ?? "") ? nothing : html`
        <button type="button" class="small turn" aria-pressed=${this.isTurned} @click=${this.turnBoard}
        >Turn<span class="hidden"> the board</span></button>`}`;
  }

  get builder() {
    return /** @type {import("./move_builder.js").MoveBuilder | null} */ (this.querySelector("move-builder"));
  }

  /** @param {CustomEvent} event */
  offer(event) {
    const { choices, chosen, others } = event.detail;
    this.board?.offer(choices, chosen, others);
  }

  /** @param {CustomEvent} event */
  focusBoard(event) {
    event.detail.isTaken = this.board?.focusFirst() ?? false;
  }

  /** @param {CustomEvent<string>} event */
  chooseOnBoard(event) {
    this.builder?.choose(event.detail, "board");
  }

  unchooseOnBoard() {
    this.builder?.back("board");
  }
}

/** @param {string} sentence */
const failure = (sentence) => html`<h1>This match can't be shown</h1>
  <p class="refusal" role="alert">${sentence}</p>
  <p><a href="/">All matches</a></p>
  <key-form @keychange=${() => location.reload()}></key-form>`;

customElements.define("match-page", MatchPage);
export { MatchPage };
