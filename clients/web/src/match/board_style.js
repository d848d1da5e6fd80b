// The looks of a board's buttons, and style sheets made from text.

const sheets = /** @type {Map<string, CSSStyleSheet>} */ (new Map());

/** Returns a style sheet for a text. Pages may not have styles in their markup, but scripts may add sheets.
 * @param {string} text */
export const sheetOf = (text) => {
  let sheet = sheets.get(text);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    sheets.set(text, sheet);
  }
  return sheet;
};

/** The board's own rules. */
export const BOARD_RULES = `
:host { display: block; width: 100%; margin-inline: auto;
  max-width: calc(var(--board-max-height, 200vh) * var(--ratio, 1)); }
:host([large]) { overflow: auto; max-height: 75vh; max-width: none; }
.sheet { position: relative; }
:host([large]) .sheet { width: 180%; }
svg { display: block; width: 100%; height: auto; }
.over { isolation: isolate; position: absolute; inset: 0; margin: auto; pointer-events: none; }
button { position: absolute; translate: -50% -50%; pointer-events: auto; padding: 0; cursor: pointer;
  touch-action: manipulation; border: 0; border-radius: 50%;
  background: radial-gradient(circle, light-dark(#1f7a3dd9, #7ddc9bd9) 0 26%, transparent 28%); }
button.piece, button.card { background: transparent; cursor: grab; touch-action: none;
  box-shadow: 0 0 0 2px light-dark(#1f7a3d, #7ddc9b); }
button.card, button.tall { border-radius: 10%; }
button.other { background: none; box-shadow: none; z-index: -1; }
button:hover { background-color: light-dark(#1f7a3d40, #7ddc9b40); }
button:focus-visible { outline: 3px solid light-dark(#0b57d0, #a8c7fa); outline-offset: 1px; }
button.chosen { background: light-dark(#0b57d026, #a8c7fa33);
  box-shadow: inset 0 0 0 4px light-dark(#0b57d0, #a8c7fa); }
.dragged { filter: drop-shadow(0 6px 5px #0007); }
`;
