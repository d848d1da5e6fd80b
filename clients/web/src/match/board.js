// <match-board>: a drawing of a position, and over it a button for each place that can be chosen. The drawing
// is one image to a screen reader; the buttons lie beside it, not inside. With the attribute `large` it is
// larger than its room, and scrolls.

import { animateChanges } from "./animation.js";
import { BOARD_RULES, sheetOf } from "./board_style.js";
import { nearest } from "./directions.js";
import { Drag } from "./drag.js";
import { placesOf } from "./places.js";

/** @typedef {import("../api/messages.js").Choice} Choice */
/** @typedef {{role: string, place: import("./places.js").Place}} Offered */

class MatchBoard extends HTMLElement {
  #sheet = document.createElement("div");
  #over = document.createElement("div");
  /** @type {SVGSVGElement | null} */
  #drawing = null;
  #text = "";
  /** @type {Choice[]} */
  #choices = [];
  /** The answer that the choices follow. @type {Choice | null} */
  #chosen = null;
  /** What can be chosen instead of that answer. @type {Choice[]} */
  #others = [];
  #drag = new Drag(this.#sheet);
  /** Whether the last choice was made by a pointer, not by a key. */
  #isPointed = false;
  #resized = new ResizeObserver(() => this.#layOut());

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    this.#sheet.className = "sheet";
    this.#sheet.append(this.#over);
    this.#over.className = "over";
    this.#over.setAttribute("role", "group");
    this.#over.setAttribute("aria-label", "Choices on the board");
    this.#over.hidden = true;
    root.append(this.#sheet);
    this.#over.addEventListener("pointerdown", () => (this.#isPointed = true));
    this.#over.addEventListener("keydown", (event) => this.#press(event));
    this.#sheet.addEventListener("take", (event) => this.#choose(/** @type {CustomEvent} */ (event).detail));
    this.#sheet.addEventListener("putback", () => this.#unchoose());
  }

  connectedCallback() {
    this.#resized.observe(this.#sheet);
  }

  disconnectedCallback() {
    this.#resized.disconnect();
  }

