/**
 * `wf adapter test`: the conformance suite over a plugin, in the process of the command, so that the plugin's folder needs no test runner.
 * `fixture.js` next to the module starts what the adapter talks to, `test.js` adds cases; both are optional.
 */
import { dirname, join } from "node:path";
import { type AdapterDefinition, z } from "../../adapters/definition/define.ts";
import { CONFORMANCE } from "../../adapters/testing/conformance.ts";
import { KINDS } from "../../adapters/testing/kinds/suite.ts";
import { type PluginTests, runSuite, type SuiteReport } from "../../adapters/testing/plugin-suite.ts";
import { listOf, wholeNumber } from "../grant/limit-flags.ts";
import { kindOf } from "../input/path-kind.ts";
import { visible } from "../output/terminal/columns.ts";
import { duration } from "../output/terminal/table.ts";
import { CliFault, EXIT, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { importOf, pluginAt, pluginFile } from "./plugin.ts";

export type TestFlags = { readonly only: readonly string[] | undefined; readonly format: "table" | "tap" };

type TimedReport = SuiteReport & { readonly ms: number };

export async function testPlugin(session: Session, given: string, { only, format }: TestFlags): Promise<number> {
  const { screen, io } = session;
  const points = only === undefined ? null : pointNumbers(only);
  const definition = await pluginAt(session, given);
  const tests = await testsBeside(session.cwd, pluginFile(session.cwd, given));
  const reports: TimedReport[] = [];
  const show = screen.json ? () => {} : format === "tap" ? tapLines : tableLines;
  let began = io.clock.now();
  for await (const report of runSuite(definition, tests, points)) {
    const timed = { ...report, ms: io.clock.now() - began };
    show(session, timed, reports.push(timed));
    began = io.clock.now();
  }
  return summed(session, definition, reports, format);
}

function summed(
  { screen }: Session,
  { name, version }: AdapterDefinition,
  reports: readonly TimedReport[],
  format: TestFlags["format"],
): number {
  const failed = reports.filter(({ findings }) => findings.length > 0).length;
  const skipped = reports.filter(({ skipped }) => skipped !== undefined).length;
  const passed = reports.length - failed - skipped;
  if (screen.json) screen.document({ ok: failed === 0, adapter: name, version, passed, failed, skipped, reports });
  else if (format === "tap") screen.out(`1..${reports.length}\n`);
  else screen.out(`${name} ${version}: ${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  return failed === 0 ? EXIT.success : EXIT.failed;
}

function tableLines({ screen }: Session, report: TimedReport): void {
  const { number, title, findings, skipped, ms } = report;
  const state =
    findings.length > 0 ? screen.paint.error("FAIL") : skipped === undefined ? screen.paint.ok("ok  ") : "skip";
  const said = skipped === undefined ? duration(ms) : visible(skipped);
  screen.out(`${state}  ${String(number ?? "").padStart(2)}  ${visible(title)}  ${screen.paint.dim(said)}\n`);
  for (const finding of findings) screen.out(`          ${visible(finding)}\n`);
}

/** The Test Anything Protocol, version 13. */
function tapLines({ screen }: Session, { number, title, findings, skipped }: SuiteReport, count: number): void {
  const name = visible(number === null ? title : `${number} ${title}`).replaceAll("#", "\\#");
  const reason = skipped === undefined ? "" : ` # SKIP ${visible(skipped)}`;
  screen.out(`${findings.length > 0 ? "not ok" : "ok"} ${count} - ${name}${reason}\n`);
  for (const finding of findings) screen.out(`# ${visible(finding)}\n`);
}

function pointNumbers(given: readonly string[]): readonly number[] {
  const numbers = listOf(given).map((word) => wholeNumber("--only", word));
  const unknown = numbers.find((number) => !CONFORMANCE.some((point) => point.number === number));
  if (unknown !== undefined)
    throw usageFault(`option --only: the suite has the points 1 to ${CONFORMANCE.length}, not ${unknown}`);
  return numbers;
}

const named = z.string().min(1);
const json = z.record(z.string(), z.json());
const program = { source: named, settings: json.optional(), frame: json.optional() };
const called = z.custom<(...args: never) => unknown>((value) => typeof value === "function", "a function");
const verb = z.union([
  named,
  z.strictObject({
    verb: named,
    args: called.optional(),
    result: called.optional(),
    settings: z.union([json, called]).optional(),
  }),
]);
const kind = z.strictObject({
  name: z.enum(Object.keys(KINDS)),
  verbs: z.record(z.string(), verb),
  lacks: z.record(z.string(), named).optional(),
  answer: z.json().optional(),
  sent: called.optional(),
});
const TESTS = z.strictObject({
  start: called.optional(),
  kind: kind.optional(),
  examplesOutside: named.optional(),
  programs: z.array(z.strictObject({ ...program, verb: named.optional() })).optional(),
  slow: z.array(z.strictObject(program)).optional(),
  without: z.record(z.string().regex(/^\d+$/), named).optional(),
  cases: z
    .array(z.strictObject({ ...program, title: named, result: z.json().optional(), error: named.optional() }))
    .optional(),
});

/** What `fixture.js` and `test.js` next to a module export. */
async function testsBeside(cwd: string, module: string): Promise<PluginTests> {
  const exports: [string, unknown][] = [];
  for (const name of ["fixture.js", "test.js"]) {
    const file = join(dirname(module), name);
    if (kindOf(file) === "file") exports.push(...Object.entries(await importOf(cwd, file, name)));
  }
  const read = TESTS.safeParse(Object.fromEntries(exports));
  if (read.success) return read.data as PluginTests;
  const [issue] = read.error.issues;
  throw new CliFault(`fixture.js, test.js: /${issue?.path.join("/") ?? ""} ${issue?.message ?? "not valid"}`, {
    error: "invalid_tests",
    exitCode: EXIT.usage,
  });
}
