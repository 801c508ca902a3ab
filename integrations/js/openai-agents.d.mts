import type { Agent, AgentInputItem, Runner } from "@openai/agents";
import type { Trammel } from "./trammel.mjs";

export interface GuardOptions {
  /** Names of tools that run where nothing can stand before them, and may be used all the same. */
  ungated?: string[];
  session?: string;
}

/** What run throws when a prompt is refused: the model has not seen it. */
export declare class PromptDenied extends Error {}

/** Puts Trammel before every function tool of an agent, in place, and returns the agent. */
export declare function guard<T extends Agent<any, any>>(agent: T, trammel: Trammel, options?: GuardOptions): T;

/** Runs agents with all of Trammel's events around them. */
export declare class GuardedRunner {
  constructor(trammel: Trammel, options?: { runner?: Runner; ungated?: string[] });
  run: Runner["run"];
}

export type { AgentInputItem };
