import { $, say, server } from "./page.js";
import { badge, paused, rang } from "./live.js";
import { notify } from "./notices.js";

// The stream only rings; pages then ask for what they do not have.
let heard = 0, source = null, retry = 500;
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
  server.ahead = told.time - heard;
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
  rang(told.events);
  notify(told.waiting, speaker);
}

const speak = () => { speaker = true; alone = false; connect(); };
if (person) { // somebody is logged in
  setInterval(() => { if (last) notify(last.waiting, speaker); }, 1000); // for reminders: nothing is asked for
  if (navigator.locks) navigator.locks.request("trammel-speaker-" + person, () => new Promise(speak)); else speak();
  setTimeout(() => { if (!speaker) tell({ hello: true }); }, 50);
  setTimeout(() => { if (!speaker && !heard && !document.hidden) { alone = true; connect(); } }, 2000);
}
