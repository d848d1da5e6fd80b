// <game-picture game="...">: a small picture for a game. A game that this page does not know gets its first
// letter.

import { html, svg } from "../../vendor/lit.js";
import { Part } from "../page/part.js";

const PICTURES = /** @type {Record<string, () => import("../../vendor/lit.js").TemplateResult>} */ ({
  "ace-exorcist": () => html`<svg viewBox="0 0 96 64" aria-hidden="true">
    <g class="zero"><rect x="22" y="12" width="28" height="40" rx="4" transform="rotate(-12 36 32)" /></g>
    <path class="paper" d="M36 22l3 7h7l-6 5 3 8-7-5-7 5 3-8-6-5h7z" transform="rotate(-12 36 32)" />
    <g class="one"><rect x="46" y="12" width="28" height="40" rx="4" transform="rotate(10 60 32)" /></g>
    <path class="paper" d="M57 20h6v7h7v6h-7v11h-6V33h-7v-6h7z" transform="rotate(10 60 32)" /></svg>`,
  "angels-and-demons": () => html`<svg viewBox="0 0 96 64" aria-hidden="true">
    ${[0, 1, 2, 3, 4, 5].flatMap((x) => [0, 1, 2, 3].map((y) => svg`<rect
      class=${(x + y) % 2 ? "square" : "dark"} x=${x * 14 + 6} y=${y * 14 + 4} width="14" height="14" />`))}
    <path class="zero" d="M27 20l6 10H21zM41 34l6 10H35zM27 48l6 10H21zM13 34l6 10H7z"
      transform="translate(0 -14)" />
    <path class="one" d="M69 44l-6-10h12zM55 30l-6-10h12zM69 16l-6-10h12zM83 30l-6-10h12z"
      transform="translate(0 14)" /></svg>`,
  "ludus-magus": () => html`<svg viewBox="0 0 96 64" aria-hidden="true">
    <path class="line" d="M6 4h84M6 22.7h84M6 41.3h84M6 60h84M6 4v56M34 4v56M62 4v56M90 4v56" />
    <circle class="paper outlined-zero" cx="48" cy="32" r="11" /><path class="zero" d="M48 24l7 12H41z" />
    <rect class="ink outlined-one" x="52" y="12" width="20" height="20" rx="4" />
    <path class="one" d="M62 28l-6-10h12z" />
    <circle class="paper outlined-zero" cx="20" cy="51" r="9" />
    <rect class="ink outlined-one" x="68" y="42" width="17" height="17" rx="4" /></svg>`,
  "cresnovian-chess": () => html`<svg viewBox="0 0 96 64" aria-hidden="true">
    <path class="square" d="M6 8h24v48H6z" /><path class="dark" d="M36 8h24v48H36z" />
    <path class="square" d="M66 8h24v48H66z" />
    <circle class="zero" cx="18" cy="22" r="8" /><circle class="one" cx="78" cy="42" r="8" />
    <path class="ink" d="M42 40c4-9 9-14 14-17-1 7-5 13-10 16l-3 6h-2z" />
    <path class="line" d="M10 42h16M10 48h12M70 18h16M70 24h12" /></svg>`,
});

class GamePicture extends Part {
  static properties = { game: {} };

  constructor() {
    super();
    this.game = "";
  }

  render() {
    const picture = PICTURES[this.game];
    if (picture) return picture();
    return html`<svg viewBox="0 0 96 64" aria-hidden="true">
      <text class="ink" x="48" y="46" text-anchor="middle" font-size="40"
      >${this.game.charAt(0).toUpperCase()}</text></svg>`;
  }
}

customElements.define("game-picture", GamePicture);
