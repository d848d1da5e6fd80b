// What happened in Angels and Demons.

import { enumName } from "./names.js";

/** @param {string} side */
const sideName = (side) => enumName(side, "SIDE");
/** @param {{row: number, col: number}} space */
const spaceName = ({ row, col }) => `${row},${col}`;
const COVERS = /** @type {Record<string, string>} */ ({
  COVER_EMPTY: "is empty now", COVER_ANGEL: "goes to the Angels", COVER_DEMON: "goes to the Demons",
});

/** @type {Record<string, (fact: any) => string>} */
export const ANGELS_AND_DEMONS = {
  // The event says it already.
  chosen: () => "",
  revealed: ({ side, space }) => `${sideName(side)} chose ${spaceName(space)}`,
  changed: ({ space, after }) => `${spaceName(space)} ${COVERS[after] ?? "changes"}`,
  turnResolved: ({ turn, angels, demons }) => `After turn ${turn}: Angels ${angels}, Demons ${demons}`,
};
