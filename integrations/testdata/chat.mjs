// The scripted model, as a chat model of LangChain.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "langchain";
import { turn } from "./play.mjs";

export class Scripted extends BaseChatModel {
  _llmType() {
    return "scripted";
  }
  bindTools() {
    return this;
  }
  async _generate(messages) {
    const next = turn(messages.map((m) => m.toDict()));
    const message = next.call ? new AIMessage({ content: "", tool_calls: [{ id: next.id, name: "run", args: next.call }] }) : new AIMessage(next.text);
    return { generations: [{ text: next.text ?? "", message }] };
  }
}