  /** Shows a drawing.
   * @param {string} text the SVG @param {Record<string, any>[]} [facts] what led to it, to animate */
  show(text, facts = []) {
    if (text === this.#text) return;
    this.#text = text;
    /** @type {string[]} */
    const styles = [];
    // Styles are taken out before the text is parsed: a parsed document is bound by the page's policy.
    const bare = text.replace(/<style>([^<]*)<\/style>/g, (_, style) => (styles.push(style), ""));
    const parsed = new DOMParser().parseFromString(bare, "image/svg+xml");
    const drawing = /** @type {SVGSVGElement} */ (
      /** @type {unknown} */ (document.adoptNode(parsed.documentElement))
    );
    const root = /** @type {ShadowRoot} */ (this.shadowRoot);
    root.adoptedStyleSheets = [sheetOf(BOARD_RULES), ...styles.map(sheetOf)];
    const before = this.#drawing;
    const starts = before && facts.length > 0 ? animateChanges(before, drawing, facts) : null;
    if (before) before.replaceWith(drawing);
    else this.#sheet.prepend(drawing);
    this.#drawing = drawing;
    const { width, height } = drawing.viewBox.baseVal;
    // What is beside the board is as wide.
    const match = /** @type {HTMLElement} */ (this.closest(".match") ?? this);
    match.style.setProperty("--ratio", String(width / height));
    this.#layOut();
    // Boxes of parts on their way are not where the parts will be.
    starts?.().then(() => this.#layOut());
  }

  /** The drawing that is shown, as text. */
  get drawing() {
    return this.#text;
  }

  /** Offers choices on the board. @param {Choice[]} choices
   * @param {Choice | null} [chosen] the answer that they follow, which can be taken back
   * @param {Choice[]} [others] what can be chosen instead of that answer */
  offer(choices, chosen = null, others = []) {
    [this.#choices, this.#chosen, this.#others] = [choices, chosen, others];
    this.#layOut();
    this.#drag.offered(chosen?.value);
  }

  /** Scrolls to where the choices are, if they are out of sight. */
  showChoices() {
    const buttons = Array.from(this.#over.querySelectorAll("button"), (button) =>
      button.getBoundingClientRect(),
    );
    if (buttons.length === 0) return;
    const middle = (/** @type {"x" | "y"} */ axis, /** @type {"width" | "height"} */ size) =>
      buttons.reduce((sum, box) => sum + box[axis] + box[size] / 2, 0) / buttons.length;
    const own = this.getBoundingClientRect();
    this.scrollLeft += middle("x", "width") - own.x - own.width / 2;
    this.scrollTop += middle("y", "height") - own.y - own.height / 2;
  }

  /** @param {string} value */
  #choose(value) {
    this.dispatchEvent(new CustomEvent("choose", { detail: value, bubbles: true }));
  }

  #unchoose() {
    if (this.#chosen) this.dispatchEvent(new CustomEvent("unchoose", { bubbles: true }));
  }

  /** Moves the focus to the first choice, if there is one. The board stays where it is for a pointer. */
  focusFirst() {
    const first = this.#over.querySelector("button");
    first?.focus({ preventScroll: this.#isPointed });
    return first !== null;
  }

  /** Whether the focus is on a choice of the board. */
  get hasFocus() {
    return this.shadowRoot?.activeElement instanceof HTMLButtonElement;
  }

  /** Returns the buttons to show. A place has one: for what follows, for what was chosen, or for what can be
   * chosen instead. @returns {Offered[]} */
  #offered() {
    const drawing = this.#drawing;
    if (!drawing) return [];
    const taken = new Set();
    const kinds = { choice: this.#choices, chosen: this.#chosen ? [this.#chosen] : [], other: this.#others };
    return Object.entries(kinds).flatMap(([role, choices]) => {
      const free = placesOf(drawing, choices).filter(({ left, top }) => !taken.has(`${left} ${top}`));
      for (const { left, top } of free) taken.add(`${left} ${top}`);
      return free.map((place) => ({ role, place }));
    });
  }

  // Buttons are kept by their values, so that an update of the board does not take the focus away.
  #layOut() {
    const offered = this.#drag.atRest(() => this.#offered());
    const old = new Map(Array.from(this.#over.querySelectorAll("button"), (button) => [button.name, button]));
    const focused = /** @type {HTMLElement | null} */ (this.shadowRoot?.activeElement ?? null);
    offered.forEach(({ role, place }, index) => {
      const { value, label } = place.choice;
      const name = `${role} ${value}`;
      const button = old.get(name) ?? this.#button(role);
      old.delete(name);
      [button.name, button.value] = [name, value];
      button.className = role === "choice" ? place.kind : `${place.kind} ${role}`;
      button.title =
        role === "choice" ? label : role === "chosen" ? `Take ${label} back` : `${label} instead`;
      button.setAttribute("aria-label", button.title);
      Object.assign(button.style, {
        left: place.left,
        top: place.top,
        width: place.width,
        height: place.height,
      });
      const there = this.#over.children[index] ?? null;
      if (there !== button) this.#over.insertBefore(button, there);
    });
    for (const button of old.values()) button.remove();
    this.#over.hidden = offered.length === 0;
    if (focused && focused.isConnected && this.shadowRoot?.activeElement !== focused)
      focused.focus({ preventScroll: true });
    const stop = focused?.isConnected ? focused : this.#over.querySelector("button");
    for (const button of this.#over.querySelectorAll("button")) button.tabIndex = button === stop ? 0 : -1;
  }

  /** @param {string} role */
  #button(role) {
    const button = document.createElement("button");
    button.type = "button";
    button.addEventListener("click", () => {
      if (this.#drag.hasJustEnded) return;
      this.#drag.forget();
      if (role === "chosen") this.#unchoose();
      else this.#choose(button.value);
    });
    button.addEventListener("pointerdown", (event) => this.#drag.press(event, button));
    return button;
  }

  /** Arrow keys go to the nearest choice in their direction, Escape takes the last answer back.
   * @param {KeyboardEvent} event */
  #press(event) {
    this.#isPointed = false;
    const from = /** @type {HTMLElement | null} */ (this.shadowRoot?.activeElement ?? null);
    const buttons = Array.from(this.#over.querySelectorAll("button"));
    const to = from && nearest(from, buttons, event.key);
    if (event.key === "Escape") this.#unchoose();
    else if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (!to) return;
    for (const button of buttons) button.tabIndex = button === to ? 0 : -1;
    to.focus();
  }
}

customElements.define("match-board", MatchBoard);
export { MatchBoard };
