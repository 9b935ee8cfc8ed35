/** Durable jobs that wait: they are parked, hold no place, and continue when what they wait for is there, in this process or in another. */
import { afterEach, describe, expect, it } from "vitest";
import {
  eventsIn,
  type JobServing,
  type JobServingOptions,
  servingJobs,
  streamOf,
  temporaryFolder,
} from "../serving-jobs.ts";

const folders: { remove(): Promise<void> }[] = [];
const services: JobServing[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  for (const folder of folders.splice(0)) await folder.remove();
});

async function inFolder(): Promise<string> {
  const folder = await temporaryFolder();
  folders.push(folder);
  return folder.path;
}

async function served(options: JobServingOptions): Promise<JobServing> {
  const service = await servingJobs(options);
  services.push(service);
  return service;
}

const EXT = { adapters: { enable: ["ext"] } };
const WAITS = [
  "L1:",
  '  R ext.Echo "before" ->a',
  '  R signal.wait ["delivered", "lost"] {"timeout": "3d"} ->news',
  '  R ext.Echo "after" ->b',
  '  J {"news": news, "a": a, "b": b}',
  "",
].join("\n");

describe("a job that waits for a time", () => {
  it("does not wait for a span below zero, nor for a time that has passed (B-9)", async () => {
    const service = await served({ stateDir: await inFolder() });
    const code =
      'L1:\n  R timer.sleep -5 ->a\n  R timer.until "2020-01-01T00:00:00Z" ->b\n  R timer.until 0 ->c\n  J b.at\n';
    expect((await service.over(await service.queued({ code }))).body.result.out).toBe("2020-01-01T00:00:00.000Z");
  });

  it("fails for a time in seconds, and names milliseconds (B-9)", async () => {
    const service = await served({ stateDir: await inFolder() });
    const code = "L1:\n  R core.NOW ->t\n  X u add t 3600\n  R timer.until u ->a\n  J a.at\n";
    const { body } = await service.over(await service.queued({ code }));
    expect(body).toMatchObject({ status: "failed" });
    expect(JSON.stringify(body.result)).toMatch(/is a time in seconds: give milliseconds since 1970/);
    const right = "L1:\n  R core.NOW ->t\n  X u mul t 1000\n  R timer.until u ->a\n  J 1\n";
    expect((await service.over(await service.queued({ code: right }))).body.status).toBe("succeeded");
  });
});

describe("signals and their jobs", () => {
  const KEYED = 'L1:\n  R signal.wait "paid" {"key": "k", "timeout": "1h"} ->s\n  J s.data\n';
  const OWN = 'L1:\n  R signal.wait "go" {"timeout": "1h"} ->s\n  J s.data\n';

  it("a signal under a key that is kept reaches the job that is queued after it (B-12, D2.Q-4)", async () => {
    const service = await served({ stateDir: await inFolder() });
    const kept = await service.call("POST", "/signals/paid", { key: "k", data: 1, keep_s: 60 });
    expect(kept.body).toMatchObject({ delivered: "kept", jobs: 0 });
    expect((await service.over(await service.queued({ code: KEYED }))).body.result.out).toBe(1);
    await service.until(await service.queued({ code: KEYED }), "waiting");
  });

  it("a job is queued with signals, which only a durable one takes (D2.Q-4)", async () => {
    const service = await served({ stateDir: await inFolder() });
    const signals = [{ name: "go", data: { n: 7 }, id: "first" }];
    const id = await service.queued({ code: OWN, signals });
    expect((await service.over(id)).body.result.out).toEqual({ n: 7 });
    const post = (body: object) => service.call("POST", "/enqueue", body);
    expect((await post({ code: "L1:\n  J 1\n", signals })).body.error).toBe("not_durable");
    expect((await post({ code: OWN, signals: [{ name: "weft.x" }] })).body.issues[0].path).toBe("/signals/0/name");
    // The same id, again, after the end (D2.Q-12).
    const again = await service.call("POST", `/result/${id}/signals/go`, { id: "first" });
    expect([again.status, again.body.delivered, again.body.jobs]).toEqual([200, "now", 1]);
    expect((await service.call("POST", `/result/${id}/signals/go`, { id: "other" })).status).toBe(409);
  });
});

