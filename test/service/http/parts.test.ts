/** Parts of the service by themselves: lines of the log for people, turns of runs, figures of the recent past. */
import { describe, expect, it } from "vitest";
import { Outbox } from "../../../service/batch/line-outbox.ts";
import { RouteTable } from "../../../service/http/route-table.ts";
import type { ServiceApp } from "../../../service/http/service-app.ts";
import { createStarts, createTurns } from "../../../service/run/time-slices.ts";
import { prettyLine } from "../../../service/telemetry/events.ts";
import { Readiness } from "../../../service/telemetry/readiness.ts";
import { MinuteRate, Ring } from "../../../service/telemetry/rolling-figures.ts";
import { readTraceparent } from "../../../service/telemetry/tracing.ts";

describe("a line of the log for people", () => {
  it("starts with time, level, event and the first characters of the trace id", () => {
    const line =
      '{"level":"info","event":"run_start","ts":"2030-01-01T12:34:56.789Z","trace_id":"6f0c1d7e4b2a","label":"L1","n":{"a":1}}';
    expect(prettyLine(line)).toBe('12:34:56.789 info  run_start 6f0c1d7e label=L1 n={"a":1}\n');
  });

  it("escapes control characters, and stays one line", () => {
    const line = JSON.stringify({
      level: "info",
      event: "x",
      ts: "2030-01-01T12:34:56.789Z",
      text: "a\n\u001b[2Jb\u009b",
    });
    expect(prettyLine(line)).toBe("12:34:56.789 info  x text=a\\x0a\\x1b[2Jb\\x9b\n");
  });
});

describe("turns", () => {
  it("let every run have its slice, and the event loop its time between", async () => {
    let now = 0;
    const turns = createTurns(() => now);
    const order: string[] = [];
    const run = async (name: string): Promise<void> => {
      for (let slice = 0; slice < 3; slice++) {
        await new Promise<void>((resolve) => turns(resolve));
        order.push(name);
        now += 2;
      }
    };
    let loops = 0;
    const ticking = setInterval(() => undefined, 0);
    const count = (): void => {
      loops += 1;
      if (order.length < 9) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all([run("a"), run("b"), run("c")]);
    clearInterval(ticking);
    expect(order.join("")).toBe("abcabcabc");
    expect(loops).toBeGreaterThan(2);
  });
});

describe("runs that arrive together", () => {
  it("begin at once for some milliseconds, and then in turn, in pieces of the event loop", async () => {
    let now = 0;
    const begins = createStarts(
      () => now,
      createTurns(() => now),
    );
    let loops = 0;
    let begun = 0;
    const order: number[] = [];
    const count = (): void => {
      loops += 1;
      if (begun < 20) setImmediate(count);
    };
    setImmediate(count);
    const run = async (name: number): Promise<void> => {
      const wait = begins();
      if (wait !== null) await wait;
      order.push(name);
      begun += 1;
      now += 10;
    };
    const all = Promise.all(Array.from({ length: 20 }, (_, name) => run(name)));
    expect(begun).toBe(1);
    await all;
    expect(order).toEqual(Array.from({ length: 20 }, (_, name) => name));
    expect(loops).toBeGreaterThanOrEqual(19);
    expect(begins()).toBeNull();
  });
});

describe("an outbox", () => {
  it("makes producers wait while the reader is slow, and releases them when it is closed", async () => {
    const box = new Outbox(2);
    const done: string[] = [];
    const make = async (value: string): Promise<void> => {
      await box.put(value);
      done.push(value);
    };
    const makers = [make("a"), make("b"), make("c")];
    await new Promise(setImmediate);
    expect(done).toEqual(["a"]);
    const lines = box.lines();
    expect((await lines.next()).value).toEqual(["a", "b", "c"]);
    await new Promise(setImmediate);
    expect(done).toEqual(["a", "b", "c"]);
    box.close();
    expect((await lines.next()).done).toBe(true);
    await Promise.all(makers);
    await box.put("d");
  });
});

describe("figures of the recent past", () => {
  it("keep the last values and the last minute", () => {
    const ring = new Ring(4);
    expect(ring.p95()).toBe(0);
    for (const value of [100, 1, 2, 3, 4]) ring.add(value);
    expect(ring.p95()).toBe(3);
    const rate = new MinuteRate();
    for (let at = 0; at < 120; at++) rate.add(at * 1000);
    expect(rate.perSecond(119_500)).toBe(1);
    expect(rate.perSecond(200_000)).toBe(0);
  });
});

describe("readiness", () => {
  it("is the result of the last check", async () => {
    let fault: string | null = "the disk is full";
    const readiness = new Readiness({ wait: () => () => undefined }, [() => fault]);
    expect(readiness.state().status).toBe("starting");
    readiness.open();
    expect(readiness.state()).toEqual({ status: "ready" });
    await readiness.check();
    expect(readiness.state()).toEqual({ status: "degraded", reason: "the disk is full" });
    fault = null;
    await readiness.check();
    expect(readiness.state()).toEqual({ status: "ready" });
    readiness.drain();
    expect(readiness.state().status).toBe("draining");
  });
});

describe("a traceparent", () => {
  it.each([
    ["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true],
    ["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-the-first-version-has-not", false],
    ["cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-the-future-will-be-like", true],
    ["00-00000000000000000000000000000000-00f067aa0ba902b7-01", false],
    ["ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false],
    ["00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false],
    ["", false],
  ])("%s is one: %s", (header, valid) => {
    expect(readTraceparent(header) !== null).toBe(valid);
  });
});

describe("the table of routes", () => {
  it("finds methods by path, with and without parameters", () => {
    const hooks: ((route: { method: string | string[]; url: string }) => void)[] = [];
    const app = { addHook: (_name: string, hook: never) => hooks.push(hook) } as unknown as ServiceApp;
    const table = new RouteTable(app);
    for (const [method, url] of [
      ["GET", "/result/:id"],
      ["DELETE", "/result/:id"],
      ["GET", "/jobs"],
    ] as const)
      hooks[0]?.({ method, url });
    expect(table.methodsAt("/result/5?wait=1")).toEqual(["GET", "DELETE"]);
    expect(table.methodsAt("/result/")).toEqual([]);
    expect(table.methodsAt("/jobs")).toEqual(["GET"]);
    expect(table.endpoints()[0]).toEqual({ method: "GET", path: "/result/{id}" });
  });
});
