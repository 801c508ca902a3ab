import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { Trammel, withNotes } from "./trammel.mjs";

const dir = mkdtempSync(path.join(tmpdir(), "trammel-js-"));
after(() => rmSync(dir, { recursive: true, force: true }));
const answers = JSON.parse(readFileSync(new URL("../testdata/answers.json", import.meta.url)));

let count = 0;
// program writes a stand-in for trammel-hook that keeps what it was told.
function program(c) {
  const at = path.join(dir, `hook-${count++}`);
  writeFileSync(`${at}.out`, c.hex === undefined ? (c.stdout ?? "") : Buffer.from(c.hex, "hex"));
  const lines = ["#!/bin/sh", `cat > '${at}.in'`, `env > '${at}.env'`, `printf '%s ' "$@" > '${at}.args'`];
  if (c.sleep) lines.push(`exec sleep ${c.sleep}`);
  if (c.flood) lines.push("exec yes '{\"decision\":\"allow\"}'");
  lines.push(`cat '${at}.out'`, `printf '%s' '${c.stderr ?? ""}' >&2`);
  lines.push(c.kill ? "kill -9 $$" : `exit ${c.exit ?? 0}`);
  writeFileSync(at, `${lines.join("\n")}\n`);
  chmodSync(at, 0o755);
  return at;
}

function client(c, options = {}) {
  const failures = [];
  const trammel = new Trammel({ program: program(c), runtime: "test-js", dir, timeout: c.timeout, onFailure: (event, why) => failures.push(why), onNotice: () => {}, ...options });
  return { trammel, failures };
}

for (const c of answers) {
  test(`FLOW-61 answer: ${c.name}`, async () => {
    const { trammel, failures } = client(c);
    const session = trammel.session();
    const call = await session.before({ id: "1", name: "run", input: { command: "ls" } });
    assert.equal(call.proceed ? "runs" : "denied", c.call);
    if (c.reason) assert.equal(call.reason, c.reason);
    if (!call.proceed) assert.ok(call.reason);
    assert.equal(failures.length > 0, c.failed === true, failures.join());
    assert.equal((await session.prompt("hello")).proceed ? "runs" : "denied", c.call);
    const { resume } = await session.stop("done");
    assert.equal(resume === undefined ? "ends" : "goes on", c.end);
  });
}

test("what is sent", async () => {
  const at = program({ stdout: '{"decision":"none"}' });
  const trammel = new Trammel({ program: at, runtime: "test-js", dir, user: "ada", agent: "coder" });
  await trammel.session("s1").before({ id: "c1", name: "run", input: { command: "ls" } });
  assert.deepEqual(JSON.parse(readFileSync(`${at}.in`)), {
    event: "pre_tool_use",
    host: "test-js",
    session: { id: "s1", dir, user: "ada", agent: "coder" },
    tool: { id: "c1", name: "run", input: { command: "ls" } },
  });
  assert.equal(readFileSync(`${at}.args`, "utf8"), "native pre_tool_use ");
  const env = readFileSync(`${at}.env`, "utf8");
  for (const line of ["FLOW_AGENTS_HOOK_RUNTIME=test-js", "FLOW_AGENTS_TELEMETRY_RUNTIME=test-js", "SA_HOOK_INPUT_TRUNCATED=0"]) assert.match(env, new RegExp(`^${line}$`, "m"));
});

test("the program: TRAMMEL_HOOK, PATH, relative directories, none", async () => {
  const before = { ...process.env };
  const failures = [];
  const before1 = (options) => new Trammel({ dir, onFailure: (_, why) => failures.push(why), ...options }).session().before({ name: "run" });
  const folder = path.join(dir, "bin");
  mkdirSync(folder);
  writeFileSync(path.join(folder, "trammel-hook"), "#!/bin/sh\necho '{\"decision\":\"allow\"}'\n", { mode: 0o755 });
  const cwd = process.cwd();
  try {
    process.env.TRAMMEL_HOOK = path.join(dir, "missing");
    assert.equal((await before1()).proceed, false);
    delete process.env.TRAMMEL_HOOK;
    process.env.PATH = `${folder}${path.delimiter}${before.PATH}`;
    assert.equal((await before1()).proceed, true);
    process.chdir(dir);
    process.env.PATH = `bin${path.delimiter}`;
    assert.match((await before1()).reason, /no trammel-hook on PATH/);
    assert.equal(failures.length, 2);
  } finally {
    process.chdir(cwd);
    process.env.PATH = before.PATH;
    delete process.env.TRAMMEL_HOOK;
  }
});

