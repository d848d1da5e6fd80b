// The Markdown of rules pages as elements: headings, paragraphs, lists, tables, code, emphasis and links. All
// text goes in as text; a link to anything but this service and the web stays text.

import { html, nothing } from "../../vendor/lit.js";

/** Returns a document's blocks. @param {string} text */
export const markdown = (text) => {
  const lines = text.split("\n");
  const blocks = [];
  while (lines.length > 0) {
    if (lines[0].trim() === "" || lines[0].startsWith("<!--")) lines.shift();
    else blocks.push(block(lines));
  }
  return blocks;
};

/** Takes one block off the lines. @param {string[]} lines @returns {unknown} */
const block = (lines) => {
  if (/^#{1,6} /.test(lines[0])) return heading(String(lines.shift()));
  if (/^ {4}/.test(lines[0])) return code(lines);
  if (lines[0].startsWith("|")) return table(lines);
  if (/^([-*]|\d+\.) /.test(lines[0])) return list(lines, 0);
  if (lines[0].startsWith("```")) return fenced(lines);
  const text = [];
  while (
    lines.length > 0 &&
    lines[0].trim() !== "" &&
    !/^(#|\||```)/.test(lines[0]) &&
    !/^([-*]|\d+\.) /.test(lines[0])
  )
    text.push(String(lines.shift()).trim());
  return html`<p>${inline(text.join(" "))}</p>`;
};

/** @param {string} line */
const heading = (line) => {
  const [, marks, text] = /** @type {RegExpMatchArray} */ (line.match(/^(#+) (.*)$/));
  const id = text.toLowerCase().replace(/[^\p{L}\p{N} -]/gu, "").replaceAll(" ", "-");
  if (marks.length === 1) return html`<h1 id=${id}>${inline(text)}</h1>`;
  return marks.length === 2
    ? html`<h2 id=${id}>${inline(text)}</h2>`
    : html`<h3 id=${id}>${inline(text)}</h3>`;
};

/** @param {string[]} lines */
const code = (lines) => {
  const text = [];
  while (
    lines.length > 0 &&
    (/^ {4}/.test(lines[0]) || (lines[0].trim() === "" && /^ {4}/.test(lines[1] ?? "")))
  )
    text.push(String(lines.shift()).slice(4));
  return html`<pre tabindex="0"><code>${text.join("\n")}</code></pre>`;
};

/** @param {string[]} lines */
const fenced = (lines) => {
  lines.shift();
  const text = [];
  while (lines.length > 0 && !lines[0].startsWith("```")) text.push(lines.shift());
  lines.shift();
  return html`<pre tabindex="0"><code>${text.join("\n")}</code></pre>`;
};

/** @param {string[]} lines */
const table = (lines) => {
  const rows = [];
  while (lines.length > 0 && lines[0].startsWith("|")) rows.push(cells(String(lines.shift())));
  const [head, , ...body] = rows;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>
    ${head.some(Boolean)
      ? html`<thead><tr>${head.map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>`
      : nothing}
    <tbody>${body.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
};

/** @param {string} line */
const cells = (line) =>
  line
    .replace(/^\|/, "")
    .replace(/\|\s*$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

/** @param {string[]} lines @param {number} indent @returns {unknown} */
const list = (lines, indent) => {
  const isOrdered = /^\s*\d+\./.test(lines[0]);
  const items = [];
  while (lines.length > 0) {
    const found = lines[0].match(/^(\s*)([-*]|\d+\.) (.*)$/);
    if (!found || found[1].length !== indent) break;
    lines.shift();
    const text = [found[3]];
    const inner = [];
    while (
      lines.length > 0 &&
      lines[0].trim() !== "" &&
      /^\s/.test(lines[0]) &&
      lines[0].search(/\S/) > indent
    ) {
      if (/^\s*([-*]|\d+\.) /.test(lines[0])) inner.push(list(lines, lines[0].search(/\S/)));
      else text.push(String(lines.shift()).trim());
    }
    items.push(html`<li>${inline(text.join(" "))}${inner}</li>`);
  }
  return isOrdered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`;
};

const SPANS = /(`[^`]+`)|(\*\*[^*]+\*\*)|(\*[^*\s][^*]*\*)|(\[[^\]]+\]\([^)\s]+\))/;

/** @param {string} text @returns {unknown[]} */
const inline = (text) =>
  text.split(SPANS).filter(Boolean).map((part) => {
    if (/^`.+`$/.test(part)) return html`<code>${part.slice(1, -1)}</code>`;
    if (/^\*\*.+\*\*$/.test(part)) return html`<strong>${inline(part.slice(2, -2))}</strong>`;
    if (/^\*.+\*$/.test(part)) return html`<em>${inline(part.slice(1, -1))}</em>`;
    const link = part.match(/^\[([^\]]+)\]\(([^)\s]+)\)$/);
    return link ? linkTo(link[1], link[2]) : part;
  });

/** @param {string} text @param {string} target */
const linkTo = (text, target) => {
  const page = target.match(/^([a-z-]+)\.md(#.*)?$/);
  if (page) return html`<a href="/games/${page[1]}${page[2] ?? ""}">${inline(text)}</a>`;
  return /^(#|https?:\/\/)/.test(target) ? html`<a href=${target}>${inline(text)}</a>` : inline(text);
};
