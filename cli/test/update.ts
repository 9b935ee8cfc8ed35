/** Rewriting golden files: a case keeps its members and their order, and what it expects becomes what was seen. */
import { type Json, type JsonObject, setMember } from "../../compiler/json.ts";
import { isObject } from "../../vm/values.ts";
import { unifiedDiff } from "../output/diff.ts";
import { findingText } from "./judge.ts";
import type { Observed } from "./run-case.ts";
import type { GoldenFile } from "./test-case.ts";

export type Rewrite = { readonly file: string; readonly text: string; readonly diff: string };

/** `changed`: cases of the file by number, as they are to be. */
export function rewriteGolden(file: string, golden: GoldenFile, changed: ReadonlyMap<number, Json>): Rewrite {
  const cases = golden.raw.map((one, at) => changed.get(at) ?? one);
  const shown = (list: readonly Json[]): string => `${JSON.stringify(golden.list ? list : list[0], null, 2)}\n`;
  const text = shown(cases);
  return { file, text, diff: unifiedDiff(shown(golden.raw), text, file, "updated") };
}

/** The case with what was seen in place of what was expected. `replay`: the record that answers its calls from now on. */
export function updatedCase(given: Json, observed: Observed, replay: string | null): Json {
  if (!isObject(given)) return given;
  const recorded = replay === null ? given : withRecord(given, replay);
  const { expect } = recorded;
  if (!isObject(expect)) return withOutcome(recorded, observed);
  return replaced(recorded, "expect", withOutcome(expect, observed));
}

/** The record answers, so mocks are not needed any more. */
export function withRecord(given: JsonObject, replay: string): JsonObject {
  const { mocks: _, ...rest } = given;
  return replaced(rest, "replay", replay);
}

function withOutcome(expect: JsonObject, observed: Observed): JsonObject {
  const seen = outcomeMembers(expect, observed);
  const kept = Object.entries(expect).filter(([name]) => !OUTCOME.includes(name) || Object.hasOwn(seen, name));
  const updated: { [name: string]: Json } = {};
  for (const [name, value] of kept) setMember(updated, name, seen[name] ?? counterOf(name, value, observed));
  for (const [name, value] of Object.entries(seen)) setMember(updated, name, value);
  return updated;
}

const OUTCOME = ["ok", "result", "error", "diagnostics", "policy_errors"];

/** What must be said of this outcome, and what the case said before and can still say. */
function outcomeMembers(expect: JsonObject, observed: Observed): { readonly [name: string]: Json } {
  const { ok, result, error, refused } = observed;
  const findings = observed.diagnostics.map(findingText);
  const policy = [...observed.policyErrors];
  return {
    ...("ok" in expect ? { ok } : {}),
    ...(ok ? { result } : { error: error?.code ?? refused }),
    ...(ok && expect["error"] === null ? { error: null } : {}),
    ...("diagnostics" in expect || refused === "compile_error" ? { diagnostics: findings } : {}),
    ...("policy_errors" in expect || policy.length > 0 ? { policy_errors: policy } : {}),
    ...("calls" in expect ? { calls: observed.calls.map(({ call }) => call) } : {}),
  };
}

/** Figures become exact; what is no figure stays. */
function counterOf(name: string, value: Json, { usage }: Observed): Json {
  if (name !== "usage" || !isObject(value) || usage === null) return value;
  const figures: Readonly<Record<string, Json>> = { ...usage };
  return Object.fromEntries(Object.keys(value).map((figure) => [figure, figures[figure] ?? value[figure] ?? null]));
}

function replaced(holder: JsonObject, name: string, value: Json): JsonObject {
  const updated: { [name: string]: Json } = {};
  for (const [key, member] of Object.entries(holder)) setMember(updated, key, key === name ? value : member);
  setMember(updated, name, value);
  return updated;
}
