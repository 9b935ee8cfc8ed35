/**
 * What a test program says about itself in comments (test/language/README.md lists the forms). This reads text only and knows
 * neither compiler nor machine; a comment that begins like an expectation but is invalid is a fault of the test program.
 */
import type { Json } from "../../compiler/json.ts";
import type { Severity } from "../../grammar/diagnostic.ts";
import { LIMIT_KEYS, type LimitKey } from "../../vm/run.ts";

export type ExpectedFinding = {
  readonly severity: Severity;
  readonly code: string;
  /** null: the program itself. */
  readonly file: string | null;
  /** null: anywhere. */
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string | null;
};

const FIGURES = ["steps", "calls", "depth", "time_ms", "frame_bytes", "loop_iters"] as const;
type Figure = (typeof FIGURES)[number];

export type RunExpectation =
  | { readonly kind: "result"; readonly value: Json }
  | { readonly kind: "run-error"; readonly code: string; readonly message: string | null }
  | { readonly kind: "limit"; readonly key: LimitKey }
  /** `L1/n2`: where the error is. */
  | { readonly kind: "place"; readonly label: string; readonly node: string }
  | { readonly kind: "stack"; readonly labels: readonly string[] }
  | { readonly kind: "data"; readonly member: string; readonly value: Json }
  | { readonly kind: "figure"; readonly figure: Figure; readonly value: number }
  /** The calls that reach adapters, in order: `cache.set ["store","k",1,60]`. Those of core and auth do not. */
  | { readonly kind: "call"; readonly target: string; readonly args: Json }
  /** Members of the trace event with this number. */
  | { readonly kind: "event"; readonly seq: number; readonly members: Json }
  | { readonly kind: "variable"; readonly name: string; readonly value: Json }
  | { readonly kind: "unset"; readonly name: string };

/** One run of the program. */
export type RunCase = {
  readonly name: string | null;
  readonly label: string | null;
  readonly frame: readonly (readonly [name: string, value: Json])[];
  readonly limits: Readonly<Partial<Record<LimitKey, number>>>;
  readonly allow: readonly string[] | null;
  readonly expected: readonly RunExpectation[];
};

export type Expectations = {
  readonly strict: boolean;
  readonly reachability: boolean;
  readonly entry: string | null;
  readonly findings: readonly ExpectedFinding[];
  /** Codes that must not be reported, hints included. */
  readonly absent: readonly string[];
  readonly cases: readonly RunCase[];
};

const OWN_LINE = /^\s*#\s*((?:expect|case|label|limit|allow|frame-value|loose|option)\b.*?)\s*$/;
const AFTER_STATEMENT = /\s#\s*(expect (?:error|warning|hint)\b.*?)\s*$/;
const FINDING = /^expect (error|warning|hint) (WF\d{4})(?: at (?:(\S+\.wf):)?(\d+)(?::(\d+))?)?(?:: (.+))?$/;

type Draft = {
  name: string | null;
  label: string | null;
  frame: [string, Json][];
  limits: Partial<Record<LimitKey, number>>;
  allow: readonly string[] | null;
  expected: RunExpectation[];
};

export function readExpectations(source: string): Expectations {
  const common = draft(null, null);
  const cases: Draft[] = [];
  const findings: ExpectedFinding[] = [];
  const absent: string[] = [];
  let strict = true;
  let reachability = false;
  let entry: string | null = null;
  for (const [index, line] of source.split(/\r?\n/).entries()) {
    const after = line.trimStart().startsWith("#") ? null : AFTER_STATEMENT.exec(line);
    if (after !== null) findings.push({ ...readFinding(after[1] ?? ""), line: index + 1 });
    const text = after === null ? OWN_LINE.exec(line)?.[1] : undefined;
    if (text === undefined) continue;
    const part = (pattern: RegExp): string | undefined => pattern.exec(text)?.[1];
    const name = part(/^case (.+)$/);
    if (name !== undefined) cases.push(draft(name, common));
    else if (text === "loose") strict = false;
    else if (text === "option reachability") reachability = true;
    else if (/^expect (error|warning|hint) /.test(text)) findings.push(readFinding(text));
    else if (text.startsWith("expect no ")) absent.push(part(/^expect no (WF\d{4})$/) ?? refuse(text));
    else if (text.startsWith("expect entry ")) entry = text.slice("expect entry ".length);
    else readRunComment(text, cases.at(-1) ?? common);
  }
  const runs = cases.length > 0 ? cases : [common];
  return { strict, reachability, entry, findings, absent, cases: runs };
}

