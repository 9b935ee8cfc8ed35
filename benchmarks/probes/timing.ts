/** Timing of small works in one process: each until enough processor time was spent, all in turn, so that a disturbance meets them alike. */
import type { Pace } from "../measure.ts";
import { type Summary, summary } from "../statistics.ts";

export type Work = () => unknown;

/** Processor milliseconds of one call, over calls that take `least_ms` together. */
async function timeEach(work: Work, least_ms: number): Promise<number> {
  let calls = 0;
  let batch = 1;
  let spent = 0;
  const start = process.cpuUsage();
  do {
    for (let k = 0; k < batch; k++) {
      const pending = work();
      if (pending instanceof Promise) await pending;
    }
    calls += batch;
    const { user, system } = process.cpuUsage(start);
    spent = (user + system) / 1000;
    // Reading the time must not be most of it.
    if (spent < least_ms / 8) batch *= 2;
  } while (spent < least_ms);
  return spent / calls;
}

/** Milliseconds of one call of each work: warm, in turn. */
export async function timeInTurn(works: readonly Work[], pace: Pace): Promise<readonly Summary[]> {
  for (const work of works) await timeEach(work, pace.warm_ms);
  const samples = works.map((): number[] => []);
  for (let repetition = 0; repetition < pace.repetitions; repetition++)
    for (const [at, work] of works.entries()) samples[at]?.push(await timeEach(work, pace.repetition_ms));
  return samples.map(summary);
}
