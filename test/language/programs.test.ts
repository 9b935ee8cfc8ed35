/**
 * Runs every program of this folder and holds it against what its comments expect: findings of the compiler, the outcome of
 * machine and reference interpreter (which must be the same), and that formatting changes nothing. Files in a folder named
 * `modules` are what programs include.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { JsonObject } from "../../compiler/json.ts";
import type { CompileResult, IncludeReader } from "../../compiler/options.ts";
import type { Diagnostic } from "../../grammar/diagnostic.ts";
import { format } from "../../grammar/print/print.ts";
import type { Adapter } from "../../vm/adapter.ts";
import { plainAdapter } from "../../vm/calls/plain-adapter.ts";
import { LIMIT_KEYS, type Outcome } from "../../vm/run.ts";
import { comparable, type ExecutorName, executor } from "../support/executors.ts";
import { fakeClock, fakeFacts, mockAdapters, wrapped } from "../support/mock-adapters.ts";
import { verifies } from "../support/requirements.ts";
import { effectiveLimits, testCatalog } from "../support/run-case.ts";
import {
  type Expectations,
  type ExpectedFinding,
  expectsSomething,
  type RunCase,
  type RunExpectation,
  readExpectations,
} from "./expectations.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));

/** Where in a run each limit is met: a file of this name in the folder of every limit. */
const PLACES = ["straight-chain", "callee", "loop-body", "handler", "last-step"];

const programs = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".wf") && !path.split("/").includes("modules"))
  .sort();

describe.each(programs)("%s", (path) => {
  const source = readFileSync(join(FOLDER, path), "utf8");
  const expectations = readExpectations(source);
  const compiled = compileProgram(path, source, expectations);

  it("says what it expects", () => {
    expect(expectsSomething(expectations)).toBe(true);
  });

  it("is understood by the compiler as expected", () => {
    expect(reported(compiled, expectations)).toEqual(expectedFindings(compiled.diagnostics, expectations.findings));
    const codes = new Set(compiled.diagnostics.map((diagnostic) => diagnostic.code));
    expect(expectations.absent.filter((code) => codes.has(code))).toEqual([]);
    if (expectations.entry !== null) expect(`L${compiled.ir?.entry}`).toBe(expectations.entry);
    const runs = expectations.cases.some((one) => one.expected.length > 0);
    if (runs) expect(compiled.ir, JSON.stringify(compiled.diagnostics)).not.toBeNull();
  });

  it("is repaired by its suggested fixes", () => {
    for (const diagnostic of compiled.diagnostics) expectFixed(path, source, expectations, diagnostic);
  });

  it("keeps its meaning when formatted", () => expectFormatted(path, source, expectations, compiled));

  const { ir } = compiled;
  if (ir !== null) {
    it.each(expectations.cases.map((one) => ({ ...one, title: one.name ?? "runs" })))(
      "$title as expected, in both executors",
      async (one) => {
        const reference = await run(ir, one, "reference");
        expect(comparable(reference.outcome)).not.toContain("minus zero");
        const { trace: _trace, ...untraced } = reference.outcome;
        // A run without a trace has code of its own: blocks charged as a whole, fused instructions, labels inlined.
        for (const [quantum, trace] of [
          [undefined, true],
          [1, true],
          [undefined, false],
          [1, false],
        ] as const) {
          const machine = await run(ir, one, "machine", { quantum, trace });
          expect(comparable(machine.outcome)).toBe(comparable(trace ? reference.outcome : untraced));
          expect(machine.calls).toEqual(reference.calls);
        }
        const calls = one.expected.flatMap((expected) => (expected.kind === "call" ? [callText(expected)] : []));
        if (calls.length > 0) expect(reference.calls).toEqual(calls);
        for (const expected of one.expected) expectRun(expected, reference.outcome);
      },
    );
  }
});

describe("limits", () => {
  verifies("limit.max_steps", "limit.max_depth", "limit.max_adapter_calls");
  verifies("limit.max_time_ms", "limit.max_frame_bytes", "limit.max_loop_iters");

  // Cleanups are those of Python (test/vm/python/cleanup.test.ts).
  const keys = LIMIT_KEYS.filter((key) => !key.startsWith("cleanup_"));

  it.each(keys)("%s is tested one below, at and above its figure in every place", (key) => {
    for (const place of PLACES) {
      const file = join(FOLDER, "limits", key, `${place}.wf`);
      expect(existsSync(file), file).toBe(true);
      const { cases } = readExpectations(readFileSync(file, "utf8"));
      const at = cases.map((one) => one.limits[key] ?? 0);
      expect(at, file).toEqual([0, 1, 2].map((more) => (at[0] ?? 0) + more));
      const broken = cases.map((one) => one.expected.some((expected) => expected.kind === "limit"));
      expect(broken, file).toEqual([true, false, false]);
    }
  });
});

