// <new-match>: the form for a new match: game, seat, opponent, clocks, options.

import { html, nothing } from "../../vendor/lit.js";
import { apiKey } from "../api/api_key.js";
import { createMatch, listGames, newRequestId } from "../api/service.js";
import { explain, Refusal } from "../api/refusal.js";
import { Part, segments } from "../page/part.js";
import "../keys/key_form.js";
import { lastName, rememberName, requireStorage, takeSeat } from "../seats/seats.js";
import { optionField, optionsIn } from "./option_form.js";

/** @typedef {import("../api/messages.js").Game} Game */

const OPPONENTS = /** @type {[string, string, string][]} */ ([
  ["link", "A friend", "You get a link to send. The match is not listed."],
  ["anyone", "Anyone", "The match is listed until someone takes the other seat."],
  ["bot", "A bot", "This tab plays the other seat; keep it open."],
  ["here", "Someone here", "You pass this device back and forth."],
]);

class NewMatch extends Part {
  static properties = {
    games: { state: true },
    gameId: { state: true },
    opponent: { state: true },
    clocks: { state: true },
    visibility: { state: true },
    refusal: { state: true },
    isBusy: { state: true },
  };

  constructor() {
    super();
    /** @type {Game[]} */
    this.games = [];
    this.gameId = segments()[1] ?? "";
    this.opponent = "link";
    this.clocks = "none";
    /** Who may see the match; follows the opponent until it is chosen. */
    this.visibility = "";
    this.refusal = "";
    this.isBusy = false;
    /** The call that creates the match is the same until the form changes, so that no match is created
     * twice. */
    this.request = { content: "", requestId: "" };
  }

  async connectedCallback() {
    super.connectedCallback();
    document.title = "New match - Matchbook";
    try {
      this.games = await listGames();
      this.gameId ||= this.games[0]?.gameId ?? "";
    } catch (error) {
      this.refusal = explain(error);
    }
  }

  get game() {
    return this.games.find(({ gameId }) => gameId === this.gameId) ?? null;
  }

  /** @param {SubmitEvent} event */
  async create(event) {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    if (!this.game) return;
    [this.isBusy, this.refusal] = [true, ""];
    try {
      location.assign(await this.createWith(this.game, form));
    } catch (error) {
      this.isBusy = false;
      this.refusal = error instanceof TypeError ? `${error.message}.` : explain(error);
      await this.updateComplete;
      this.querySelector(".refusal")?.scrollIntoView({ block: "nearest" });
    }
  }

  /** Creates the match and takes the seats. Returns its address. @param {Game} game @param {FormData} form */
  async createWith(game, form) {
    requireStorage();
    const content = requestIn(game, form, this.visibilityNow);
    const text = JSON.stringify(content);
    if (this.request.content !== text) this.request = { content: text, requestId: newRequestId() };
    const match = await createMatch({ ...content, requestId: this.request.requestId });
    const name = String(form.get("name")).trim();
    rememberName(name);
    const wanted = form.get("seat");
    const own = wanted === "random" ? randomSeat(match.matchId) : Number(wanted);
    await takeSeat(match.matchId, own, { name, player: "person" });
    const other = this.opponent === "bot" ? "Bot" : String(form.get("other") ?? "").trim();
    if (this.opponent === "bot") await takeSeat(match.matchId, 1 - own, { name: other, player: "bot" });
    if (this.opponent === "here") await takeSeat(match.matchId, 1 - own, { name: other, player: "person" });
    return `/matches/${match.matchId}`;
  }

  get visibilityNow() {
    return this.visibility || (this.opponent === "anyone" ? "VISIBILITY_PUBLIC" : "VISIBILITY_UNLISTED");
  }

  render() {
    const { game } = this;
    if (!game) {
      return html`<h1>New match</h1>${this.refusalText()}${this.games.length > 0
        ? html`<p>This service does not have that game. <a href="/new">Choose one</a>.</p>`
        : html`<p class="skeleton">Loading</p>`}`;
    }
    return html`
      <h1>New match</h1>
      <form class="card new" @submit=${this.create}><div class="part">
        <div class="field"><label for="game">Game</label>
          <select id="game" @change=${(/** @type {Event} */ event) =>
            (this.gameId = /** @type {HTMLSelectElement} */ (event.target).value)}>
            ${this.games.map(({ gameId, title }) =>
              html`<option value=${gameId} ?selected=${gameId === this.gameId}>${title}</option>`)}
          </select><small>${game.summary} <a href="/games/${game.gameId}">Rules</a></small></div>
        <div class="field"><label for="name">Your name</label>
          <input id="name" name="name" required maxlength="40" autocomplete="nickname"
            .value=${lastName()} /></div>
        ${this.seats(game)} ${this.opponents()}</div>
        <div class="part">${this.clockFields()} ${this.otherFields(game)}</div>
        ${this.refusalText()}
        <p class="buttons"><button type="submit" class="primary" ?disabled=${this.isBusy}
          >${this.isBusy ? "Creating" : "Create the match"}</button></p>
      </form>
      <key-form @keychange=${() => this.requestUpdate()}></key-form>`;
  }

