/** Runs one case of `test/cases/run.json` or `run-more.json` through an executor. */
import { readFileSync } from "node:fs";
import { builtinAdapters } from "../../compiler/catalog/builtin.ts";
import { type AdapterCatalog, createCatalog } from "../../compiler/catalog.ts";
import { compile } from "../../compiler/compile.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { LIMIT_KEYS, type LimitKey, type Limits, type Outcome } from "../../vm/run.ts";
import { type ExecutorName, executor } from "./executors.ts";
import { fakeClock, fakeFacts, mockAdapters, mockExt } from "./mock-adapters.ts";

export type RunCase = {
  readonly name: string;
  readonly source: string;
  readonly strict: boolean;
  readonly label?: string;
  readonly frame?: JsonObject;
  readonly limits?: Readonly<Partial<Record<LimitKey, number>>>;
  readonly expect: { readonly out: Json } | { readonly error_code: string };
  readonly steps?: number;
  readonly adapter_calls?: number;
  readonly note?: string;
};

export const testCatalog: AdapterCatalog = createCatalog([...builtinAdapters, mockExt]);

/** The given cases, and neighbours of them that were derived from the contract. */
export function loadRunCases(files: readonly string[] = ["run.json", "run-more.json"]): readonly RunCase[] {
  return files.flatMap((file) => {
    const path = new URL(`../cases/${file}`, import.meta.url);
    return JSON.parse(readFileSync(path, "utf8")) as readonly RunCase[];
  });
}

export function compileForTest(source: string, strict: boolean, inputs: readonly string[]): Ir {
  const result = compile(source, { strict, catalog: testCatalog, inputs });
  if (result.ir === null) throw new Error(`does not compile: ${JSON.stringify(result.diagnostics)}\n${source}`);
  return result.ir;
}

/** A value below 1 counts as not given, but 0 adapter calls means none at all. */
export function effectiveLimits(given: RunCase["limits"] = {}): Limits {
  const kept = LIMIT_KEYS.flatMap((key) => {
    const value = given[key];
    return value === undefined || value < (key === "max_adapter_calls" ? 0 : 1) ? [] : [[key, value] as const];
  });
  return Object.fromEntries(kept);
}

export function expandFrame(frame: JsonObject = {}): JsonObject {
  const rows = () => Array.from({ length: 20_000 }, (_, i) => ({ k: (i * 7919) % 20_011 }));
  return Object.fromEntries(
    Object.entries(frame).map(([name, value]) => [name, value === "@rows20000" ? rows() : value]),
  );
}

export async function runCase(one: RunCase, name: ExecutorName): Promise<Outcome> {
  const frame = expandFrame(one.frame);
  const ir = compileForTest(one.source, one.strict, Object.keys(frame));
  const clock = fakeClock();
  return executor(name, testCatalog)(ir, {
    ...(one.label === undefined ? {} : { label: one.label.replace(/^(->)?L?/, "") }),
    frame,
    limits: effectiveLimits(one.limits),
    adapters: mockAdapters(clock),
    clock,
    facts: fakeFacts(),
  });
}

/** The part of an outcome that a case fixes, next to what the case says. */
export function verdict(one: RunCase, outcome: Outcome): { readonly got: JsonObject; readonly expected: JsonObject } {
  const figures = (steps: number, calls: number): JsonObject => ({
    ...(one.steps === undefined ? {} : { steps }),
    ...(one.adapter_calls === undefined ? {} : { adapter_calls: calls }),
  });
  return {
    got: {
      ...(outcome.ok ? { out: outcome.out } : { error_code: outcome.error.code }),
      ...figures(outcome.usage.steps, outcome.usage.adapter_calls),
    },
    expected: { ...one.expect, ...figures(one.steps ?? 0, one.adapter_calls ?? 0) },
  };
}
