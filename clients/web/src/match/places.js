// Where choices are in a drawing: its parts have ids that are the choices' values.

/** @typedef {import("../api/messages.js").Choice} Choice */
/** @typedef {{choice: Choice, kind: string, left: string, top: string, width: string,
 *   height: string}} Place */

/** The size of a target that a finger hits, and the least of one among near neighbours, in pixels. */
const [FINGER_PX, LEAST_PX] = [44, 24];

const IDS = /** @type {Record<string, string[]>} */ ({
  VALUE_TYPE_SQUARE: ["square"],
  VALUE_TYPE_PIECE: ["piece", "square"],
  VALUE_TYPE_CARD: ["card"],
});

/** Whether a choice can be on a board. @param {Choice} choice */
export const isOnBoard = (choice) => choice.valueType in IDS;

/** Returns the part of a drawing that a choice means.
 * @param {SVGSVGElement} drawing @param {Choice} choice */
const partOf = (drawing, { value, valueType }) => {
  // A victim of Terra has an x before its place.
  for (const name of [value, value.replace(/^x/, "")]) {
    for (const kind of IDS[valueType] ?? []) {
      const part = drawing.querySelector(`#${CSS.escape(`${kind}-${name}`)}`);
      if (part instanceof SVGGraphicsElement) return part;
    }
  }
  return null;
};

/** Returns a part's box in the units of the drawing.
 * @param {SVGSVGElement} drawing @param {SVGGraphicsElement} part */
export const boxOf = (drawing, part) => {
  const [own, whole] = [part.getBoundingClientRect(), drawing.getBoundingClientRect()];
  const scale = drawing.viewBox.baseVal.width / (whole.width || 1);
  const [width, height] = [own.width * scale, own.height * scale];
  return {
    x: (own.x - whole.x) * scale + width / 2,
    y: (own.y - whole.y) * scale + height / 2,
    width,
    height,
  };
};

/** Returns the places of the choices that the drawing shows.
 * @param {SVGSVGElement} drawing @param {Choice[]} choices
 * @returns {Place[]} */
export const placesOf = (drawing, choices) => {
  const { width, height } = drawing.viewBox.baseVal;
  const unitsOfPixel = width / (drawing.getBoundingClientRect().width || width);
  const found = choices.filter(isOnBoard).flatMap((choice) => {
    const part = partOf(drawing, choice);
    return part ? [{ choice, box: boxOf(drawing, part) }] : [];
  });
  return found.map(({ choice, box }, index) => {
    const isCard = choice.valueType === "VALUE_TYPE_CARD";
    const others = found.filter((_, at) => at !== index).map((other) => distance(box, other.box));
    const room = isCard ? Infinity : Math.min(...others);
    // Small parts, such as points, get a target that a finger can hit, as far as its neighbours leave room.
    const size = (/** @type {number} */ side) =>
      Math.min(Math.max(side, FINGER_PX * unitsOfPixel), Math.max(room, LEAST_PX * unitsOfPixel));
    const isSquare = choice.valueType === "VALUE_TYPE_SQUARE";
    const side = Math.max(box.width, box.height);
    const [own, other] = isSquare ? [size(side), size(side)] : [size(box.width), size(box.height)];
    const percent = (/** @type {number} */ part, /** @type {number} */ of) =>
      `${((100 * part) / of).toFixed(3)}%`;
    const isTall = box.height > 1.15 * box.width;
    return {
      choice,
      kind: choice.valueType.replace("VALUE_TYPE_", "").toLowerCase() + (isTall ? " tall" : ""),
      left: percent(box.x, width),
      top: percent(box.y, height),
      width: percent(isCard ? box.width : own, width),
      height: percent(isCard ? box.height : other, height),
    };
  });
};

/** @param {{x: number, y: number}} one @param {{x: number, y: number}} other */
const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
