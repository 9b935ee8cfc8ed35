/**
 * `wf run --repeat N`: a program is compiled, run once cold, and then as often as asked, with the clock of the command line around each
 * run. Every run must succeed; what it returns is not looked at.
 */

import type { RunAnswer } from "../../../vm/host.ts";
import { thousandths } from "../../../vm/values/durations.ts";
import { sharedPlaceNotes } from "../../grant/shared-places.ts";
import { failureText } from "../../output/failure/run-failure.ts";
import { counted, grouped, table } from "../../output/terminal/table.ts";
import { EXIT } from "../../session/faults.ts";
import { exitOf, interruptible } from "../../session/interrupt.ts";
import type { Session } from "../../session/session.ts";
import { adaptersOf } from "../load-program.ts";
import { loadWithFrame, planned } from "../prepare-program.ts";
import type { RunPlan } from "../run-plan.ts";

export const MAX_REPEATS = 1_000_000;
/** Short runs follow each other without a pause: from time to time it is looked whether somebody pressed Ctrl-C. */
const LOOK_MS = 50;

/** What of a plan counts: `--repeat` prints and writes nothing of a single run. */
export type RepeatPlan = Omit<RunPlan, "raw" | "out" | "trace" | "record" | "replay">;

export async function repeatRuns(session: Session, asked: RepeatPlan, times: number): Promise<number> {
  const { io, screen } = session;
  const { program, plan } = await loadWithFrame(session, asked);
  const { grant, frame } = plan;
  const { prepared } = await planned(session, plan, program);
  for (const note of [...grant.notes, ...sharedPlaceNotes(session, prepared)]) screen.note(note);
  for (const warning of new Set([...plan.warnings, ...grant.warnings, ...prepared.warnings])) screen.warning(warning);
  const { result, by } = await interruptible(io, async (signal) => {
    const label = plan.label === undefined ? {} : { label: plan.label };
    const request = { frame, inputs: "checked", dryRun: plan.dryRun, signal, ...label } as const;
    const once = async (): Promise<Run> => {
      const started = io.clock.now();
      const answer = await grant.gateway.run(prepared, request);
      return { ms: io.clock.now() - started, answer };
    };
    const look = (): Promise<void> => new Promise((seen) => io.clock.wait(0, seen));
    return measured({ once, look, now: io.clock.now }, times);
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
  const adapters = adaptersOf(program.ir).filter((name) => name !== "core");
  if (screen.json) screen.document({ ok: true, runs: times, adapters, checksum: program.ir.checksum, figures });
  else screen.out(textOf(figures, { runs: times, adapters }, screen.width));
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
  count: number,
): Promise<Measured | { readonly ok: false; readonly run: Run }> {
  const first = await once();
  if (!first.answer.ok) return { ok: false, run: first };
  const times: number[] = [];
  let steps = 0;
  let looked = now();
  while (times.length < count) {
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

type Figures = Readonly<Record<keyof typeof NAMES, number>>;
const NAMES = {
  compile_ms: "compile",
  first_ms: "first run",
  p50_ms: "p50",
  p95_ms: "p95",
  p99_ms: "p99",
  runs_per_s: "runs/s",
  steps_per_s: "steps/s",
} as const;
const KEYS = Object.keys(NAMES) as (keyof typeof NAMES)[];

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

type Facts = { readonly runs: number; readonly adapters: readonly string[] };

function textOf(figures: Figures, { runs, adapters }: Facts, width: number): string {
  const rows = KEYS.map((key) => [
    NAMES[key],
    key.endsWith("_ms") ? `${figures[key].toFixed(3)} ms` : grouped(figures[key]),
  ]);
  if (adapters.length > 0) rows.push(["adapters", adapters.join(", ")]);
  return `${[...table(rows, width), counted(runs, "run")].join("\n")}\n`;
}
