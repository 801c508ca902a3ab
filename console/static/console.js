// What script adds to the pages: keys, live updates, countdowns, notices. It
// makes no markup of data, and decides nothing by itself: every decision is the
// form that is also there without it.
import "./keys.js";
import "./stream.js";