describe("a job that waits for a signal", () => {
  it("says which whole numbers of a signal lost digits", async () => {
    const service = await served({ stateDir: await inFolder() });
    const big = (text: string) => Buffer.from(text.replace("N", "9007199254740993"));
    const warnings = [expect.stringMatching(/^number_precision: .*9007199254740992/)];
    const keyed = await service.call("POST", "/signals/paid", big('{"key":"4711","data":{"n":N}}'));
    expect(keyed).toMatchObject({ status: 202, body: { warnings } });
    const id = await service.queued({ code: WAITS, ...EXT });
    await service.until(id, "waiting");
    const own = await service.call("POST", `/result/${id}/signals/lost`, big('{"data":N}'));
    expect(own).toMatchObject({ status: 202, body: { warnings } });
    const exact = await service.call("POST", "/signals/paid", { key: "4711", data: 5 });
    expect(exact.body.warnings).toBeUndefined();
  });

  it("answers as soon as it waits a client that asks until then, with another tag when it waits again", async () => {
    const service = await served({ stateDir: await inFolder() });
    const TWICE = 'L1:\n  R signal.wait "a" ->a\n  R signal.wait "b" ->b\n  J b.data\n';
    const id = await service.queued({ code: TWICE });
    const until = (word: string) => service.call("GET", `/result/${id}?wait=20&until=${word}`);
    const first = await until("parked");
    expect(first.body.status).toBe("waiting");
    await service.call("POST", `/result/${id}/signals/a`, {});
    const again = await until("parked");
    expect(again.body).toMatchObject({ status: "waiting", resumes: 1, attempt: first.body.attempt });
    expect(again.headers.etag).not.toBe(first.headers.etag);
    const unchanged = await service.call("GET", `/result/${id}`, undefined, { "if-none-match": again.headers.etag });
    expect(unchanged.status).toBe(304);
    const over = until("over");
    await service.call("POST", `/result/${id}/signals/b`, { data: 7 });
    expect((await over).body).toMatchObject({ status: "succeeded", result: { out: 7 } });
    expect((await until("parked")).body.status).toBe("succeeded");
    expect((await until("later")).status).toBe(400);
  });

  it("is durable by itself, parks, and continues with what was sent", async () => {
    const service = await served({ stateDir: await inFolder() });
    const id = await service.queued({ code: WAITS, ...EXT });
    const parked = await service.until(id, "waiting");
    expect(parked.body).toMatchObject({ durable: true, status: "waiting" });
    const waits = await service.call("GET", `/result/${id}/waits`);
    expect(waits.body.waits).toMatchObject([{ kind: "signal", names: ["delivered", "lost"], ended_at: null }]);
    const sent = await service.call("POST", `/result/${id}/signals/delivered`, { data: { door: true } });
    expect(sent).toMatchObject({ status: 202, body: { delivered: "now", jobs: 1 } });
    const { body } = await service.over(id);
    expect(body.result.out).toMatchObject({
      a: "before",
      b: "after",
      news: { received: true, name: "delivered", data: { door: true } },
    });
    expect(service.made).toEqual(["Echo", "Echo"]);
    // A wake does not count as an attempt.
    expect(body).toMatchObject({ attempt: 1, resumes: 1 });
    expect(body.result.usage.parked_ms).toBeGreaterThanOrEqual(0);
    const stream = await streamOf(service.port, id);
    const kinds = eventsIn(await stream.text).map(({ event }) => event);
    expect(kinds).toContain("end");
  });

  it("gets a signal that came before its wait (G-1), once and in order", async () => {
    const service = await served({ stateDir: await inFolder(), variables: { WF_QUEUE_WORKERS: "1" } });
    const code = [
      "L1:",
      '  R ext.Hold "x" ->h',
      '  R signal.wait "go" {"timeout": 60} ->one',
      '  R signal.wait "go" {"timeout": 60} ->two',
      '  R signal.wait "go" {"timeout": 0} ->three',
      "  J [one.data, two.data, three.received]",
      "",
    ].join("\n");
    const id = await service.queued({ code, ...EXT });
    const held = await service.held();
    for (const [n, key] of [
      [1, "a"],
      [2, "b"],
      [2, "b"],
    ] as const)
      await service.call("POST", `/result/${id}/signals/go`, { data: n, id: key });
    held.release(null);
    expect((await service.over(id)).body.result.out).toEqual([1, 2, false]);
  });

  it("continues in the next process, which the signal meets", async () => {
    const stateDir = await inFolder();
    const first = await served({ stateDir });
    const id = await first.queued({ code: WAITS, ...EXT });
    await first.until(id, "waiting");
    await first.drain();
    services.pop();
    const second = await served({ stateDir });
    expect((await second.call("GET", `/result/${id}`)).body.status).toBe("waiting");
    await second.call("POST", `/result/${id}/signals/lost`, {});
    const { body } = await second.over(id);
    expect(body.result.out.news).toMatchObject({ received: true, name: "lost", data: null });
    expect(second.made).toEqual(["Echo"]);
  });

  it("hears of a key what was sent after it was queued, and shares it with others (G-2)", async () => {
    const service = await served({ stateDir: await inFolder() });
    const code = 'L1:\n  R signal.wait "paid" {"key": 4711, "timeout": "1d"} ->n\n  J n.data\n';
    await service.call("POST", "/signals/paid", { key: "4711", data: "early" });
    // What came before its job is for one job alone (D2.Q-4).
    expect((await service.over(await service.queued({ code }))).body.result.out).toBe("early");
    const ids = [await service.queued({ code }), await service.queued({ code })];
    for (const id of ids) await service.until(id, "waiting");
    const sent = await service.call("POST", "/signals/paid", { key: "4711", data: "in time" });
    expect(sent.body).toMatchObject({ delivered: "now", jobs: 2 });
    for (const id of ids) expect((await service.over(id)).body.result.out).toBe("in time");
  });

  it("ends its wait when the time is over: a value, not a failure (W-1)", async () => {
    const service = await served({ stateDir: await inFolder() });
    const id = await service.queued({ code: 'L1:\n  R signal.wait "x" {"timeout": 0.2} ->n\n  J n\n' });
    const { body } = await service.over(id);
    expect(body.result.out).toEqual({ received: false, name: null, data: null, id: null, at: null });
    expect(body.resumes).toBe(1);
  });

  it("is cancelled at once", async () => {
    const service = await served({ stateDir: await inFolder() });
    const id = await service.queued({ code: WAITS, ...EXT });
    await service.until(id, "waiting");
    expect((await service.call("DELETE", `/result/${id}`)).body.status).toBe("cancelled");
    const late = await service.call("POST", `/result/${id}/signals/delivered`, {});
    expect({ status: late.status, error: late.body.error }).toEqual({ status: 409, error: "signal_not_wanted" });
  });

  it("is cancelled with others that a filter finds", async () => {
    const service = await served({ stateDir: await inFolder() });
    const waiting = await service.queued({ code: WAITS, ...EXT });
    const sleeping = await service.queued({ code: 'L1:\n  R timer.sleep "1d" ->t\n  J t\n' });
    await service.until(waiting, "waiting");
    await service.until(sleeping, "sleeping");
    const first = await service.call("POST", "/jobs/cancel", { status: "waiting" });
    expect(first.body).toMatchObject({ count: 1, job_ids: [waiting], left: [] });
    const rest = await service.call("POST", "/jobs/cancel", {});
    expect(rest.body).toMatchObject({ count: 1, job_ids: [sleeping], left: [] });
    for (const id of [waiting, sleeping]) expect((await service.over(id)).body.status).toBe("cancelled");
  });

  it.each([
    ["POST", "/result/01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d/signals/x", {}, 404, "job_not_found"],
    ["POST", "/signals/x", {}, 400, "invalid_request"],
    ["POST", "/signals/bad%20name", { key: "k" }, 400, "invalid_request"],
    ["POST", "/signals/weft.own", { key: "k" }, 400, "invalid_request"],
    ["POST", "/signals/x", { key: "k", data: "x".repeat(70_000) }, 413, "payload_too_large"],
  ] as const)("%s %s %j is refused", async (method, path, body, status, error) => {
    const service = await served({ stateDir: await inFolder() });
    const reply = await service.call(method, path, body);
    expect({ status: reply.status, error: reply.body.error }).toEqual({ status, error });
  });
});

