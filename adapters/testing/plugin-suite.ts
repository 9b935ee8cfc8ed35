/**
 * The conformance suite for a plugin as its author gives it: a definition, a world to try it in, and cases of its own. The host's
 * services are real and made anew for each world; the author starts what the adapter talks to. Reports come one by one, so that
 * any runner can print them.
 */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { programOf } from "../definition/check-definition.ts";
import type { AdapterDefinition } from "../definition/define.ts";
import { adopted } from "../plugins/adopt.ts";
import { createServices } from "../services.ts";
import { openBench } from "./bench.ts";
import { CONFORMANCE, type ConformanceOptions, checkPoint, type Fixture } from "./conformance.ts";
import { type KindOptions, kindReports } from "./kinds/suite.ts";
import { codeOf, type PointResult, same } from "./suite.ts";

/** What `start` of an author gives: the outside world of one adapter, which `stop` ends. */
export type PluginFixture = Partial<Pick<Fixture, "settings" | "secrets" | "frame" | "hidden" | "observe" | "stop">>;

/** One program of the author's, and what it must give: a result, or the code of an error. */
export type PluginCase = {
  readonly title: string;
  /** One step, or a whole program that begins with a label. */
  readonly source: string;
  readonly settings?: JsonObject;
  readonly frame?: JsonObject;
  readonly result?: Json;
  readonly error?: string;
};

/** What is tested besides the points that every adapter keeps. */
export type PluginTests = Omit<ConformanceOptions, "start"> & {
  /** Absent: the adapter uses no external service. */
  start?(): Promise<PluginFixture> | PluginFixture;
  /** Of the same kind as others: what they all do alike is checked too. */
  readonly kind?: KindOptions;
  readonly cases?: readonly PluginCase[];
};

/** What one check found. */
export type SuiteReport = {
  /** Of the point; null: a check of the kind, or a case of the author's. */
  readonly number: number | null;
  readonly title: string;
  /** Empty: it passes. */
  readonly findings: readonly string[];
  readonly skipped?: string;
};

/** One check of the suite, made when it is asked for. */
export type SuiteCheck = Pick<SuiteReport, "number" | "title"> & { report(): Promise<SuiteReport> };

/** The points of the suite, then the checks of the kind and the author's cases. */
export function suiteChecks(definition: AdapterDefinition, tests: PluginTests): readonly SuiteCheck[] {
  const { start, kind, cases = [], ...options } = tests;
  const world = () => startWorld(start);
  // A plugin may have a copy of this library of its own.
  const tested = adopted(definition);
  const check = (number: number | null, title: string, made: () => Promise<PointResult>): SuiteCheck => ({
    number,
    title,
    report: async () => ({ number, title, ...(await caught(made)) }),
  });
  return [
    ...CONFORMANCE.map((point) =>
      check(point.number, point.title, () => checkPoint(point, tested, { ...options, start: world })),
    ),
    ...(kind === undefined ? [] : kindReports(tested, kind, world)).map((one) => check(null, one.title, one.check)),
    ...cases.map((one) => check(null, one.title, () => checkCase(tested, one, world))),
  ];
}

/** `only`: numbers of points; null: all of them, the checks of the kind, and the cases. */
export async function* runSuite(
  definition: AdapterDefinition,
  tests: PluginTests,
  only: readonly number[] | null = null,
): AsyncGenerator<SuiteReport> {
  for (const { number, report } of suiteChecks(definition, tests))
    if (only === null || (number !== null && only.includes(number))) yield await report();
}

/** What a fixture or a check throws is a finding like any other. */
async function caught(check: () => Promise<PointResult>): Promise<PointResult> {
  try {
    return await check();
  } catch (thrown) {
    return { findings: [thrown instanceof Error ? thrown.message : "it throws"] };
  }
}

async function checkCase(
  definition: AdapterDefinition,
  { source, settings = {}, frame = {}, result, error }: PluginCase,
  start: () => Promise<Fixture>,
): Promise<PointResult> {
  const bench = await openBench(definition, start);
  try {
    const program = /^\s*[A-Za-z_]\w*:/.test(source) ? source : programOf(source);
    const answer = await bench.run({ source: program, settings, frame });
    const code = codeOf(answer);
    if (error !== undefined)
      return { findings: code === error ? [] : [`${error} was expected: ${code ?? "it works"}`] };
    if (!answer.ok) return { findings: [`${code}: ${answer.error.message}`] };
    if (result === undefined || same(result, answer.out)) return { findings: [] };
    return { findings: [`gave ${JSON.stringify(answer.out)}`] };
  } finally {
    await bench.stop();
  }
}

async function startWorld(start: PluginTests["start"]): Promise<Fixture> {
  const given = (await start?.()) ?? {};
  const folder = await realpath(await mkdtemp(join(tmpdir(), "weft-plugin-")));
  const places = {
    stateDir: folder,
    dataRoot: null,
    agentRoot: null,
    memoryDb: null,
    cachePath: null,
    summaryRoot: null,
  };
  const { services, close } = createServices({ places, environment: {} });
  return {
    settings: {},
    ...given,
    hidden: [folder, ...(given.hidden ?? [])],
    services,
    async stop() {
      await given.stop?.();
      await close();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    },
  };
}
