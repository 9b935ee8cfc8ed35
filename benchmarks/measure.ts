/**
 * Timing of one side of one workload, in a process of its own (the child that `run.ts` starts): compile and first run cold, then
 * warm-up, then repetitions, each with enough runs to be timed.
 *
 * Time is the processor time of the process, because a shared machine makes wall time a measure of its other guests. It
 * includes V8's compiler and collector threads; wall time is measured as well.
 */
import type { Json } from "../compiler/json.ts";
import type { Side } from "./peers/side.ts";

type Time = { readonly cpu_ms: number; readonly wall_ms: number };

export type Pace = {
  readonly repetitions: number;
  /** Least processor time of the warm-up, and of one repetition. */
  readonly warm_ms: number;
  readonly repetition_ms: number;
  /** Number of batches without a gain after which a side is warm. 0: after the minimum warm-up. */
  readonly settled_batches: number;
};

export type Measured = {
  readonly compile: Time;
  readonly first: Time;
  readonly first_result: Json;
  /** Of the last run of a repetition, and which input that was. */
  readonly last_result: Json;
  readonly last_input: number;
  /** Runs in one repetition. */
  readonly runs: number;
  /** Time of one run, for each repetition. */
  readonly samples: readonly Time[];
};

async function timed<T>(work: () => T | Promise<T>): Promise<{ time: Time; value: T }> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const pending = work();
  // Synchronous work is not made to wait for a promise.
  const value = pending instanceof Promise ? await pending : pending;
  const wall_ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { time: { cpu_ms: (user + system) / 1000, wall_ms }, value };
}

export async function measure(side: Side, inputCount: number, pace: Pace): Promise<Measured> {
  const { time: compile } = await timed(side.compile);
  const { time: first, value: first_result } = await timed(() => side.batch(1));
  const runs = await warmUp(side, pace);
  const samples: Time[] = [];
  let last_result: Json = null;
  for (let repetition = 0; repetition < pace.repetitions; repetition++) {
    const { time, value } = await timed(() => side.batch(runs));
    samples.push({ cpu_ms: time.cpu_ms / runs, wall_ms: time.wall_ms / runs });
    last_result = value;
  }
  const last_input = (runs - 1) % inputCount;
  return { compile, first, first_result, last_result, last_input, runs, samples };
}

/** Gains of less than this part are noise, not warming. */
const GAIN = 0.03;
/** A side has also settled after this multiple of the minimum warm-up without a gain, even in few batches. */
const LONG = 4;
/** A side that never settles is measured as it is after this multiple of the minimum warm-up. */
const LONGEST = 10;

/**
 * Runs until warm. How long that takes differs by the side, and by how much it allocates: with W4 V8 compiles anew and enlarges its
 * young generation for some twenty runs. Gives the number of runs that fill a repetition.
 */
async function warmUp(side: Side, pace: Pace): Promise<number> {
  const { warm_ms, repetition_ms, settled_batches } = pace;
  let runs = 1;
  let spent = 0;
  let best = Number.POSITIVE_INFINITY;
  /** Since the last gain. */
  let batches = 0;
  let idle = 0;
  for (;;) {
    const { time } = await timed(() => side.batch(runs));
    spent += time.cpu_ms;
    if (time.cpu_ms < repetition_ms / 2) {
      runs *= 2;
      continue;
    }
    const each = time.cpu_ms / runs;
    const gained = each < best * (1 - GAIN);
    best = Math.min(best, each);
    batches = gained ? 0 : batches + 1;
    idle = gained ? 0 : idle + time.cpu_ms;
    const settled = idle >= warm_ms && (batches >= settled_batches || idle >= LONG * warm_ms);
    const warm = settled_batches === 0 ? spent >= warm_ms : settled || spent >= LONGEST * warm_ms;
    if (warm) return Math.max(1, Math.ceil(repetition_ms / best));
  }
}
