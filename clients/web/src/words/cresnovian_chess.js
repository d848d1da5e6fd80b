// What happened in Sticky Cresnovian Chess.

import { enumName, listed } from "./names.js";

/** @param {string} value */
const pieceName = (value) => enumName(value, "UMBRATION");
/** @param {{row: number, col: number}} square */
const squareName = ({ row, col }) => `${row},${col}`;
/** @param {string} player */
const playerName = (player) => (player === "PLAYER_ONE" ? "Player One" : "Player Two");
/** @param {{q: number, status: string}} condition */
const conditionName = ({ q, status }) =>
  status === "STATUS_WHOLE" ? `${q}Q` : `${q}Q, ${enumName(status, "STATUS").toLowerCase()}`;

/** @type {Record<string, (fact: any) => string>} */
export const CRESNOVIAN_CHESS = {
  placed: ({ placement }) => `${pieceName(placement.umbration)} is placed on ${squareName(placement.square)}`,
  kingdomChosen: ({ kingdom }) => `Player Two chooses the ${enumName(kingdom, "KINGDOM")} Kingdom`,
  traveled: ({ player, piece, origin, to }) =>
    `${playerName(player)}: ${pieceName(piece)} travels from ${squareName(origin)} to ${squareName(to)}`,
  performed: ({ player, performer, ability, danced }) =>
    `${playerName(player)}: ${pieceName(performer)} performs ${enumName(danced ?? ability, "ABILITY")}`,
  repaired: ({ player, piece }) => `${playerName(player)}: ${pieceName(piece)} repairs itself`,
  documented: ({ player }) => `${playerName(player)} writes`,
  passed: ({ player }) => `${playerName(player)} passes`,
  rewound: () => "The last turn is undone",
  pieceMoved: ({ piece, origin, to }) =>
    `${pieceName(piece)} goes from ${squareName(origin)} to ${squareName(to)}`,
  pieceChanged: ({ piece, after }) => `${pieceName(piece)} has ${conditionName(after)}`,
  monumentBuilt: ({ umbration, square }) =>
    `A monument of ${pieceName(umbration)} rises on ${squareName(square)}`,
  monumentDestroyed: ({ umbration, square }) =>
    `The monument of ${pieceName(umbration)} on ${squareName(square)} falls`,
  monumentMoved: ({ umbration, to }) => `The monument of ${pieceName(umbration)} moves to ${squareName(to)}`,
  wordLifted: ({ word }) => `The word “${word}” leaves the field`,
  wordLaid: ({ word, square }) => `The word “${word}” lies on ${squareName(square)}`,
  poemChanged: ({ removed, inserted }) =>
    [
      removed.length ? `The poem loses ${listed(removed)}` : "",
      inserted.length ? `The poem gains “${inserted.join(" ")}”` : "",
    ]
      .filter(Boolean)
      .join("; "),
  turnTaken: ({ turn, playerOneQ, playerTwoQ }) =>
    `After turn ${turn}: Player One ${playerOneQ}Q, Player Two ${playerTwoQ}Q`,
};
