// Which of some things on a board is next in a direction.

const DIRECTIONS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
});

/** @param {Element} element */
const middle = (element) => {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** Returns the nearest button in the direction of a key: nothing if there is none, null if the key is no
 * arrow.
 * @param {Element} from @param {HTMLButtonElement[]} buttons @param {string} key */
export const nearest = (from, buttons, key) => {
  const direction = DIRECTIONS[key];
  if (!direction) return null;
  const [[dx, dy], start] = [direction, middle(from)];
  const ranked = buttons.filter((button) => button !== from).map((button) => {
    const { x, y } = middle(button);
    const along = (x - start.x) * dx + (y - start.y) * dy;
    const across = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    return { button, along, distance: along + 2 * across };
  });
  const ahead = ranked.filter(({ along }) => along > 2).sort((one, other) => one.distance - other.distance);
  return ahead[0]?.button;
};
