// <sealed-check>: says whether the choices that were just revealed are those that were committed to, and what
// that stands on.

import { html, nothing } from "../../vendor/lit.js";
import { exportLog } from "../api/service.js";
import { explain } from "../api/refusal.js";
import { Part } from "../page/part.js";
import { choiceIn, commitmentTo, openedIn } from "./opened_choices.js";

/** @typedef {import("../api/messages.js").MatchEvent} MatchEvent */
/** @typedef {"fits" | "came late" | "differs"} Finding */

class SealedCheck extends Part {
  static properties = { session: { attribute: false }, event: { attribute: false }, said: { state: true } };

  constructor() {
    super();
    /** @type {import("./session.js").Session | null} */
    this.session = null;
    /** The event that reveals a turn. @type {MatchEvent | null} */
    this.event = null;
    this.said = "";
    this.isAlarm = false;
    this.checked = "";
  }

  willUpdate() {
    const key = `${this.event?.hash} ${this.session?.isComplete}`;
    if (!this.event || !this.session?.isComplete || key === this.checked) return;
    this.checked = key;
    this.check(this.session, this.event);
  }

  /** @param {import("./session.js").Session} session @param {MatchEvent} event */
  async check(session, event) {
    this.isAlarm = false;
    if (!globalThis.crypto?.subtle) {
      this.said =
        "Whether this is what was committed to can't be checked here: browsers hash over HTTPS only.";
      return;
    }
    this.said = "";
    try {
      const findings = await findingsOf(session, event);
      if (event !== this.event) return;
      this.isAlarm = findings.some(({ finding }) => finding === "differs");
      this.said =
        findings.map(sentenceOf).join(" ") +
        (this.isAlarm ? " Keep the log and verify it." : ` ${STANDS_ON}`);
    } catch (error) {
      this.said = `Whether this is what was committed to could not be checked: ${explain(error)}`;
    }
  }

  render() {
    if (!this.said) return nothing;
    const link = html`<a href="/verify?match=${this.session?.place.matchId}">Verify the whole log</a>`;
    return html`<p class=${this.isAlarm ? "refusal" : "sealed"} role="status">${this.said} ${link}</p>`;
  }
}

const STANDS_ON =
  "The service made and kept the commitments, so this holds against the other player and a changed log, " +
  "not " +
  "against a service that told one player the other's choice.";

/** Compares the choices of the other seats, or of all for a spectator, with what was committed to.
 * @param {import("./session.js").Session} session @param {MatchEvent} event */
const findingsOf = async (session, event) => {
  const { hash, opened } = openedIn(await exportLog(session.place), event.seq);
  const others = (event.turnRevealed?.moves ?? []).filter(({ seat }) => seat !== session.seat);
  return Promise.all(others.map(async ({ seat, notation }) => {
    const found = opened.find((one) => one.seat === seat);
    const sealed = session.events
      .slice(0, event.seq - 1)
      .findLast(({ moveSealed }) => moveSealed?.seat === seat);
    const fits = found && sealed && hash === event.hash && choiceIn(found) === notation &&
      (await commitmentTo(found)) === sealed.moveSealed?.commitment;
    const isEarly = (session.seenAt.get(sealed?.seq ?? 0) ?? Infinity) < event.seq;
    const finding = /** @type {Finding} */ (!fits ? "differs" : isEarly ? "fits" : "came late");
    return { title: session.view?.seats[seat]?.title ?? `Seat ${seat}`, finding };
  }));
};

/** @param {{title: string, finding: Finding}} found */
const sentenceOf = ({ title, finding }) =>
  ({
    fits: `What ${title} chose was fixed before it was revealed: it fits the commitment that this page had ` +
      "by then.",
    "came late": `What ${title} chose fits the commitment in the log, which this page got only with or ` +
      "after it.",
    differs: `What ${title} is said to have chosen is not what was committed to.`,
  })[finding];

customElements.define("sealed-check", SealedCheck);
