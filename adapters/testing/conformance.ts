/**
 * The rules every adapter keeps, as twelve checks over its definition and a fixture with the real thing behind it. A check returns what
 * it found, so that any test runner can report it: no findings is a pass, `skipped` says why a point does not apply.
 * Examples of the definition are the calls that are made; `programs` adds some where an example cannot stand alone.
 */
import type { Json, JsonObject } from "../../compiler/json.ts";
import type { RunAnswer } from "../../vm/host.ts";
import { programOf } from "../check-definition.ts";
import type { AdapterDefinition, VerbDefinition } from "../define.ts";
import { type Bench, type Fixture, openBench, type Program } from "./bench.ts";
import { CALL_POINTS } from "./call-points.ts";
import { DECLARED_POINTS } from "./declared-points.ts";
import { SAFETY_POINTS } from "./safety-points.ts";

export type { Fixture, Program } from "./bench.ts";

export type ConformanceOptions = {
  /** A fresh world; it is asked for often. */
  start(): Promise<Fixture>;
  /** Programs besides the examples, for verbs whose calls need others before them. */
  readonly programs?: readonly Program[];
  /** Points that do not apply, by number, with the reason. */
  readonly without?: Readonly<Record<number, string>>;
};

export type PointResult = { readonly findings: readonly string[]; readonly skipped?: string };

/** A call that works: the source of an example, or one of the programs. */
export type WorkingProgram = Program & {
  readonly title: string;
  /** null: of more than one verb. */
  readonly verb: string | null;
  readonly expected?: Json;
};

/** What a point has at hand. */
export type Suite = {
  readonly definition: AdapterDefinition;
  readonly programs: readonly WorkingProgram[];
  readonly bounded: ReadonlyMap<string, VerbDefinition>;
  /** Does something with a fresh bench, and stops it. */
  with<T>(work: (bench: Bench) => Promise<T>): Promise<T>;
};

export type Point = {
  readonly number: number;
  readonly title: string;
  check(suite: Suite): Promise<PointResult>;
};

export const CONFORMANCE: readonly Point[] = [...DECLARED_POINTS, ...CALL_POINTS, ...SAFETY_POINTS].sort(
  (a, b) => a.number - b.number,
);

/** One point of the suite. */
export async function checkPoint(
  point: Point,
  definition: AdapterDefinition,
  options: ConformanceOptions,
): Promise<PointResult> {
  const reason = options.without?.[point.number];
  if (reason !== undefined) return { findings: [], skipped: reason };
  return point.check(suiteOf(definition, options));
}

function suiteOf(definition: AdapterDefinition, { start, programs = [] }: ConformanceOptions): Suite {
  const examples = Object.entries(definition.verbs).flatMap(([verb, { examples = [] }]) =>
    examples.map(
      ({ source, settings, result }): WorkingProgram => ({
        title: source,
        verb,
        source: programOf(source),
        expected: result,
        ...(settings === undefined ? {} : { settings: settings as JsonObject }),
      }),
    ),
  );
  return {
    definition,
    programs: [...examples, ...programs.map((one) => ({ ...one, title: one.source, verb: null }))],
    bounded: new Map(Object.entries(definition.verbs)),
    async with(work) {
      const bench = await openBench(definition, start);
      try {
        return await work(bench);
      } finally {
        await bench.stop();
      }
    },
  };
}

/** The code of a failed run as a program sees it: the adapter's, else the run's; null: it succeeded. */
export function codeOf(answer: RunAnswer): string | null {
  if (answer.ok) return null;
  const { adapter_code, cause_type } = answer.error.data;
  if (typeof adapter_code === "string") return adapter_code;
  return cause_type === "adapter_crash" ? "a crash" : answer.error.code;
}
