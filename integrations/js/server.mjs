// The client of trammel serve: one request per event, over HTTP or a Unix
// socket. What it returns is what a process would have said.

import http from "node:http";
import https from "node:https";

const MAX_OUTPUT = 16 << 20;

/** Asks a server about one event. at is http(s)://host:port or unix:/path. */
export function post(at, token, payload, timeout) {
  const socketPath = at.startsWith("unix:") ? at.slice("unix:".length) : undefined;
  const url = new URL("/v1/events", socketPath === undefined ? at : "http://trammel");
  const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(payload) };
  if (timeout >= 1000) headers.Prefer = `wait=${Math.floor(timeout / 1000)}`;
  if (token) headers.Authorization = `Bearer ${token}`;
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === "https:" ? https : http;
    const req = request(url, { method: "POST", headers, socketPath }, (res) => {
      const chunks = [];
      let size = 0;
      res.on("data", (chunk) => {
        size += chunk.length;
        if (size > MAX_OUTPUT) giveUp(`answered with more than ${MAX_OUTPUT} bytes`);
        else chunks.push(chunk);
      });
      res.on("error", (error) => giveUp(`the server broke off: ${error.message}`));
      res.on("end", () => {
        clearTimeout(timer);
        const stdout = Buffer.concat(chunks);
        const exit = res.headers["trammel-exit"];
        if (!res.complete) reject(new Error("the server broke off"));
        else if (res.statusCode === 200 && (exit === "0" || exit === "2")) resolve({ exit: Number(exit), stdout, stderr: "" });
        else reject(new Error(`the server answered ${res.statusCode}: ${stdout.toString("utf8").slice(0, 500)}`));
      });
    });
    const giveUp = (why) => {
      clearTimeout(timer);
      reject(new Error(why));
      req.destroy();
    };
    const timer = setTimeout(() => giveUp(`no answer within ${timeout} ms`), timeout);
    req.on("error", (error) => giveUp(`cannot reach ${at}: ${error.message || error.code}`));
    req.end(payload);
  });
}
