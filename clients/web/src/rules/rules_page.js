// <rules-page>: the rules of a game, as its authors and this project wrote them.

import { html, nothing } from "../../vendor/lit.js";
import { getGame } from "../api/service.js";
import { explain } from "../api/refusal.js";
import { Part, segments } from "../page/part.js";
import { markdown } from "./markdown.js";

class RulesPage extends Part {
  static properties = { game: { state: true }, refusal: { state: true } };

  constructor() {
    super();
    /** @type {import("../api/messages.js").Game | null} */
    this.game = null;
    this.refusal = "";
  }

  async connectedCallback() {
    super.connectedCallback();
    try {
      this.game = await getGame(segments()[1] ?? "");
      document.title = `Rules of ${this.game.title} - Matchbook`;
      await this.updateComplete;
      if (location.hash)
        document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
    } catch (error) {
      this.refusal = explain(error);
    }
  }

  render() {
    if (this.refusal) return html`<h1>Rules</h1><p class="refusal" role="alert">${this.refusal}</p>`;
    if (!this.game) return html`<h1>Rules</h1><p class="skeleton">Loading</p>`;
    return html`<article class="rules">
      ${this.game.rulesText ? markdown(this.game.rulesText) : nothing}
      <p class="buttons"><a class="button primary" href="/new/${this.game.gameId}">New match</a></p>
    </article>`;
  }
}

customElements.define("rules-page", RulesPage);