describe("a job that waits for a time", () => {
  it("sleeps without a place to run in, and wakes", async () => {
    const service = await served({ stateDir: await inFolder(), variables: { WF_QUEUE_WORKERS: "1" } });
    const sleeper = await service.queued({ code: "L1:\n  R timer.sleep 0.4 ->t\n  J t.at\n" });
    await service.logged("job_parked", ({ job_id }) => job_id === sleeper);
    const other = await service.queued({ code: "L1:\n  J 1\n" });
    expect((await service.over(other)).body.status).toBe("succeeded");
    const { body } = await service.over(sleeper);
    expect(body.status).toBe("succeeded");
    expect(Date.parse(body.result.out)).toBeGreaterThan(0);
    expect(body.result.usage.parked_ms).toBeGreaterThan(200);
  });

  it("wakes in the next process when its time came meanwhile", async () => {
    const stateDir = await inFolder();
    const first = await served({ stateDir });
    const id = await first.queued({ code: "L1:\n  R timer.sleep 1 ->t\n  J 7\n" });
    await first.until(id, "sleeping");
    await first.drain();
    services.pop();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const second = await served({ stateDir });
    expect((await second.over(id)).body.result.out).toBe(7);
  });

  it("waits in memory for a moment, and not at all for what has passed", async () => {
    const service = await served({ stateDir: await inFolder() });
    const code = 'L1:\n  R timer.sleep 0.01 ->a\n  R timer.until "2020-01-01T00:00:00Z" ->b\n  J b.at\n';
    const { body } = await service.over(await service.queued({ code }));
    expect(body).toMatchObject({ status: "succeeded", resumes: 0 });
    expect(body.result.out).toBe("2020-01-01T00:00:00.000Z");
  });

  it("is refused where the run cannot wait that long", async () => {
    const service = await served({ stateDir: await inFolder() });
    for (const call of ['timer.sleep "2h"', 'signal.wait "x"']) {
      const { body } = await service.run({ code: `L1:\n  R ${call} ->t\n  J t\n`, limits: { max_time_ms: 1000 } });
      expect(body.error_structured.data.adapter_code, call).toBe("ADAPTER_NOT_CONFIGURED");
      expect(body.message).toContain("queue the program as a job");
    }
    const short = await service.run({ code: "L1:\n  R timer.sleep 0.02 ->t\n  J 1\n", limits: { max_time_ms: 1000 } });
    expect(short.body.out).toBe(1);
  });
});

