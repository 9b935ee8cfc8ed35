/** Runs tests, several at a time, judges them, and writes the files of `--record` and `--update`. Prints nothing. */
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, normalize, relative, resolve, sep } from "node:path";
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import type { Mismatch } from "../../vm/testing/outcome.ts";
import type { GrantFlags } from "../grant/effective-grant.ts";
import { projectConfig } from "../grant/project-config.ts";
import { writeAtomically } from "../input/files.ts";
import { readLogFile, recordDocument } from "../input/replay-log-file.ts";
import type { Session } from "../session/session.ts";
import type { Trace } from "../trace/trace-events.ts";
import { type Covered, coverageOf, type ProgramCoverage } from "./coverage.ts";
import type { GoldenPlace, Test } from "./discover.ts";
import { judge } from "./judge.ts";
import { checkProperty } from "./property.ts";
import { type CaseRun, type Observed, runCase } from "./run-case.ts";
import { type GoldenCase, goldenCase, invalidTest, readJson } from "./test-case.ts";
import { type Rewrite, rewriteGolden, updatedCase, withRecord } from "./update.ts";

export type TestOptions = {
  readonly grant: GrantFlags;
  readonly jobs: number;
  /** Stop at the first failure. */
  readonly bail: boolean;
  readonly update: boolean;
  readonly record: boolean;
  readonly coverage: boolean;
  /** Of the command line; null: that of the file. */
  readonly seed: number | null;
  readonly includeRoots: readonly string[];
  /** Configuration given by a flag, instead of the one next to each program. */
  readonly config: string | undefined;
};

export type TestResult = {
  readonly test: Test;
  readonly ok: boolean;
  readonly durationMs: number;
  readonly mismatches: readonly Mismatch[];
  readonly drawn: { readonly runs: number; readonly seed: number; readonly frame: JsonObject | null } | null;
};
export type TestReport = {
  readonly results: readonly TestResult[];
  /** Not run, because of --bail or an interrupt. */
  readonly skipped: number;
  /** null: not asked for. */
  readonly coverage: readonly ProgramCoverage[] | null;
  readonly rewrites: readonly Rewrite[];
  readonly recorded: readonly string[];
};

type GoldenTest = Extract<Test, { kind: "golden" }>;
type Outcome = { readonly result: TestResult; readonly observed: readonly Observed[]; readonly change: Change | null };
/** What a golden file is to say in place of a case. */
type Change = { readonly place: GoldenPlace; readonly value: Json };

