// The client of trammel-hook: one process per event, Trammel's native JSON on
// stdin, its verdict on stdout; the exit code is decisive. With the option
// server, a server is asked instead of a process.
//
// A tool call or a prompt goes ahead only if the program was there, answered in
// time with something valid, and did not object. After a tool has run, and when
// the agent is about to end, a failure to answer blocks nothing; onFailure is
// called then.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { post } from "./server.mjs";

const MAX_OUTPUT = 16 << 20;
const POLICY_TIMEOUT = 30_000;
const MAX_SESSIONS = 4096;
const PREVENTS = new Set(["pre_tool_use", "user_prompt_submit"]);
const DECISIONS = new Set(["none", "allow", "ask", "deny"]);

/** Trammel asks trammel-hook about the events of one runtime. */
export class Trammel {
  #program;
  #server;
  #env;
  #sessions = new Map();

  constructor(options = {}) {
    const { runtime = "native", program, server, token, timeout, dir = process.cwd(), user, agent, model, approve, maxContinues = 8 } = options;
    this.runtime = runtime;
    this.dir = path.resolve(dir);
    this.about = { user, agent, model };
    this.approve = approve;
    this.maxContinues = maxContinues;
    this.onNotice = options.onNotice ?? ((text) => process.stderr.write(`trammel: ${text}\n`));
    this.onFailure = options.onFailure ?? ((event, why) => process.stderr.write(`trammel: ${event}: ${why}\n`));
    // The environment is read once: what a tool does to it later does not
    // choose another program.
    this.#env = {
      ...process.env,
      FLOW_AGENTS_HOOK_RUNTIME: runtime,
      FLOW_AGENTS_TELEMETRY_RUNTIME: runtime,
      SA_HOOK_INPUT_TRUNCATED: "0",
    };
    this.#server = server === undefined ? undefined : { at: server, token: token ?? this.#env.TRAMMEL_TOKEN };
    this.#program = program ?? this.#env.TRAMMEL_HOOK;
    this.timeout = timeout ?? timeoutOf(runtime, this.#env);
  }

