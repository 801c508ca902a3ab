import type { AgentOptions } from "@voltagent/core";
import type { Trammel } from "./trammel.mjs";

export interface GuardedOptions {
  /** Names of tools that run at the provider, and may be used all the same. */
  ungated?: string[];
  session?: string;
}

/** The options of an agent, with Trammel in its hooks, guardrails and middlewares. */
export declare function guarded<T extends AgentOptions>(options: T, trammel: Trammel, guard?: GuardedOptions): T;
