import type { AgentMiddleware } from "langchain";
import type { Trammel } from "./trammel.mjs";

/** A middleware for createAgent. It belongs at the end of the list. A thread_id names the session. */
export declare function trammelMiddleware(trammel: Trammel, options?: { session?: string }): AgentMiddleware;

/** Tools that ask Trammel before they run, for a ToolNode in a graph of your own. */
export declare function guardTools<T extends { name: string }>(tools: T[], trammel: Trammel, options?: { session?: string }): T[];
