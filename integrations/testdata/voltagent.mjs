import { Agent, createTool } from "@voltagent/core";
import { guarded } from "@trammel/agents/voltagent";
import { simulateReadableStream } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { z } from "zod";
import { ended, play, runCommand, scenario, trammel, turn } from "./play.mjs";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const model = new MockLanguageModelV3({
  async doStream({ prompt }) {
    const next = turn(prompt);
    const parts = next.call
      ? [{ type: "tool-call", toolCallId: next.id, toolName: "run", input: JSON.stringify(next.call) }]
      : [{ type: "text-start", id: "1" }, { type: "text-delta", id: "1", delta: next.text }, { type: "text-end", id: "1" }];
    const finish = { type: "finish", finishReason: { unified: next.call ? "tool-calls" : "stop", raw: undefined }, usage };
    return { stream: simulateReadableStream({ chunks: [{ type: "stream-start", warnings: [] }, ...parts, finish] }) };
  },
  async doGenerate({ prompt }) {
    const next = turn(prompt);
    return {
      content: next.call ? [{ type: "tool-call", toolCallId: next.id, toolName: "run", input: JSON.stringify(next.call) }] : [{ type: "text", text: next.text }],
      finishReason: { unified: next.call ? "tool-calls" : "stop", raw: undefined },
      usage,
      warnings: [],
    };
  },
});

const agent = new Agent(
  guarded(
    {
      name: "tester",
      instructions: "You run commands.",
      model,
      memory: false,
      tools: [createTool({ name: "run", description: "runs a command", parameters: z.object({ command: z.string() }), execute: runCommand })],
    },
    trammel("voltagent"),
  ),
);
const asInput = (prompt) => (scenario.messages ? scenario.messages.map((content) => ({ role: "user", content })) : prompt);
// Hooks of a call must not take the place of ours.
const own = { hooks: { onToolStart() {}, onToolEnd() {}, onPrepareMessages: ({ messages }) => ({ messages }) } };
await play(async (prompt) => {
  if (!scenario.stream) return (await agent.generateText(asInput(prompt), own)).text;
  const text = await (await agent.streamText(asInput(prompt), own)).text;
  await ended;
  return text;
});
