import { $, keep, kept } from "./page.js";

// People can choose other keys. Those that decide stay what takes intention:
// one character, no digit, no blank, and no two of them the same.
const remap = JSON.parse(kept("remap", "{}"));
export const chosen = (key) => remap[key] ?? key;
export const meant = (key) => Object.keys(remap).find((k) => remap[k] === key) ?? (Object.hasOwn(remap, key) ? "" : key);
const boxes = [...document.querySelectorAll("input[data-key]")];
const paint = () => {
  for (const k of document.querySelectorAll("kbd")) { k.dataset.key ??= k.textContent; k.textContent = chosen(k.dataset.key); }
  for (const b of boxes) b.value = remap[b.dataset.key] ?? "";
};
for (const b of boxes) {
  b.addEventListener("change", () => {
    const key = b.dataset.key, wish = b.value;
    const taken = boxes.find((o) => o !== b && chosen(o.dataset.key) === (wish || key));
    const wrong = /[\s\d]/.test(wish) ? "A key is neither a digit nor a blank." : taken ? chosen(taken.dataset.key) + " is taken." : "";
    $("key-wrong").textContent = wrong;
    if (!wrong) { if (wish && wish !== key) remap[key] = wish; else delete remap[key]; keep("remap", JSON.stringify(remap)); }
    paint();
  });
}
paint();
