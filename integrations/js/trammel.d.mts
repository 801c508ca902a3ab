/** What a call is about to do, as a person is asked about it. */
export interface Question {
  id?: string;
  name: string;
  input: Record<string, unknown>;
  reason?: string;
}

export interface TrammelOptions {
  /** Which framework reports, as `host` in configuration and evidence. */
  runtime?: string;
  /** Path of trammel-hook. Else $TRAMMEL_HOOK, else it is looked for on PATH. */
  program?: string;
  /** A server to ask instead of a program: http(s)://host:port or unix:/path. */
  server?: string;
  /** The token for the server. Else $TRAMMEL_TOKEN. A socket needs none. */
  token?: string;
  /** Milliseconds to wait. Else $FLOW_AGENTS_<RUNTIME>_HOOK_TIMEOUT_MS, else 30000. */
  timeout?: number;
  /** The project that the agent works on. Default: the working directory. */
  dir?: string;
  user?: string;
  agent?: string;
  model?: string;
  /** Asks a person where Trammel wants one to decide. Without it, ask means deny. */
  approve?: (question: Question) => boolean | Promise<boolean>;
  /** How often in a row a stop may be refused. Default: 8. */
  maxContinues?: number;
  /** Gets what is meant for the person. Default: stderr. */
  onNotice?: (text: string) => void;
  /** Gets told when Trammel could not be asked. Default: stderr. */
  onFailure?: (event: string, why: string) => void;
}

export type Decision = "none" | "allow" | "ask" | "deny";

export interface Finding {
  code?: string;
  severity?: string;
  target?: string;
}

export interface Verdict {
  decision: Decision;
  /** Whether the event may go on. */
  proceed: boolean;
  reason?: string;
  /** A patch of the tool's arguments. */
  input?: Record<string, unknown>;
  /** Replaces the tool's output. */
  output?: string;
  context: string[];
  notice?: string;
  granted?: boolean;
  canceled?: boolean;
  findings?: Finding[];
  /** Why Trammel could not be asked, if it could not. */
  failure?: string;
}

export interface Call {
  id?: string;
  name: string;
  input?: Record<string, unknown>;
}

export interface Outcome {
  output?: unknown;
  error?: unknown;
  /** performance.now() before the call. */
  started?: number;
}

export type Judged =
  | { proceed: false; reason: string }
  | { proceed: true; input: Record<string, unknown>; rewritten: boolean; context: string[] };

export type JudgedPrompt =
  | { proceed: false; reason: string }
  | { proceed: true; text: string; changed: boolean; context: string[] };

export interface About {
  agent?: string;
  agent_id?: string;
  parents?: string[];
  model?: string;
  user?: string;
  turn?: string;
}

export declare class Trammel {
  constructor(options?: TrammelOptions);
  readonly runtime: string;
  readonly dir: string;
  readonly timeout: number;
  session(id?: string, about?: About): Session;
  ask(event: string, parts?: Record<string, unknown>): Promise<Verdict>;
}

export declare class Session {
  constructor(trammel: Trammel, id: string, about: About);
  readonly id: string;
  begin(source?: string): Promise<string[]>;
  prompt(text: string): Promise<JudgedPrompt>;
  before(call: Call): Promise<Judged>;
  after(call: Call & { context?: string[] }, outcome: Outcome): Promise<{ text?: string }>;
  around<T>(call: Call, run: (input: Record<string, unknown>) => T | Promise<T>, how?: { text?: (output: T) => string; passes?: (error: unknown) => boolean }): Promise<{ denied: string } | { denied?: undefined; output: T; text?: string }>;
  stop(message?: unknown): Promise<{ resume?: string }>;
}

export declare function textOf(value: unknown): string;
export declare function withNotes(text: string, notes: string[]): string;
