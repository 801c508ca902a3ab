import { $, say } from "./page.js";
import { chosen } from "./remap.js";

// Deciding. Nothing counts that comes sooner than somebody can have looked:
// for 600 ms after a button appears, moves, or the page comes to the front.
const quiet = 600;
let since = performance.now();
const places = new Map();
export const rest = () => { since = performance.now(); };
setInterval(() => {
  for (const b of document.querySelectorAll("[data-decides]")) {
    const r = b.getBoundingClientRect();
    const at = Math.round(r.x) + " " + Math.round(r.y) + " " + Math.round(r.width);
    if (places.get(b) !== at) { places.set(b, at); if (r.width) rest(); }
  }
  document.body.toggleAttribute("data-calm", !tooSoon()); // who has the page tested waits for it
}, 100);
addEventListener("focus", rest);
document.addEventListener("visibilitychange", rest);
export const tooSoon = () => performance.now() - since < quiet;

let pressed = "";
document.addEventListener("pointerdown", () => { pressed = tooSoon() ? "soon" : ""; }, true);
document.addEventListener("click", (e) => {
  const b = e.target.closest?.("[data-decides]");
  if (!b) return;
  if (tooSoon() || pressed === "soon") {
    e.preventDefault();
    e.stopPropagation();
    say("Too quick to have looked: nothing was decided. Once more, please.");
  }
}, true);
// Enter and Space on a button that decides only arm it.
for (const type of ["keydown", "keypress", "keyup"]) {
  document.addEventListener(type, (e) => {
    const b = e.target.closest?.("[data-decides]");
    if (!b || (e.key !== "Enter" && e.key !== " ")) return;
    e.preventDefault();
    e.stopPropagation();
    if (type === "keydown" && !e.repeat) arm(b);
  }, true);
}
document.addEventListener("submit", (e) => {
  const form = e.target;
  if (form.dataset.sent) { e.preventDefault(); return; }
  if (e.submitter?.hasAttribute("data-decides")) form.dataset.sent = "1";
});
addEventListener("pageshow", () => { for (const f of document.forms) delete f.dataset.sent; rest(); });

// Approve is offered once the end of the arguments was in view.
const seen = new IntersectionObserver((entries) => {
  for (const e of entries) {
    if (!e.isIntersecting) continue;
    seen.unobserve(e.target);
    for (const b of document.querySelectorAll(`[data-after="${e.target.id}"]`)) {
      if (b.dataset.waits) { b.disabled = false; b.title = ""; delete b.dataset.waits; }
    }
  }
});
export const guard = () => {
  for (const b of document.querySelectorAll("[data-after]")) {
    const end = $(b.dataset.after);
    if (b.disabled || !end) continue;
    b.disabled = true;
    b.dataset.waits = "1";
    b.title = "Look at all the arguments first";
    seen.observe(end);
  }
};
guard();

export let armed = null;
export function disarm() {
  if (!armed) return;
  clearTimeout(armed.timer);
  armed.button.classList.remove("armed-now");
  armed = null;
  if ($("armed")) $("armed").textContent = "";
}
export function arm(button) {
  disarm();
  if (button.disabled) { say(button.title || "This cannot be decided now."); return; }
  armed = { button, at: performance.now(), timer: setTimeout(disarm, 4000) };
  button.classList.add("armed-now");
  const text = "Armed: " + chosen("y") + " confirms “" + button.firstChild.textContent.trim() + "”, Esc takes it back.";
  if ($("armed")) $("armed").textContent = text; else say(text);
}
export function confirm() {
  if (!armed) return;
  if (tooSoon()) { say("Too quick to have looked: nothing was decided."); return; }
  const { button } = armed;
  const secret = button.form.elements.secret;
  if (secret && !secret.value) { say("Type the authority secret, then press Ctrl+Enter."); secret.focus(); return; }
  disarm();
  button.form.requestSubmit(button);
}
document.addEventListener("focusin", (e) => { if (e.target.id === "card") rest(); });

// Ctrl+Enter in the field for the secret goes on with what was asked for by a
// and y; without that, it decides nothing.
let wanted = null;
export const armedFor = (form) => wanted && wanted.form === form && performance.now() - wanted.at < 30000 ? wanted.button : null;
document.addEventListener("focusin", (e) => {
  if (e.target.name === "secret" && armed) wanted = { form: e.target.form, button: armed.button, at: performance.now() };
});
