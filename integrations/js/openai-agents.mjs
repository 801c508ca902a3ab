// Trammel around agents of the OpenAI Agents SDK:
//
//	const runner = new GuardedRunner(new Trammel({ runtime: "openai-agents" }));
//	const result = await runner.run(agent, "…");
//
// guard alone, without the runner, judges tool calls and nothing else.

import { AsyncLocalStorage } from "node:async_hooks";
import { Runner } from "@openai/agents";

const current = new AsyncLocalStorage();
const agents = new WeakMap(); // guarded agents, and who guards them
const tools = new WeakMap(); // guarded tools, and their own invoke

/** What run throws when a prompt is refused: the model has not seen it. */
export class PromptDenied extends Error {
  name = "PromptDenied";
}

/**
 * Puts Trammel before every function tool of an agent, those of its MCP servers
 * and of the agents that it hands off to included, and returns the agent. It is
 * changed in place, so that nobody holds an unguarded one. A tool that runs
 * elsewhere, where nothing can stand before it, makes the run fail unless its
 * name is in ungated.
 */
export function guard(agent, trammel, { ungated = [], session: id } = {}) {
  if (agents.has(agent)) {
    if (agents.get(agent) !== trammel) throw new Error(`agent ${agent.name} is guarded by another Trammel`);
    return agent;
  }
  if ("capabilities" in agent) throw new Error(`agent ${agent.name} runs in a sandbox of the SDK, whose tools cannot be guarded`);
  agents.set(agent, trammel);
  const own = trammel.session(id, { agent: agent.name });
  const all = agent.getAllTools.bind(agent);
  agent.getAllTools = async (...args) => (await all(...args)).map((tool) => guardTool(tool, own, ungated));
  const handoffs = agent.getEnabledHandoffs.bind(agent);
  agent.getEnabledHandoffs = async (...args) => (await handoffs(...args)).map((handoff) => guardHandoff(handoff, trammel, { ungated, session: id }));
  return agent;
}

/** Runs agents with all of Trammel's events around them. */
export class GuardedRunner {
  #trammel;
  #runner;
  #ungated;

  constructor(trammel, { runner = new Runner(), ungated = [] } = {}) {
    this.#trammel = trammel;
    this.#runner = runner;
    this.#ungated = ungated;
  }

  async run(agent, input, options = {}) {
    guard(agent, this.#trammel, { ungated: this.#ungated });
    const session = this.#trammel.session(await sessionId(options), { agent: agent.name });
    return current.run(session, () => this.#run(session, agent, input, options));
  }

  async #run(session, agent, input, options) {
    let next = isState(input) ? input : await judgedInput(session, input);
    for (;;) {
      const result = await this.#runner.run(agent, next, options);
      if (options.stream) {
        // What has been streamed is out: the end can be seen, not prevented.
        result.completed.then(() => session.stop(result.finalOutput), () => {});
        return result;
      }
      if (result.interruptions?.length > 0) return result; // it waits for a person
      const { resume } = await session.stop(result.finalOutput);
      if (resume === undefined) return result;
      const message = { role: "user", content: resume };
      const kept = options.session ?? options.conversationId ?? options.previousResponseId;
      next = kept === undefined ? [...result.history, message] : [message];
      if (options.previousResponseId !== undefined) options = { ...options, previousResponseId: result.lastResponseId };
      agent = result.lastAgent ?? agent;
    }
  }
}

function guardTool(tool, own, ungated) {
  if (tool.type !== "function") {
    if (ungated.includes(tool.name)) return tool;
    throw new Error(`Trammel cannot stand before the ${tool.type} ${tool.name}: take it out, or name it in ungated`);
  }
  if (tools.has(tool)) return tool;
  const invoke = tool.invoke;
  tools.set(tool, invoke);
  tool.invoke = async (context, text, details) => {
    const session = current.getStore() ?? own;
    const call = { id: details?.toolCall?.callId, name: tool.name, input: parsed(text) };
    const { denied, output, text: shown } = await session.around(call, (input) => invoke.call(tool, context, input === call.input ? text : JSON.stringify(input), details));
    return denied ?? shown ?? output;
  };
  return tool;
}

function guardHandoff(handoff, trammel, options) {
  if (tools.has(handoff)) return handoff;
  const invoke = handoff.onInvokeHandoff;
  tools.set(handoff, invoke);
  handoff.onInvokeHandoff = async (...args) => guard(await invoke.apply(handoff, args), trammel, options);
  return handoff;
}

// parsed gives the arguments as the SDK will read them. What is no JSON stays a
// text, which Trammel refuses.
function parsed(text) {
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch {
    return text;
  }
}

// judgedInput judges what the user has said since the model spoke last.
async function judgedInput(session, input) {
  if (typeof input === "string") return judgedText(session, input);
  const items = [...input];
  for (let at = items.findLastIndex((item) => item.role === "assistant") + 1; at < items.length; at++) {
    const { role, content } = items[at];
    if (role !== "user") continue;
    const parts = typeof content === "string" ? [{ type: "input_text", text: content }] : content;
    const text = parts.map((part) => part.text ?? "").filter(Boolean).join("\n");
    const judged = await judgedText(session, text);
    if (judged !== text) items[at] = { ...items[at], content: [{ type: "input_text", text: judged }, ...parts.filter((part) => part.type !== "input_text")] };
  }
  return items;
}

async function judgedText(session, text) {
  const judged = await session.prompt(text);
  if (!judged.proceed) throw new PromptDenied(judged.reason);
  return judged.text;
}

async function sessionId(options) {
  return (await options.session?.getSessionId?.()) ?? options.conversationId;
}

function isState(input) {
  return typeof input !== "string" && !Array.isArray(input);
}
