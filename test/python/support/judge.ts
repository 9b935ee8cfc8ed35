/** Compares what Weft makes of a program with what CPython made of it. */
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { findAdapter, findVerb } from "../../../compiler/catalog.ts";
import type { Json } from "../../../compiler/json.ts";
import { plainAdapter } from "../../../vm/calls/plain-adapter.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import type { Host } from "../../../vm/host.ts";
import VERBS from "../oracle/verbs.json" with { type: "json" };
import type { Case, CaseRun, Recorded, Refusal, ScriptedAnswer } from "./case-files.ts";
import { sameText } from "./json-texts.ts";
import { type Compiled, compiled, hostWith, type Ran, ran } from "./weft.ts";

/**
 * From the best to the gravest. `not exact`: the run ended with RUNTIME_NOT_EXACT. `failed`: it
 * failed otherwise, where CPython has a value or where the failure names no class. `wrong`: another value, another class, another call.
 */
export const VERDICTS = ["right", "refused", "not exact", "failed", "wrong"] as const;
export type Verdict = (typeof VERDICTS)[number];
export type Judged = { readonly verdict: Verdict; readonly why: string };

const RIGHT: Judged = { verdict: "right", why: "" };
const NOT_EXACT = "RUNTIME_NOT_EXACT";
const SURPLUS = /^\w+\(\) got an unexpected keyword argument/;
const SHOWN = 160;

export async function judge(one: Case, host: Host): Promise<Judged> {
  let made: Compiled;
  try {
    made = compiled(one.source, one.files);
  } catch (error) {
    return { verdict: "wrong", why: `compile throws ${error instanceof Error ? error.message : String(error)}` };
  }
  if ("refused" in made) return refused(made.refused, one);
  let worst = RIGHT;
  for (const run of one.runs) {
    const judged = await judgeRun(made.ir, run, one.refusal, host);
    if (VERDICTS.indexOf(judged.verdict) > VERDICTS.indexOf(worst.verdict)) worst = judged;
  }
  return worst;
}

function refused(findings: Extract<Compiled, { refused: unknown }>["refused"], one: Case): Judged {
  const said = findings.map(({ code, message, line }) => `${line}: ${code} ${message}`);
  const why = `${said[0] ?? "no finding"}${said.length > 1 ? ` (and ${said.length - 1} more)` : ""}`;
  if (one.runs.every(({ recorded }) => recorded.raises === "SyntaxError" || recorded.inexact !== undefined))
    return RIGHT;
  if (one.refusal === null) return { verdict: "refused", why };
  const isThere = findings.some(({ line }) => one.refusal?.lines.includes(line));
  return isThere ? RIGHT : { verdict: "refused", why: `not at line ${one.refusal.lines.join(" or ")}: ${why}` };
}

async function judgeRun(
  ir: Parameters<typeof ran>[1],
  run: CaseRun,
  refusal: Refusal | null,
  plainHost: Host,
): Promise<Judged> {
  const script = run.script === null ? null : new Script(run.script);
  let got: Ran;
  try {
    got = await ran(script === null ? plainHost : script.host(), ir, run.frame);
  } catch (error) {
    return { verdict: "wrong", why: `run throws ${error instanceof Error ? error.message : String(error)}` };
  }
  const calls = script?.difference(run.recorded) ?? null;
  if (refusal !== null) return unrefused(refusal, got, calls);
  const judged = compared(run.recorded, got);
  if (calls === null || judged.verdict === "wrong") return judged;
  return { verdict: "wrong", why: judged.why === "" ? calls : `${calls}; ${judged.why}` };
}

/** A program that must be refused ran: only a failure of the named class will do. */
function unrefused(refusal: Refusal, got: Ran, calls: string | null): Judged {
  if (got.kind === "failed" && got.exception !== null && got.exception === refusal.orRaises && calls === null)
    return RIGHT;
  const what = got.kind === "value" ? `gives ${shown(got.value)}` : `fails with ${got.exception ?? got.code}`;
  return { verdict: got.kind === "value" ? "wrong" : "failed", why: `must be refused; ${what}` };
}

