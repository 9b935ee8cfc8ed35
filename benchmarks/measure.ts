/**
 * Timing of one side of one workload, in a process of its own (the child that `run.ts` starts): compile and first run cold, then
 * warm-up, then repetitions of so many runs that each is long enough to be timed.
 *
 * Time is the processor time of the process, because a shared machine makes wall time a measure of its other guests. It
 * includes V8's compiler and collector threads; wall time is taken beside it.
 */
import type { Json } from "../compiler/json.ts";
import type { Side } from "./sides.ts";

export type Time = { readonly cpu_ms: number; readonly wall_ms: number };

export type Pace = {
  readonly repetitions: number;
  /** Least processor time of the warm-up, and of one repetition. */
  readonly warm_ms: number;
  readonly repetition_ms: number;
};

export type Measured = {
  readonly compile: Time;
  readonly first: Time;
  readonly first_result: Json;
  readonly last_result: Json;
  /** Runs in one repetition. */
  readonly runs: number;
  /** Processor time of one run in the fastest stretch of all, warm-up included: a young heap can be quicker than a settled one. */
  readonly best_cpu_ms: number;
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

/** `last_result` is that of the last input: every repetition ends on it. */
export async function measure(side: Side, inputCount: number, pace: Pace): Promise<Measured> {
  const { time: compile } = await timed(side.compile);
  const { time: first, value: first_result } = await timed(() => side.batch(1));
  const { runs, best } = await warmUp(side, inputCount, pace);
  const samples: Time[] = [];
  let last_result: Json = null;
  for (let repetition = 0; repetition < pace.repetitions; repetition++) {
    const { time, value } = await timed(() => side.batch(runs));
    samples.push({ cpu_ms: time.cpu_ms / runs, wall_ms: time.wall_ms / runs });
    last_result = value;
  }
  const best_cpu_ms = Math.min(best, ...samples.map(({ cpu_ms }) => cpu_ms));
  return { compile, first, first_result, last_result, runs, best_cpu_ms, samples };
}

/** Runs until warm; `runs` fill a repetition and are a multiple of the number of inputs. */
async function warmUp(side: Side, inputCount: number, pace: Pace): Promise<{ runs: number; best: number }> {
  let runs = inputCount;
  let spent = 0;
  let best = Number.POSITIVE_INFINITY;
  for (;;) {
    const { time } = await timed(() => side.batch(runs));
    spent += time.cpu_ms;
    if (time.cpu_ms >= pace.repetition_ms / 4) best = Math.min(best, time.cpu_ms / runs);
    if (time.cpu_ms < pace.repetition_ms / 2) runs *= 2;
    else if (spent >= pace.warm_ms) {
      const filling = Math.max(1, Math.ceil((runs / inputCount) * (pace.repetition_ms / time.cpu_ms)));
      return { runs: inputCount * filling, best };
    }
  }
}