test("FLOW-63 timeout: the variable of the runtime, else 30 s", () => {
  process.env.FLOW_AGENTS_TEST_JS_HOOK_TIMEOUT_MS = "70";
  assert.equal(new Trammel({ runtime: "test-js" }).timeout, 70);
  process.env.FLOW_AGENTS_TEST_JS_HOOK_TIMEOUT_MS = "-1";
  assert.equal(new Trammel({ runtime: "test-js" }).timeout, 30000);
  delete process.env.FLOW_AGENTS_TEST_JS_HOOK_TIMEOUT_MS;
});

test("an input that has no JSON form is denied", async () => {
  const { trammel } = client({ stdout: '{"decision":"allow"}' });
  const cycle = {};
  cycle.cycle = cycle;
  for (const input of [cycle, { n: 1n }]) assert.equal((await trammel.session().before({ name: "run", input })).proceed, false);
});

test("rewrites: input, prompt, output, a key called __proto__", async () => {
  const { trammel } = client({ stdout: '{"decision":"none","input":{"command":"ls -l","__proto__":{"x":1},"prompt":"bye"},"output":"o","context":["c"]}' });
  const session = trammel.session();
  const given = { command: "ls", keep: true };
  const call = await session.before({ name: "run", input: given });
  assert.equal(call.input.command, "ls -l");
  assert.equal(call.input.keep, true);
  assert.equal(call.input.x, undefined);
  assert.equal(given.command, "ls");
  assert.equal((await session.prompt("hello")).text, "bye\n\nc\n\nc"); // of the session's start, and of the prompt
  assert.equal((await session.prompt("hello")).text, "bye\n\nc");
  assert.deepEqual(await session.after({ name: "run" }, { output: "p" }), { text: "o\n\nc" });
});

test("an unchanged output stays as it is", async () => {
  const { trammel } = client({ stdout: '{"decision":"none","output":"{\\"a\\":1}"}' });
  assert.deepEqual(await trammel.session().after({ name: "run" }, { output: { a: 1 } }), {});
});

test("around: errors are reported and go on as they are", async () => {
  const at = program({ stdout: '{"decision":"none","context":["hint"]}' });
  const session = new Trammel({ program: at, dir }).session();
  const error = new TypeError("broken");
  await assert.rejects(session.around({ name: "run" }, () => Promise.reject(error)), (e) => e === error && e.message === "broken\n\nhint\n\nhint");
  const sent = JSON.parse(readFileSync(`${at}.in`)).tool;
  assert.deepEqual([sent.failed, sent.error, sent.output], [true, "broken", "broken"]);
});

test("ask: only a person who says true lets it run", async () => {
  for (const [approve, proceed] of [[() => true, true], [async () => true, true], [() => false, false], [() => "yes", false], [() => 1, false], [() => undefined, false], [() => { throw new Error("away"); }, false]]) {
    const { trammel } = client({ stdout: '{"decision":"ask","reason":"r","input":{"a":2}}', exit: 2 }, { approve });
    const call = await trammel.session().before({ name: "run", input: { a: 1 } });
    assert.equal(call.proceed, proceed);
    if (proceed) assert.deepEqual(call.input, { a: 2 });
  }
});

test("stop: refused at most maxContinues times in a row, active after the first", async () => {
  const at = program({ stdout: '{"decision":"deny","reason":"r"}', exit: 2 });
  const session = new Trammel({ program: at, dir, maxContinues: 2 }).session();
  const active = () => JSON.parse(readFileSync(`${at}.in`)).stop.active;
  assert.deepEqual([await session.stop("x"), active()], [{ resume: "r" }, false]);
  assert.deepEqual([await session.stop("x"), active()], [{ resume: "r" }, true]);
  assert.deepEqual(await session.stop("x"), {});
});

test("session_start is reported once, also when two begin at a time", async () => {
  const { trammel } = client({ stdout: '{"decision":"none","context":["c"]}' });
  const session = trammel.session("one");
  const both = await Promise.all([session.begin(), session.begin()]);
  assert.deepEqual(both, [["c"], []]);
  assert.equal(trammel.session("one"), session);
});

test("no process is left behind after a timeout", async () => {
  const at = path.join(dir, "slow");
  writeFileSync(at, `#!/bin/sh\ntrap 'touch ${at}.ended; exit 0' TERM\nsleep 5 & wait\n`, { mode: 0o755 });
  const { proceed } = await new Trammel({ program: at, dir, timeout: 100, onFailure: () => {} }).session().before({ name: "run" });
  assert.equal(proceed, false);
  for (let i = 0; i < 50 && !existsSync(`${at}.ended`); i++) await new Promise((done) => setTimeout(done, 20));
  assert.ok(existsSync(`${at}.ended`));
});

test("withNotes", () => {
  assert.equal(withNotes("a", []), "a");
  assert.equal(withNotes("", ["b"]), "b");
  assert.equal(withNotes("a", ["b", "c"]), "a\n\nb\n\nc");
});
