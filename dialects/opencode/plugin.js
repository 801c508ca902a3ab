
const BUS = ["session.created", "session.idle", "session.deleted", "session.error", "session.compacted"];

// opencode calls every function that is exported, so there is one only.
export const Trammel = async (ctx) => {
  const parentOf = new Map();
  const parents = (id) => {
    const chain = [];
    for (let up = parentOf.get(id); up && !chain.includes(up); up = parentOf.get(up)) chain.push(up);
    return chain;
  };
  const call = async (name, event, session, input, output) => {
    const at = { event, directory: ctx.directory, worktree: ctx.worktree, parents: parents(session) };
    const answer = await ask("opencode", name, { ...at, input, output });
    const message = answer.failed ?? answer.notice;
    if (message) {
      try {
        await ctx.client?.app?.log({ body: { service: "trammel", level: "warn", message } });
      } catch {}
    }
    return answer;
  };

  // That this plugin was loaded shows in the evidence.
  call("plugin.init", "plugin.init", "", { directory: ctx.directory, worktree: ctx.worktree }, null);

  return {
    event: async ({ event }) => {
      if (!BUS.includes(event.type)) return;
      const { sessionID, info } = event.properties ?? {};
      const id = sessionID ?? info?.id;
      if (info?.parentID) parentOf.set(id, info.parentID);
      const about = info && { id, parentID: info.parentID, directory: info.directory };
      await call(event.type, "event", id, { type: event.type, properties: { sessionID: id, info: about } }, null);
    },

    "chat.message": async (input, output) => {
      const { id, agent } = output.message ?? {};
      if ((input.agent ?? agent) === "title") return; // no person asked for it
      const parts = output.parts.map(({ type, text, synthetic }) => ({ type, text, synthetic }));
      const answer = await call("chat.message", "chat.message", input.sessionID, { sessionID: input.sessionID }, { message: { id, agent }, parts });
      if (answer.block) throw new Error(answer.reason);
      if (answer.context) {
        const last = output.parts.at(-1)?.id ?? "prt_trammel";
        output.parts.push({ id: last + "0", sessionID: input.sessionID, messageID: id, type: "text", text: answer.context, synthetic: true });
      }
    },

    "tool.execute.before": async (input, output) => {
      const { tool, sessionID, callID } = input;
      const answer = await call("tool.execute.before", "tool.execute.before", sessionID, { tool, sessionID, callID }, { args: output.args ?? {} });
      if (answer.failed || answer.block) throw new Error(answer.failed ?? answer.reason);
      if (answer.args) replace(output.args, answer.args);
    },

    "tool.execute.after": async (input, output) => {
      const { tool, sessionID, callID, args } = input;
      const plain = typeof output?.output === "string"; // tools of MCP servers have content instead
      let text = plain ? output.output : (output?.content ?? []).map((c) => c.text ?? "").join("\n");
      const answer = await call("tool.execute.after", "tool.execute.after", sessionID, { tool, sessionID, callID, args }, { output: text });
      if (answer.block) throw new Error(answer.reason);
      if (answer.output === undefined && !answer.context) return;
      text = answer.output ?? text;
      if (answer.context) text += "\n\n" + answer.context;
      if (plain) output.output = text;
      else output.content = [{ type: "text", text }];
    },
  };
};
