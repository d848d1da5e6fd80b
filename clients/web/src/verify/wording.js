// What the report says, in sentences. The words of the report itself are those of `matchbook verify`.

/** @typedef {{outcome: string, count?: number, why?: string, afterSeq?: number}} Outcome */
/** @typedef {{remark: string, seq: number}} Remark */
/** @typedef {{game: string, matchId: string, events: number, moves: number,
 *   rulesVersion: number}} Contents */
/** @typedef {{verdict: string, problem: string, checks: Record<string, Outcome>, remarks: Remark[],
 * signedBy: string | null, failure: {check: string, seq: number | null, problem: string} | null} & Contents}
 * Report with `problem` alone if the verdict is `unreadable` */
/** @typedef {{stage: string, done?: number, of?: number}} Progress */

/** The verdicts, each with the exit code of the command. */
export const VERDICTS = /** @type {Record<string, [number, string]>} */ ({
  verified: [0, "Every check passed."],
  refused: [1, "A check failed. The first failure is named below."],
  unreadable: [5, "This is not a log file, or it is damaged. Export the log again."],
  key_unknown: [6, "No check failed, but no key that you trust signed the log."],
  incomplete: [7, "No check failed, but some could not be made, as while the match runs."],
});

/** The checks, in the order of the report. */
export const CHECKS = /** @type {Record<string, string>} */ ({
  structure: "The events are complete, in order and well-formed",
  chain: "Each event has the hash of the one before",
  times: "The recorded times increase",
  commitments: "What was opened is what was committed to",
  seed: "The seed follows from what the service and the seats committed to",
  moves: "The deal and every move follow the rules",
  digests: "The positions are those that were played",
  clocks: "No move is later than its seat's time",
  result: "The match ended as recorded",
  signature: "The service's key signed the log",
  receipts: "The log has the events of your receipts",
});

/** @param {number} count @param {string} one @param {string} many */
const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;

/** Returns the outcome of a check as a mark, a word and a reason, which may be empty.
 * @param {Outcome} outcome @returns {[string, string, string]} */
export const outcomeOf = ({ outcome, count = 0, why = "", afterSeq }) => {
  switch (outcome) {
    case "ok":
      return ["✓", "ok", plural(count, "item", "items")];
    case "failed":
      return ["✗", "failed", ""];
    case "not_needed":
      return ["–", "not needed", why];
    case "not_checkable":
      return ["?", "not checked", why];
    default:
      return ["·", "not reached", afterSeq ? `nothing is checked after event ${afterSeq}` : ""];
  }
};

/** Returns a remark as a sentence. @param {Remark} remark */
export const remarkOf = ({ remark, seq }) =>
  remark === "player_withheld"
    ? `The player of event ${seq} was erased or is withheld.`
    : `The choice in event ${seq} is sealed.`;

/** Returns what the log holds, as a sentence. @param {Contents} contents */
export const contentsOf = ({ game, matchId, events, moves, rulesVersion }) =>
  `${game}, rules version ${rulesVersion}, match ${matchId}: ${plural(events, "event", "events")}, ` +
  `${plural(moves, "move", "moves")}`;

/** Returns how far the verifier is. @param {Progress} progress */
export const progressOf = ({ stage, done = 0, of = 1 }) => {
  if (stage === "reading") return `Reading the file: ${Math.floor((100 * done) / of)} %`;
  return stage === "checking" ? "Checking every event" : "Starting the verifier";
};