describe("jobs that wait", () => {
  it("fail their wait where as many wait as may, which Err catches and a replay repeats", async () => {
    const stateDir = await inFolder();
    const service = await served({ stateDir, maxParked: 1 });
    const first = await service.queued({ code: WAITS, ...EXT });
    await service.until(first, "waiting");
    const code = [
      "L1:",
      '  R timer.sleep "1d" ->t',
      "  Err ->L2",
      "  J 1",
      "L2:",
      '  R ext.Hold "x" ->h',
      '  J {"code": _error_info.adapter_code, "h": h}',
      "",
    ].join("\n");
    const second = await service.queued({ code, ...EXT });
    const held = await service.held();
    const drained = service.drain();
    held.release(7);
    await drained;
    services.pop();
    const next = await served({ stateDir, maxParked: 1 });
    expect((await next.over(second)).body.result.out).toEqual({ code: "ADAPTER_QUOTA", h: 7 });
    expect(next.made).toEqual([]);
    // The place is free when a wait is over.
    await next.call("POST", `/result/${first}/signals/lost`, {});
    await next.over(first);
    const third = await next.queued({ code: WAITS, ...EXT });
    await next.until(third, "waiting");
  });

  it("have a place in line that does not count for WF_QUEUE_MAX", async () => {
    const service = await served({
      stateDir: await inFolder(),
      variables: { WF_QUEUE_WORKERS: "1", WF_QUEUE_MAX: "1" },
    });
    const waiting = await service.queued({ code: WAITS, ...EXT });
    await service.until(waiting, "waiting");
    const running = await service.queued({ code: 'L1:\n  R ext.Hold "x" ->h\n  J h\n', ...EXT });
    const held = await service.held();
    await service.call("POST", `/result/${waiting}/signals/lost`, {});
    const queued = await service.queued({ code: "L1:\n  J 1\n" });
    expect((await service.call("POST", "/enqueue", { code: "L1:\n  J 2\n" })).body.error).toBe("queue_full");
    held.release(1);
    for (const id of [running, waiting, queued]) expect((await service.over(id)).body.status).toBe("succeeded");
  });
});

