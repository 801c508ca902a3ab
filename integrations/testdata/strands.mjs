import { Agent, Model, tool } from "@strands-agents/sdk";
import { trammelPlugin } from "@trammel/agents/strands";
import { z } from "zod";
import { play, runCommand, scenario, trammel, turn } from "./play.mjs";

class Scripted extends Model {
  updateConfig() {}
  getConfig() {
    return { modelId: "scripted" };
  }
  async *stream(messages) {
    const next = turn(messages);
    yield { type: "modelMessageStartEvent", role: "assistant" };
    if (next.call) {
      yield { type: "modelContentBlockStartEvent", start: { type: "toolUseStart", name: "run", toolUseId: next.id } };
      yield { type: "modelContentBlockDeltaEvent", delta: { type: "toolUseInputDelta", input: JSON.stringify(next.call) } };
    } else {
      yield { type: "modelContentBlockStartEvent" };
      yield { type: "modelContentBlockDeltaEvent", delta: { type: "textDelta", text: next.text } };
    }
    yield { type: "modelContentBlockStopEvent" };
    yield { type: "modelMessageStopEvent", stopReason: next.call ? "toolUse" : "endTurn" };
  }
}

const agent = new Agent({
  model: new Scripted(),
  printer: false,
  tools: [tool({ name: "run", description: "runs a command", inputSchema: z.object({ command: z.string() }), callback: runCommand })],
  plugins: [trammelPlugin(trammel("strands"))],
});
const asInput = (prompt) => (scenario.messages ? scenario.messages.map((text) => ({ role: "user", content: [{ text }] })) : prompt);
await play(async (prompt) => (await agent.invoke(asInput(prompt))).toString());