/** Included files are those next to the program and in its `modules`. */
function includeReader(path: string): IncludeReader {
  const folder = dirname(join(FOLDER, path));
  return {
    read: (written, from) => {
      const bases = [...(from === null ? [] : [dirname(from)]), folder, join(folder, "modules")];
      const places = [...new Set(bases.map((base) => resolve(base, written)))];
      const inside = places.filter((place) => !relative(folder, place).startsWith("..") && !written.startsWith("/"));
      const found = inside.find((place) => existsSync(place));
      if (found !== undefined) return { ok: true, identity: found, text: readFileSync(found, "utf8") };
      return { ok: false, reason: inside.length === 0 ? "outside_root" : "not_found", searched: inside.length };
    },
  };
}

function compileProgram(path: string, source: string, { strict, reachability, cases }: Expectations): CompileResult {
  const inputs = [...new Set(cases.flatMap((one) => one.frame.map(([name]) => name)))];
  return compile(source, { strict, reachability, catalog: testCatalog, inputs, includes: includeReader(path) });
}

/** Errors and warnings must all be expected; of hints only those that are. */
function reported({ diagnostics }: CompileResult, { findings }: Expectations): string[] {
  const hints = findings.filter((finding) => finding.severity === "hint").map((finding) => finding.code);
  return diagnostics
    .filter((diagnostic) => diagnostic.severity !== "hint" || hints.includes(diagnostic.code))
    .map((diagnostic) => describeFinding(diagnostic))
    .sort();
}

/** The expectations in the same words; what one leaves open is filled in from a diagnostic that fits it. */
function expectedFindings(diagnostics: readonly Diagnostic[], findings: readonly ExpectedFinding[]): string[] {
  const left = new Set(diagnostics);
  return findings
    .map((finding) => {
      const found = [...left].find((diagnostic) => fits(finding, diagnostic));
      if (found === undefined) return `missing: ${JSON.stringify(finding)}`;
      left.delete(found);
      return describeFinding(found);
    })
    .sort();
}

function fits(finding: ExpectedFinding, { severity, code, span, message }: Diagnostic): boolean {
  return (
    finding.severity === severity &&
    finding.code === code &&
    (span?.file ?? null) === finding.file &&
    (finding.line === null || finding.line === span?.line) &&
    (finding.column === null || finding.column === span?.column) &&
    (finding.message === null || finding.message === message)
  );
}

function describeFinding({ severity, code, span, message }: Diagnostic): string {
  return `${severity} ${code} at ${span?.file ?? ""} ${span?.line ?? "-"}:${span?.column ?? "-"}: ${message}`;
}

/** Applying all edits of a fix takes the finding away and brings no syntax fault. */
function expectFixed(path: string, source: string, expectations: Expectations, diagnostic: Diagnostic): void {
  const edits = diagnostic.fix?.edits ?? [];
  if (edits.length === 0 || edits.some((edit) => edit.span.file !== null)) return;
  const fixed = [...edits]
    .sort((a, b) => b.span.start - a.span.start)
    .reduce((text, { span, new_text }) => text.slice(0, span.start) + new_text + text.slice(span.end), source);
  const before = compileProgram(path, source, expectations).diagnostics;
  const after = compileProgram(path, fixed, expectations).diagnostics;
  const count = (all: readonly Diagnostic[], match: (code: string) => boolean) =>
    all.filter((one) => match(one.code)).length;
  const same = (code: string) => code === diagnostic.code;
  const context = `${describeFinding(diagnostic)}\n${fixed}\n${after.map(describeFinding).join("\n")}`;
  expect(count(after, same), context).toBeLessThan(count(before, same));
  const syntax = (code: string) => code.startsWith("WF1");
  expect(count(after, syntax), context).toBeLessThanOrEqual(count(before, syntax));
}

