// One JSON object per line comes in on stdin, one goes out on stdout.
import { createInterface } from "node:readline";
import { render, validate, window, type Payload, type Result } from "./release.ts";

type Call = { hook_id: string; payload?: Payload; call_id?: string };

const hooks: Record<string, (payload: Payload) => Result> = {
  release_window: window,
  validate_changelog: validate,
  render_notes: render,
};

function answer(call: Call): Result {
  const hook = hooks[call.hook_id];
  if (!hook) {
    return { status: "error", valid: false, diagnostics: ["this pack has no such hook"] };
  }
  return hook(call.payload ?? {});
}

createInterface({ input: process.stdin }).on("line", (line: string) => {
  const call = JSON.parse(line) as Call;
  // The call's id, as the last field, lets one program serve many calls.
  // Anything that is not a result must go to stderr: console.error(…)
  process.stdout.write(JSON.stringify({ ...answer(call), call_id: call.call_id }) + "\n");
});
