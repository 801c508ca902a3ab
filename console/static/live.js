import { $, say, times } from "./page.js";
import { disarm, guard, rest } from "./decide.js";

// Live rows. A page that is paused counts what it does not show.
export let paused = false;
let fetching = false;
export function togglePause(on = !paused) {
  const live = $("live");
  if (!live || on === paused) return;
  paused = on;
  $("pause").hidden = !paused;
  $("pause-button").textContent = paused ? "Go on" : "Pause";
  badge(paused ? "paused" : "live");
  if (!paused) fetchRows();
}
$("pause-button")?.addEventListener("click", () => togglePause());
addEventListener("scroll", () => { if ($("live") && scrollY > 200) togglePause(true); }, { passive: true });
function fetchRows() {
  const live = $("live");
  if (!live || !$("live-rows") || paused || fetching) return; // a wrong filter has no rows
  fetching = true;
  const newest = Math.max(Number(live.dataset.newest), ...[...document.querySelectorAll("#live-rows [data-row]")].map((e) => Number(e.dataset.row)));
  htmx.ajax("GET", live.dataset.url + "&after=" + newest, { source: live, target: "#live-rows", select: "#live-rows > tr", swap: "afterbegin" })
    .then(() => { live.dataset.newest = Math.max(newest, ...[...document.querySelectorAll("#live-rows [data-row]")].map((e) => Number(e.dataset.row))); })
    .finally(() => { fetching = false; });
}
document.addEventListener("htmx:after:swap", () => {
  const body = $("live-rows");
  while (body && body.rows.length > 400) body.lastElementChild.remove();
  // What an update brings with it may be the end of what is on the page.
  const card = $("card"), now = $("standing");
  if (card && now && (card.dataset.state !== now.dataset.state || card.dataset.digest !== now.dataset.digest)) {
    disarm();
    if (card.querySelector("#decide")) say("This request has changed: " + (now.querySelector(".state > span:not(.mark)")?.textContent ?? ""));
    card.dataset.state = now.dataset.state;
    card.dataset.digest = now.dataset.digest;
    card.className = "card " + (now.querySelector(".mark")?.classList[1] ?? "");
    $("decide")?.remove();
  }
  guard();
  times();
  rest();
});

// rang is what the page does when something has happened.
export function rang(events) {
  const live = $("live");
  if (!live) return;
  const missing = events - Number(live.dataset.newest);
  if (paused) $("paused-new").textContent = Math.max(0, missing); else if (missing > 0) fetchRows();
}

const badgeWords = { live: "live", again: "reconnecting", paused: "paused" };
export function badge(state, text) {
  const b = $("badge");
  if (!b) return;
  b.hidden = false;
  b.className = "badge " + state;
  const words = text ?? badgeWords[state];
  if (b.textContent !== words) b.textContent = words;
}
