/** POST /batch with `Prefer: rows=…`: what rows say, in which order they leave, and what ends them. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exchange, opened, replyOf, type Serving, serving } from "../serving.ts";

const DOUBLE = "def main(a: int):\n    return a * 2\n";
const DIVIDE = "def main(a: int):\n    return 10 // a\n";
const HOLD = "# frame: a: any\nL1:\n  R ext.Hold a ->x\n  J x\n";
const LEAN = { "content-type": "application/x-ndjson", prefer: "rows=lean" };
// biome-ignore lint/suspicious/noExplicitAny: lines have several shapes
const linesOf = (text: string): any[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const stream = (head: object, frames: readonly (object | string)[]): string =>
  [head, ...frames].map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");

let service: Serving;
beforeAll(async () => {
  service = await serving();
});
afterAll(() => service.stop());

describe("lean rows", () => {
  it("have the result alone, in the order of the frames, and a summary with the usage of all", async () => {
    const frames = Array.from({ length: 3000 }, (_, a) => ({ a }));
    const reply = await service.call("POST", "/batch", stream({ code: DOUBLE }, frames), LEAN);
    expect(reply.headers["preference-applied"]).toBe("rows=lean");
    const lines = linesOf(reply.text);
    const summary = lines.pop();
    expect(lines).toEqual(frames.map(({ a }) => ({ ok: true, out: 2 * a })));
    expect(summary).toMatchObject({ summary: true, ok: true, count: 3000, succeeded: 3000, failed: 0 });
    expect(summary.usage.steps).toBeGreaterThan(3000);
  });

  it("of frames that fail are whole, and say which frame and which line it was", async () => {
    const frames = [{ a: 5 }, { a: 0 }, "oops", { a: "x" }, { b: 1 }, { a: 2 }];
    const lines = linesOf((await service.call("POST", "/batch", stream({ code: DIVIDE }, frames), LEAN)).text);
    expect(lines[0]).toEqual({ ok: true, out: 2 });
    expect(lines[1]).toMatchObject({ index: 1, ok: false, error: "runtime_error", usage: {} });
    expect(lines[2]).toEqual({ index: 2, ok: false, error: "invalid_json", message: "line 4 is not JSON", line: 4 });
    expect(lines[3]).toMatchObject({ index: 3, ok: false, error: "input_invalid" });
    expect(lines[4]).toMatchObject({ index: 4, ok: false, error: "input_invalid" });
    expect(lines[5]).toEqual({ ok: true, out: 5 });
    expect(lines[6]).toMatchObject({ summary: true, ok: false, count: 6, succeeded: 2, failed: 4 });
  });

  it("stop after a failure when the head says so", async () => {
    const head = { code: DIVIDE, on_error: "stop" };
    const frames = [{ a: 5 }, { a: 0 }, { a: 1 }];
    const lines = linesOf((await service.call("POST", "/batch", stream(head, frames), LEAN)).text);
    expect(lines.at(-1)).toMatchObject({ summary: true, ok: false, count: 2, failed: 1 });
    expect(lines).toHaveLength(3);
  });

  it("are the elements of a document's results", async () => {
    const body = { code: DOUBLE, frames: [{ a: 1 }, { a: "?" }, { a: 3 }] };
    const lean = await service.call("POST", "/batch", body, { prefer: "respond-async, rows=lean" });
    expect(lean.body).toMatchObject({ ok: false, count: 3, results: [{ ok: true, out: 2 }, { index: 1 }, { out: 6 }] });
    const out = await service.call("POST", "/batch", body, { prefer: 'rows="out"' });
    expect(out.body.results[2]).toBe(6);
    const full = await service.call("POST", "/batch", body, { prefer: "rows=full" });
    expect(full.headers["preference-applied"]).toBe("rows=full");
    expect(full.body.results[2]).toMatchObject({ index: 2, ok: true, out: 6, usage: {} });
  });

  it("are refused where they could not say what was asked for", async () => {
    const body = { code: DOUBLE, frames: [{ a: 1 }] };
    const wrong = await service.call("POST", "/batch", body, { prefer: "rows=small" });
    expect(wrong).toMatchObject({ status: 400, body: { issues: [{ code: "value" }] } });
    const traced = await service.call("POST", "/batch", { ...body, trace: true }, { prefer: "rows=lean" });
    expect(traced).toMatchObject({ status: 400, body: { issues: [{ path: "/trace", code: "exclusive" }] } });
    expect(service.services.slots.inFlight).toBe(0);
  });

  it("leave while further frames are sent, and calls of several frames wait at the same time", async () => {
    const request = opened(service.port, "POST", "/batch", LEAN);
    const rows: string[] = [];
    let heard = (): void => {};
    request.on("response", (response) =>
      response.on("data", (chunk: Buffer) => {
        rows.push(chunk.toString());
        heard();
      }),
    );
    const reply = replyOf(request);
    request.write(`${JSON.stringify({ code: HOLD, concurrency: 2 })}\n{"a":"first"}\n{"a":"second"}\n{"a":"third"}\n`);
    const [first, second] = [await service.held(), await service.held()];
    second.release(2);
    const third = await service.held();
    const arrived = new Promise<void>((then) => {
      heard = then;
    });
    first.release(1);
    await arrived;
    expect(rows.join("")).toBe('{"ok":true,"out":1}\n{"ok":true,"out":2}\n');
    third.release(3);
    request.end();
    expect(linesOf((await reply).text).map(({ out }) => out)).toEqual([1, 2, 3, undefined]);
    expect(service.services.slots.inFlight).toBe(0);
  });

  it("take a slot for each run that waits, and no more than there are", async () => {
    const small = await serving({ variables: { WF_MAX_CONCURRENT_RUNS: "2" } });
    try {
      const frames = [{ a: "1" }, { a: "2" }, { a: "3" }];
      const reply = small.call("POST", "/batch", stream({ code: HOLD }, frames), LEAN);
      const held = [await small.held(), await small.held()];
      expect(small.services.slots.inFlight).toBe(2);
      held[0]?.release(1);
      const third = await small.held();
      held[1]?.release(2);
      third.release(3);
      expect(linesOf((await reply).text).at(-1)).toMatchObject({ succeeded: 3 });
    } finally {
      await small.stop();
    }
  });

  it("have results that are too large as failures, and secrets of the operator nowhere", async () => {
    const small = await serving({ variables: { WF_MAX_RESULT_BYTES: "1024", WF_SECRET_TOKEN: "hunter2hunter2" } });
    try {
      const code = "def main(n: int):\n    return 'x' * n\n";
      const text = stream({ code }, [{ n: 10 }, { n: 5000 }, { n: 3 }]);
      const lines = linesOf((await small.call("POST", "/batch", text, LEAN)).text);
      expect(lines.map(({ ok }) => ok)).toEqual([true, false, true, false]);
      expect(lines[1]).toMatchObject({ index: 1, error_structured: { data: { reason: "result_too_large" } } });
    } finally {
      await small.stop();
    }
  });

  it("have the frame that a deployment gives, each frame like any run", async () => {
    const isolated = await serving({ variables: { WF_ISOLATION: "worker", WF_WORKER_THREADS: "1" } });
    try {
      const lines = linesOf((await isolated.call("POST", "/batch", stream({ code: DOUBLE }, [{ a: 4 }]), LEAN)).text);
      expect(lines[0]).toEqual({ ok: true, out: 8 });
      expect(lines[1]).toMatchObject({ summary: true, ok: true });
    } finally {
      await isolated.stop();
    }
  });

  it("end with the reason when the service stops, also while the sender is silent", async () => {
    const leaving = await serving({ variables: { WF_DRAIN_MS: "1" } });
    const request = opened(leaving.port, "POST", "/batch", LEAN);
    const answered = replyOf(request);
    request.write(`${stream({ code: DOUBLE }, [{ a: 1 }])}\n`);
    await leaving.logged("run_start");
    const drained = leaving.drain();
    const lines = linesOf((await answered).text);
    expect(lines.at(-1)).toMatchObject({ summary: true, ok: false, error: "cancelled" });
    request.destroy();
    await drained;
    expect(leaving.services.slots.inFlight).toBe(0);
  });

  it("cancel their runs when the client goes away", async () => {
    const request = opened(service.port, "POST", "/batch", LEAN);
    request.on("error", () => undefined);
    request.write(`${JSON.stringify({ code: HOLD })}\n{"a":"left"}\n`);
    const held = await service.held();
    request.destroy();
    if (!held.signal.aborted) await new Promise((resolve) => held.signal.addEventListener("abort", resolve));
    await service.services.slots.idle();
    expect(service.services.slots.inFlight).toBe(0);
  });

  it("count each run once in the figures", async () => {
    const own = await serving();
    try {
      await own.call("POST", "/batch", stream({ code: DIVIDE }, [{ a: 1 }, { a: 0 }, { a: "x" }, { a: 5 }]), LEAN);
      const { text } = await own.call("GET", "/metrics?format=prometheus");
      expect(text).toContain('wf_runs_total{outcome="ok"} 2');
      expect(text).toContain('wf_runs_total{outcome="runtime_error"} 1');
    } finally {
      await own.stop();
    }
  });
});

describe("bad input of lean rows", () => {
  it("spoils one row: a line too long, not UTF-8, with NUL, or a lone surrogate", async () => {
    const small = await serving({ variables: { WF_MAX_BODY_BYTES: "2048" } });
    try {
      const code = "def main(a):\n    return a\n";
      const body = Buffer.concat([
        Buffer.from(`${JSON.stringify({ code })}\n{"a":1}\n{"a":"`),
        Buffer.alloc(5000, "x"),
        Buffer.from('"}\n{"a":"'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('"}\n{"a":"\0"}\n{"a":"\\ud800"}\n{"a":2}'),
      ]);
      const lines = linesOf((await small.call("POST", "/batch", body, LEAN)).text);
      expect(lines.map(({ ok, out, error }) => (ok ? out : error))).toEqual([
        1,
        "payload_too_large",
        "invalid_json",
        "invalid_json",
        "\ud800",
        2,
        undefined,
      ]);
    } finally {
      await small.stop();
    }
  });

  it("ends a body that is larger than WF_BATCH_MAX_BYTES after the frames before, in all rows", async () => {
    const small = await serving({ variables: { WF_BATCH_MAX_BYTES: "100000" } });
    try {
      const frames = Array.from({ length: 30_000 }, (_, a) => ({ a }));
      const text = stream({ code: DOUBLE }, frames);
      for (const prefer of ["rows=lean", "rows=full"]) {
        const reply = await small.call("POST", "/batch", text, { ...LEAN, prefer });
        expect(linesOf(reply.text).at(-1)).toMatchObject({ summary: true, ok: false, error: "payload_too_large" });
      }
    } finally {
      await small.stop();
    }
  });

  it("is refused before anything runs where the first line is not a head", async () => {
    for (const [text, status] of [
      ["", 400],
      ["\n\n", 400],
      ["{", 400],
      ["x".repeat(5 * 1024 * 1024), 413],
      [stream({ code: "def main(:\n" }, [{ a: 1 }]), 422],
    ] as const)
      expect((await service.call("POST", "/batch", text, LEAN)).status).toBe(status);
    expect(service.services.slots.inFlight).toBe(0);
  });
});

describe("a compressed batch", () => {
  const text = stream({ code: DOUBLE }, [{ a: 1 }, { a: 2 }]);
  const GZIP = { ...LEAN, "content-encoding": "gzip" };

  it("is decoded as it comes, as lines and as a document", async () => {
    const lines = linesOf((await service.call("POST", "/batch", gzipSync(text), GZIP)).text);
    expect(lines.slice(0, 2)).toEqual([
      { ok: true, out: 2 },
      { ok: true, out: 4 },
    ]);
    const full = await service.call("POST", "/batch", gzipSync(text), { ...GZIP, prefer: "" });
    expect(linesOf(full.text)[1]).toMatchObject({ index: 1, out: 4, usage: {} });
    const document = gzipSync(JSON.stringify({ code: DOUBLE, frames: [{ a: 1 }] }));
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    expect((await service.call("POST", "/batch", document, headers)).body.results[0].out).toBe(2);
  });

  it("that is broken off, or not gzip at all, ends with its reason", async () => {
    const cut = gzipSync(text).subarray(0, 30);
    for (const body of [cut, Buffer.from("not gzip")]) {
      const reply = await service.call("POST", "/batch", body, GZIP);
      expect(reply).toMatchObject({ status: 400, body: { error: "invalid_json" } });
    }
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const document = await service.call("POST", "/batch", Buffer.from("not gzip"), headers);
    expect(document).toMatchObject({ status: 400, body: { error: "invalid_json" } });
  });

  it("is bounded by what it becomes: lines by WF_BATCH_MAX_BYTES, a document by WF_MAX_BODY_BYTES", async () => {
    const variables = { WF_BATCH_MAX_BYTES: "65536", WF_MAX_BODY_BYTES: "65536" };
    const small = await serving({ variables });
    try {
      const bomb = gzipSync(
        Buffer.concat([Buffer.from(`${JSON.stringify({ code: DOUBLE })}\n`), Buffer.alloc(50_000_000, "\n")]),
      );
      const reply = await small.call("POST", "/batch", bomb, GZIP);
      expect(linesOf(reply.text).at(-1)).toMatchObject({ error: "payload_too_large", count: 0 });
      const headers = { "content-type": "application/json", "content-encoding": "gzip" };
      const document = await small.call("POST", "/batch", gzipSync(Buffer.alloc(50_000_000, " ")), headers);
      expect(document).toMatchObject({ status: 413, body: { error: "payload_too_large" } });
    } finally {
      await small.stop();
    }
  });

  it("is refused in a coding that is not known, and nowhere else taken", async () => {
    const unknown = await service.call("POST", "/batch", text, { ...LEAN, "content-encoding": "br" });
    expect(unknown).toMatchObject({ status: 415, headers: { "accept-encoding": expect.stringContaining("gzip") } });
    const body = gzipSync(JSON.stringify({ code: DOUBLE, frame: { a: 1 } }));
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    expect((await service.call("POST", "/run", body, headers)).status).toBe(415);
  });

  it("is answered in gzip where that is asked for, each row as it is made", async () => {
    const reply = await fetch(`http://127.0.0.1:${service.port}/batch`, {
      method: "POST",
      headers: { ...LEAN, "accept-encoding": "br;q=1, gzip;q=0.5" },
      body: text,
    });
    expect(reply.headers.get("content-encoding")).toBe("gzip");
    expect(linesOf(await reply.text())[1]).toEqual({ ok: true, out: 4 });
    const plain = await exchange(service.port, "POST", "/batch", text, { ...LEAN, "accept-encoding": "gzip;q=0" });
    expect(plain.headers["content-encoding"]).toBeUndefined();
  });
});
