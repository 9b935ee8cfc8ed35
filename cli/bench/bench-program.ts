/**
 * One measurement: a program is compiled, run once cold, run until it is warm, and then measured run by run with the clock of the command
 * line. Every run must succeed; what it returns is not looked at.
 */

import { getHeapStatistics } from "node:v8";
import * as z from "zod/mini";
import type { JsonObject } from "../../compiler/json.ts";
import type { RunAnswer } from "../../vm/host.ts";
import { thousandths } from "../../vm/values/durations.ts";
import { readTextFile } from "../input/input.ts";
import { failureText } from "../output/failure/run-failure.ts";
import { counted, grouped, table } from "../output/terminal/table.ts";
import { adaptersOf } from "../run/load-program.ts";
import { loadWithFrame, type ProgramPlan, planned } from "../run/prepare-program.ts";
import { sharedPlaceNotes } from "../run/shared-places.ts";
import { CliFault, EXIT } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Session } from "../session/session.ts";

export type BenchPlan = ProgramPlan & {
  readonly frame: JsonObject;
  readonly frameGiven: boolean;
  readonly warnings: readonly string[];
  /** null: as many as fit into a second. */
  readonly iterations: number | null;
  readonly warmup: number;
  /** An earlier measurement to compare with. */
  readonly before: Measurement | null;
};

const MEASURED_MS = 1000;
/** Short runs follow each other without a pause: from time to time it is looked whether somebody pressed Ctrl-C. */
const LOOK_MS = 50;
const MAX_DOCUMENT_BYTES = 1024 * 1024;
const MIB = 1024 * 1024;

const FIGURES = z.object({
  compile_ms: z.number(),
  first_ms: z.number(),
  p50_ms: z.number(),
  p95_ms: z.number(),
  p99_ms: z.number(),
  runs_per_s: z.number(),
  steps_per_s: z.number(),
});
const MEASUREMENT = z.looseObject({ checksum: z.string(), figures: FIGURES });
type Figures = z.output<typeof FIGURES>;
export type Measurement = z.output<typeof MEASUREMENT>;

