// <match-files>: what can be taken away from a match: a link to the position, a fork, the log, the board.

import { html, nothing } from "../../vendor/lit.js";
import { exportLog, forkMatch } from "../api/service.js";
import { explain } from "../api/refusal.js";
import { Part } from "../page/part.js";
import { confirmation, CONFIRMATIONS, setConfirmation } from "./confirmation.js";
import { isSoundOn, setSound } from "./sound.js";

/** Offers a file to keep. @param {Blob} contents @param {string} name */
const save = (contents, name) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(contents);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

/** Draws an SVG as PNG, twice as large. @param {string} drawing @returns {Promise<Blob>} */
const pngOf = async (drawing) => {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth * 2, image.naturalHeight * 2];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
  );
};

class MatchFiles extends Part {
  static properties = {
    place: { attribute: false },
    view: { attribute: false },
    seq: { attribute: false },
    game: { attribute: false },
    drawing: { attribute: false },
    said: { state: true },
  };

  constructor() {
    super();
    /** @type {import("../api/service.js").Place | null} */
    this.place = null;
    /** @type {import("../api/messages.js").View | null} */
    this.view = null;
    this.seq = 0;
    /** @type {import("../api/messages.js").Game | null} */
    this.game = null;
    /** @type {() => string} */
    this.drawing = () => "";
    this.said = "";
  }

  /** @param {(place: import("../api/service.js").Place) => Promise<string | void>} action */
  async run(action) {
    if (!this.place) return;
    try {
      this.said = (await action(this.place)) ?? "";
    } catch (error) {
      this.said = explain(error);
    }
  }

  copyLink() {
    return this.run(async ({ matchId }) => {
      const link = `${location.origin}/matches/${matchId}?at=${this.seq}`;
      await navigator.clipboard.writeText(link).catch(() => {});
      return `Link to this position: ${link}`;
    });
  }

  fork() {
    return this.run(async (place) => {
      const match = await forkMatch(place, this.seq);
      location.assign(`/matches/${match.matchId}`);
    });
  }

  saveLog() {
    return this.run(async (place) => {
      const log = new Blob([await exportLog(place)], { type: "application/x-ndjson" });
      save(log, `${place.matchId}.jsonl`);
    });
  }

  saveSvg() {
    const drawing = new Blob([this.drawing()], { type: "image/svg+xml" });
    return this.run(async ({ matchId }) => save(drawing, `${matchId}-${this.seq}.svg`));
  }

  savePng() {
    return this.run(async ({ matchId }) => save(await pngOf(this.drawing()), `${matchId}-${this.seq}.png`));
  }

  render() {
    if (!this.view || !this.place) return nothing;
    const isOver = this.view.status === "MATCH_STATUS_OVER";
    const isRunning = this.view.status === "MATCH_STATUS_RUNNING";
    const canFork = isOver || (isRunning && this.game?.hasSecrets === false);
    return html`<details class="files">
      <summary>More</summary>
      <div class="buttons">
        <button type="button" @click=${this.copyLink}>Link to this position</button>
        ${canFork ? html`<button type="button" @click=${this.fork}>Fork from here</button>` : nothing}
        <button type="button" @click=${this.saveLog}>Download the log</button>
        <button type="button" @click=${this.saveSvg}>Board as SVG</button>
        <button type="button" @click=${this.savePng}>Board as PNG</button>
        <a class="button" href="/verify?match=${this.place.matchId}">Verify</a>
      </div>
      <label class="check"><input type="checkbox" .checked=${isSoundOn()}
        @change=${(/** @type {Event & {target: HTMLInputElement}} */ { target }) =>
          setSound(target.checked)} />
        A sound with each move</label>
      <label>Confirm moves <select
        @change=${(/** @type {Event & {target: HTMLSelectElement}} */ { target }) =>
          setConfirmation(target.value)}>
        ${CONFIRMATIONS.map(
          ([habit, name]) => html`
          <option value=${habit} ?selected=${habit === confirmation()}>${name}</option>`,
        )}
      </select></label>
      <p role="status">${this.said}</p>
    </details>`;
  }
}

customElements.define("match-files", MatchFiles);
