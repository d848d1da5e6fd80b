// Shows the page that the path names: the verification of a match, or the games of this service.

const place = document.getElementById("games");

const item = (game) => {
  const name = document.createElement("strong");
  name.textContent = game.title;
  const row = document.createElement("li");
  row.append(name, ` ${game.summary}`);
  return row;
};

const showGames = async () => {
  const answer = await fetch("/v1/games");
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  const { games } = await answer.json();
  const list = document.createElement("ul");
  list.append(...games.map(item));
  place.replaceChildren(list);
};

const showVerification = async () => {
  await import("./verify/verify.js");
  const verification = document.createElement("matchbook-verify");
  verification.setAttribute("match-id", new URLSearchParams(location.search).get("match") ?? "");
  place.replaceChildren(verification);
};

try {
  await (location.pathname === "/verify" ? showVerification() : showGames());
} catch (error) {
  place.textContent = `The page can't be shown: ${error.message}. Reload it.`;
}
