// What the four agents of the tests share: a model that plays a script, one
// tool, and a report of what happened.

import { rmSync, writeSync } from "node:fs";
import { Trammel } from "@trammel/agents";

/** scenario is the script of the model, from the test. */
export const scenario = JSON.parse(process.env.TRAMMEL_TEST_SCENARIO);

const report = { ran: [], seen: [], failures: [] };

/** The next turn of the model: {call: {command}} or {text}. */
export function turn(request) {
  report.seen.push(typeof request === "string" ? request : JSON.stringify(request));
  const next = scenario.turns[report.seen.length - 1] ?? { text: "nothing left to say" };
  if (next.lose) rmSync(process.env.TRAMMEL_HOOK); // from now on Trammel is gone
  return { ...next, id: `call-${report.seen.length}` };
}

/** The tool. */
export function runCommand({ command }) {
  report.ran.push(command);
  if (scenario.throws) throw new Error(scenario.throws);
  return scenario.output ?? "done";
}

let end;
/** Settles when Trammel was asked about the agent's end. */
export const ended = new Promise((resolve) => (end = resolve));

class Watched extends Trammel {
  async ask(event, parts) {
    const verdict = await super.ask(event, parts);
    if (event === "stop") end();
    return verdict;
  }
}

export const trammel = (runtime) =>
  new Watched({
    runtime,
    agent: "tester",
    approve: scenario.approve === undefined ? undefined : () => scenario.approve,
    onFailure: (event) => report.failures.push(event),
    onNotice: () => {},
  });

/** Runs the agent, once per prompt, and reports. */
export async function play(run) {
  try {
    for (const prompt of [scenario.prompt].flat()) report.final = await run(prompt);
  } catch (error) {
    report.error = `${error.name}: ${error.message}`;
  }
  writeSync(1, `${JSON.stringify(report)}\n`);
  process.exit(0);
}
