// What moved from one drawing to the next, shown as a movement: pieces and cards by their ids, and tokens
// without ids by the facts. Nothing moves for those who prefer less motion.

const DURATION_MS = 220;

const prefersLess = matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {{part: Element, from: {x: number, y: number}}} Movement */

/** @param {Element} part */
const middle = (part) => {
  const box = part.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/**
 * Notes where things are in the old drawing, and returns what starts the movements once the new one is shown,
 * and waits for their end.
 * @param {SVGSVGElement} before @param {SVGSVGElement} after @param {Record<string, any>[]} facts
 * @returns {(() => Promise<unknown>) | null}
 */
export const animateChanges = (before, after, facts) => {
  if (prefersLess.matches || document.visibilityState === "hidden") return null;
  /** @type {Movement[]} */
  const movements = [];
  const started = new Set();
  for (const part of after.querySelectorAll('[id^="piece-"], [id^="card-"]')) {
    const old = before.querySelector(`#${CSS.escape(part.id)}`);
    if (old) movements.push({ part, from: middle(old) });
    else started.add(part);
  }
  for (const [origin, to] of facts.flatMap(journeyOf)) {
    const old = before.querySelector(`#${CSS.escape(`square-${origin}`)}`);
    const part = Array.from(after.querySelectorAll(`[data-square="${CSS.escape(to)}"]`)).at(-1);
    if (old && part) movements.push({ part, from: middle(old) });
  }
  return () => {
    const running = movements.flatMap((movement) => move(after, movement));
    for (const part of started)
      running.push(part.animate([{ opacity: 0 }, { opacity: 1 }], { duration: DURATION_MS }));
    return Promise.allSettled(running.map(({ finished }) => finished));
  };
};

/** @param {SVGSVGElement} drawing @param {Movement} movement @returns {Animation[]} */
const move = (drawing, { part, from }) => {
  const to = middle(part);
  const scale = drawing.viewBox.baseVal.width / (drawing.getBoundingClientRect().width || 1);
  const [x, y] = [(from.x - to.x) * scale, (from.y - to.y) * scale];
  if (Math.hypot(x, y) < 1) return [];
  // Composed with the part's own transform, which places it.
  const frames = [{ transform: `translate(${x}px, ${y}px)` }, { transform: "translate(0, 0)" }];
  return [part.animate(frames, { duration: DURATION_MS, easing: "ease-out", composite: "add" })];
};

/** Returns where a token of Ludus Magus went, as the values of two places. @param {Record<string, any>} fact
 * @returns {[string, string][]} */
const journeyOf = (fact) => {
  const told = fact.ludusMagus?.moved ?? fact.ludusMagus?.summoned;
  return told ? [[placeName(told.piece.place), placeName(told.to)]] : [];
};

/** @param {{cell?: {x: number, y: number}, point?: {i: number, j: number}}} place */
const placeName = ({ cell, point }) =>
  cell ? `${"abcdefgh"[cell.x]}${cell.y + 1}` : `${point?.i},${point?.j}`;