export async function runTests(
  session: Session,
  tests: readonly Test[],
  options: TestOptions,
  signal: AbortSignal,
): Promise<TestReport> {
  const outcomes = new Map<Test, Outcome>();
  const recorded: string[] = [];
  const waiting = tests.values();
  let stopped = false;
  const work = async (): Promise<void> => {
    for (const test of waiting) {
      if (stopped || signal.aborted) return;
      const outcome = await runTest(session, test, options, recorded, signal);
      // A test that was cut short says nothing.
      if (signal.aborted) return;
      outcomes.set(test, outcome);
      if (options.bail && !outcome.result.ok) stopped = true;
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  const done = tests.flatMap((test) => outcomes.get(test) ?? []);
  const rewrites = rewritesOf(done.flatMap(({ change }) => change ?? []));
  for (const { file, text } of rewrites) writeAtomically(session.cwd, file, text);
  return {
    results: done.map(({ result }) => result),
    skipped: tests.length - done.length,
    coverage: options.coverage ? coveredPrograms(done).map(coverageOf) : null,
    rewrites,
    recorded,
  };
}

async function runTest(
  session: Session,
  test: Test,
  options: TestOptions,
  recorded: string[],
  signal: AbortSignal,
): Promise<Outcome> {
  const { clock } = session.io;
  const started = clock.now();
  const project = projectConfig(session.cwd, test.program.path, options.config);
  const common = {
    file: test.file,
    program: test.program,
    setup: test.case,
    grant: { ...options.grant, project },
    traced: options.coverage || (test.kind === "golden" && test.case.expect.trace !== undefined),
    includeRoots: [...options.includeRoots, ...(project?.includeRoots ?? [])],
    signal,
  };
  if (test.kind === "property") {
    const run = (frame: JsonObject): Promise<Observed> =>
      runCase(session, { ...common, frame, replay: null, live: false });
    const { observed, mismatches, ...drawn } = await checkProperty(test.case, options.seed, run);
    const result = { test, ok: mismatches.length === 0, durationMs: clock.now() - started, mismatches, drawn };
    return { result, observed, change: null };
  }
  const live = options.record && test.place !== null;
  if (live && leavesFolder(session.cwd, test.file, recordName(test)))
    throw invalidTest(test.file, "/replay is outside the folder of the test, where --record writes nothing");
  const run = { ...common, ...givenOf(session, test.file, test.case, live), live };
  const observed = await runCase(session, run);
  const replay = live ? recordOf(session, test, run, observed, recorded) : null;
  const mismatches = judge(test.case.expect, observed);
  const change = changeOf(test, observed, mismatches, options, replay);
  const left = change === null ? mismatches : judge(goldenCase(test.file, change.value, "").expect, observed);
  const result = { test, ok: left.length === 0, durationMs: clock.now() - started, mismatches: left, drawn: null };
  return { result, observed: [observed], change };
}

/** Frame and record of a case; both may be files next to the test. */
function givenOf(
  { cwd }: Session,
  file: string,
  { frame = {}, replay }: GoldenCase,
  live: boolean,
): Pick<CaseRun, "frame" | "replay"> {
  // A live run writes the record, which need not be there before.
  const log = replay === undefined || live ? null : readLogFile(cwd, join(dirname(file), replay));
  if (typeof frame !== "string") return { frame, replay: log };
  const given = readJson(cwd, join(dirname(file), frame.slice(1)));
  if (!isObject(given)) throw invalidTest(file, `/frame: ${frame.slice(1)} does not contain an object`);
  return { frame: given, replay: log };
}

/** Writes the record of a live run; gives its name as the case is to name it. */
function recordOf(
  { cwd }: Session,
  test: GoldenTest,
  { frame }: Pick<CaseRun, "frame">,
  { record }: Observed,
  recorded: string[],
): string | null {
  if (record === null || test.place === null) return null;
  const name = recordName(test);
  const file = join(dirname(test.file), name);
  writeAtomically(cwd, file, `${JSON.stringify(recordDocument(record, { traceId: null, frame }))}\n`, 0o600);
  recorded.push(file);
  return name;
}

/** As the case names its record, or is to name it. */
function recordName({ file, place, case: { replay } }: GoldenTest): string {
  const stem = basename(file).replace(/\.expected\.json$/, "");
  return replay ?? `${stem}${place?.golden.list === true ? `-${place.at + 1}` : ""}.record.json`;
}

/** Also by a link: tests come with programs of others, and writing follows links. */
function leavesFolder(cwd: string, testFile: string, name: string): boolean {
  if (isAbsolute(name) || normalize(name).startsWith("..")) return true;
  const folder = resolve(cwd, dirname(testFile));
  const way = relative(realpathSync(folder), realPlace(resolve(folder, name)));
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
}

/** Where a file is or would be, links followed. */
function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPlace(above), basename(path));
  }
}

function changeOf(
  { place }: GoldenTest,
  observed: Observed,
  mismatches: readonly Mismatch[],
  { update }: TestOptions,
  replay: string | null,
): Change | null {
  const given = place?.golden.raw[place.at];
  if (place === null || given === undefined) return null;
  // What came of a call that nothing answers is not what the program gives.
  const answered = observed.surprises.length === 0;
  if (update && answered && mismatches.length > 0)
    return { place, value: updatedCase(given, observed, mismatches, replay) };
  if (replay === null || !isObject(given) || given["replay"] === replay) return null;
  return { place, value: withRecord(given, replay) };
}

function rewritesOf(changes: readonly Change[]): Rewrite[] {
  const files = new Set(changes.map(({ place }) => place.golden));
  return [...files].flatMap((golden) => {
    const own = changes.filter(({ place }) => place.golden === golden);
    const [first] = own;
    const cases = new Map(own.map(({ place, value }) => [place.at, value]));
    return first === undefined ? [] : [rewriteGolden(first.place.file, golden, cases)];
  });
}

/** Programs that compiled at least once, with the traces of all their runs. */
function coveredPrograms(outcomes: readonly Outcome[]): Covered[] {
  const programs = new Map<string, Covered & { readonly traces: Trace[] }>();
  for (const { result, observed } of outcomes) {
    const path = result.test.program.name;
    for (const { ir, trace } of observed) {
      if (ir === null) continue;
      const covered = programs.get(path) ?? { path, ir, traces: [] };
      programs.set(path, covered);
      if (trace !== null) covered.traces.push(trace);
    }
  }
  return [...programs.values()];
}
