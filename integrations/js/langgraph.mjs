// Trammel around a LangGraph agent:
//
//	const agent = createAgent({ model, tools, middleware: [...others, trammelMiddleware(new Trammel({ runtime: "langgraph" }))] });
//
// and, for a graph of your own, around its tools:
//
//	new ToolNode(guardTools(tools, trammel))

import { AIMessage, createMiddleware, HumanMessage, ToolMessage } from "langchain";
import { textOf } from "./trammel.mjs";

const REFUSED = "trammel_refused";

/**
 * A middleware for createAgent. It belongs at the end of the list: the last one
 * is nearest to the tool and sees the arguments that it will be called with.
 */
export function trammelMiddleware(trammel, { session: fallback } = {}) {
  const own = trammel.session(fallback);
  const sessionOf = (runtime) => sessionIn(trammel, runtime?.configurable, own);
  return createMiddleware({
    name: "Trammel",
    beforeAgent: {
      canJumpTo: ["end"],
      async hook(state, runtime) {
        // What has come since the model spoke last; a message with an id that is
        // there already takes its place.
        const since = state.messages.findLastIndex((message) => AIMessage.isInstance(message)) + 1;
        const messages = [];
        let refused;
        for (const message of state.messages.slice(since).filter((message) => HumanMessage.isInstance(message))) {
          const text = textOfContent(message.content);
          const judged = await sessionOf(runtime).prompt(text);
          const { id } = message;
          if (!judged.proceed) messages.push(new HumanMessage({ id, content: "[withheld by policy]" }));
          else if (judged.text !== text) messages.push(new HumanMessage({ id, content: replaceText(message.content, judged.text) }));
          refused ??= judged.reason;
        }
        if (refused === undefined) return { messages };
        return { messages: [...messages, new AIMessage({ content: refused, additional_kwargs: { [REFUSED]: true } })], jumpTo: "end" };
      },
    },
    wrapToolCall(request, handler) {
      const { toolCall } = request;
      return judgedCall(sessionOf(request.runtime), toolCall, (args) => handler({ ...request, toolCall: { ...toolCall, args } }));
    },
    afterAgent: {
      canJumpTo: ["model"],
      async hook(state, runtime) {
        const last = state.messages.at(-1);
        if (last?.additional_kwargs?.[REFUSED]) return;
        const { resume } = await sessionOf(runtime).stop(textOfContent(last?.content));
        if (resume !== undefined) return { messages: [new HumanMessage(resume)], jumpTo: "model" };
      },
    },
  });
}

/** Tools that ask Trammel before they run, for a ToolNode in a graph of your own. */
export function guardTools(tools, trammel, { session: fallback } = {}) {
  const own = trammel.session(fallback);
  return tools.map((tool) =>
    Object.create(tool, {
      invoke: {
        value(input, config) {
          const isCall = input?.type === "tool_call";
          const call = isCall ? input : { name: tool.name, args: input, id: config?.toolCall?.id };
          const session = sessionIn(trammel, config?.configurable, own);
          return judgedCall(session, { ...call, name: tool.name }, (args) => tool.invoke(isCall ? { ...input, args } : args, config));
        },
      },
    }),
  );
}

function sessionIn(trammel, configurable, own) {
  const thread = configurable?.thread_id;
  return typeof thread === "string" && thread !== "" ? trammel.session(thread) : own;
}

async function judgedCall(session, { id, name, args }, run) {
  const { denied, output, text } = await session.around({ id, name, input: args }, run, { text: outputText, passes: (error) => error?.is_bubble_up === true });
  const message = (content, status) => new ToolMessage({ content, name, tool_call_id: id ?? "", status });
  if (denied !== undefined) return message(denied, "error");
  return text === undefined ? output : message(text, output?.status ?? "success");
}

// outputText is what the model would see of a ToolMessage, or of the messages
// in a Command.
function outputText(output) {
  if (ToolMessage.isInstance(output)) return textOfContent(output.content);
  const messages = output?.update?.messages;
  return Array.isArray(messages) ? messages.map((m) => textOfContent(m?.content)).join("\n") : textOf(output);
}

function textOfContent(content) {
  if (!Array.isArray(content)) return textOf(content);
  return content.map((block) => (typeof block === "string" ? block : (block?.text ?? ""))).filter(Boolean).join("\n");
}

function replaceText(content, text) {
  if (!Array.isArray(content)) return text;
  return [{ type: "text", text }, ...content.filter((block) => typeof block === "object" && block.type !== "text")];
}
