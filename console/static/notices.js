import { choose, keep, kept, server } from "./page.js";

// Notices: only if wanted, by one tab, never while a page is in front, and
// without arguments. A click opens, and decides nothing. More than three in
// ten seconds are one that counts them.
const shown = new Map();
const told = () => new Set(JSON.parse(kept("told", "[]")));
let burst = [];
export function notify(waiting, speaker) {
  const current = new Set(waiting.map((w) => w.id));
  for (const [id, n] of shown) if (!current.has(id) && (id !== "all" || !waiting.length)) { n.close(); shown.delete(id); }
  if (!speaker || kept("notices", "off") === "off" || Notification.permission !== "granted") return;
  const known = told(), fresh = [];
  for (const w of waiting) {
    const late = w.expires && Date.now() + server.ahead > w.created + 0.8 * (w.expires - w.created);
    const name = w.id + (late ? " late" : "");
    if (known.has(name)) continue;
    known.add(name);
    fresh.push(late ? { ...w, text: w.text + " (soon over)" } : w);
  }
  keep("told", JSON.stringify([...known].slice(-500)));
  if (document.visibilityState === "visible" || !fresh.length) return;
  burst = [...burst.filter((at) => Date.now() - at < 10000), ...fresh.map(() => Date.now())];
  if (burst.length > 3) { post("all", waiting.length + " approvals wait", "/inbox"); return; }
  for (const w of fresh) post(w.id, w.text, "/approvals/" + w.id);
}
function post(id, text, path) {
  const n = new Notification("Trammel", { body: text, tag: id });
  n.onclick = () => { window.focus(); location.assign(path); };
  shown.set(id, n);
}
choose("notices", "notices", ["off", "on"], "Notices", (value) => {
  if (value === "on" && "Notification" in window && Notification.permission === "default") Notification.requestPermission();
});