/** What one run came to next to what CPython recorded. */
export function compared(recorded: Recorded, got: Ran): Judged {
  const wanted =
    recorded.value !== undefined
      ? shown(recorded.value)
      : `${recorded.raises ?? "NOT_EXACT"} ${recorded.message ?? ""}`;
  if (got.kind === "failed") {
    const why = `${got.code} ${got.exception ?? ""} ${got.message}, wanted ${wanted}`;
    if (got.code === NOT_EXACT) return recorded.inexact === undefined ? { verdict: "not exact", why } : RIGHT;
    if (recorded.raises === undefined || got.exception === null) return { verdict: "failed", why };
    return got.exception === recorded.raises ? RIGHT : { verdict: "wrong", why };
  }
  const why = `gives ${shown(got.text)}, wanted ${wanted}`;
  // A member of the inputs that no parameter takes is a warning (docs/programs.md).
  if (SURPLUS.test(recorded.message ?? "")) return RIGHT;
  if (recorded.value === undefined) return { verdict: "wrong", why };
  if (!sameText(recorded.value, got.text)) return { verdict: "wrong", why };
  const prints = recorded.prints ?? "";
  if (got.prints === prints) return RIGHT;
  return { verdict: "wrong", why: `prints ${shown(got.prints)}, wanted ${shown(prints)}` };
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** Adapters that answer as scripted and remember their calls. */
class Script {
  readonly #left: ScriptedAnswer[];
  readonly #calls: string[] = [];

  constructor(script: readonly ScriptedAnswer[]) {
    this.#left = [...script];
  }

  host(): Host {
    return hostWith(
      new Map(
        Object.keys(VERBS).map((adapter) => {
          const fallback = (verb: string) => (args: readonly Json[]) => this.#answer(adapter, verb, args);
          return [adapter, plainAdapter(adapter, {}, { concurrent: true, fallback })];
        }),
      ),
    );
  }

  #answer(adapter: string, verb: string, args: readonly Json[]): Json {
    const call = `${adapter}.${verb}`;
    const key = keyOf(call, args);
    this.#calls.push(key);
    const index = this.#left.findIndex((entry) => keyOf(entry[0], entry[1]) === key);
    if (index < 0) throw new AdapterError("ADAPTER_FAILED", "the script has no answer", { retryable: false });
    const outcome = this.#left.splice(index, 1)[0]?.[2];
    if (outcome === undefined || "answer" in outcome) return structuredClone(outcome?.answer ?? null) as Json;
    const { code, message, details, status, retryable = false } = outcome.error;
    const data = { ...details, ...(status === null || status === undefined ? {} : { status }) };
    throw new AdapterError(code as "ADAPTER_FAILED", message, { retryable, data: data as Record<string, Json> });
  }

  /** The first call that CPython did not make, or made otherwise. */
  difference(recorded: Recorded): string | null {
    const wanted = (recorded.calls ?? []).map(([call, args]) => keyOf(call, args));
    const made = [...this.#calls];
    if (recorded.unordered === true) {
      wanted.sort();
      made.sort();
    }
    for (let index = 0; index < Math.max(wanted.length, made.length); index += 1) {
      if (wanted[index] === made[index]) continue;
      return `call ${index + 1} is ${shown(made[index] ?? "missing")}, wanted ${shown(wanted[index] ?? "none")}`;
    }
    return null;
  }
}

/** Optional arguments that hold data: an object in their place is not a set of options. */
const DATA: ReadonlySet<string> = new Set("body content params payload value data filter object details".split(" "));

/**
 * The same for calls that mean the same: arguments by their names in the catalog, options among them wherever they stand; nulls are left out,
 * members are sorted.
 */
function keyOf(call: string, args: readonly unknown[]): string {
  const [adapter = "", verb = ""] = call.split(".");
  const entry = findAdapter(builtinCatalog, adapter);
  const parameters = (entry === undefined ? undefined : findVerb(entry, verb)?.parameters) ?? [];
  const named: { [name: string]: unknown } = {};
  for (const [at, value] of args.entries()) {
    const parameter = parameters[at];
    const isOptions = parameter?.optional === true && !DATA.has(parameter.name) && at === args.length - 1;
    if (isOptions && typeof value === "object" && value !== null && !Array.isArray(value)) Object.assign(named, value);
    else named[parameter?.name ?? `argument ${at}`] = value;
  }
  return `${call.toLowerCase().replaceAll("_", "")} ${JSON.stringify(sorted(named))}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
