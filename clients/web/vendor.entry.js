// What the page uses of Lit. `npm run vendor` bundles it as vendor/lit.js.

export { html, LitElement, nothing, svg } from "lit";
export { live } from "lit/directives/live.js";
export { repeat } from "lit/directives/repeat.js";
