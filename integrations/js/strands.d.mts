import type { Plugin } from "@strands-agents/sdk";
import type { Trammel } from "./trammel.mjs";

/** A plugin for one agent. Its conversation is one session of Trammel. */
export declare function trammelPlugin(trammel: Trammel, options?: { session?: string }): Plugin;
