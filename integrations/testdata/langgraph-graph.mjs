// A graph of one's own: only its tools are guarded.
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { guardTools } from "@trammel/agents/langgraph";
import { tool } from "langchain";
import { z } from "zod";
import { Scripted } from "./chat.mjs";
import { play, runCommand, trammel } from "./play.mjs";

const model = new Scripted({});
const tools = [tool(runCommand, { name: "run", description: "runs a command", schema: z.object({ command: z.string() }) })];
const graph = new StateGraph(MessagesAnnotation)
  .addNode("model", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addNode("tools", new ToolNode(guardTools(tools, trammel("langgraph"))))
  .addEdge(START, "model")
  .addConditionalEdges("model", toolsCondition, ["tools", END])
  .addEdge("tools", "model")
  .compile();
await play(async (prompt) => (await graph.invoke({ messages: [{ role: "user", content: prompt }] })).messages.at(-1).content);