function expectFormatted(path: string, source: string, expectations: Expectations, compiled: CompileResult): void {
  const formatted = format(source);
  const faulty = compiled.diagnostics.some(({ code, span }) => code.startsWith("WF1") && (span?.file ?? null) === null);
  expect(formatted.ok).toBe(!faulty);
  if (!formatted.ok) return;
  const again = format(formatted.text);
  expect(again).toEqual(formatted);
  const loose = { ...expectations, strict: false };
  const meaning = (text: string) => compileProgram(path, text, loose).ir?.checksum;
  expect(meaning(formatted.text), formatted.text).toBe(meaning(source));
  const errors = (text: string) =>
    compileProgram(path, text, expectations).diagnostics.filter((one) => one.severity === "error");
  const before = errors(source).map((one) => one.code);
  expect(before, formatted.text).toEqual(expect.arrayContaining(errors(formatted.text).map((one) => one.code)));
}

type Ran = { readonly outcome: Outcome; readonly calls: readonly string[] };

type How = { readonly quantum: number | undefined; readonly trace: boolean };

async function run(
  ir: Ir,
  one: RunCase,
  name: ExecutorName,
  { quantum, trace }: How = { quantum: undefined, trace: true },
): Promise<Ran> {
  const clock = fakeClock();
  const frame: JsonObject = Object.fromEntries(one.frame);
  const calls: string[] = [];
  const outcome = await executor(name, testCatalog)(ir, {
    ...(one.label === null ? {} : { label: one.label.replace(/^L/, "") }),
    ...(quantum === undefined ? {} : { quantum }),
    frame,
    limits: effectiveLimits(one.limits),
    allowedAdapters: one.allow,
    adapters: noting(calls, new Map([...mockAdapters(clock), ["db", ECHOING_DB]])),
    clock,
    facts: fakeFacts(),
    trace,
    finalFrame: true,
  });
  return { outcome, calls };
}

/** Answers with its arguments: shows what words a step passes. */
const ECHOING_DB = plainAdapter("db", { F: (args) => args, G: (args) => args, C: (args) => args });

/** The same adapters, each call written down before it is made. */
function noting(calls: string[], adapters: ReadonlyMap<string, Adapter>): ReadonlyMap<string, Adapter> {
  const noted = [...adapters.values()].map((adapter): [string, Adapter] => [
    adapter.name,
    wrapped(adapter, (verb, args, make) => {
      calls.push(callText({ target: `${adapter.name}.${verb.name}`, args }));
      return make();
    }),
  ]);
  return new Map(noted);
}

function callText({ target, args }: { readonly target: string; readonly args: unknown }): string {
  return `${target} ${JSON.stringify(args)}`;
}

function expectRun(expected: RunExpectation, outcome: Outcome): void {
  const context = JSON.stringify(outcome.ok ? outcome.out : outcome.error);
  switch (expected.kind) {
    case "result":
      expect(outcome.ok, context).toBe(true);
      if (outcome.ok) expect(JSON.stringify(outcome.out)).toBe(JSON.stringify(expected.value));
      return;
    case "figure":
      expect(figures(outcome)[expected.figure], expected.figure).toBe(expected.value);
      return;
    case "call":
      return;
    case "event":
      expect(outcome.trace?.[expected.seq]).toMatchObject(expected.members as JsonObject);
      return;
    case "variable":
      expect(outcome.frame?.[expected.name], expected.name).toEqual(expected.value);
      return;
    case "unset":
      expect(Object.hasOwn(outcome.frame ?? {}, expected.name), expected.name).toBe(false);
      return;
    default:
      expectFailure(expected, outcome, context);
  }
}

function figures({ usage }: Outcome) {
  return { ...usage, calls: usage.adapter_calls };
}

function expectFailure(expected: RunExpectation, outcome: Outcome, context: string): void {
  expect(outcome.ok, context).toBe(false);
  if (outcome.ok) return;
  const { error } = outcome;
  if (expected.kind === "run-error") {
    expect(error.code, context).toBe(expected.code);
    if (expected.message !== null) expect(error.message).toBe(expected.message);
  } else if (expected.kind === "limit") {
    expect(error.data["meter"], context).toBe(expected.key);
  } else if (expected.kind === "place") {
    expect(`L${error.label}/${error.node ?? "-"}`, context).toBe(`${expected.label}/${expected.node}`);
  } else if (expected.kind === "stack") {
    expect(error.stack.map((id) => `L${id}`)).toEqual(expected.labels);
  } else if (expected.kind === "data") {
    expect(error.data[expected.member], context).toEqual(expected.value);
  }
}
