import { trammelMiddleware } from "@trammel/agents/langgraph";
import { createAgent, tool } from "langchain";
import { z } from "zod";
import { Scripted } from "./chat.mjs";
import { play, runCommand, scenario, trammel } from "./play.mjs";

const agent = createAgent({
  model: new Scripted({}),
  tools: [tool(runCommand, { name: "run", description: "runs a command", schema: z.object({ command: z.string() }) })],
  middleware: [trammelMiddleware(trammel("langgraph"))],
});
await play(async (prompt) => (await agent.invoke({ messages: (scenario.messages ?? [prompt]).map((content) => ({ role: "user", content })) }, { configurable: { thread_id: "t1" } })).messages.at(-1).content);
