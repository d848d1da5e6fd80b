// <match-board>: a drawing of a position, and over it a button for each place that can be chosen. The drawing is
// one image to a screen reader; the buttons lie beside it, not inside.

import { placesOf } from "./places.js";
import { animateChanges } from "./animation.js";

/** @typedef {import("../api/messages.js").Choice} Choice */

const sheets = /** @type {Map<string, CSSStyleSheet>} */ (new Map());

/** Returns a style sheet for a text. Pages may not have styles in their markup, but scripts may add sheets.
 * @param {string} text */
const sheetOf = (text) => {
  let sheet = sheets.get(text);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    sheets.set(text, sheet);
  }
  return sheet;
};

const OWN_RULES = `
:host { display: block; position: relative; width: 100%; margin-inline: auto;
  max-width: calc(var(--board-max-height, 200vh) * var(--ratio, 1)); }
svg { display: block; width: 100%; height: auto; }
.over { position: absolute; inset: 0; margin: auto; pointer-events: none; }
button { position: absolute; translate: -50% -50%; pointer-events: auto; padding: 0; cursor: pointer; touch-action: manipulation;
  border: 0; border-radius: 50%; background: radial-gradient(circle, light-dark(#1f7a3dd9, #7ddc9bd9) 0 26%, transparent 28%); }
button.piece, button.card { background: transparent; box-shadow: 0 0 0 3px light-dark(#1f7a3d, #7ddc9b); }
button.piece { border-radius: 26%; }
button.card { border-radius: 10%; }
button:hover { background-color: light-dark(#1f7a3d40, #7ddc9b40); }
button:focus-visible { outline: 3px solid light-dark(#0b57d0, #a8c7fa); outline-offset: 1px; }
button[aria-pressed="true"] { box-shadow: inset 0 0 0 4px light-dark(#0b57d0, #a8c7fa); }
`;

class MatchBoard extends HTMLElement {
  #over = document.createElement("div");
  /** @type {SVGSVGElement | null} */
  #drawing = null;
  #text = "";
  /** @type {Choice[]} */
  #choices = [];

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    this.#over.className = "over";
    this.#over.setAttribute("role", "group");
    this.#over.setAttribute("aria-label", "Choices on the board");
    this.#over.hidden = true;
    root.append(this.#over);
    this.#over.addEventListener("keydown", (event) => this.#step(event));
  }

  /** Shows a drawing. @param {string} text the SVG @param {Record<string, any>[]} [facts] what led to it, to animate */
  show(text, facts = []) {
    if (text === this.#text) return;
    this.#text = text;
    /** @type {string[]} */
    const styles = [];
    // Styles are taken out before the text is parsed: a parsed document is bound by the page's policy.
    const bare = text.replace(/<style>([^<]*)<\/style>/g, (_, style) => (styles.push(style), ""));
    const parsed = new DOMParser().parseFromString(bare, "image/svg+xml");
    const drawing = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.adoptNode(parsed.documentElement)));
    const root = /** @type {ShadowRoot} */ (this.shadowRoot);
    root.adoptedStyleSheets = [sheetOf(OWN_RULES), ...styles.map(sheetOf)];
    const before = this.#drawing;
    const starts = before && facts.length > 0 ? animateChanges(before, drawing, facts) : null;
    if (before) before.replaceWith(drawing);
    else root.prepend(drawing);
    this.#drawing = drawing;
    const { width, height } = drawing.viewBox.baseVal;
    this.style.setProperty("--ratio", String(width / height));
    this.#layOut();
    // Boxes of parts on their way are not where the parts will be.
    starts?.().then(() => this.#layOut());
  }

  /** The drawing that is shown, as text. */
  get drawing() {
    return this.#text;
  }

  /** Offers choices on the board. @param {Choice[]} choices */
  offer(choices) {
    this.#choices = choices;
    this.#layOut();
  }

  /** Moves the focus to the first choice, if there is one. */
  focusFirst() {
    const first = this.#over.querySelector("button");
    first?.focus();
    return first !== null;
  }

  /** Whether the focus is on a choice of the board. */
  get hasFocus() {
    return this.shadowRoot?.activeElement instanceof HTMLButtonElement;
  }

  // Buttons are kept by their values, so that an update of the board does not take the focus away.
  #layOut() {
    const places = this.#drawing ? placesOf(this.#drawing, this.#choices) : [];
    const old = new Map(Array.from(this.#over.querySelectorAll("button"), (button) => [button.value, button]));
    const focused = /** @type {HTMLElement | null} */ (this.shadowRoot?.activeElement ?? null);
    places.forEach((place, index) => {
      const button = old.get(place.choice.value) ?? this.#button();
      old.delete(place.choice.value);
      button.value = place.choice.value;
      button.className = place.kind;
      button.setAttribute("aria-label", place.choice.label);
      button.title = place.choice.label;
      Object.assign(button.style, { left: place.left, top: place.top, width: place.width, height: place.height });
      if (this.#over.children[index] !== button) this.#over.insertBefore(button, this.#over.children[index] ?? null);
    });
    for (const button of old.values()) button.remove();
    this.#over.hidden = places.length === 0;
    const buttons = this.#over.querySelectorAll("button");
    if (focused && focused.isConnected && this.shadowRoot?.activeElement !== focused) focused.focus();
    buttons.forEach((button, index) => (button.tabIndex = button === focused || (index === 0 && !focused?.isConnected) ? 0 : -1));
  }

  #button() {
    const button = document.createElement("button");
    button.type = "button";
    button.addEventListener("click", () =>
      this.dispatchEvent(new CustomEvent("choose", { detail: button.value, bubbles: true })),
    );
    return button;
  }

  /** Arrow keys go to the nearest choice in their direction. @param {KeyboardEvent} event */
  #step(event) {
    const directions = /** @type {Record<string, [number, number]>} */ ({
      ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
    });
    const direction = directions[event.key];
    const from = /** @type {HTMLElement | null} */ (this.shadowRoot?.activeElement ?? null);
    if (!direction || !from) return;
    event.preventDefault();
    event.stopPropagation();
    const buttons = Array.from(this.#over.querySelectorAll("button"));
    const to = nearest(from, buttons, direction);
    if (!to) return;
    for (const button of buttons) button.tabIndex = button === to ? 0 : -1;
    to.focus();
  }
}

/** @param {Element} from @param {HTMLButtonElement[]} buttons @param {[number, number]} direction */
const nearest = (from, buttons, [dx, dy]) => {
  const middle = (/** @type {Element} */ element) => {
    const box = element.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const start = middle(from);
  const ranked = buttons.filter((button) => button !== from).map((button) => {
    const { x, y } = middle(button);
    const [along, across] = [(x - start.x) * dx + (y - start.y) * dy, Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx)];
    return { button, along, distance: along + 2 * across };
  });
  const ahead = ranked.filter(({ along }) => along > 2).sort((one, other) => one.distance - other.distance);
  return ahead[0]?.button;
};

customElements.define("match-board", MatchBoard);
export { MatchBoard };
