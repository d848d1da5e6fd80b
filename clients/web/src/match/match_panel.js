// <match-panel>: what belongs to the match as a whole: draw, resignation and the like, whose side is shown,
// its terms, and what can be taken away from it.

import { html, nothing } from "../../vendor/lit.js";
import { Part } from "../page/part.js";
import "./actions.js";
import { matchDetails } from "./match_details.js";
import "./match_files.js";
import { seenBy } from "./seen_by.js";

class MatchPanel extends Part {
  static properties = { page: { attribute: false }, version: { attribute: false } };

  constructor() {
    super();
    /** @type {import("./match_page.js").MatchPage | null} */
    this.page = null;
    this.version = 0;
  }

  /** Whether anything was played, so that the match cannot be called off any more. */
  get hasMoves() {
    const events = this.page?.session?.events ?? [];
    return events.some((event) => event?.moveMade || event?.moveSealed || event?.turnRevealed);
  }

  render() {
    const { page } = this;
    const session = page?.session;
    if (!page || !session?.view) return nothing;
    const { view, match, spectators } = session;
    const lookAs = (/** @type {import("./seen_by.js").Side} */ side) => this.tell("lookas", side);
    return html`<section aria-label="Match">
      ${page.isCovered ? nothing : html`<match-actions .view=${view} .game=${page.game} .match=${match}
        .held=${page.held} .seat=${page.speaking} .hasMoves=${this.hasMoves}></match-actions>`}
      ${page.game?.hasSecrets ? seenBy(view, page.held, page.seenAs, page.looked.viewer, lookAs) : nothing}
      ${match ? matchDetails(match, view, page.held, spectators) : nothing}
      ${page.isCovered ? nothing : html`<match-files .place=${session.place} .view=${view} .seq=${page.seq}
        .game=${page.game} .drawing=${() => page.board?.drawing ?? ""}></match-files>`}
    </section>`;
  }
}

customElements.define("match-panel", MatchPanel);
