// Trammel around an agent of AWS Strands:
//
//	const agent = new Agent({ model, tools, plugins: [trammelPlugin(new Trammel({ runtime: "strands" }))] });

import {
  AfterInvocationEvent,
  AfterToolCallEvent,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  MessageAddedEvent,
  TextBlock,
  ToolResultBlock,
} from "@strands-agents/sdk";
import { textOf } from "./trammel.mjs";

// Messages are judged before any other hook keeps them, calls and outputs after
// every other hook has changed them.
const FIRST = { order: Number.MIN_SAFE_INTEGER };
const LAST = { order: Number.MAX_SAFE_INTEGER };

/** A plugin for one agent. Its conversation is one session of Trammel. */
export function trammelPlugin(trammel, { session: id } = {}) {
  return {
    name: "trammel",
    initAgent(agent) {
      const session = trammel.session(id, { agent: agent.name, agent_id: agent.id });
      const running = new Map(); // calls that were let through, by tool use id
      let refused; // why the prompt was refused
      let resumed; // what made the agent go on: not a person's prompt

      agent.addHook(
        MessageAddedEvent,
        async ({ message }) => {
          if (message.role !== "user" || message.content.some((block) => block.type === "toolResultBlock")) return;
          const text = textIn(message.content);
          if (text === resumed) {
            resumed = undefined;
            return;
          }
          const judged = await session.prompt(text);
          if (!judged.proceed) {
            refused = judged.reason;
            message.content.splice(0, Infinity, new TextBlock("[withheld by policy]"));
          } else if (judged.text !== text) replaceText(message.content, judged.text);
        },
        FIRST,
      );
      agent.addHook(
        BeforeModelCallEvent,
        (event) => {
          if (refused !== undefined) event.cancel = refused;
        },
        LAST,
      );
      agent.addHook(
        BeforeToolCallEvent,
        async (event) => {
          const { toolUse } = event;
          if (event.cancel) return;
          const call = { id: toolUse.toolUseId, name: event.selectedTool?.name ?? toolUse.name, input: toolUse.input };
          const judged = await session.before(call);
          if (!judged.proceed) {
            event.cancel = judged.reason;
            return;
          }
          if (judged.rewritten) event.toolUse = { ...toolUse, input: judged.input };
          running.set(call.id, { ...call, input: judged.input, context: judged.context, started: performance.now() });
        },
        LAST,
      );
      agent.addHook(
        AfterToolCallEvent,
        async (event) => {
          const call = running.get(event.toolUse.toolUseId);
          if (call === undefined) return; // it never ran
          running.delete(call.id);
          const { result } = event;
          const output = textIn(result.content);
          const error = result.status === "error" ? (event.error ?? output) : undefined;
          const { text } = await session.after(call, { output, error, started: call.started });
          if (text === undefined) return;
          event.result = new ToolResultBlock({ toolUseId: result.toolUseId, status: result.status, content: [new TextBlock(text)] });
        },
        LAST,
      );
      agent.addHook(
        AfterInvocationEvent,
        async (event) => {
          resumed = undefined;
          if (refused !== undefined) {
            refused = undefined;
            return;
          }
          const last = agent.messages.at(-1);
          if (last?.role !== "assistant" || last.content.some((block) => block.type === "toolUseBlock")) return; // interrupted, not ended
          const { resume } = await session.stop(textIn(last.content));
          if (resume !== undefined) event.resume = resumed = resume;
        },
        LAST,
      );
    },
  };
}

function textIn(content) {
  return content.map((block) => block.text ?? (block.type === "jsonBlock" ? textOf(block.json) : "")).filter(Boolean).join("\n");
}

function replaceText(content, text) {
  const others = content.filter((block) => block.type !== "textBlock");
  content.splice(0, Infinity, new TextBlock(text), ...others);
}
