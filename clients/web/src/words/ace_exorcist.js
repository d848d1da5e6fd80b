// What happened in Ace Exorcist.

import { enumName, listed } from "./names.js";

const FACES = /** @type {Record<string, [string, string]>} */ ({
  1: ["Imp", "Angel"], 8: ["Beast", "Deva"], 9: ["Daemon", "Seraph"], 10: ["Elder", "Archon"],
});
const OF_SUMMONER = ["SUIT_BLOOD", "SUIT_BLADE", "SUIT_FLAME"];

/** @param {{suit: string, value: number}} card */
const cardName = ({ suit, value }) =>
  `${enumName(suit, "SUIT")} ${FACES[value]?.[OF_SUMMONER.includes(suit) ? 0 : 1] ?? value}`;
/** @param {{suit: string, value: number}[]} cards */
const cardNames = (cards) => listed(cards.map(cardName));
/** @param {string} side */
const sideName = (side) => `The ${enumName(side, "SIDE")}`;

/** @type {Record<string, (fact: any) => string>} */
export const ACE_EXORCIST = {
  turnBegan: ({ side }) => `${sideName(side)}'s turn begins`,
  turnSkipped: () => "The Exorcist skips a turn",
  drew: ({ side, card }) => `${sideName(side)} draws ${card ? cardName(card) : "a card"}`,
  handFull: ({ side }) => `${sideName(side)}'s hand is full`,
  played: ({ side, cards }) => `${sideName(side)} plays ${cardNames(cards)}`,
  ritualPlayed: ({ card }) => `${cardName(card)} enters the Ritual Space`,
  attacked: ({ cards }) => `The Summoner attacks with ${cardNames(cards)}`,
  guarded: ({ low, high }) => `The Exorcist guards with ${cardNames([low, high].filter(Boolean))}`,
  attackDiscarded: () => "The attack is over",
  banished: ({ card }) => `${cardName(card)} is banished`,
  assaulted: ({ result }) =>
    `An assault of strength ${result.strength} takes ${cardNames(result.taken)}` +
    (result.putBack ? ` and puts ${cardName(result.putBack)} back` : ""),
  damaged: ({ side, damage, hitPoints }) =>
    `${sideName(side)} takes ${damage} damage and has ${hitPoints} left`,
  healed: ({ healing, hitPoints }) => `The Exorcist heals ${healing} and has ${hitPoints}`,
};
