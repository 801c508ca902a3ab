
const texts = (content) => (Array.isArray(content) ? content : [content]).map((c) => c?.text ?? (typeof c === "string" ? c : ""));

export default (pi) => {
  let active = false; // it was us who made the agent go on
  const tell = (ctx, text) => (ctx.hasUI ? ctx.ui.notify(text, "warning") : console.error(text));
  const call = async (event, ctx) => {
    const session = ctx.sessionManager?.getSessionId?.();
    const answer = await ask("pi", event.type, { event, cwd: ctx.cwd, session, hasUI: ctx.hasUI, mode: ctx.mode });
    const message = answer.failed ?? answer.notice;
    if (message) tell(ctx, message);
    return answer;
  };

  // The first event of a session shows in the evidence that this was loaded.
  for (const type of ["session_start", "session_shutdown"]) {
    pi.on(type, async (event, ctx) => void (await call({ type, reason: event.reason }, ctx)));
  }

  pi.on("input", async (event, ctx) => {
    if (event.source === "extension" && active) return; // our own follow-up: judged when it was made
    active = false;
    const answer = await call({ type: "input", text: event.text, source: event.source }, ctx);
    if (answer.block) {
      tell(ctx, answer.reason);
      return { action: "handled" };
    }
    if (answer.args) return { action: "transform", text: answer.args.prompt, images: event.images };
  });

  pi.on("before_agent_start", async (event, ctx) => {
    const answer = await call({ type: "before_agent_start", prompt: event.prompt }, ctx);
    if (answer.context) return { message: { customType: "trammel", content: answer.context, display: false } };
  });

  pi.on("tool_call", async (event, ctx) => {
    const { type, toolName, toolCallId, input } = event;
    const answer = await call({ type, toolName, toolCallId, input }, ctx);
    if (answer.failed || answer.block) return { block: true, reason: answer.failed ?? answer.reason };
    if (answer.args) replace(input, answer.args);
  });

  pi.on("tool_result", async (event, ctx) => {
    const { type, toolName, toolCallId, input, content, isError } = event;
    const said = content.filter((c) => c.type === "text");
    const answer = await call({ type, toolName, toolCallId, input, content: said, isError }, ctx);
    if (answer.block) return { content: [{ type: "text", text: answer.reason }], isError: true };
    if (answer.output === undefined && !answer.context) return;
    const now = answer.output === undefined ? [...content] : [{ type: "text", text: answer.output }];
    if (answer.context) now.push({ type: "text", text: answer.context });
    return { content: now, isError };
  });

  pi.on("agent_end", async (event, ctx) => {
    const last = event.messages.findLast((m) => m.role === "assistant");
    if (last?.stopReason === "aborted" || last?.stopReason === "error") return; // not an end that the agent chose
    const answer = await call({ type: "agent_end", text: texts(last?.content).join(""), active }, ctx);
    active = answer.continue !== undefined;
    if (active) await pi.sendUserMessage(answer.continue, { deliverAs: "followUp" });
  });
};