/** What `wf bench --json` wrote. Throws CliFault. */
export function readMeasurement(cwd: string, file: string): Measurement {
  let document: unknown = null;
  try {
    document = JSON.parse(readTextFile(cwd, file, MAX_DOCUMENT_BYTES));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  const read = MEASUREMENT.safeParse(document);
  if (read.success) return read.data;
  throw new CliFault(`${file} is not a document of wf bench --json`, { error: "invalid_json", exitCode: EXIT.usage });
}

export async function benchProgram(session: Session, asked: BenchPlan): Promise<number> {
  const { io, screen } = session;
  const { program, plan } = await loadWithFrame(session, asked);
  const { grant, frame } = plan;
  const { prepared } = await planned(session, plan, program);
  for (const note of [...grant.notes, ...sharedPlaceNotes(session, prepared)]) screen.note(note);
  for (const warning of new Set([...plan.warnings, ...grant.warnings, ...prepared.warnings])) screen.warning(warning);
  const heapBefore = getHeapStatistics().used_heap_size;
  const { result, by } = await interruptible(io, async (signal) => {
    const label = plan.label === undefined ? {} : { label: plan.label };
    const once = async (): Promise<Run> => {
      const started = io.clock.now();
      const answer = await grant.gateway.run(prepared, {
        frame,
        inputs: "checked",
        dryRun: plan.dryRun,
        signal,
        ...label,
      });
      return { ms: io.clock.now() - started, answer };
    };
    const look = (): Promise<void> => new Promise((seen) => io.clock.wait(0, seen));
    return measured({ once, look, now: io.clock.now }, plan);
  }).finally(() => grant.close());
  if (by !== null || result === null) return by === null ? EXIT.failed : exitOf(by);
  if (!result.ok) {
    const { ms, answer } = result.run;
    screen.err(failureText({ program, answer, durationMs: ms, warnings: [], notGiven: [] }, screen));
    if (screen.json && !answer.ok)
      screen.document({ ok: false, error: answer.error.code, message: answer.error.message });
    return EXIT.failed;
  }
  const figures = figuresOf(result, program.compileMs);
  const heap_bytes = Math.max(0, getHeapStatistics().used_heap_size - heapBefore);
  const adapters = adaptersOf(program.ir).filter((name) => name !== "core");
  const facts = { runs: result.times.length, adapters, heap_bytes, checksum: program.ir.checksum };
  if (screen.json) screen.document({ ok: true, ...facts, figures, change: changeOf(figures, plan.before) });
  else screen.out(textOf(figures, facts, plan.before, screen.width));
  if (plan.before !== null && plan.before.checksum !== facts.checksum)
    screen.note("the earlier measurement is of another program");
  return EXIT.success;
}

type Run = { readonly ms: number; readonly answer: RunAnswer };
type Measured = {
  readonly ok: true;
  readonly firstMs: number;
  readonly times: readonly number[];
  readonly steps: number;
};

/** The first run that fails ends it. */
async function measured(
  { once, look, now }: { once(): Promise<Run>; look(): Promise<void>; now(): number },
  { warmup, iterations }: BenchPlan,
): Promise<Measured | { readonly ok: false; readonly run: Run }> {
  const first = await once();
  if (!first.answer.ok) return { ok: false, run: first };
  for (let count = 0; count < warmup; count += 1) {
    const run = await once();
    if (!run.answer.ok) return { ok: false, run };
  }
  const times: number[] = [];
  let steps = 0;
  const end = now() + MEASURED_MS;
  let looked = now();
  while (iterations === null ? times.length === 0 || now() < end : times.length < iterations) {
    if (now() - looked > LOOK_MS) {
      await look();
      looked = now();
    }
    const run = await once();
    if (!run.answer.ok) return { ok: false, run };
    times.push(run.ms);
    steps += run.answer.usage.steps;
  }
  return { ok: true, firstMs: first.ms, times, steps };
}

function figuresOf({ firstMs, times, steps }: Measured, compileMs: number): Figures {
  const sorted = Float64Array.from(times).sort();
  const total = sorted.reduce((sum, ms) => sum + ms, 0);
  const at = (share: number): number => thousandths(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
  const perSecond = (count: number): number => (total === 0 ? 0 : Math.round((count / total) * 1000));
  return {
    compile_ms: thousandths(compileMs),
    first_ms: thousandths(firstMs),
    p50_ms: at(0.5),
    p95_ms: at(0.95),
    p99_ms: at(0.99),
    runs_per_s: perSecond(times.length),
    steps_per_s: perSecond(steps),
  };
}

const NAMES = {
  compile_ms: "compile",
  first_ms: "first run",
  p50_ms: "p50",
  p95_ms: "p95",
  p99_ms: "p99",
  runs_per_s: "runs/s",
  steps_per_s: "steps/s",
} as const satisfies Record<keyof Figures, string>;
const KEYS = Object.keys(NAMES) as (keyof Figures)[];

/** Ratio of the present value to the earlier one; null without an earlier one. */
function changeOf(figures: Figures, before: Measurement | null): Partial<Record<keyof Figures, number | null>> {
  if (before === null) return {};
  const ratio = (key: keyof Figures): number | null =>
    before.figures[key] === 0 ? null : thousandths(figures[key] / before.figures[key]);
  return Object.fromEntries(KEYS.map((key) => [key, ratio(key)]));
}

type Facts = { readonly runs: number; readonly adapters: readonly string[]; readonly heap_bytes: number };

function textOf(figures: Figures, facts: Facts, before: Measurement | null, width: number): string {
  const change = changeOf(figures, before);
  const rows = KEYS.map((key) => {
    const value = key.endsWith("_ms") ? `${figures[key].toFixed(3)} ms` : grouped(figures[key]);
    const ratio = change[key];
    return [NAMES[key], value, ...(before === null ? [] : [ratio == null ? "" : `${ratio.toFixed(2)} x`])];
  });
  rows.push(["heap", `+${(facts.heap_bytes / MIB).toFixed(1)} MiB`]);
  if (facts.adapters.length > 0) rows.push(["adapters", facts.adapters.join(", ")]);
  return `${[...table(rows, width), counted(facts.runs, "run")].join("\n")}\n`;
}
