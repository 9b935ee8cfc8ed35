/** Parts of the service by themselves: the log's way out, turns of runs, figures of the recent past, the rate of a client. */
import { Histogram, Registry } from "prom-client";
import { describe, expect, it, vi } from "vitest";
import type { ServiceApp } from "../../service/app.ts";
import { createLogSink, prettyLine, type WriteChunk } from "../../service/log-sink.ts";
import { Outbox } from "../../service/outbox.ts";
import { PlainHistogram } from "../../service/plain-histogram.ts";
import { createRateLimit } from "../../service/rate-limit.ts";
import { Readiness } from "../../service/readiness.ts";
import { MinuteRate, Ring } from "../../service/rings.ts";
import { RouteTable } from "../../service/route-table.ts";
import { readTraceparent } from "../../service/tracing.ts";
import { createTurns } from "../../service/turns.ts";

describe("the log sink", () => {
  it("writes one chunk after the other, whole, also when the reader takes parts", async () => {
    const out: string[] = [];
    let busy = false;
    const write: WriteChunk = (chunk, done) => {
      expect(busy).toBe(false);
      busy = true;
      const part = chunk.subarray(0, 7);
      setImmediate(() => {
        busy = false;
        out.push(part.toString("utf8"));
        done(null, part.length);
      });
    };
    const sink = createLogSink(write, () => undefined);
    for (let line = 0; line < 20; line++) sink.write(`line ${line}\n`, false);
    await sink.flush();
    expect(out.join("")).toBe(Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join(""));
  });

  it("drops what may be lost when the reader does not read, and counts it", async () => {
    let finish = (): void => undefined;
    const written: string[] = [];
    const sink = createLogSink(
      (chunk, done) => {
        written.push(chunk.toString("utf8"));
        finish = () => done(null, chunk.length);
      },
      () => undefined,
    );
    sink.write("first\n", false);
    await vi.waitFor(() => expect(written).toHaveLength(1));
    sink.write(`${"x".repeat(2 * 1024 * 1024)}\n`, false);
    sink.write("droppable\n", true);
    sink.write("kept\n", false);
    expect(sink.takeDropped()).toBe(1);
    expect(sink.takeDropped()).toBe(0);
    finish();
    finish();
    await vi.waitFor(() => expect(written[2]).toBe("kept\n"));
    expect(written[1]?.endsWith("x\n")).toBe(true);
  });

  it("is bounded for every line, and tells once how much is missing when it is read again", async () => {
    let read = false;
    const written: string[] = [];
    let finish = (): void => undefined;
    const sink = createLogSink(
      (chunk, done) => {
        written.push(chunk.toString("utf8"));
        finish = () => done(null, chunk.length);
        if (read) setImmediate(finish);
      },
      () => undefined,
    );
    sink.onRelief(() => sink.write(`lost ${sink.takeDropped()}\n`, false));
    const line = `${"é".repeat(5000)}\n`;
    for (let count = 0; count < 4000; count++) sink.write(line, false);
    expect(sink.dropped).toBeGreaterThan(2000);
    expect(written).toHaveLength(1);
    read = true;
    finish();
    await sink.flush();
    const all = written.join("");
    expect(Buffer.byteLength(all)).toBeLessThan(17 * 1024 * 1024);
    expect(all.match(/lost [0-9]+/g)).toEqual([`lost ${sink.dropped}`]);
    expect(all.startsWith(line)).toBe(true);
  });

  it("says once that nobody reads, and is silent from then on", async () => {
    const complaints: string[] = [];
    const sink = createLogSink(
      (_chunk, done) => done(Object.assign(new Error("broken pipe"), { code: "EPIPE" }), 0),
      (code) => complaints.push(code),
    );
    sink.write("a\n", false);
    await sink.flush();
    sink.write("b\n", false);
    await sink.flush();
    expect(complaints).toEqual(["EPIPE"]);
  });

  it("has a form for people", () => {
    const line =
      '{"level":"info","event":"run_start","ts":"2030-01-01T12:34:56.789Z","trace_id":"6f0c1d7e4b2a","label":"L1","n":{"a":1}}';
    expect(prettyLine(line)).toBe('12:34:56.789 info  run_start 6f0c1d7e label=L1 n={"a":1}\n');
  });

  it("shows what a terminal would obey, and stays one line", () => {
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

describe("an outbox", () => {
  it("keeps makers waiting while nobody reads, and lets them go when it is closed", async () => {
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

describe("a histogram without labels", () => {
  it("prints what the registry's own prints", async () => {
    const printed = await Promise.all(
      [true, false].map(async (plain) => {
        const register = new Registry();
        const options = { name: "wf_seconds", help: "Seconds", buckets: [0.001, 0.5, 10] };
        const histogram = plain
          ? new PlainHistogram({ ...options, register })
          : new Histogram({ ...options, registers: [register] });
        for (const value of [0, 0.001, 0.0011, 0.5, 3, 11, 400]) histogram.observe(value);
        return register.metrics();
      }),
    );
    expect(printed[0]).toContain('wf_seconds_bucket{le="+Inf"} 7');
    expect(printed[0]).toBe(printed[1]);
  });
});

describe("the rate of a client", () => {
  it("refills with time, one client apart from another", () => {
    let now = 0;
    const limit = createRateLimit({ requests: 2, seconds: 1 }, { now: () => now });
    limit("a");
    limit("a");
    expect(() => limit("a")).toThrow("too many requests");
    limit("b");
    now = 500;
    limit("a");
    expect(() => limit("a")).toThrow();
  });
});

describe("readiness", () => {
  it("is what the last look found", async () => {
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
