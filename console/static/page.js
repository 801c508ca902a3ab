// What all parts of the script use: texts to say, what this browser keeps,
// preferences, times and countdowns.
export const $ = (id) => document.getElementById(id);
export const say = (text) => {
  $("said").textContent = text;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { $("said").textContent = ""; }, 5000);
};
export const kept = (name, otherwise) => localStorage.getItem("trammel-" + name) ?? otherwise;
export const keep = (name, value) => localStorage.setItem("trammel-" + name, value);
document.documentElement.classList.add("scripted");

// Preferences.
export const choose = (id, name, values, label, apply) => {
  const button = $(id);
  const paint = () => { if (button) button.textContent = label + ": " + kept(name, values[0]); apply(kept(name, values[0])); };
  button?.addEventListener("click", () => { keep(name, values[(values.indexOf(kept(name, values[0])) + 1) % values.length]); paint(); });
  paint();
};
choose("theme", "theme", ["system", "light", "dark"], "Theme", (value) => {
  document.cookie = "trammel-theme=" + (value === "system" ? "; max-age=0" : value + "; max-age=31536000") + "; path=/; samesite=lax";
  if (value === "system") delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = value;
});
choose("utc", "utc", ["local", "UTC"], "Times", times);
choose("keys", "keys", ["on", "off"], "Keys", () => {});

export function times() {
  const zone = kept("utc", "local") === "UTC" ? { timeZone: "UTC" } : {};
  for (const t of document.querySelectorAll("time[datetime]")) {
    const text = new Date(t.dateTime).toLocaleString(undefined, { ...zone, dateStyle: "medium", timeStyle: "medium" });
    if (!t.title) t.textContent = text; else if ("clock" in t.dataset) {
      t.title = text;
      t.textContent = new Date(t.dateTime).toLocaleTimeString([], { ...zone, hourCycle: "h23" });
    } else t.title = text;
  }
}

// Countdowns follow the server's clock.
export const server = { ahead: Number(document.body.dataset.time) - Date.now() };
const two = (n) => String(n).padStart(2, "0");
const announced = new Set();
setInterval(() => {
  for (const t of document.querySelectorAll("time.countdown")) {
    const s = Math.max(0, Math.floor((Number(t.dataset.until) - Date.now() - server.ahead) / 1000));
    const text = s < 3600 ? two(Math.floor(s / 60)) + ":" + two(s % 60)
      : s < 172800 ? Math.floor(s / 3600) + " h " + two(Math.floor(s / 60) % 60) + " min" : Math.floor(s / 86400) + " days";
    if (t.textContent !== text) t.textContent = text;
    for (const minutes of [5, 1]) {
      const name = t.dataset.until + minutes;
      if ("announce" in t.dataset && s <= 60 * minutes && s > 60 * minutes - 3 && !announced.has(name)) {
        announced.add(name);
        say(minutes + (minutes === 1 ? " minute" : " minutes") + " left to decide");
      }
    }
  }
}, 1000);
