// <matchbook-verify match-id="...">: verifies a log file that is dropped or chosen, or the log of a match of
// this service. The property `headers` has the credentials for the log of a private match. All text goes in
// as text nodes, never as markup.

import { isPinned, pin, pinnedKeys, unpin } from "./pinned_keys.js";
import { CHECKS, contentsOf, outcomeOf, progressOf, remarkOf, VERDICTS } from "./wording.js";

/** Makes an element. @param {string} name @param {Record<string, unknown>} [properties]
 * @param {(Node | string)[]} children @returns {any} */
const el = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

/** @typedef {import("./wording.js").Report} Report */

const addStyles = () => {
  const href = new URL("./verify.css", import.meta.url).href;
  if (!document.querySelector(`link[href="${href}"]`)) {
    document.head.append(el("link", { rel: "stylesheet", href }));
  }
};

/** Returns this service's public keys. Without them the report is the same; only the comparison is missing.
 * @returns {Promise<string[]>} */
const publishedKeys = async () => {
  try {
    const answer = await fetch("/v1/keys");
    return answer.ok
      ? (await answer.json()).keys.map((/** @type {{publicKey: string}} */ key) => key.publicKey)
      : [];
  } catch {
    return [];
  }
};

class MatchbookVerify extends HTMLElement {
  /** @type {Record<string, string>} */
  headers = {};
  /** @type {Worker | null} */
  #worker = null;
  /** @type {File | null} */
  #file = null;
  #result = el("div", { className: "result" });
  #status = el("p", { role: "status" });

  connectedCallback() {
    addStyles();
    const heading = el("h1", {}, "Verify a match");
    this.replaceChildren(heading, this.#introduction(), this.#chooser(), this.#status, this.#result);
    const match = this.getAttribute("match-id");
    if (match) this.#verifyMatch(match);
  }

  disconnectedCallback() {
    this.#worker?.terminate();
    this.#worker = null;
  }

  #introduction() {
    return el(
      "p",
      {},
      "A log proves that a match was played by the rules. It is checked here in your browser, by the code " +
        "of ",
      el("code", {}, "matchbook verify"),
      "; nothing is sent anywhere.",
    );
  }

  #chooser() {
    const input = el("input", { type: "file" });
    input.addEventListener("change", () => input.files[0] && this.verify(input.files[0]));
    const area = el("label", { className: "drop" }, "Drop a log file here, or choose one: ", input);
    area.addEventListener("dragover", (/** @type {DragEvent} */ event) => {
      event.preventDefault();
      area.classList.add("over");
    });
    area.addEventListener("dragleave", () => area.classList.remove("over"));
    area.addEventListener("drop", (/** @type {DragEvent} */ event) => {
      event.preventDefault();
      area.classList.remove("over");
      const file = event.dataTransfer?.files[0];
      if (file) this.verify(file);
    });
    return area;
  }

  /** @param {string} match */
  async #verifyMatch(match) {
    this.#say(`Fetching the log of match ${match}`);
    try {
      const answer = await fetch(`/v1/matches/${encodeURIComponent(match)}/log`, { headers: this.headers });
      const log = answer.ok ? await answer.blob() : null;
      const { error } = log ? {} : await answer.json();
      // Meanwhile someone may have chosen a file.
      if (this.#file) return;
      if (log) this.verify(new File([log], `${match}.jsonl`));
      else this.#say(`The log can't be fetched: ${error.message}.`);
    } catch {
      if (!this.#file) this.#say(`The log can't be fetched. Check the connection and reload the page.`);
    }
  }

  /** Verifies a file and shows the report. @param {File} file */
  verify(file) {
    this.#file = file;
    this.#result.replaceChildren();
    this.#worker?.terminate();
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.#worker.addEventListener("message", ({ data }) => this.#receive(file, data));
    this.#worker.addEventListener("error", () => this.#fail("it does not start"));
    this.#worker.postMessage({ file, keys: pinnedKeys() });
  }

  /** @param {File} file @param {any} message */
  async #receive(file, { stage, done, of, missing, failed, report }) {
    if (stage) return this.#say(progressOf({ stage, done, of }));
    if (missing) return this.#showCommand("This service was built without the verifier for browsers.");
    if (failed) return this.#fail(failed);
    const published = report.signedBy ? await publishedKeys() : [];
    if (file === this.#file) this.#show(file, report, published);
  }

  /** @param {string} reason */
  #fail(reason) {
    this.#showCommand(`The verifier stopped: ${reason}.`);
  }

  /** @param {string} sentence */
  #showCommand(sentence) {
    this.#say(`${sentence} Verify the file with the program instead:`);
    const name = (this.#file?.name ?? "match.jsonl").replaceAll("'", "'\\''");
    this.#result.replaceChildren(el("pre", {}, el("code", {}, `matchbook verify '${name}'`)));
  }

  /** @param {string} sentence */
  #say(sentence) {
    this.#status.textContent = sentence;
  }

  /** @param {File} file @param {Report} report @param {string[]} published */
  #show(file, report, published) {
    const [exit, sentence] = VERDICTS[report.verdict];
    this.#say(`${file.name}: ${report.verdict}`);
    const heading = el(
      "h2",
      {},
      report.verdict,
      " ",
      el("small", {}, `(exit code ${exit} of matchbook verify)`),
    );
    const result = el(
      "div",
      { className: report.verdict },
      el("div", { className: "verdict" }, heading, sentence),
    );
    if (report.verdict === "unreadable") {
      result.append(el("p", {}, report.problem));
    } else {
      result.append(el("p", {}, contentsOf(report)), ...this.#failure(report), this.#checks(report));
      result.append(...report.remarks.map((remark) => el("p", {}, remarkOf(remark))));
      if (report.signedBy) result.append(this.#key(report.signedBy, published));
    }
    this.#result.replaceChildren(result);
  }

  /** @param {Report} report */
  #failure({ failure }) {
    if (!failure) return [];
    const place = failure.seq === null ? "" : `event ${failure.seq}: `;
    return [el("p", {}, el("strong", {}, `Failed (${failure.check}): `), place, failure.problem)];
  }

  /** @param {Report} report */
  #checks({ checks }) {
    const lines = Object.entries(CHECKS).map(([name, sentence]) => {
      const [mark, word, why] = outcomeOf(checks[name]);
      const note = el("small", {}, why ? `${name}: ${word}, ${why}` : `${name}: ${word}`);
      const line = el("li", {}, el("span", { ariaHidden: "true" }, mark), el("div", {}, sentence, note));
      line.dataset.check = name;
      line.dataset.outcome = checks[name].outcome;
      return line;
    });
    return el("ul", { className: "checks" }, ...lines);
  }

  /** Trust is the reader's decision: the page only says where the key was seen.
   * @param {string} key @param {string[]} published */
  #key(key, published) {
    const isTrusted = isPinned(key);
    const seen = published.includes(key)
      ? "This service publishes this key as its own."
      : "This service does not publish this key: the log is from another service, or forged.";
    const button = el("button", { type: "button" }, isTrusted ? "Trust this key no more" : "Trust this key");
    button.addEventListener("click", () => {
      (isTrusted ? unpin : pin)(key);
      if (this.#file) this.verify(this.#file);
    });
    const advice = isTrusted
      ? "You trust this key. A log of this service that another key signed will be refused."
      : "Compare it with the key that the service's operator publishes elsewhere before you trust it.";
    const words = el("p", {}, `${seen} ${advice}`);
    return el("section", {}, el("h3", {}, "Signed by"), el("p", {}, el("code", {}, key)), words, button);
  }
}

customElements.define("matchbook-verify", MatchbookVerify);
