// <move-builder>: builds a move for one seat: question by question, from the list of legal moves, or from
// notation. The move is shown before it is made, unless a piece was taken and set down on the board.

import { html, live, nothing } from "../../vendor/lit.js";
import { checkMove, getChoices, listLegalMoves, submitMove } from "../api/service.js";
import { explain, isBadToken, Refusal } from "../api/refusal.js";
import { Part } from "../page/part.js";
import { asksBefore } from "./confirmation.js";
import { isOnBoard } from "./places.js";

/** @typedef {import("../api/messages.js").Question} Question */
/** @typedef {import("../api/messages.js").Choice} Choice */
/** @typedef {Choice & {from: "board" | "panel"}} Answer */

/** Whether the list of legal moves was open last: a builder ends with its turn, and the next one opens it. */
let wasLegalOpen = false;

class MoveBuilder extends Part {
  static properties = {
    place: { attribute: false },
    positionSeq: { attribute: false },
    path: { state: true },
    question: { state: true },
    finished: { state: true },
    refusal: { state: true },
    isBusy: { state: true },
    legal: { state: true },
    isListOpen: { state: true },
    isLegalOpen: { state: true },
  };

  constructor() {
    super();
    /** @type {import("../api/service.js").Place | null} */
    this.place = null;
    /** Seq of the newest event that changed the position. */
    this.positionSeq = 0;
    /** @type {Answer[]} */
    this.path = [];
    /** @type {Question | null} */
    this.question = null;
    /** @type {{notation: string} | null} */
    this.finished = null;
    this.refusal = "";
    this.isBusy = false;
    /** Whether choices that are on the board are listed as well. */
    this.isListOpen = false;
    /** @type {import("../api/messages.js").LegalMoves | null} */
    this.legal = null;
    /** Whether the legal moves are listed, in this position and in those that follow. */
    this.isLegalOpen = wasLegalOpen;
    /** @type {number | undefined} */
    this.seq = undefined;
    /** The choices on the board beside the one that was taken there last. @type {Choice[]} */
    this.others = [];
    /** Counts the positions that were asked about: answers about earlier ones are void. */
    this.round = 0;
    /** Counts what was asked: answers may cross on their way, and only the newest one counts. */
    this.asked = 0;
    this.isStarting = false;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    // The first answer can be newer than the events that are here: then it holds when they arrive.
    if (changed.has("place") || (changed.has("positionSeq") && !this.isStarting && this.isOutdated))
      this.startOver();
  }

  /** Whether the position has changed since the question was asked. */
  get isOutdated() {
    return this.seq === undefined || this.positionSeq > this.seq;
  }

  /** Forgets what was prepared for another position. */
  async startOver() {
    const round = ++this.round;
    [this.path, this.question, this.finished, this.legal, this.seq] = [[], null, null, null, undefined];
    [this.refusal, this.isBusy, this.isStarting, this.others] = ["", false, true, []];
    this.list();
    await this.ask([], "");
    if (round !== this.round) return;
    this.isStarting = false;
    if (this.seq !== undefined && this.isOutdated) this.startOver();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.tell("offer", { choices: [], chosen: null });
  }

  /** Asks what may follow some answers.
   * @param {Answer[]} path
   * @param {string} focus where the focus goes then: to the board, the panel, or nowhere
   * @param {Choice[]} [others] what could be chosen on the board instead of the last answer */
  async ask(path, focus, others = []) {
    const asked = ++this.asked;
    if (!this.place) return;
    const expectedSeq = path.length === 0 ? undefined : this.seq;
    try {
      const answers = path.map(({ value }) => value);
      const { seq, question, finished } = await getChoices(this.place, answers, expectedSeq);
      if (asked !== this.asked) return;
      [this.path, this.seq, this.question, this.finished] = [path, seq, question ?? null, finished ?? null];
      const choices = question?.choiceList?.choices.filter(isOnBoard) ?? [];
      this.others = others;
      this.tell("offer", { choices, chosen: path.findLast(isOnBoard) ?? null, others });
      if (finished && !asksBefore(path)) return this.play();
      if (focus) await this.moveFocus(focus);
    } catch (error) {
      if (asked !== this.asked) return;
      this.refuse(error);
      // What was taken in a position that is gone: nothing is offered yet in this one.
      if (path.length > 0 && !this.question) this.ask([], "");
    }
  }

