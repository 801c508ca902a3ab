// Loads an extension as pi does, lets one of each event happen, and prints what
// came of them.
import { pathToFileURL } from "node:url";

const { default: extension } = await import(pathToFileURL(process.argv[2]));
const handlers = {};
const sent = [];
extension({ on: (name, f) => (handlers[name] = f), sendUserMessage: (text, options) => sent.push([text, options.deliverAs]) });
const told = [];
const ctx = { cwd: "/p", hasUI: true, mode: "tui", sessionManager: { getSessionId: () => "s" }, ui: { notify: (text) => told.push(text) } };
const fire = async (event) => (await handlers[event.type](event, ctx)) ?? null;

const input = { command: "ls", timeout: 5 };
const image = { type: "image", data: "x" };
const end = (stopReason) => ({ type: "agent_end", messages: [{ role: "assistant", content: [{ type: "text", text: "FINAL" }], stopReason }] });
await fire({ type: "session_start", reason: "startup" });
const out = {
  input: await fire({ type: "input", text: "please", source: "interactive" }),
  start: await fire({ type: "before_agent_start", prompt: "please" }),
  call: await fire({ type: "tool_call", toolName: "bash", toolCallId: "c", input }),
  args: input,
  result: await fire({ type: "tool_result", toolName: "bash", toolCallId: "c", input, content: [{ type: "text", text: "said" }, image], isError: false }),
};
await fire(end("stop"));
await fire(end("stop")); // the second time it is we who made it go on
await fire(end("aborted"));
await fire({ type: "session_shutdown", reason: "quit" });
console.log(JSON.stringify({ ...out, sent, told: told.length > 0 }));
process.exit(0);
