// Trammel around a VoltAgent agent:
//
//	const agent = new Agent(guarded({ name, model, tools }, new Trammel({ runtime: "voltagent" })));

import { textOf } from "./trammel.mjs";

class Denied extends Error {
  name = "Denied";
}

/**
 * The options of an agent, with Trammel in its hooks, guardrails and
 * middlewares. The agent's own come first, so that Trammel sees what they have
 * changed. Sub-agents are agents: each needs its own guarded.
 */
export function guarded(options, trammel, { ungated = [], session: id } = {}) {
  refuseUngated(options.tools, ungated);
  const own = trammel.session(id, { agent: options.name });
  const sessionOf = (context) => (context?.conversationId ? trammel.session(context.conversationId, { agent: options.name }) : own);
  const judged = new WeakMap(); // prompts, by operation: a retry is not a new one
  const running = new Map(); // calls that were let through, by call id
  const ended = new WeakSet(); // operations whose end was judged
  const hooks = options.hooks ?? {};
  return {
    ...options,
    maxMiddlewareRetries: (options.maxMiddlewareRetries ?? 0) + trammel.maxContinues,
    inputGuardrails: [
      ...(options.inputGuardrails ?? []),
      {
        id: "trammel",
        name: "Trammel",
        execution: "blocking",
        async handler({ context, input, inputText }) {
          const before = judged.get(context);
          const prompt = before?.asked === inputText ? before : { asked: inputText, ...(await sessionOf(context).prompt(inputText)) };
          judged.set(context, prompt);
          if (!prompt.proceed) return { pass: false, action: "block", message: prompt.reason };
          if (prompt.text === inputText) return { pass: true };
          if (prompt.changed && Array.isArray(input) && input.length > 1) return { pass: false, action: "block", message: "Trammel rewrites this prompt, and cannot do so in several messages: send one." };
          return { pass: true, action: "modify", modifiedInput: replaceText(input, prompt) };
        },
      },
    ],
    outputMiddlewares: [
      ...(options.outputMiddlewares ?? []),
      {
        id: "trammel",
        name: "Trammel",
        async handler({ context, output, abort }) {
          ended.add(context);
          const { resume } = await sessionOf(context).stop(output);
          if (resume !== undefined) abort(resume, { retry: true });
          return output;
        },
      },
    ],
    hooks: {
      ...hooks,
      async onToolStart(args) {
        await hooks.onToolStart?.(args);
        const call = { id: args.options?.toolContext?.callId, name: args.tool.name, input: args.args };
        const verdict = await sessionOf(args.context).before(call);
        if (!verdict.proceed) throw new Denied(verdict.reason);
        if (verdict.rewritten) assign(args.args, verdict.input);
        running.set(call.id, { ...call, input: verdict.input, context: verdict.context, started: performance.now() });
      },
      async onToolEnd(args) {
        const theirs = await hooks.onToolEnd?.(args);
        const call = running.get(args.options?.toolContext?.callId);
        if (args.error !== undefined || call === undefined) return theirs;
        running.delete(call.id);
        const output = theirs !== undefined && "output" in theirs ? theirs.output : args.output;
        const { text } = await sessionOf(args.context).after(call, { output, started: call.started });
        return text === undefined ? theirs : { output: text };
      },
      async onToolError(args) {
        if (args.originalError instanceof Denied) return { output: { error: true, message: args.originalError.message } };
        const theirs = await hooks.onToolError?.(args);
        const call = running.get(args.options?.toolContext?.callId);
        if (call === undefined) return theirs;
        running.delete(call.id);
        const { text } = await sessionOf(args.context).after(call, { output: theirs?.output, error: args.originalError, started: call.started });
        return text === undefined ? theirs : { output: { error: true, message: text } };
      },
      async onEnd(args) {
        await hooks.onEnd?.(args);
        // Streams have no output middleware: their end is reported, too late to refuse it.
        if (args.error === undefined && !ended.has(args.context)) await sessionOf(args.context).stop(args.output?.text ?? textOf(args.output?.object));
      },
    },
  };
}

// refuseUngated: a provider's tool runs at the provider, where nothing of ours
// can stand before it.
function refuseUngated(tools, ungated) {
  for (const tool of Array.isArray(tools) ? tools : []) {
    if (tool?.type === "provider" && !ungated.includes(tool.name)) throw new Error(`Trammel cannot stand before the provider's tool ${tool.name}: take it out, or name it in ungated`);
    refuseUngated(tool?.tools, ungated);
  }
}

// assign makes args the same as input, in place: the framework calls the tool
// with the object that its hooks saw.
function assign(args, input) {
  for (const [key, value] of Object.entries(input)) Object.defineProperty(args, key, { value, writable: true, enumerable: true, configurable: true });
}

// replaceText puts the judged text into the prompt. Of several messages the
// last one gets what there is to add.
function replaceText(input, prompt) {
  if (typeof input === "string") return prompt.text;
  const { parts, content, ...message } = input.at(-1);
  const key = parts === undefined ? "content" : "parts";
  const blocks = parts ?? (typeof content === "string" ? [{ type: "text", text: content }] : content);
  const text = (text) => ({ type: "text", text });
  const added = prompt.changed ? [text(prompt.text), ...blocks.filter((block) => block.type !== "text")] : [...blocks, ...prompt.context.map(text)];
  return input.with(-1, { ...message, [key]: added });
}
