/** Readers of events that do not read, or are very many: what waits for each is bounded, and so is what all of them cost. The clock is the test's. */
import { PassThrough } from "node:stream";
import { finished } from "node:stream/promises";
import { describe, expect, it, vi } from "vitest";
import { JobWatching } from "../../../service/jobs/answers/watching.ts";
import type { StoredJobEvent } from "../../../service/jobs/job.ts";
import { JobSignals } from "../../../service/jobs/signals.ts";
import { jobTimes } from "../../../service/jobs/times.ts";
import { tell } from "../../../service/routes/result-events.ts";
import type { JobStore } from "../../../service/state/store.ts";
import { Cancelling } from "../../../vm/runs/cancellation.ts";
import { realClock } from "../serving.ts";

const BOUND = 64 * 1024;

function endless() {
  let made = 0;
  async function* events(): AsyncGenerator<readonly StoredJobEvent[], void> {
    for (;;) {
      made += 1;
      // As a store does, it lets timers and sockets in between.
      await new Promise((resolve) => setImmediate(resolve));
      yield [{ seq: made, kind: "adapter_call", data: JSON.stringify({ text: "x".repeat(1000) }) }];
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
    await expect.poll(() => timers.length).toBe(1);
    const waiting = made();
    expect(stream.writableLength + stream.readableLength).toBeLessThan(BOUND + 2048);
    expect(timers[0]?.ms).toBe(10_000);
    timers[0]?.then();
    await told;
    expect(stream.destroyed).toBe(true);
    expect(made()).toBe(waiting);
  });

  it("that reads again in time continues", async () => {
    const { jobs, made } = endless();
    const stream = new PassThrough({ writableHighWaterMark: BOUND, readableHighWaterMark: 0 });
    const stops = vi.fn();
    const waits = vi.fn(() => stops);
    const told = tell(stream, jobs, "job", 0, new Cancelling(), { ...realClock, wait: waits });
    await expect.poll(() => waits.mock.calls.length).toBeGreaterThan(0);
    const before = made();
    stream.resume();
    await expect.poll(made).toBeGreaterThan(before + 100);
    expect(stops).toHaveBeenCalled();
    stream.destroy();
    await told;
  });
});

describe("very many readers of events", () => {
  const EVENTS = Array.from({ length: 1000 }, (_, at): StoredJobEvent => {
    const data = JSON.stringify({ seq: at, adapter: "core", verb: "SLEEP" });
    return at < 999 ? { seq: at + 1, kind: "adapter_call", data } : { seq: 1000, kind: "end", data: "{}" };
  });

  it("are served a few at a time, with few writes", async () => {
    let reading = 0;
    let most = 0;
    const store = {
      signals: new JobSignals(),
      async events(_id: string, seq: number) {
        reading += 1;
        most = Math.max(most, reading);
        await new Promise((resolve) => setImmediate(resolve));
        reading -= 1;
        return EVENTS.filter((event) => event.seq > seq);
      },
    };
    const watching = new JobWatching(store as unknown as JobStore, realClock, 10);
    const jobs = { watching, times: jobTimes(30_000) };
    const told = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const stream = new PassThrough();
        const write = vi.spyOn(stream, "write");
        let text = "";
        stream.on("data", (chunk) => {
          text += String(chunk);
        });
        await tell(stream, jobs, "job", 0, new Cancelling(), realClock);
        await finished(stream);
        return { text, writes: write.mock.calls.length };
      }),
    );
    for (const { text, writes } of told) {
      expect(text.match(/^id: /gm)).toHaveLength(1000);
      expect(text).toMatch(/id: 1000\nevent: end\ndata: {}\n\n$/);
      expect(writes).toBeLessThan(20);
    }
    expect(most).toBeLessThanOrEqual(8);
    expect(reading).toBe(0);
  });

  it("of a job that ends meanwhile receive its end", async () => {
    const given: StoredJobEvent[][] = [[], [{ seq: 1, kind: "end", data: "{}" }]];
    const store = {
      signals: new JobSignals(),
      events: async () => given.shift() ?? [],
      find: async () => ({ status: "succeeded" }),
    };
    const watching = new JobWatching(store as unknown as JobStore, realClock, 10);
    const told: unknown[] = [];
    for await (const events of watching.events("job", 0, 15_000, new Cancelling())) told.push(...events);
    expect(told).toEqual([{ seq: 1, kind: "end", data: "{}" }]);
  });
});