describe("the journal of a job", () => {
  it("shows records without values, and with them only where the operator allows it", async () => {
    const service = await served({ stateDir: await inFolder() });
    const id = await service.queued({ code: 'L1:\n  R ext.Echo "secret" ->x\n  J x\n', durable: true, ...EXT });
    await service.over(id);
    const { body, text } = await service.call("GET", `/result/${id}/journal`);
    expect(body.records.map(({ kind }: { kind: string }) => kind)).toEqual(["start", "call"]);
    expect(text).not.toContain("secret");
    expect((await service.call("GET", `/result/${id}/journal?values=1`)).status).toBe(403);
    const open = await served({ stateDir: await inFolder(), variables: { WF_JOURNAL_VALUES: "1" } });
    const other = await open.queued({ code: 'L1:\n  R ext.Echo "secret" ->x\n  J x\n', durable: true, ...EXT });
    await open.over(other);
    const { body: first } = await open.call("GET", `/result/${other}/journal?values=1&limit=1`);
    expect([first.next_after, first.last_seq]).toEqual([1, 2]);
    const { body: none } = await open.call("GET", `/result/${other}/journal?after=2`);
    expect([none.records, none.next_after, none.last_seq]).toEqual([[], null, 2]);
    expect((await open.call("GET", `/result/${other}/journal?values=1&after=1`)).text).toContain("secret");
  });

  it("says in the log who read values, once while they keep looking", async () => {
    const service = await served({ stateDir: await inFolder(), variables: { WF_JOURNAL_VALUES: "1" } });
    const id = await service.queued({ code: 'L1:\n  R ext.Echo "secret" ->x\n  J x\n', durable: true, ...EXT });
    await service.over(id);
    await service.call("GET", `/result/${id}/journal`);
    for (let views = 0; views < 3; views++) await service.call("GET", `/result/${id}/journal?values=1`);
    const viewed = service.lines.filter((line) => line.includes('"values_viewed"'));
    expect(viewed.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: "info", job_id: id, by: "127.0.0.1" }),
    ]);
  });

  it("shows how long a job ran and how long it waited as two numbers (T.S-5)", async () => {
    const service = await served({ stateDir: await inFolder() });
    const id = await service.queued({ code: 'L1:\n  R signal.wait "go" ->s\n  J 1\n' });
    await service.until(id, "waiting");
    const waits = (await service.call("GET", `/result/${id}`)).body;
    expect(waits).toMatchObject({ running_ms: expect.any(Number), waiting_ms: 0 });
    expect(waits.duration_ms).toBeUndefined();
    await service.call("POST", `/result/${id}/signals/go`, {});
    const { duration_ms, running_ms, waiting_ms } = (await service.over(id)).body;
    expect(running_ms + waiting_ms).toBe(duration_ms);
    const { jobs } = (await service.call("GET", "/jobs")).body;
    expect(jobs[0]).toMatchObject({ job_id: id, running_ms, waiting_ms });
    const plain = await service.queued({ code: "L1:\n  J 1\n", durable: false });
    const { body } = await service.over(plain);
    expect([body.running_ms, body.waiting_ms]).toEqual([undefined, undefined]);
  });
});
