/** Rewriting golden files: a case keeps its members and their order, and what it expects and did not come becomes what was seen. */

import { unifiedDiff } from "../../compiler/diff/text-diff.ts";
import { isObject, type Json, type JsonObject, setMember } from "../../compiler/json.ts";
import type { Mismatch } from "../../vm/testing/outcome.ts";
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

/**
 * The case with what was seen in place of what was expected and did not come. `replay`: the record that answers its calls
 * from now on.
 */
export function updatedCase(
  given: Json,
  observed: Observed,
  mismatches: readonly Mismatch[],
  replay: string | null,
): Json {
  if (!isObject(given)) return given;
  const recorded = replay === null ? given : withRecord(given, replay);
  const { expect } = recorded;
  const wrong = new Set(mismatches.map(({ what }) => what));
  if (!isObject(expect)) return withOutcome(recorded, observed, wrong);
  return replaced(recorded, "expect", withOutcome(expect, observed, wrong));
}

/** The record answers, so mocks are not needed any more. */
export function withRecord(given: JsonObject, replay: string): JsonObject {
  const { mocks: _, ...rest } = given;
  return replaced(rest, "replay", replay);
}

/** `wrong`: what differs, by the names of mismatches. */
function withOutcome(expect: JsonObject, observed: Observed, wrong: ReadonlySet<string>): JsonObject {
  const seen = outcomeMembers(expect, observed, wrong);
  const kept = Object.entries(expect).filter(([name]) => !OUTCOME.includes(name) || Object.hasOwn(seen, name));
  const updated: { [name: string]: Json } = {};
  for (const [name, value] of kept) setMember(updated, name, seen[name] ?? counterOf(name, value, observed, wrong));
  for (const [name, value] of Object.entries(seen)) setMember(updated, name, value);
  return updated;
}

const OUTCOME = ["ok", "result", "error", "diagnostics", "policy_errors"];

/** What must be said of this outcome, and what the case said before and can still say. What holds stays as it was put. */
function outcomeMembers(
  expect: JsonObject,
  observed: Observed,
  wrong: ReadonlySet<string>,
): { readonly [name: string]: Json } {
  const { ok, result, error, refused } = observed;
  const policy = [...observed.policyErrors];
  const holds = (name: string): boolean => Object.hasOwn(expect, name) && !wrong.has(name);
  const failure = holds("error") ? (expect["error"] ?? null) : null;
  return {
    ...("ok" in expect ? { ok } : {}),
    ...(ok ? { result } : { error: failure ?? error?.code ?? refused }),
    ...(ok && expect["error"] === null ? { error: null } : {}),
    ...diagnosticsOf(expect, observed, holds("diagnostics")),
    ...("policy_errors" in expect || policy.length > 0 ? { policy_errors: policy } : {}),
    ...(Object.hasOwn(expect, "calls") && !holds("calls") ? { calls: callsAs(expect["calls"] ?? null, observed) } : {}),
  };
}

function diagnosticsOf(expect: JsonObject, { diagnostics, refused }: Observed, holds: boolean): JsonObject {
  if (holds) return { diagnostics: expect["diagnostics"] ?? [] };
  if (!("diagnostics" in expect) && refused !== "compile_error") return {};
  return { diagnostics: diagnostics.map(findingText) };
}

/** With arguments where the case told them of some call. */
function callsAs(expected: Json, { calls }: Observed): Json {
  const told = Array.isArray(expected) && expected.some((one) => isObject(one));
  return calls.map(({ call, args }) => (told ? { call, args: [...args] } : call));
}

/** Bounds that do not hold become exact numbers; other members stay. */
function counterOf(name: string, value: Json, { usage }: Observed, wrong: ReadonlySet<string>): Json {
  if (name !== "usage" || !isObject(value) || usage === null) return value;
  const figures: Readonly<Record<string, Json>> = { ...usage };
  return Object.fromEntries(
    Object.entries(value).map(([figure, range]) => [
      figure,
      wrong.has(`usage.${figure}`) ? (figures[figure] ?? range) : range,
    ]),
  );
}

function replaced(holder: JsonObject, name: string, value: Json): JsonObject {
  const updated: { [name: string]: Json } = {};
  for (const [key, member] of Object.entries(holder)) setMember(updated, key, key === name ? value : member);
  setMember(updated, name, value);
  return updated;
}
