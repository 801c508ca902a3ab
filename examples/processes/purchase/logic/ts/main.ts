// The hooks of the purchase process. They compute; the profile decides.
import { createInterface } from "node:readline";

const LIMIT = 1000;

type Payload = Record<string, unknown>;
type Result = { status: "ok" | "error"; valid?: boolean; facts?: Payload; diagnostics?: string[] };
type Call = { hook_id: string; payload: Payload; call_id?: string };

function amount(value: unknown): number {
  if (typeof value !== "number") {
    throw new Error("there is no amount");
  }
  return value;
}

const hooks: Record<string, (payload: Payload) => Result> = {
  limit: (payload) => ({ status: "ok", facts: { over: amount(payload.amount) > LIMIT, limit: LIMIT } }),
  check_quote: (payload) => {
    const wrong: string[] = [];
    if (!payload.vendor) wrong.push("the vendor is missing");
    if (!(amount(payload.price ?? 0) > 0)) wrong.push("the price is not above zero");
    return { status: "ok", valid: wrong.length === 0, diagnostics: wrong };
  },
};

function answer(call: Call): Result {
  try {
    return hooks[call.hook_id](call.payload);
  } catch (e) {
    return { status: "error", valid: false, diagnostics: [`the payload cannot be used: ${(e as Error).message}`] };
  }
}

createInterface({ input: process.stdin }).on("line", (line: string) => {
  const call = JSON.parse(line) as Call;
  // The call's id, as the last field, lets one program serve many calls.
  process.stdout.write(JSON.stringify({ ...answer(call), call_id: call.call_id }) + "\n");
});