/** A program must say something about itself: one that does not tests nothing. */
export function expectsSomething(all: Expectations): boolean {
  return all.findings.length > 0 || all.absent.length > 0 || all.cases.every((one) => one.expected.length > 0);
}

/** A case begins with what stands above the first `# case`. */
function draft(name: string | null, common: Draft | null): Draft {
  return {
    name,
    label: common?.label ?? null,
    frame: [...(common?.frame ?? [])],
    limits: { ...common?.limits },
    allow: common?.allow ?? null,
    expected: [...(common?.expected ?? [])],
  };
}

function readFinding(text: string): ExpectedFinding {
  const [, severity, code, file, line, column, message] = FINDING.exec(text) ?? refuse(text);
  return {
    severity: severity as Severity,
    code: code ?? refuse(text),
    file: file ?? null,
    line: line === undefined ? null : Number(line),
    column: column === undefined ? null : Number(column),
    message: message ?? null,
  };
}

function readRunComment(text: string, into: Draft): void {
  const expected = readRunExpectation(text);
  if (expected !== null) {
    into.expected.push(expected);
    return;
  }
  const label = /^label (\S+)$/.exec(text);
  const limit = /^limit (\w+) = (-?\d+)$/.exec(text);
  const value = /^frame-value: (\S+) = (.+)$/.exec(text);
  const allow = /^allow(?: (.+))?$/.exec(text);
  if (label !== null) into.label = label[1] ?? null;
  else if (limit !== null) into.limits[limitKey(limit[1] ?? "")] = Number(limit[2]);
  else if (value !== null) into.frame.push([value[1] ?? "", json(value[2] ?? "")]);
  else if (allow !== null) into.allow = (allow[1] ?? "").split(" ").filter((name) => name !== "");
  else refuse(text);
}

function readRunExpectation(text: string): RunExpectation | null {
  const result = /^expect: (.+)$/.exec(text);
  if (result !== null) return { kind: "result", value: json(result[1] ?? "") };
  const [, word = "", rest = ""] = /^expect ([\w-]+)(?: (.+))?$/.exec(text) ?? [];
  const [, name = "", value = ""] = /^(\S+) = (.+)$/.exec(rest) ?? [];
  const figure = FIGURES.find((one) => one === word);
  const figureValue = /^= (\d+)$/.exec(rest)?.[1];
  if (figure !== undefined && figureValue !== undefined) return { kind: "figure", figure, value: Number(figureValue) };
  switch (word) {
    case "run-error": {
      const [, code, message] = /^(RUNTIME_\w+)(?:: (.+))?$/.exec(rest) ?? refuse(text);
      return { kind: "run-error", code: code ?? "", message: message ?? null };
    }
    case "limit":
      return { kind: "limit", key: limitKey(rest) };
    case "place": {
      const [, label = "", node = ""] = /^(\S+)\/(n\d+|-)$/.exec(rest) ?? refuse(text);
      return { kind: "place", label, node };
    }
    case "stack":
      return { kind: "stack", labels: rest.split(" ") };
    case "data":
      return { kind: "data", member: name, value: json(value) };
    case "call": {
      const [, target = "", args = ""] = /^(\w+\.\w+) (\[.*\])$/.exec(rest) ?? refuse(text);
      return { kind: "call", target, args: json(args) };
    }
    case "event":
      return { kind: "event", seq: /^\d+$/.test(name) ? Number(name) : refuse(text), members: json(value) };
    case "variable":
      return { kind: "variable", name, value: json(value) };
    case "unset":
      return { kind: "unset", name: rest };
    default:
      return text.startsWith("expect") ? refuse(text) : null;
  }
}

function limitKey(word: string): LimitKey {
  return LIMIT_KEYS.find((key) => key === word) ?? refuse(`limit ${word}`);
}

function json(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return refuse(text);
  }
}

function refuse(text: string): never {
  throw new Error(`the test program has an invalid expectation: # ${text}`);
}
