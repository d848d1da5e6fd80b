// Shows the page that the path names.

import { credentials } from "./api/call.js";
import { segments } from "./page/part.js";
import { heldSeats } from "./seats/seats.js";

const place = /** @type {HTMLElement} */ (document.querySelector("main"));

/** The pages by the first segment of their paths: the module, and the element that it defines. */
const PAGES = /** @type {Record<string, [() => Promise<unknown>, string]>} */ ({
  "": [() => import("./home/home_page.js"), "home-page"],
  new: [() => import("./create/new_match.js"), "new-match"],
  matches: [() => import("./match/match_page.js"), "match-page"],
  games: [() => import("./rules/rules_page.js"), "rules-page"],
  verify: [() => import("./verify/verify.js"), "matchbook-verify"],
});

const show = async () => {
  const [load, name] = PAGES[segments()[0] ?? ""] ?? PAGES[""];
  await load();
  const element = document.createElement(name);
  if (name === "matchbook-verify") {
    const match = new URLSearchParams(location.search).get("match") ?? "";
    element.setAttribute("match-id", match);
    Object.assign(element, { headers: credentials(heldSeats(match)[0]?.token) });
    document.title = "Verify a match - Matchbook";
  }
  place.replaceChildren(element);
};

try {
  await show();
} catch (error) {
  place.textContent = `The page can't be shown: ${error}. Reload it.`;
}
