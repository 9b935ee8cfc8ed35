/**
 * The rules every adapter keeps, as twelve checks over its definition and a fixture with a real service. A check returns what
 * it found, so that any test runner can report it: no findings is a pass, `skipped` says why a point does not apply.
 * Examples of the definition are the calls that are made; `programs` adds some where an example cannot stand alone.
 */
import type { JsonObject } from "../../compiler/json.ts";
import { programOf } from "../definition/check-definition.ts";
import type { AdapterDefinition } from "../definition/define.ts";
import { type Fixture, openBench, type Program } from "./bench.ts";
import { CALL_POINTS } from "./call-points.ts";
import { DECLARED_POINTS } from "./declared-points.ts";
import { SAFETY_POINTS } from "./safety-points.ts";
import type { Point, PointResult, Suite, WorkingProgram } from "./suite.ts";

export type { Fixture } from "./bench.ts";
export type { Point, PointResult } from "./suite.ts";

/** The world that an adapter is tested in, and calls besides its examples. */
export type ConformanceOptions = {
  /** A fresh world; it is asked for often. */
  start(): Promise<Fixture>;
  /** Why the examples cannot be run, when they name places of the outside; programs stand in for them. */
  readonly examplesOutside?: string;
  /** Programs besides the examples; `verb`: the one whose answer is the result, when it is the only one. */
  readonly programs?: readonly (Program & { readonly verb?: string })[];
  /** Programs that would take very long: an abort must end their calls. */
  readonly slow?: readonly Program[];
  /** Points that do not apply, by number, with the reason. */
  readonly without?: Readonly<Record<number, string>>;
};

/** The points of the suite, by number. */
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

function suiteOf(definition: AdapterDefinition, options: ConformanceOptions): Suite {
  const { start, programs = [], slow = [], examplesOutside } = options;
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
    programs: [
      ...(examplesOutside === undefined ? examples : []),
      ...programs.map((one) => ({ ...one, title: one.source, verb: one.verb ?? null })),
    ],
    slow: slow.map((one) => ({ ...one, title: one.source, verb: null })),
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