  refusalText() {
    return html`<p class="refusal" role="alert">${this.refusal}</p>`;
  }

  /** @param {Game} game */
  seats({ seatNames }) {
    return html`<fieldset><legend>Your seat</legend>
      ${seatNames.map((name, seat) => html`<label><input type="radio" name="seat" value=${seat}
        ?checked=${seat === 0} /> ${name}</label>`)}
      <label><input type="radio" name="seat" value="random" /> Either</label>
    </fieldset>`;
  }

  opponents() {
    return html`<fieldset><legend>Opponent</legend>
      ${OPPONENTS.map(([value, title, help]) => html`<label class="choice"><input type="radio" name="opponent"
        value=${value} .checked=${this.opponent === value} @change=${() => (this.opponent = value)}
        /> <span>${title}<small>${help}</small></span></label>`)}
      ${this.opponent === "here" ? html`<div class="field">
        <label for="other">The other player's name</label>
        <input id="other" name="other" required maxlength="40" autocomplete="off" /></div>` : nothing}
    </fieldset>`;
  }

  clockFields() {
    const kinds = [
      ["none", "No clocks"],
      ["bank", "A budget and an increment"],
      ["move", "A time for each move"],
    ];
    return html`<fieldset><legend>Clocks</legend>
      ${kinds.map(([value, title]) => html`<label><input type="radio" name="clocks" value=${value}
        .checked=${this.clocks === value} @change=${() => (this.clocks = value)} /> ${title}</label>`)}
      ${this.clocks === "bank" ? html`<div class="pair">
        <label>Minutes a side <input name="minutes" type="number" min="0.01" max="43200" step="any" value="10"
          required /></label>
        <label>Seconds a move <input name="increment" type="number" min="0" max="86400" step="any" value="5"
          required /></label></div>` : nothing}
      ${this.clocks === "move" ? html`<label>Seconds a move <input name="moveTime" type="number" min="0.1"
        max="2592000" step="any" value="60" required /></label>` : nothing}
    </fieldset>`;
  }

  /** @param {Game} game */
  otherFields(game) {
    const canTakeBack = !game.hasSecrets && !game.hasChance && !game.isSimultaneous;
    const levels = [
      ["VISIBILITY_PUBLIC", "Public: listed for everyone"],
      ["VISIBILITY_UNLISTED", "Unlisted: for those with the link"],
    ];
    if (apiKey()) levels.push(["VISIBILITY_PRIVATE", "Private: for its players and your API key"]);
    return html`<details><summary>Options</summary>
      <div class="field"><label for="visibility">Visibility</label>
        <select id="visibility" @change=${(/** @type {Event} */ event) =>
          (this.visibility = /** @type {HTMLSelectElement} */ (event.target).value)}>
          ${levels.map(([value, title]) =>
            html`<option value=${value} ?selected=${value === this.visibilityNow}>${title}</option>`)}
        </select></div>
      ${canTakeBack ? html`<label class="check"><input type="checkbox" name="forbidTakebacks"
        /> No takebacks</label>` : nothing}
      ${game.options.map(optionField)}
    </details>`;
  }
}

/** A seat that a repeated try gets again. @param {string} matchId */
const randomSeat = (matchId) => Number.parseInt(matchId.slice(-1), 16) % 2;

/** Returns what the form asks the service to create.
 * @param {Game} game @param {FormData} form @param {string} visibility */
const requestIn = (game, form, visibility) => {
  const options = optionsIn(game.options, form);
  const name = game.gameId.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());
  return {
    gameId: game.gameId,
    visibility,
    ...(Object.keys(options).length > 0 ? { options: { [name]: options } } : {}),
    ...(form.has("forbidTakebacks") ? { forbidTakebacks: true } : {}),
    ...timeControlIn(form),
  };
};

/** @param {FormData} form */
const timeControlIn = (form) => {
  const seconds = (/** @type {string} */ name, /** @type {number} */ unit) => {
    const value = Number(form.get(name)) * unit;
    if (!Number.isFinite(value)) throw new Refusal("INVALID_ARGUMENT", "a time must be a number");
    return `${Math.round(value * 1000) / 1000}s`;
  };
  const kind = form.get("clocks");
  const bank = { budget: seconds("minutes", 60), increment: seconds("increment", 1) };
  if (kind === "bank") return { timeControl: { bank } };
  if (kind === "move") return { timeControl: { perMove: { moveTime: seconds("moveTime", 1) } } };
  return {};
};

customElements.define("new-match", NewMatch);
