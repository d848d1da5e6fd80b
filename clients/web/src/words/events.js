// Events in words: what happened, for the list of moves, for the story of a position and for screen readers.

import { ACE_EXORCIST } from "./ace_exorcist.js";
import { ANGELS_AND_DEMONS } from "./angels_and_demons.js";
import { CRESNOVIAN_CHESS } from "./cresnovian_chess.js";
import { LUDUS_MAGUS } from "./ludus_magus.js";
import { capital } from "./names.js";
import { resultText } from "./results.js";

/** @typedef {import("../api/messages.js").MatchEvent} MatchEvent */
/** @typedef {import("../api/messages.js").SeatStatus} SeatStatus */

/** @type {Record<string, Record<string, (fact: any) => string>>} */
const GAMES = {
  aceExorcist: ACE_EXORCIST,
  angelsAndDemons: ANGELS_AND_DEMONS,
  cresnovianChess: CRESNOVIAN_CHESS,
  ludusMagus: LUDUS_MAGUS,
};

/** Returns a fact as a sentence without its full stop, or nothing. A fact of a game that this page does not
 * know has its name alone. @param {Record<string, any>} fact */
export const factText = (fact) => {
  const [game, told] = Object.entries(fact)[0] ?? [];
  const [kind, fields] = Object.entries(told ?? {})[0] ?? [];
  if (!game || !kind) return "";
  const words = GAMES[game]?.[kind];
  return words ? words(fields) : capital(kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
};

const KINDS = /** @type {Record<string, string>} */ ({
  PROPOSAL_KIND_DRAW: "a draw",
  PROPOSAL_KIND_TAKEBACK: "a takeback",
});

/** Returns what an event is about, without its facts.
 * @param {MatchEvent} event @param {SeatStatus[]} seats */
export const eventText = (event, seats) => {
  const name = (/** @type {number} */ seat) => seats[seat]?.title ?? `Seat ${seat}`;
  const {
    seatClaimed,
    seatTokenRotated,
    moveMade,
    moveSealed,
    turnRevealed,
    matchEnded,
    proposalMade,
    proposalAnswered,
  } = event;
  if (event.matchCreated) return "The match was created";
  if (event.matchForked) return "The match was forked";
  if (event.matchStarted) return "The match begins";
  if (seatClaimed) return `${seatClaimed.player?.displayName ?? "A player"} takes ${name(seatClaimed.seat)}`;
  if (seatTokenRotated) return `${name(seatTokenRotated.seat)} has a new token`;
  if (moveMade) return `${name(moveMade.seat)}: ${moveMade.notation}`;
  if (moveSealed) {
    const { seat, notation } = moveSealed;
    return `${name(seat)}: ${notation ? `${notation}, in secret` : "a secret choice"}`;
  }
  if (turnRevealed) {
    return turnRevealed.moves.map(({ seat, notation }) => `${name(seat)}: ${notation}`).join("; ");
  }
  if (matchEnded) return resultText(matchEnded.result, seats);
  if (proposalMade) return `${name(proposalMade.seat)} proposes ${KINDS[proposalMade.kind] ?? "something"}`;
  if (proposalAnswered) {
    const answer = proposalAnswered.accepted ? "accepts" : "declines";
    return `${name(proposalAnswered.seat)} ${answer} ${KINDS[proposalAnswered.kind] ?? "the proposal"}`;
  }
  return "Something happened that this page does not know";
};

/** Returns everything that an event tells, as one text.
 * @param {MatchEvent} event @param {SeatStatus[]} seats */
export const storyOf = (event, seats) => {
  const facts = event.facts.map(factText).filter(Boolean);
  return `${[eventText(event, seats), ...facts].join(". ")}.`;
};
