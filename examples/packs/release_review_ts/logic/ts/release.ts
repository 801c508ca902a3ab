// What the hooks compute. Change this to fit your process.
export interface Entry {
  kind: string;
  text: string;
}

export interface Payload {
  weekday?: string;
  freeze?: boolean;
  version?: string;
  entries?: Entry[];
}

export type Result =
  | { status: "ok"; valid?: boolean; diagnostics?: string[]; facts?: Record<string, unknown>; rendered?: string }
  | { status: "error"; valid: false; diagnostics: string[] };

const days: ReadonlySet<string> = new Set(["monday", "tuesday", "wednesday", "thursday"]);

export function window(payload: Payload): Result {
  const day = (payload.weekday ?? "").toLowerCase();
  if (payload.freeze) return facts(false, "a freeze is on");
  if (days.has(day)) return facts(true, `${day} is a day for releases`);
  return facts(false, `${day || "an unknown day"} is not a day for releases`);
}

function facts(open: boolean, why: string): Result {
  return { status: "ok", facts: { open, why } };
}

export function validate(payload: Payload): Result {
  const diagnostics: string[] = [];
  const missing: (keyof Payload)[] = [];
  if (!/^\d+\.\d+\.\d+$/.test(payload.version ?? "")) {
    diagnostics.push("version is not of the form 1.2.3");
    missing.push("version");
  }
  if (!payload.entries?.length) {
    diagnostics.push("there are no entries");
    missing.push("entries");
  }
  // An artifact that is not valid is a result like any other: the status is ok.
  return { status: "ok", valid: missing.length === 0, diagnostics, facts: { missing } };
}

export function render(payload: Payload): Result {
  const lines = (payload.entries ?? []).map((e: Entry) => `* ${e.kind}: ${e.text}`);
  return { status: "ok", rendered: `# ${payload.version ?? ""}\n\n${lines.join("\n")}\n` };
}
