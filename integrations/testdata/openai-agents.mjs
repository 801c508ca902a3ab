import { Agent, MemorySession, Runner, setTracingDisabled, tool, Usage } from "@openai/agents";
import { GuardedRunner } from "@trammel/agents/openai-agents";
import { z } from "zod";
import { ended, play, runCommand, scenario, trammel, turn } from "./play.mjs";

setTracingDisabled(true);

const model = {
  async getResponse(request) {
    const next = turn(request.input);
    const output = next.call
      ? [{ type: "function_call", callId: next.id, name: next.tool ?? "run", arguments: next.raw ?? JSON.stringify(next.call), status: "completed" }]
      : [{ type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: next.text }] }];
    return { usage: new Usage(), output };
  },
  async *getStreamedResponse(request) {
    const { output } = await this.getResponse(request);
    yield { type: "response_done", response: { id: "r", usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 }, output } };
  },
};

const asInput = (prompt) => (scenario.messages ? scenario.messages.map((text) => ({ role: "user", content: text })) : prompt);
const run = { name: "run", description: "runs a command", parameters: z.object({ command: z.string() }), execute: runCommand, errorFunction: null };
const worker = new Agent({ name: "worker", model, tools: [tool(run)] });
let agent = worker;
if (scenario.hosted) worker.tools.push({ type: "hosted_tool", name: "code_interpreter", providerData: {} });
if (scenario.handoff) agent = new Agent({ name: "front", model, handoffs: [worker] });
if (scenario.mcp) {
  // A server of the model context protocol, as the SDK sees one.
  const inputSchema = { type: "object", properties: { command: { type: "string" } }, required: ["command"], additionalProperties: false };
  const server = {
    name: "commands",
    cacheToolsList: false,
    connect: async () => {},
    close: async () => {},
    listTools: async () => [{ name: "run", description: "runs a command", inputSchema }],
    callTool: async (_, args) => [{ type: "text", text: runCommand(args) }],
    invalidateToolsCache: async () => {},
  };
  agent = new Agent({ name: "server", model, mcpServers: [server] });
}
const runner = new GuardedRunner(trammel("openai-agents"), { runner: new Runner({ modelProvider: { getModel: () => model } }) });
// Without a session, each run is a conversation of its own.
const options = Array.isArray(scenario.prompt) ? { session: new MemorySession() } : {};
await play(async (prompt) => {
  if (!scenario.stream) return (await runner.run(agent, asInput(prompt), options)).finalOutput;
  const result = await runner.run(agent, asInput(prompt), { ...options, stream: true });
  await result.completed;
  await ended;
  return result.finalOutput;
});
