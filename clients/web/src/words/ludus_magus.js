// What happened in Ludus Magus.

import { enumName } from "./names.js";

/** @param {{cell?: {x: number, y: number}, point?: {i: number, j: number}}} place */
const placeName = ({ cell, point }) =>
  cell ? `${"abcdefgh"[cell.x ?? 0]}${(cell.y ?? 0) + 1}` : `${point?.i ?? 0},${point?.j ?? 0}`;
/** @param {{side: string, kind: string, place: any}} piece */
const pieceName = ({ side, kind }) => `${enumName(side, "SIDE")}'s ${enumName(kind, "KIND")}`;

/** @type {Record<string, (fact: any) => string>} */
export const LUDUS_MAGUS = {
  captured: ({ piece }) => `${pieceName(piece)} on ${placeName(piece.place)} is captured`,
  moved: ({ piece, to }) => `${pieceName(piece)} moves from ${placeName(piece.place)} to ${placeName(to)}`,
  swapped: ({ side }) => `${enumName(side, "SIDE")}'s Magus and Famulus change places`,
  conjured: ({ piece }) => `${pieceName(piece)} is conjured on ${placeName(piece.place)}`,
  summoned: ({ piece, to }) =>
    `${pieceName(piece)} is summoned from ${placeName(piece.place)} to ${placeName(to)}`,
  manaChanged: ({ side, mana }) => `${enumName(side, "SIDE")} has ${mana} mana`,
  bound: ({ magus }) => `${pieceName(magus)} is bound`,
  turnTaken: ({ occurrences }) => (occurrences > 1 ? `This position has occurred ${occurrences} times` : ""),
};
