// The types of the bundle, for tsc alone: browsers do not get this file.

export { html, LitElement, nothing, svg, type TemplateResult } from "lit";
export { live } from "lit/directives/live.js";
export { repeat } from "lit/directives/repeat.js";
