// <match-past>: what led to the position that is shown: the slider over all positions, the story of the last
// event, and the list of all.

import { html, nothing } from "../../vendor/lit.js";
import { Part } from "../page/part.js";
import { storyOf } from "../words/events.js";
import "./move_list.js";
import "./sealed_check.js";
import "./timeline.js";

class MatchPast extends Part {
  static properties = {
    session: { attribute: false },
    seq: { attribute: false },
    inColumns: { attribute: false },
    version: { attribute: false },
  };

  constructor() {
    super();
    /** @type {import("./session.js").Session | null} */
    this.session = null;
    /** Seq of the position that is shown. */
    this.seq = 0;
    /** Whether each seat's moves have a column in the list. */
    this.inColumns = false;
    this.version = 0;
  }

  render() {
    const { session, seq } = this;
    const view = session?.view;
    if (!session || !view) return nothing;
    const event = session.events[seq - 1];
    // How the match ended is said above.
    const isTold = seq === view.seq && Boolean(event?.matchEnded) && event.facts.length === 0;
    return html`<section aria-label="Moves">
      ${view.seq < 2 ? nothing : html`<match-timeline .seq=${seq} .head=${view.seq}></match-timeline>`}
      <p class="story">${event && !isTold ? storyOf(event, view.seats) : nothing}</p>
      ${event?.turnRevealed
        ? html`<sealed-check .session=${session} .event=${event}></sealed-check>`
        : nothing}
      <move-list .events=${session.events} .count=${session.events.length} .seats=${view.seats} .seq=${seq}
        .inColumns=${this.inColumns}></move-list>
    </section>`;
  }
}

customElements.define("match-past", MatchPast);