  /** @param {string} to */
  async moveFocus(to) {
    await this.updateComplete;
    const detail = { isTaken: false };
    if (to === "board" && !this.finished) this.tell("focusboard", detail);
    if (detail.isTaken) return;
    const first = this.finished ? "button.play" : ".question button, .question input, .question h2";
    const target = this.querySelector(first);
    /** @type {HTMLElement | null} */ (target)?.focus({ preventScroll: to === "board" });
  }

  /** Answers the question. @param {string} value @param {"board" | "panel"} from */
  choose(value, from) {
    const choices = this.question?.choiceList?.choices ?? [];
    const isIt = (/** @type {Choice} */ choice) => choice.value === value;
    const choice = choices.find(isIt);
    const instead = choice || from !== "board" ? undefined : this.others.find(isIt);
    const { label = value, valueType = "" } = choice ?? instead ?? {};
    const path = instead ? this.path.slice(0, -1) : this.path;
    const answer = { value, label, valueType, from };
    const beside = instead ? [...this.others, ...this.path.slice(-1)] : choices;
    const others = isOnBoard(answer) ? beside.filter((other) => isOnBoard(other) && !isIt(other)) : [];
    this.refusal = "";
    this.ask([...path, answer], from, others);
  }

  /** Takes the last answer back. @param {"board" | "panel"} from */
  back(from) {
    this.refusal = "";
    return this.ask(this.path.slice(0, -1), from);
  }

  /** @param {unknown} error */
  refuse(error) {
    if (isBadToken(error)) return this.tell("badtoken");
    const isStale = error instanceof Refusal && error.reason === "STALE_POSITION";
    this.refusal = isStale ? "The position has changed; choose again." : explain(error);
    if (isStale) this.ask([], "");
  }

  /** Makes the finished move. */
  async play() {
    if (!this.place || !this.finished || this.isBusy) return;
    this.isBusy = true;
    this.refusal = "";
    const { notation } = this.finished;
    try {
      const answer = await submitMove(this.place, { notation, expectedSeq: this.seq });
      // It stays so until the move arrives as an event: the same move is not offered again meanwhile.
      this.tell("moved", answer);
    } catch (error) {
      this.isBusy = false;
      this.refuse(error);
    }
  }

  /** Takes a move from the list. @param {string} notation @param {number} seq */
  take(notation, seq) {
    this.preview(notation, seq);
    if (!asksBefore([{ from: "list" }])) this.play();
  }

  /** Shows a move before it is made. @param {string} notation @param {number} seq */
  preview(notation, seq) {
    [this.path, this.question, this.finished, this.seq, this.refusal] = [[], null, { notation }, seq, ""];
    this.others = [];
    this.tell("offer", { choices: [], chosen: null });
    this.moveFocus("panel");
  }

  /** @param {SubmitEvent} event */
  async checkTyped(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const notation = String(new FormData(form).get("notation") ?? "").trim();
    if (!this.place || !notation) return;
    try {
      const { legal, refusal, seq } = await checkMove(this.place, notation, undefined);
      if (!legal && refusal) throw new Refusal(refusal.reason, refusal.message, refusal);
      form.reset();
      this.preview(notation, seq);
    } catch (error) {
      this.refuse(error);
    }
  }

  /** Lists the legal moves, if someone looks at them. */
  async list() {
    if (!this.isLegalOpen || this.legal || !this.place) return;
    const { round } = this;
    try {
      const legal = await listLegalMoves(this.place);
      if (round === this.round) this.legal = legal;
    } catch (error) {
      if (round === this.round) this.refuse(error);
    }
  }

  /** @param {Event} event */
  toggleLegal(event) {
    this.isLegalOpen = wasLegalOpen = /** @type {HTMLDetailsElement} */ (event.target).open;
    this.list();
  }

  render() {
    return html`
      <div class="question">
        ${this.finished ? this.preparedMove() : this.askedQuestion()}
        <p class="refusal" role="alert">${this.refusal}</p>
      </div>
      ${this.otherWays()}`;
  }

