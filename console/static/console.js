// What script adds to the pages: keys, live updates, countdowns, notices. It
// makes no markup of data, and decides nothing by itself: every decision is the
// form that is also there without it.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const say = (text) => {
    $("said").textContent = text;
    clearTimeout(say.timer);
    say.timer = setTimeout(() => { $("said").textContent = ""; }, 5000);
  };
  const kept = (name, otherwise) => localStorage.getItem("trammel-" + name) ?? otherwise;
  const keep = (name, value) => localStorage.setItem("trammel-" + name, value);
  document.documentElement.classList.add("scripted");

  // Preferences.
  const choose = (id, name, values, label, apply) => {
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

  function times() {
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
  let offset = Number(document.body.dataset.time) - Date.now();
  const two = (n) => String(n).padStart(2, "0");
  const announced = new Set();
  setInterval(() => {
    for (const t of document.querySelectorAll("time.countdown")) {
      const s = Math.max(0, Math.floor((Number(t.dataset.until) - Date.now() - offset) / 1000));
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

  // Deciding. Nothing counts that comes sooner than somebody can have looked:
  // for 600 ms after a button appears, moves, or the page comes to the front.
  const quiet = 600;
  let since = performance.now();
  const places = new Map();
  const rest = () => { since = performance.now(); };
  setInterval(() => {
    for (const b of document.querySelectorAll("[data-decides]")) {
      const r = b.getBoundingClientRect();
      const at = Math.round(r.x) + " " + Math.round(r.y) + " " + Math.round(r.width);
      if (places.get(b) !== at) { places.set(b, at); if (r.width) rest(); }
    }
  }, 100);
  addEventListener("focus", rest);
  document.addEventListener("visibilitychange", rest);
  const tooSoon = () => performance.now() - since < quiet;

  let pressed = "";
  document.addEventListener("pointerdown", (e) => { pressed = tooSoon() ? "soon" : ""; }, true);
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
  for (const type of ["keydown", "keyup"]) {
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
  const guard = () => {
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

  let armed = null;
  function disarm() {
    if (!armed) return;
    clearTimeout(armed.timer);
    armed.button.classList.remove("armed-now");
    armed = null;
    if ($("armed")) $("armed").textContent = "";
  }
  function arm(button) {
    disarm();
    if (button.disabled) { say(button.title || "This cannot be decided now."); return; }
    armed = { button, at: performance.now(), timer: setTimeout(disarm, 4000) };
    button.classList.add("armed-now");
    const text = "Armed: " + chosen("y") + " confirms “" + button.firstChild.textContent.trim() + "”, Esc takes it back.";
    if ($("armed")) $("armed").textContent = text; else say(text);
  }
  function confirm() {
    if (!armed) return;
    if (tooSoon()) { say("Too quick to have looked: nothing was decided."); return; }
    const { button } = armed;
    const secret = button.form.elements.secret;
    if (secret && !secret.value) { say("Type the authority secret, then press Ctrl+Enter."); secret.focus(); return; }
    disarm();
    button.form.requestSubmit(button);
  }
  document.addEventListener("focusin", (e) => { if (e.target.id === "card") rest(); });

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
  // People can choose other keys. Those that decide stay what takes intention:
  // one character, no digit, no blank, and no two of them the same.
  const remap = JSON.parse(kept("remap", "{}"));
  const chosen = (key) => remap[key] ?? key;
  const meant = (key) => Object.keys(remap).find((k) => remap[k] === key) ?? (Object.hasOwn(remap, key) ? "" : key);
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
  // Ctrl+Enter in the field for the secret goes on with what was asked for by a
  // and y; without that, it decides nothing.
  let wanted = null;
  const armedFor = (form) => wanted && wanted.form === form && performance.now() - wanted.at < 30000 ? wanted.button : null;
  document.addEventListener("focusin", (e) => {
    if (e.target.name === "secret" && armed) wanted = { form: e.target.form, button: armed.button, at: performance.now() };
  });

  function copy() {
    const path = $("copy")?.dataset.copy ?? location.pathname + location.search;
    navigator.clipboard?.writeText(location.origin + path).then(() => say("The link is copied."), () => say("The browser does not let us copy."));
  }
  $("copy")?.addEventListener("click", copy);

  // Live rows. A page that is paused counts what it does not show.
  let paused = false, fetching = false;
  function togglePause(on = !paused) {
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

  // The stream only rings; pages then ask for what they do not have.
  const badgeWords = { live: "live", again: "reconnecting", paused: "paused" };
  let heard = 0, source = null, retry = 500;
  function badge(state, text) {
    const b = $("badge");
    if (!b) return;
    b.hidden = false;
    b.className = "badge " + state;
    const words = text ?? badgeWords[state];
    if (b.textContent !== words) b.textContent = words;
  }
  // One tab of a browser holds the stream and tells the others: browsers have
  // only six connections for all of them. A tab that hears nothing from it
  // opens its own.
  const person = document.body.dataset.person;
  const others = new BroadcastChannel("trammel");
  let speaker = false, alone = false, last = null;
  const tell = (message) => others.postMessage({ ...message, person });
  function connect() {
    if (source || !person || !(speaker || alone)) return;
    source = new EventSource("/stream");
    source.addEventListener("ring", (e) => {
      retry = 500;
      last = JSON.parse(e.data);
      hear(last);
      tell({ ring: last });
    });
    source.onerror = () => { // also for a first connection that fails: it is tried again
      leave();
      badge("again");
      setTimeout(connect, retry * (0.7 + Math.random() * 0.6));
      retry = Math.min(retry * 2, 30000);
    };
  }
  function leave() {
    source?.close();
    source = null;
  }
  function hear(told) {
    heard = Date.now();
    offset = told.time - heard;
    badge(paused ? "paused" : "live");
    ringing(told);
  }
  others.onmessage = ({ data }) => {
    if (data.person !== person) return;
    if (data.hello) { if (speaker && last && source?.readyState === 1) tell({ ring: last }); return; }
    if (speaker) return;
    if (alone) { alone = false; leave(); }
    if (data.ring) { hear(data.ring); return; }
    heard = Date.now();
    badge(paused ? "paused" : data.alive ? "live" : "again");
  };
  setInterval(() => {
    if (speaker) tell({ alive: source?.readyState === 1 });
    const quietFor = Date.now() - heard;
    if (speaker && source?.readyState === 1) return;
    if (heard && quietFor > 12000) badge("stale", "stale " + Math.round(quietFor / 1000) + " s");
    if (!speaker && !alone && !document.hidden && quietFor > 12000) { alone = true; connect(); }
  }, 4000);
  addEventListener("pagehide", leave);
  addEventListener("pageshow", (e) => { if (e.persisted) connect(); });
  let politely = 0, before = null;
  function ringing(told) {
    const count = $("pending");
    if (count) { count.textContent = told.pending; count.hidden = !told.pending; }
    document.title = (told.pending ? "(" + told.pending + ") " : "") + document.title.replace(/^\(\d+\) /, "");
    $("broken").textContent = told.broken ?? "";
    $("broken").className = told.broken ? "banner" : "";
    if (before !== null && told.pending > before && Date.now() - politely > 10000) {
      politely = Date.now();
      say(told.pending === 1 ? "1 request waits" : told.pending + " requests wait");
    }
    before = told.pending;
    htmx.trigger(document.body, "ring");
    if ($("live")) {
      if (paused) $("paused-new").textContent = Math.max(0, told.events - Number($("live").dataset.newest)); else if (told.events > Number($("live").dataset.newest)) fetchRows();
    }
    notify(told.waiting);
  }

  // Notices: only if wanted, by one tab, never while a page is in front, and
  // without arguments. A click opens, and decides nothing. More than three in
  // ten seconds are one that counts them.
  const shown = new Map();
  const told = () => new Set(JSON.parse(kept("told", "[]")));
  let burst = [];
  function notify(waiting) {
    const current = new Set(waiting.map((w) => w.id));
    for (const [id, n] of shown) if (!current.has(id) && (id !== "all" || !waiting.length)) { n.close(); shown.delete(id); }
    if (!speaker || kept("notices", "off") === "off" || Notification.permission !== "granted") return;
    const known = told(), fresh = [];
    for (const w of waiting) {
      const late = w.expires && Date.now() + offset > w.created + 0.8 * (w.expires - w.created);
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
  setInterval(() => { if (last) notify(last.waiting); }, 1000); // for reminders: nothing is asked for
  function post(id, text, path) {
    const n = new Notification("Trammel", { body: text, tag: id });
    n.onclick = () => { window.focus(); location.assign(path); };
    shown.set(id, n);
  }
  choose("notices", "notices", ["off", "on"], "Notices", (value) => {
    if (value === "on" && "Notification" in window && Notification.permission === "default") Notification.requestPermission();
  });
  const speak = () => { speaker = true; alone = false; connect(); };
  if (!person) return; // nobody is logged in
  if (navigator.locks) navigator.locks.request("trammel-speaker-" + person, () => new Promise(speak)); else speak();
  setTimeout(() => { if (!speaker) tell({ hello: true }); }, 50);
  setTimeout(() => { if (!speaker && !heard && !document.hidden) { alone = true; connect(); } }, 2000);
})();
