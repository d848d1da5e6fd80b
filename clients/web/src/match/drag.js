// Drag and drop on a board: a piece or card follows the pointer and is put down on what is offered then.
// Taking it up and putting it down are the two choices that clicks make.

/** How far a pointer moves before it drags, in pixels. */
const THRESHOLD = 6;

/** @typedef {{x: number, y: number}} Point */

/** What a pointer drags over a board. Tells the board `take` with a choice's value, and `putback`. */
export class Drag {
  /** Whether the click that follows belongs to a drag. */
  hasJustEnded = false;
  /** @type {{button: HTMLButtonElement, start: Point, part: SVGGraphicsElement | null} | null} */
  #held = null;
  /** What was put down where, before it was known what is offered.
   * @type {{value: string, point: Point} | null} */
  #dropped = null;
  /** The answer that what is offered follows. @type {string | undefined} */
  #taken;
  #isMoving = false;
  #isAwaited = false;

  /** @param {HTMLElement} sheet what the drawing and its buttons are in */
  constructor(sheet) {
    this.sheet = sheet;
  }

  /** A pointer is pressed on a choice. @param {PointerEvent} event @param {HTMLButtonElement} button */
  press(event, button) {
    this.hasJustEnded = false;
    this.forget();
    if (event.button !== 0 || this.#held || !/piece|card/.test(button.className)) return;
    const stop = new AbortController();
    const only = (/** @type {(event: PointerEvent) => void} */ act) => (/** @type {PointerEvent} */ other) =>
      other.pointerId === event.pointerId && act(other);
    const end = (/** @type {() => void} */ act) => () => (stop.abort(), act(), this.#letGo());
    const { signal } = stop;
    this.#held = { button, start: event, part: partOf(this.sheet, button.value) };
    window.addEventListener("pointermove", only((moved) => this.#move(moved)), { signal });
    window.addEventListener("pointerup", only((up) => end(() => this.#drop(up))()), { signal });
    window.addEventListener("pointercancel", only(end(() => this.#cancel())), { signal });
  }

  /** Choices are on the board. What waits for them is put down if they follow it.
   * @param {string | undefined} chosen the answer that they follow */
  offered(chosen) {
    const dropped = this.#dropped;
    this.#taken = chosen;
    this.forget();
    if (dropped && dropped.value === chosen) this.#putDown(dropped.point);
    // An earlier drop put back what is dragged again by now.
    if (this.#isMoving && this.#held && this.#held.button.value !== chosen)
      this.#take(this.#held.button.value);
  }

  /** What waits to be put down is void: its choices were refused, or something else was chosen since. */
  forget() {
    [this.#dropped, this.#isAwaited] = [null, false];
  }

  /** Measures what is where on the board while nothing is dragged: what follows the pointer will be put back.
   * @template T @param {() => T} measure @returns {T} */
  atRest(measure) {
    const part = this.#held?.part;
    if (!part?.style.translate) return measure();
    const { translate } = part.style;
    part.style.translate = "";
    const measured = measure();
    part.style.translate = translate;
    return measured;
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const held = this.#held;
    if (!held) return;
    const [x, y] = [event.clientX - held.start.x, event.clientY - held.start.y];
    if (!this.#isMoving) {
      if (Math.hypot(x, y) < THRESHOLD) return;
      this.#isMoving = true;
      // The answer to an earlier drag may have come since the pointer was pressed.
      if (this.#taken !== held.button.value) this.#take(held.button.value);
    }
    if (!held.part) return;
    const drawing = /** @type {SVGSVGElement} */ (held.part.ownerSVGElement);
    const scale = drawing ? drawing.viewBox.baseVal.width / drawing.getBoundingClientRect().width : 1;
    held.part.classList.add("dragged");
    held.part.style.translate = `${x * scale}px ${y * scale}px`;
  }

  /** @param {string} value */
  #take(value) {
    this.#isAwaited = true;
    this.#tell("take", value);
  }

  /** @param {PointerEvent} event */
  #drop(event) {
    if (!this.#isMoving || !this.#held) return;
    this.hasJustEnded = true;
    // No click follows if the pointer is over something else by now.
    setTimeout(() => (this.hasJustEnded = false));
    const point = { x: event.clientX, y: event.clientY };
    if (this.#isAwaited) this.#dropped = { value: this.#held.button.value, point };
    else this.#putDown(point);
  }

  #cancel() {
    if (this.#isMoving) this.#tell("putback", "");
  }

  #letGo() {
    const part = this.#held?.part;
    part?.classList.remove("dragged");
    if (part) part.style.translate = "";
    [this.#held, this.#isMoving] = [null, false];
  }

  /** @param {Point} point */
  #putDown({ x, y }) {
    const root = /** @type {ShadowRoot} */ (this.sheet.getRootNode());
    const button = root.elementFromPoint(x, y)?.closest("button");
    if (!(button instanceof HTMLButtonElement)) return this.#tell("putback", "");
    // Where it was taken up it stays chosen.
    if (button.classList.contains("chosen")) return;
    if (button.classList.contains("other")) return this.#tell("putback", "");
    this.#tell("take", button.value);
  }

  /** @param {string} name @param {string} detail */
  #tell(name, detail) {
    this.sheet.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** Returns what is drawn of a piece or card. @param {HTMLElement} sheet @param {string} value */
const partOf = (sheet, value) => {
  const name = CSS.escape(value);
  const byId = sheet.querySelector(`#piece-${name}, #card-${name}`);
  const part = byId ?? Array.from(sheet.querySelectorAll(`svg [data-square="${name}"]:not([id])`)).at(-1);
  return part instanceof SVGGraphicsElement ? part : null;
};
