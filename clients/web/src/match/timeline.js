// <match-timeline>: steps through the positions of a match: a slider, buttons, keys, and playing by itself.

import { html, live } from "../../vendor/lit.js";
import { Part } from "../page/part.js";

const STEP_MS = 900;

class MatchTimeline extends Part {
  static properties = {
    seq: { attribute: false },
    head: { attribute: false },
    isPlaying: { state: true },
  };

  constructor() {
    super();
    this.seq = 0;
    this.head = 0;
    this.isPlaying = false;
    this.timer = 0;
    this.keys = (/** @type {KeyboardEvent} */ event) => this.press(event);
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener("keydown", this.keys);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("keydown", this.keys);
    clearInterval(this.timer);
  }

  /** @param {number} seq */
  seek(seq) {
    this.tell("seek", Math.max(1, Math.min(this.head, seq)));
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
    const isTyping =
      target.matches?.("input, textarea, select") || target.getRootNode() instanceof ShadowRoot;
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: () => this.seek(this.seq - 1),
      ArrowRight: () => this.seek(this.seq + 1),
      Home: () => this.seek(1),
      End: () => this.seek(this.head),
    });
    if (!steps[event.key]) return;
    event.preventDefault();
    steps[event.key]();
  }

  toggle() {
    this.isPlaying = !this.isPlaying;
    clearInterval(this.timer);
    if (!this.isPlaying) return;
    if (this.seq >= this.head) this.seek(1);
    this.timer = window.setInterval(() => {
      if (this.seq >= this.head) this.toggle();
      else this.seek(this.seq + 1);
    }, STEP_MS);
  }

  render() {
    const step = (
      /** @type {string} */ label,
      /** @type {string} */ mark,
      /** @type {number} */ to,
      /** @type {boolean} */ isOff,
    ) =>
      html`<button type="button" aria-label=${label} title=${label} ?disabled=${isOff}
        @click=${() => this.seek(to)}>${mark}</button>`;
    const [isFirst, isLast] = [this.seq <= 1, this.seq >= this.head];
    const playing = this.isPlaying ? "Pause" : "Play by itself";
    return html`
      <input type="range" min="1" max=${Math.max(1, this.head)} .value=${live(String(this.seq))}
        aria-label="Position"
        aria-valuetext="Event ${this.seq} of ${this.head}"
        @input=${(/** @type {Event} */ event) =>
          this.seek(Number(/** @type {HTMLInputElement} */ (event.target).value))} />
      <div class="buttons">
        ${step("First position", "«", 1, isFirst)}${step("Previous position", "‹", this.seq - 1, isFirst)}
        <button type="button" title=${playing} @click=${this.toggle}
        >${this.isPlaying ? "Pause" : "Play"}</button>
        ${step("Next position", "›", this.seq + 1, isLast)}
        ${step("Newest position", "»", this.head, isLast)}
      </div>`;
  }
}

customElements.define("match-timeline", MatchTimeline);
