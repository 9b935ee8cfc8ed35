/** A reader of events that does not read: what waits for it is bounded, and it is dropped after its time. The clock is the test's. */
import { PassThrough } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import type { StoredJobEvent } from "../../service/jobs/job.ts";
import { jobTimes } from "../../service/jobs/part.ts";
import { JobWatching } from "../../service/jobs/watching.ts";
import { tell } from "../../service/routes/result-events.ts";
import { Cancelling } from "../../vm/cancelling.ts";
import { realClock } from "./serving.ts";

const BOUND = 64 * 1024;

function endless() {
  let made = 0;
  async function* events(): AsyncGenerator<StoredJobEvent, void> {
    for (;;) {
      made += 1;
      // As a store does, it lets timers and sockets in between.
      await new Promise((resolve) => setImmediate(resolve));
      yield { seq: made, kind: "adapter_call", data: JSON.stringify({ text: "x".repeat(1000) }) };
    }
  }
  const watching = Object.assign(Object.create(JobWatching.prototype), { events }) as JobWatching;
  return { jobs: { watching, times: jobTimes(30_000) }, made: () => made };
}

describe("a reader of events", () => {
  it("that does not read is dropped after ten seconds with no more than 64 KiB waiting", async () => {
    const { jobs, made } = endless();
    const timers: { readonly ms: number; readonly then: () => void }[] = [];
    const wait = (ms: number, then: () => void): (() => void) => {
      timers.push({ ms, then });
      return () => {};
    };
    const stream = new PassThrough({ writableHighWaterMark: BOUND, readableHighWaterMark: 0 });
    const told = tell(stream, jobs, "job", 0, new Cancelling(), { ...realClock, wait });
    await vi.waitFor(() => expect(timers).toHaveLength(1));
    const waiting = made();
    expect(stream.writableLength + stream.readableLength).toBeLessThan(BOUND + 2048);
    expect(timers[0]?.ms).toBe(10_000);
    timers[0]?.then();
    await told;
    expect(stream.destroyed).toBe(true);
    expect(made()).toBe(waiting);
  });

  it("that reads again in time goes on", async () => {
    const { jobs, made } = endless();
    const stream = new PassThrough({ writableHighWaterMark: BOUND, readableHighWaterMark: 0 });
    const stops = vi.fn();
    const waits = vi.fn(() => stops);
    const told = tell(stream, jobs, "job", 0, new Cancelling(), { ...realClock, wait: waits });
    await vi.waitFor(() => expect(waits).toHaveBeenCalled());
    const before = made();
    stream.resume();
    await vi.waitFor(() => expect(made()).toBeGreaterThan(before + 100));
    expect(stops).toHaveBeenCalled();
    stream.destroy();
    await told;
  });
});