  preparedMove() {
    const buttons = html`<p class="buttons">
      <button type="button" class="primary play" @click=${this.play}>Play</button>
      <button type="button" @click=${() => this.back("panel")}>Back</button>
    </p>`;
    return html`
      <h2 tabindex="-1">${this.isBusy ? "Playing" : "Play this move?"}</h2>
      <p class="notation prepared">${this.finished?.notation}</p>
      ${this.isBusy ? nothing : buttons}`;
  }

  askedQuestion() {
    if (!this.question) return html`<h2 tabindex="-1">Your move</h2>`;
    const taken = this.path.map(({ label }) => label).join(" › ");
    const back = html`<p class="path"><span>${taken}</span>
      <button type="button" @click=${() => this.back("panel")}>Back</button></p>`;
    return html`
      <h2 tabindex="-1">${this.question.prompt}</h2>
      ${this.path.length === 0 ? nothing : back}
      ${this.answers(this.question)}`;
  }

  /** @param {Question} question */
  answers({ choiceList, integer, text }) {
    if (choiceList) return this.choiceList(choiceList.choices);
    const field = integer
      ? html`<input name="answer" type="number" min=${integer.minValue} max=${integer.maxValue} required
          .value=${live("")} />`
      : html`<input name="answer" type="text" maxlength=${text?.maxChars ?? 2000} autocomplete="off" required
          .value=${live("")} />`;
    const limits = integer
      ? `${integer.minValue} to ${integer.maxValue}`
      : `${text?.minChars} to ${text?.maxChars} characters`;
    return html`<form class="row" @submit=${this.answerTyped}>
      <label>Answer, ${limits} ${field}</label><button type="submit">Next</button>
    </form>`;
  }

  /** Choices that are on the board are a list on demand.
   * @param {import("../api/messages.js").Choice[]} choices */
  choiceList(choices) {
    const list = (/** @type {import("../api/messages.js").Choice[]} */ some) =>
      html`<div class="choices">${some.map(({ value, label }) => html`
        <button type="button" @click=${() => this.choose(value, "panel")}>${label}</button>`)}</div>`;
    const onBoard = choices.filter(isOnBoard);
    if (onBoard.length === 0) return list(choices);
    const others = choices.filter((choice) => !isOnBoard(choice));
    const toggled = (/** @type {Event} */ event) =>
      (this.isListOpen = /** @type {HTMLDetailsElement} */ (event.target).open);
    return html`${others.length === 0 ? nothing : list(others)}
      <details class="as-list" ?open=${this.isListOpen} @toggle=${toggled}>
        <summary>On the board, or from a list (${onBoard.length})</summary>
        ${list(onBoard)}
      </details>`;
  }

  /** @param {SubmitEvent} event */
  answerTyped(event) {
    event.preventDefault();
    const answer = new FormData(/** @type {HTMLFormElement} */ (event.target)).get("answer");
    this.choose(String(answer), "panel");
  }

  otherWays() {
    return html`
      <form class="row" @submit=${this.checkTyped}>
        <label>Type a move <input name="notation" autocomplete="off" autocapitalize="off" spellcheck="false"
          maxlength="2000" /></label>
        <button type="submit">Check</button>
      </form>
      <details class="legal" ?open=${this.isLegalOpen} @toggle=${this.toggleLegal}>
        <summary>Legal moves</summary>
        ${this.legal ? this.legalMoves(this.legal) : html`<p class="waiting">Loading</p>`}
      </details>`;
  }

  /** @param {import("../api/messages.js").LegalMoves} legal */
  legalMoves({ moves, unlistedFamilies, complete, seq }) {
    const rest = unlistedFamilies.length > 0
      ? `There are too many moves of these kinds to list: ${unlistedFamilies.join(", ")}. ` +
        "Answer the questions above instead."
      : "These are the first moves of more; answer the questions above for the others.";
    return html`
      ${complete ? nothing : html`<p>${rest}</p>`}
      <ul class="moves" tabindex="0" aria-label="Legal moves">
        ${moves.map(({ notation }) => html`<li><button type="button" class="notation"
          @click=${() => this.take(notation, seq)}>${notation}</button></li>`)}
      </ul>`;
  }
}

customElements.define("move-builder", MoveBuilder);
export { MoveBuilder };
