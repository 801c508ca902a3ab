// Loads a plugin as opencode does, lets one of each event happen, and prints
// what came of them.
import { pathToFileURL } from "node:url";

const exported = await import(pathToFileURL(process.argv[2]));
const log = [];
const ctx = { directory: "/p/sub", worktree: "/p", client: { app: { log: async ({ body }) => log.push(body.message) } } };
const hooks = await Object.values(exported)[0](ctx);
const attempt = async (f) => {
  try {
    await f();
  } catch (err) {
    return err.message;
  }
};

const args = { command: "ls", timeout: 5 };
const call = { args };
const after = { title: "t", output: "said", metadata: {} };
const mcp = { content: [{ type: "text", text: "said" }] };
const chat = { message: { id: "m", agent: "build" }, parts: [{ id: "prt_1", type: "text", text: "please" }] };
const title = { message: { id: "m", agent: "title" }, parts: [] };
const input = { tool: "bash", sessionID: "child", callID: "c" };

await hooks.event({ event: { type: "session.created", properties: { info: { id: "child", parentID: "root", directory: "/p" } } } });
await hooks.event({ event: { type: "message.updated", properties: {} } });
const out = {
  exports: Object.keys(exported).length,
  before: (await attempt(() => hooks["tool.execute.before"](input, call))) ?? "",
  args: call.args,
  inPlace: call.args === args,
  after: (await attempt(() => hooks["tool.execute.after"]({ ...input, args }, after))) ?? "",
  output: after.output,
  message: (await attempt(() => hooks["chat.message"]({ sessionID: "child" }, chat))) ?? "",
  parts: chat.parts,
};
await attempt(() => hooks["tool.execute.after"]({ ...input, args }, mcp));
out.content = mcp.content;
await attempt(() => hooks["chat.message"]({ sessionID: "child" }, title));
out.titleParts = title.parts.length;
out.logged = log.length > 0;
console.log(JSON.stringify(out));
process.exit(0); // as opencode does; a program that hangs must not keep it
