// A player who uses the page as people do: by pointer, touch, keyboard, lists and notation, in turns.

/** Numbers from a seed, the same in each run. */
export const numbersFrom = (seed) => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const WAYS = ["pointer", "keyboard", "list", "notation", "pointer"];

/** Answers questions until the move is made, by the page itself or by its button. Returns the way. */
export const playMove = async (page, random) => {
  const way = WAYS[random(WAYS.length)];
  let state = await newState(page, "");
  const { number } = state;
  if (way === "notation") {
    await typeMove(page, random);
    state = await newState(page, "");
  }
  for (let answers = 0; answers < 60 && state.number === number && !state.isReady; answers++) {
    await answer(page, way, random);
    state = await newState(page, JSON.stringify(state));
  }
  if (state.number !== number) return { way };
  if (way === "keyboard") await page.locator("button.play").press("Enter");
  else await page.locator("button.play").click();
  return { way };
};

// Waits until the page asks or offers something else than before, or has made the move. Returns that.
const newState = async (page, before) => {
  const found = await page.waitForFunction((before) => {
    const builder = document.querySelector("move-builder");
    const { positionSeq } = document.querySelector("match-page").session;
    const isReady = Boolean(builder?.querySelector("button.play"));
    const isAsked = isReady || Boolean(builder?.question && builder.positionSeq === positionSeq);
    const path = isAsked ? builder.path.map(({ value }) => value) : [];
    const state = { number: positionSeq, isReady, path };
    const hasMoved = before !== "" && JSON.parse(before).number !== positionSeq;
    return (hasMoved || isAsked) && JSON.stringify(state) !== before ? state : null;
  }, before);
  return found.jsonValue();
};

const answer = async (page, way, random) => {
  const onBoard = page.locator("match-board button:not(.chosen, .other)");
  const inList = page.locator("move-builder .choices button");
  const typed = page.locator("move-builder [name=answer]");
  if ((await typed.count()) > 0) {
    const isNumber = (await typed.getAttribute("type")) === "number";
    await typed.fill(isNumber ? await typed.getAttribute("min") : `word${random(100)}`);
    return typed.press("Enter");
  }
  if (way !== "list" && (await onBoard.count()) > 0) {
    if (way === "keyboard") return pressOnBoard(page, random);
    return onBoard.nth(random(await onBoard.count())).click();
  }
  // A list of what is on the board as well is closed at first.
  const closed = page.locator("move-builder .as-list:not([open]) > summary");
  if ((await closed.count()) > 0) await closed.click();
  return inList.nth(random(await inList.count())).click();
};

// Goes over the board with arrow keys, then chooses.
const pressOnBoard = async (page, random) => {
  await page.locator("match-board button[tabindex='0']").focus();
  for (let steps = random(5); steps > 0; steps--) {
    await page.keyboard.press(["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"][random(4)]);
  }
  // What was chosen before is put back by Enter; that leads nowhere.
  const isBack = await page.evaluate(() =>
    document.querySelector("match-board").shadowRoot.activeElement?.matches(".chosen") ?? true);
  if (isBack) await page.locator("match-board button:not(.chosen)").first().focus();
  await page.keyboard.press("Enter");
};

// Types a legal move if they are listed; otherwise the questions lead to one.
const typeMove = async (page, random) => {
  const list = page.locator("move-builder details.legal");
  // It stays open from one move to the next.
  if (await list.evaluate(({ open }) => !open)) await list.locator("summary").click();
  await list.locator("li button, p:not(.waiting)").first().waitFor();
  const moves = await list.locator("li button").allTextContents();
  if (moves.length === 0) return;
  await page.locator("move-builder [name=notation]").fill(moves[random(moves.length)]);
  await page.locator("move-builder [name=notation]").press("Enter");
  await page.locator("button.play").waitFor();
};
