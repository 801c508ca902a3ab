import { $, kept, say } from "./page.js";
import { arm, armed, armedFor, confirm, disarm, tooSoon } from "./decide.js";
import { meant } from "./remap.js";
import { togglePause } from "./live.js";

// Keys.
const typing = (e) => e.target.closest?.("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]");
const rows = () => [...document.querySelectorAll("tr.row")];
let at = -1;
const move = (by) => {
  const list = rows();
  if (!list.length) return;
  list[at]?.classList.remove("current");
  at = Math.min(Math.max(at + by, 0), list.length - 1);
  list[at].classList.add("current");
  (list[at].querySelector("a") ?? list[at]).focus({ preventScroll: true });
  list[at].scrollIntoView({ block: "nearest" });
};
const open = (id) => { const d = $(id); if (!d) return; d.open = true; d.querySelector("textarea, input")?.focus(); };
// Keys of the card work only while the card has the focus, and shows it.
const onCard = (act) => {
  const card = $("card");
  if (!card || !$("decide")) return;
  if (!card.contains(document.activeElement)) { card.focus({ preventScroll: true }); say("The card has the focus now. Press the key again."); return; }
  if (!tooSoon()) act();
};
const go = (id) => { const a = $(id); if (a) location.assign(a.href); };
const keysOf = {
  "?": () => $("help")?.showModal(), "/": () => $("q")?.focus(), j: () => move(1), k: () => move(-1), ".": () => go("next"),
  "[": () => go("older"), "]": () => go("newer"), n: () => go("new"), c: copy, " ": () => togglePause(),
  a: () => onCard(() => arm(document.querySelector("#decide .approve"))), y: () => onCard(confirm),
  d: () => onCard(() => open("deny")), e: () => onCard(() => open("edit")), s: () => onCard(() => open("grant")),
  N: () => jump("tr.row.deny"), P: () => jump("tr.row.ask"),
};
function jump(selector) {
  const list = [...document.querySelectorAll(selector)];
  const next = list.find((e) => e.getBoundingClientRect().top > 80) ?? list[0];
  next?.scrollIntoView({ block: "center" });
  next?.querySelector("a")?.focus({ preventScroll: true });
}
let after = 0;
document.addEventListener("keydown", (e) => {
  if (e.isComposing || e.keyCode === 229) return;
  if (e.key === "Enter" && (e.ctrlKey || e.metaKey) && !e.repeat) {
    const form = e.target.form;
    const button = form && (e.target.name === "comment" ? form.querySelector("button.deny") : e.target.name === "secret" && armedFor(form));
    if (button && !tooSoon()) { e.preventDefault(); disarm(); form.requestSubmit(button); }
    return;
  }
  if (e.ctrlKey || e.metaKey || e.altKey || e.repeat) return;
  if (e.key === "Escape") {
    if (armed) { disarm(); return; }
    if (document.querySelector("dialog[open]")) return;
    if (typing(e)) { e.target.blur(); return; }
    if (kept("keys", "on") === "on") go("back");
    return;
  }
  if (typing(e) || kept("keys", "on") === "off" || document.querySelector("dialog[open]")) return;
  if (performance.now() - after < 1500) {
    after = 0;
    const link = document.querySelector(`[data-go="${CSS.escape(e.key)}"]`);
    if (link) { e.preventDefault(); location.assign(link.href); return; }
  }
  const key = meant(e.key);
  if (key === "g") { after = performance.now(); return; }
  if (key === " " && !$("live")) return;
  const act = keysOf[key];
  if (act && Object.hasOwn(keysOf, key)) { e.preventDefault(); act(); }
});

function copy() {
  const path = $("copy")?.dataset.copy ?? location.pathname + location.search;
  navigator.clipboard?.writeText(location.origin + path).then(() => say("The link is copied."), () => say("The browser does not let us copy."));
}
$("copy")?.addEventListener("click", copy);