  /** The session of this id, the same object for the same id. */
  session(id = randomUUID(), about = {}) {
    let session = this.#sessions.get(id);
    if (session === undefined) {
      session = new Session(this, id, about);
      if (this.#sessions.size >= MAX_SESSIONS) this.#sessions.delete(this.#sessions.keys().next().value);
      this.#sessions.set(id, session);
    }
    return session;
  }

  /** Asks about one event. It never throws; the verdict says whether to go on. */
  async ask(event, parts = {}) {
    let verdict;
    try {
      const payload = JSON.stringify({ event, host: this.runtime, ...parts });
      verdict = read(await this.#exchange(event, payload));
    } catch (error) {
      verdict = { decision: "none", context: [], failure: error instanceof Error ? error.message : String(error) };
    }
    if (verdict.failure !== undefined) {
      this.onFailure(event, verdict.failure);
      if (PREVENTS.has(event)) {
        verdict.decision = "deny";
        verdict.reason = `Trammel could not judge this, so it does not happen: ${verdict.failure}`;
      }
    }
    if (verdict.notice) this.onNotice(verdict.notice);
    verdict.proceed = (verdict.decision === "none" || verdict.decision === "allow") && !verdict.canceled;
    return verdict;
  }

  #exchange(event, payload) {
    if (this.#server) return post(this.#server.at, this.#server.token, payload, this.timeout);
    const program = (this.#program ||= find("trammel-hook", this.#env.PATH));
    return exchange(program, ["native", event], payload, this.#env, this.dir, this.timeout);
  }
}

/** Session is one conversation of an agent, with the events in its course. */
export class Session {
  #trammel;
  #begun;
  #continues = 0;

  constructor(trammel, id, about) {
    this.#trammel = trammel;
    this.id = id;
    this.about = { ...trammel.about, ...about };
  }

  /** Reports session_start, the first time only, and returns its context. */
  begin(source = "startup") {
    if (this.#begun) return this.#begun.then(() => []);
    this.#begun = this.#ask("session_start", { source }).then((verdict) => verdict.context);
    return this.#begun;
  }

  /**
   * Judges a prompt: {proceed, reason} or the text to go on with, in which
   * whatever Trammel has to tell the model is contained.
   */
  async prompt(text) {
    const started = await this.begin();
    this.#continues = 0;
    const verdict = await this.#ask("user_prompt_submit", { prompt: { text } });
    if (!verdict.proceed) return { proceed: false, reason: reasonOf(verdict, "This prompt was denied.") };
    const final = typeof verdict.input?.prompt === "string" ? verdict.input.prompt : text;
    const context = [...started, ...verdict.context];
    return { proceed: true, text: withNotes(final, context), changed: final !== text, context };
  }

  /** Judges a tool call: {proceed: false, reason}, or the input to call it with. */
  async before({ id, name, input }) {
    const args = input ?? {};
    const verdict = await this.#ask("pre_tool_use", { tool: { id, name, input: args } });
    let { proceed } = verdict;
    const final = verdict.input === undefined ? args : { ...args, ...verdict.input };
    if (verdict.decision === "ask" && !verdict.canceled && this.#trammel.approve) {
      proceed = (await this.#consent({ id, name, input: final, reason: verdict.reason })) === true;
    }
    if (!proceed) return { proceed, reason: reasonOf(verdict, `The call of ${name} was denied.`) };
    return { proceed, input: final, rewritten: verdict.input !== undefined, context: verdict.context };
  }

  /**
   * Reports a call that has run. The answer has a text if the model should see
   * that instead of the output.
   */
  async after({ id, name, input, context = [] }, { output, error, started }) {
    const failed = error !== undefined;
    const shown = textOf(output) || (failed ? errorText(error) : ""); // an error is what the model sees of a call that failed
    const tool = { id, name, input: input ?? {}, output: shown };
    if (failed) Object.assign(tool, { error: errorText(error), failed });
    if (started !== undefined) tool.duration_ms = Math.round(performance.now() - started);
    const verdict = await this.#ask("post_tool_use", { tool });
    const notes = [...context, ...(verdict.decision === "deny" ? [verdict.reason] : []), ...verdict.context];
    const text = withNotes(verdict.output ?? shown, notes);
    return text === shown ? {} : { text };
  }

  /**
   * Runs a call between before and after, for frameworks that let us wrap it:
   * {denied}, or the output and the text to show instead, if there is one.
   * Errors go on to the framework as they are, with what Trammel has to say
   * about them in the message; those that passes knows are no failures.
   */
  async around(call, run, { text = textOf, passes = () => false } = {}) {
    const before = await this.before(call);
    if (!before.proceed) return { denied: before.reason };
    const done = { ...call, input: before.input, context: before.context };
    const started = performance.now();
    let output;
    try {
      output = await run(before.input);
    } catch (error) {
      if (!passes(error)) {
        const said = await this.after(done, { error, started });
        if (said.text !== undefined && error instanceof Error) error.message = said.text;
      }
      throw error;
    }
    return { output, ...(await this.after(done, { output: text(output), started })) };
  }

  /**
   * Judges the end of the agent's work: {resume} is what to tell the model if it
   * has to go on. After maxContinues times in a row the agent may end.
   */
  async stop(message) {
    const verdict = await this.#ask("stop", { stop: { message: textOf(message), active: this.#continues > 0 } });
    if (verdict.decision !== "deny" || this.#continues >= this.#trammel.maxContinues) return {};
    this.#continues++;
    return { resume: withNotes(verdict.reason || "The work is not done.", verdict.context) };
  }

  #ask(event, parts) {
    return this.#trammel.ask(event, { session: { id: this.id, dir: this.#trammel.dir, ...this.about }, ...parts });
  }

  async #consent(question) {
    try {
      return await this.#trammel.approve(question);
    } catch (error) {
      this.#trammel.onFailure("pre_tool_use", `approve failed: ${errorText(error)}`);
      return false;
    }
  }
}

/** The text of a tool's output, whatever shape it has. */
export function textOf(value) {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

/** A text with notes for the model behind it. */
export function withNotes(text, notes) {
  return notes.length === 0 ? text : [text, ...notes].filter(Boolean).join("\n\n");
}

function errorText(error) {
  return error instanceof Error ? error.message : String(error);
}

function reasonOf(verdict, otherwise) {
  if (verdict.decision === "ask") return `A person has to agree first. ${verdict.reason ?? ""}`.trim();
  if (verdict.canceled) return "Trammel was interrupted before it could judge this.";
  return verdict.reason || otherwise;
}

function timeoutOf(runtime, env) {
  const ms = Number(env[`FLOW_AGENTS_${runtime.toUpperCase().replaceAll("-", "_")}_HOOK_TIMEOUT_MS`]);
  return Number.isInteger(ms) && ms > 0 ? Math.min(ms, 3_600_000) : POLICY_TIMEOUT;
}

// find looks for a program in the absolute directories of PATH: one that is
// relative to where the agent works is the agent's to fill.
function find(name, dirs = "") {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  for (const dir of dirs.split(path.delimiter)) {
    const at = path.join(dir, file);
    if (!path.isAbsolute(dir)) continue;
    try {
      accessSync(at, constants.X_OK);
      if (statSync(at).isFile()) return at;
    } catch {
      // not here
    }
  }
  throw new Error(`no ${name} on PATH; install Trammel or set TRAMMEL_HOOK`);
}

function exchange(program, args, payload, env, cwd, timeout) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, cwd, stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
    const out = [];
    const err = [];
    let size = 0;
    const giveUp = (why) => {
      clearTimeout(timer);
      reject(new Error(why));
      child.kill("SIGTERM"); // trammel-hook ends its own children
      setTimeout(() => child.kill("SIGKILL"), 1000).unref();
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
    };
    const timer = setTimeout(() => giveUp(`no answer within ${timeout} ms`), timeout);
    const collect = (list) => (chunk) => {
      size += chunk.length;
      if (size > MAX_OUTPUT) giveUp(`answered with more than ${MAX_OUTPUT} bytes`);
      else list.push(chunk);
    };
    child.stdout.on("data", collect(out));
    child.stderr.on("data", collect(err));
    child.stdin.on("error", () => {}); // it need not read all to answer
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(new Error(`cannot start ${program}: ${error.message}`));
    });
    child.on("close", (exit, signal) => {
      clearTimeout(timer);
      resolve({ exit, signal, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString("utf8").trim() });
    });
    child.stdin.end(payload);
  });
}

// read takes a verdict only whole: the exit code and the JSON have to agree.
function read({ exit, signal, stdout, stderr }) {
  if (exit !== 0 && exit !== 2) throw new Error(`ended with ${signal ?? `exit code ${exit}`}${stderr && `: ${stderr.slice(0, 500)}`}`);
  let v;
  try {
    v = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(stdout));
  } catch {
    throw new Error(`answered with no JSON${stderr && `: ${stderr.slice(0, 500)}`}`);
  }
  if (!isObject(v) || !DECISIONS.has(v.decision)) throw new Error("answered without a decision");
  const canceled = v.canceled === true;
  if ((exit === 0) !== ((v.decision === "none" || v.decision === "allow") && !canceled)) throw new Error(`exit code ${exit} contradicts decision ${v.decision}`);
  const shape = { reason: "string", notice: "string", output: "string" };
  for (const [key, type] of Object.entries(shape)) {
    if (v[key] !== undefined && typeof v[key] !== type) throw new Error(`answered with a ${key} that is no ${type}`);
  }
  if (v.input !== undefined && !isObject(v.input)) throw new Error("answered with an input that is no object");
  const context = v.context ?? [];
  if (!Array.isArray(context) || context.some((text) => typeof text !== "string")) throw new Error("answered with a context that is no list of texts");
  return { decision: v.decision, reason: v.reason, input: v.input, output: v.output, context, notice: v.notice, granted: v.granted === true, canceled, findings: v.findings };
}

function isObject(v) {
  return typeof v === "object" && v !== null && !Array.isArray(v);
}
