/** What waiting for a job and counting jobs ask of the store, which other work needs as well. */
import { describe, expect, it } from "vitest";
import { JobWatching } from "../../../service/jobs/answers/watching.ts";
import type { JobStatus } from "../../../service/jobs/job.ts";
import { QueueFigures } from "../../../service/jobs/run/figures.ts";
import { JobSignals } from "../../../service/jobs/signals.ts";
import type { JobStore } from "../../../service/state/store.ts";
import type { Clock } from "../../../vm/run.ts";
import { realClock } from "../serving.ts";

describe("a caller that waits for the end of a job", () => {
  const waiting = async (told: readonly (JobStatus | null)[], until: "over" | "parked" = "over") => {
    const signals = new JobSignals();
    let status: JobStatus = "running";
    let looks = 0;
    const find = async () => {
      looks += 1;
      return { status };
    };
    const store = { signals, find } as unknown as JobStore;
    const caller = new AbortController().signal;
    const reached = new JobWatching(store, realClock, 1).reached("j", until, 60_000, caller);
    for (const now of told) {
      await new Promise(setImmediate);
      status = now ?? status;
      signals.changed("j", now);
    }
    return { status: (await reached)?.status, looks };
  };

  it("makes the store find the job for each of its events", async () => {
    expect(await waiting(["running", "running", "waiting", "queued", "running", "succeeded"])).toEqual({
      ...{ status: "succeeded", looks: 2 },
    });
    expect(await waiting(["running", "running", "waiting"], "parked")).toEqual({ status: "waiting", looks: 2 });
  });

  it("misses the end when it hears of a change alone", async () => {
    expect(await waiting([null, "running", null, "failed"])).toEqual({ status: "failed", looks: 4 });
  });
});

describe("figures of a queue that changes all the time", () => {
  it.each([
    ["at once", 0, 50],
    ["in 40 ms", 40, 800],
    ["in a second", 1000, 5000],
  ])("are read for more than a twentieth of the time by a store that answers %s", async (_, tookMs, waitedMs) => {
    let now = 0;
    const waits: number[] = [];
    const clock: Pick<Clock, "now" | "wait"> = {
      now: () => now,
      wait: (ms) => {
        waits.push(ms);
        return () => {};
      },
    };
    const signals = new JobSignals();
    const counted = async () => {
      now += tookMs;
      return {};
    };
    const store = { signals, durable: null, figures: counted } as unknown as JobStore;
    const figures = new QueueFigures(store, clock, 50);
    await figures.start();
    signals.changed("j");
    signals.changed("k");
    // The first is for the case that nothing changes.
    expect(waits).toEqual([5000, waitedMs]);
    figures.stop();
  });
});
