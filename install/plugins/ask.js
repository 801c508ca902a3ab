import { spawn } from "node:child_process";

const SHAPE = { block: "boolean", reason: "string", args: "object", output: "string", context: "string", continue: "string", notice: "string" };

// ask calls trammel-hook and returns its answer. It never throws: where there
// is no answer, what it returns is {failed: why}.
function ask(host, event, payload) {
  return new Promise((resolve) => {
    let timer;
    let stdout = "";
    let stderr = "";
    const settle = (answer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    const limit = TIMEOUT[event] ?? 30000;
    const fail = (why) => settle({ failed: `Trammel cannot judge this: ${HOOK} ${why}` });
    try {
      const text = JSON.stringify(payload);
      const child = spawn(HOOK, [...ARGS, `--wait=${limit}ms`, host, event], { stdio: "pipe", windowsHide: true });
      timer = setTimeout(() => {
        child.kill("SIGKILL");
        child.stdout.destroy();
        child.stderr.destroy();
        fail(`gave no answer within ${limit} ms`);
      }, limit);
      child.stdout.setEncoding("utf8").on("data", (s) => (stdout += s));
      child.stderr.setEncoding("utf8").on("data", (s) => (stderr += s));
      child.on("error", (err) => fail(`cannot be started: ${err.message}. Is Trammel installed and on the PATH? Then run: trammel doctor`));
      child.on("close", (code, signal) => {
        if (code !== 0) return fail(`ended with ${signal ?? `exit code ${code}`}: ${stderr.trim().slice(0, 1000)}`);
        settle(read(stdout) ?? fail("printed what is not an answer"));
      });
      child.stdin.on("error", () => {}); // it may answer without having read all
      child.stdin.end(text);
    } catch (err) {
      fail(`cannot be called: ${err.message}`);
    }
  });
}

// read takes an answer only if it knows every word of it.
function read(text) {
  if (text.trim() === "") return {};
  try {
    const answer = JSON.parse(text);
    if (answer === null || typeof answer !== "object" || Array.isArray(answer)) return;
    for (const [key, value] of Object.entries(answer)) {
      if (!Object.hasOwn(SHAPE, key) || typeof value !== SHAPE[key] || value === null || Array.isArray(value)) return;
    }
    return answer;
  } catch {}
}

// replace changes arguments in place: the host looks at the object it gave us.
function replace(target, args) {
  for (const key of Object.keys(target)) {
    if (!Object.hasOwn(args, key)) delete target[key];
  }
  Object.assign(target, args);
}
