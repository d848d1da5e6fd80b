// The base of the page's elements. They render into the page itself, so that one style sheet and the labels
// of forms reach everywhere.

import { LitElement } from "../../vendor/lit.js";

/** An element of the page. */
export class Part extends LitElement {
  createRenderRoot() {
    return this;
  }

  /** Tells the elements around about something. @param {string} name @param {unknown} [detail] */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

/** Returns the parameters of this page's address. */
export const parameters = () => new URLSearchParams(location.search);

/** Returns the segments of this page's path. */
export const segments = () => location.pathname.split("/").filter(Boolean).map(decoded);

// Anyone can write a link that is not well-formed.
const decoded = (/** @type {string} */ segment) => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};
