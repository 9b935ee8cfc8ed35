/** What is done for jobs again and again: each task at its own time, after a failure too, and never after the end. */
import { beforeEach, describe, expect, it } from "vitest";
import type { ClaimedJob, Job } from "../../../service/jobs/job.ts";
import { RECOVERED_A_ROUND, ROWS_A_ROUND } from "../../../service/jobs/retention/retention.ts";
import { type KeptStore, Upkeep } from "../../../service/jobs/run/upkeep.ts";

const TIMES = { recoverMs: 10, sweepMs: 20, probeMs: 30, lifetimeMs: 1000, cancelMs: 40 };

const jobs = (...ids: readonly string[]) => ids.map((id) => ({ id }) as Job);

describe("upkeep", () => {
  let done: string[];
  let timers: Map<number, () => void>;
  let answers: {
    recover: () => readonly Job[];
    sweep: () => readonly Job[];
    fault: string | null;
    running: string[];
    cancelling: readonly string[];
  };
  let upkeep: Upkeep;
  let archiving: (archive: { keep(ids: readonly string[]): Promise<readonly string[]> } | null) => Upkeep;
  beforeEach(async () => {
    done = [];
    timers = new Map();
    answers = { recover: () => [], sweep: () => [], fault: null, running: [], cancelling: [] };
    const store: KeptStore = {
      recover: async () => {
        done.push("recover");
        return answers.recover();
      },
      due: async () => ["a", "b"],
      sweep: async ({ mostResults, only }) => {
        done.push(`sweep to ${mostResults}${only === undefined ? "" : ` of ${only}`}`);
        return answers.sweep();
      },
      probe: async () => void done.push("probe"),
      cancelling: async (ids) => {
        done.push(`cancelling ${ids}`);
        return answers.cancelling;
      },
      health: {
        get fault() {
          return answers.fault;
        },
      },
    };
    const worker = {
      get running() {
        return answers.running.map((id) => ({ id }) as ClaimedJob);
      },
      cancel: (id: string) => void done.push(`cancel ${id}`),
    };
    const clock = {
      wait(ms: number, then: () => void) {
        timers.set(ms, then);
        return () => void timers.delete(ms);
      },
    };
    const log = { ended: ({ id }: Pick<Job, "id">) => void done.push(`ended ${id}`) };
    archiving = (archive) => new Upkeep(store, worker, log, clock, { mostResults: 7 }, TIMES, archive);
    upkeep = archiving(null);
    await upkeep.start();
    expect(done.splice(0)).toEqual(["recover"]);
  });

  /** What is done when the time of a task has come. */
  const due = async (ms: number): Promise<readonly string[]> => {
    const then = timers.get(ms);
    timers.delete(ms);
    then?.();
    await new Promise((resolve) => setImmediate(resolve));
    return done.splice(0);
  };

  it("moves the jobs of dead processes, and reports them", async () => {
    answers.recover = () => jobs("a", "b");
    expect(await due(TIMES.recoverMs)).toEqual(["recover", "ended a", "ended b"]);
    expect(await due(TIMES.recoverMs)).toEqual(["recover", "ended a", "ended b"]);
  });

  it("recovers until a round was not full", async () => {
    const rounds = [jobs(...Array.from({ length: RECOVERED_A_ROUND }, () => "x")), jobs("last")];
    answers.recover = () => rounds.shift() ?? [];
    const said = await due(TIMES.recoverMs);
    expect(said.filter((one) => one !== "ended x")).toEqual(["recover", "recover", "ended last"]);
  });

  it("sweeps until a round was not full", async () => {
    const rounds = [jobs(...Array.from({ length: ROWS_A_ROUND }, () => "x")), jobs("last")];
    answers.sweep = () => rounds.shift() ?? [];
    const said = await due(TIMES.sweepMs);
    expect(said.filter((one) => one !== "ended x")).toEqual(["sweep to 7", "sweep to 7", "ended last"]);
    expect(said.length).toBe(ROWS_A_ROUND + 3);
  });

  it("expires only what the archive has", async () => {
    await archiving({ keep: async (ids) => ids.slice(1) }).sweep();
    expect(done).toEqual(["sweep to 7 of b"]);
  });

  it("probes a store that failed, and only that", async () => {
    expect(await due(TIMES.probeMs)).toEqual([]);
    answers.fault = "away";
    expect(await due(TIMES.probeMs)).toEqual(["probe"]);
  });

  it("cancels running jobs whose signal was lost", async () => {
    expect(await due(TIMES.cancelMs)).toEqual([]);
    answers.running = ["a", "b"];
    answers.cancelling = ["b"];
    expect(await due(TIMES.cancelMs)).toEqual(["cancelling a,b", "cancel b"]);
  });

  it("retries failures in the next round", async () => {
    answers.recover = () => {
      throw new Error("away");
    };
    expect(await due(TIMES.recoverMs)).toEqual(["recover"]);
    answers.recover = () => jobs("a");
    expect(await due(TIMES.recoverMs)).toEqual(["recover", "ended a"]);
  });

  it("does nothing after its end, and does not restart a task that ends later", async () => {
    const running = due(TIMES.recoverMs);
    upkeep.stop();
    await running;
    expect([...timers.keys()]).toEqual([]);
  });
});
