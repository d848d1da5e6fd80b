// The messages of the API that the page reads, as JSON has them. /openapi.json describes all of their fields.

/** @typedef {{value: string, label: string, valueType: string}} Choice */
/** @typedef {{prompt: string, choiceList?: {choices: Choice[]},
 *   integer?: {minValue: string, maxValue: string},
 *   text?: {minChars: number, maxChars: number}}} Question */
/** @typedef {{seq: number, question?: Question, finished?: {move: object, notation: string}}} Choices */
/** @typedef {{seat: number, title: string, claimed: boolean, player?: {displayName: string}}} SeatStatus */
/** @typedef {{outcome: string, reason: string, standings: {seat: number, rank: number}[]}} MatchResult */
/** @typedef {{perMove?: {moveTime: string}, bank?: {budget: string, increment?: string}}} TimeControl */
/** @typedef {{matchId: string, gameId: string, status: string, visibility: string, seats: SeatStatus[],
 *   createTime: string, options?: Record<string, object>, timeControl?: TimeControl, result?: MatchResult,
 *   forkedFrom?: {matchId: string, seq: number}, rematchOf?: string, forbidTakebacks?: boolean}} Match */
/** @typedef {{seat: number, remaining: string, dueTime?: string}} SeatClock */
/** @typedef {{seats: SeatClock[]}} Clocks */
/** @typedef {{kind: string, seat: number}} Proposal */
/** @typedef {{matchId: string, seq: number, status: string, viewer: {kind: string, seat?: number},
 *   seats: SeatStatus[],
 *   toAct: number[], sealed: number[], gameView?: Record<string, any>, result?: MatchResult, clocks?: Clocks,
 *   proposals: Proposal[]}} View */
/** @typedef {{seat: number, notation: string}} Revealed */
/** @typedef {{seq: number, recordTime: string, hash: string, facts: Record<string, any>[],
 *   matchCreated?: object, matchForked?: {moves: Revealed[]}, matchStarted?: object,
 *   seatClaimed?: {seat: number, player?: {displayName: string}}, seatTokenRotated?: {seat: number},
 *   moveMade?: Revealed, moveSealed?: Revealed & {commitment: string}, turnRevealed?: {moves: Revealed[]},
 *   matchEnded?: {result: MatchResult}, proposalMade?: Proposal,
 * proposalAnswered?: {seat: number, kind: string, accepted: boolean, movesTakenBack: number}}} MatchEvent */
/** @typedef {{start?: {headSeq: number, afterHash: string}, event?: MatchEvent,
 *   heartbeat?: {headSeq: number, spectatorCount: number}, serverTime: string, view?: View, clocks?: Clocks,
 *   error?: any}} Frame */
/** @typedef {{name: string, title: string, description: string,
 *   integer?: {minValue: string, maxValue: string, defaultValue: string}, boolean?: {defaultValue: boolean},
 *   enumeration?: {values: {name: string, description: string}[], defaultValue: string},
 *   text?: {maxChars: number, defaultValue: string},
 *   structured?: {messageName: string, isList: boolean, defaultValue: string}}} OptionSpec */
/** @typedef {{gameId: string, title: string, summary: string, seatNames: string[], hasSecrets: boolean,
 *   isSimultaneous: boolean, hasChance: boolean, options: OptionSpec[], rulesText: string}} Game */
/** @typedef {{index: number, move: object, notation: string}} LegalMove */
/** @typedef {{moves: LegalMove[], complete: boolean, unlistedFamilies: string[], nextPageToken: string,
 *   seq: number}} LegalMoves */

export {};
