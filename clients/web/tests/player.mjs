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

/** Answers questions until the move is ready, and plays it. Returns its notation. */
export const playMove = async (page, random) => {
  const way = WAYS[random(WAYS.length)];
  const { positionSeq } = await page.evaluate(() => ({ positionSeq: document.querySelector("match-page").session.positionSeq }));
  if (way === "notation") await typeMove(page, random);
  for (let answers = 0; answers < 60; answers++) {
    await page.locator("move-builder button.play, move-builder .choices button, move-builder [name=answer]").first().waitFor();
    if ((await page.locator("button.play").count()) > 0) break;
    await answer(page, way, random);
  }
  const notation = await page.locator(".prepared").textContent();
  if (way === "keyboard") await page.locator("button.play").press("Enter");
  else await page.locator("button.play").click();
  return { notation, positionSeq, way };
};

const answer = async (page, way, random) => {
  const before = await stateOf(page);
  const onBoard = page.locator("match-board button");
  const inList = page.locator("move-builder .choices button");
  const typed = page.locator("move-builder [name=answer]");
  if ((await typed.count()) > 0) {
    await typed.fill((await typed.getAttribute("type")) === "number" ? await typed.getAttribute("min") : `word${random(100)}`);
    await typed.press("Enter");
  } else if (way !== "list" && (await onBoard.count()) > 0) {
    const button = onBoard.nth(random(await onBoard.count()));
    if (way === "keyboard") await pressOnBoard(page, random);
    else await button.click();
  } else {
    await inList.nth(random(await inList.count())).click();
  }
  await page.waitForFunction((before) => before !== JSON.stringify([document.querySelector("move-builder")?.path, Boolean(document.querySelector("button.play"))]), before);
};

const stateOf = (page) =>
  page.evaluate(() => JSON.stringify([document.querySelector("move-builder")?.path, Boolean(document.querySelector("button.play"))]));

// Goes over the board with arrow keys, then chooses.
const pressOnBoard = async (page, random) => {
  await page.locator("match-board button[tabindex='0']").focus();
  for (let steps = random(5); steps > 0; steps--) {
    await page.keyboard.press(["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"][random(4)]);
  }
  await page.keyboard.press("Enter");
};

// Types a legal move if they are listed; otherwise the questions lead to one.
const typeMove = async (page, random) => {
  const list = page.locator("move-builder details");
  await list.locator("summary").click();
  await list.locator("li button, p:not(.waiting)").first().waitFor();
  const moves = await list.locator("li button").allTextContents();
  if (moves.length === 0) return;
  await page.locator("move-builder [name=notation]").fill(moves[random(moves.length)]);
  await page.locator("move-builder [name=notation]").press("Enter");
  await page.locator("button.play").waitFor();
};
