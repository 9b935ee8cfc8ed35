/** The version next to the current one: who reaches it, and how it ends (T.A-2). */
import { afterAll, describe, expect, it } from "vitest";
import { isOfNext, KeylessCalls, withOutcome } from "../../../service/programs/channels/channel.ts";
import { type JobServing, type JobServingOptions, servingJobs } from "../jobs/serving-jobs.ts";
import { exchange } from "../serving.ts";

const code = (answer: number) =>
  `@api("/who", method="GET")\ndef who(fail: bool = False):\n    if fail:\n        raise ValueError("no")\n    return ${answer}\n`;

const opened: JobServing[] = [];
afterAll(() => Promise.all(opened.map((one) => one.stop())));
async function serving(variables: Record<string, string> = {}, options: JobServingOptions = {}): Promise<JobServing> {
  const service = await servingJobs({ ...options, variables });
  opened.push(service);
  return service;
}
/** A service with version 1 current and version 2 next. */
async function staged(next: object, variables: Record<string, string> = {}): Promise<JobServing> {
  const service = await serving(variables);
  await service.call("PUT", "/programs/web", { code: code(1) });
  const made = await service.call("PUT", "/programs/web?next=1", { code: code(2) });
  expect([made.status, made.body.version]).toEqual([200, 2]);
  const set = await service.call("PUT", "/programs/web/next", { version: 2, ...next });
  expect(set.status).toBe(200);
  return service;
}
const who = async (service: JobServing, headers = {}, query = "") =>
  (await exchange(service.port, "GET", `/app/web/who${query}`, undefined, headers)).body;
const nextOf = async (service: JobServing) => (await service.call("GET", "/programs/web")).body.next;
const refusal = ({ status, body }: { status: number; body: { error: string } }) => `${status} ${body.error}`;

describe("the share of a version", () => {
  const of = (version: number, weight: number) => ({ version, weight });

  it("is that of its weight, for keys and for calls without one", () => {
    const keys = Array.from({ length: 20_000 }, (_, at) => `customer-${at}`);
    for (const weight of [0, 1, 10, 50, 99, 100]) {
      const share = (keys.filter((key) => isOfNext("web", of(2, weight), key)).length * 100) / keys.length;
      expect(Math.abs(share - weight), `weight ${weight}`).toBeLessThan(1);
      const keyless = new KeylessCalls();
      const taken = keys.slice(0, 1000).filter(() => keyless.isOfNext("web", of(2, weight))).length;
      expect(taken, `weight ${weight}`).toBe(10 * weight);
    }
  });

  it("keeps the keys of a smaller weight, and has others for another version or program", () => {
    const keys = Array.from({ length: 5000 }, (_, at) => String(at));
    const reached = (name: string, version: number, weight: number) =>
      keys.filter((key) => isOfNext(name, of(version, weight), key));
    const [ten, thirty] = [reached("web", 2, 10), new Set(reached("web", 2, 30))];
    expect(ten.every((key) => thirty.has(key))).toBe(true);
    expect(reached("web", 3, 10)).not.toEqual(ten);
    expect(reached("other", 2, 10)).not.toEqual(ten);
  });

  it("ends with more failures than its rule allows, among its last runs alone", () => {
    const rule = { failures_percent: 25, of: 4 };
    let outcomes = "";
    const ends = [true, false, false, false, true, false, true].map((failed) => {
      const next = withOutcome(outcomes, failed, rule);
      outcomes = next.outcomes;
      return next.isAborted;
    });
    expect(ends).toEqual([false, false, false, false, false, false, true]);
  });
});

describe("calls of endpoints", () => {
  it("reach next by the key of the call, the same key always the same version", async () => {
    const service = await staged({ weight: 50, key: { header: "X-Customer" } });
    const answers = new Map<string, number>();
    for (let at = 0; at < 40; at++) answers.set(`c${at}`, await who(service, { "x-customer": `c${at}` }));
    expect(new Set(answers.values())).toEqual(new Set([1, 2]));
    for (const [key, answer] of answers) {
      expect(answer).toBe(isOfNext("web", { version: 2, weight: 50 }, key) ? 2 : 1);
      expect(await who(service, { "x-customer": key })).toBe(answer);
    }
    await service.call("PUT", "/programs/web/next", { version: 2, weight: 50, key: { query: "fail" } });
    const byQuery = await who(service, { "x-customer": "c0" }, "?fail=false");
    expect(byQuery).toBe(isOfNext("web", { version: 2, weight: 50 }, "false") ? 2 : 1);
    await service.call("PUT", "/programs/web/next", { version: 2, weight: 50 });
    const byIdempotency = await who(service, { "idempotency-key": "k1" });
    expect(byIdempotency).toBe(isOfNext("web", { version: 2, weight: 50 }, "k1") ? 2 : 1);
  });

  it("without a key are shared out exactly, and runs by name stay with the current version", async () => {
    const service = await staged({ weight: 25 });
    const answers: number[] = [];
    for (let at = 0; at < 12; at++) answers.push(await who(service));
    expect(answers).toEqual([1, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 2]);
    expect((await service.run({ program: "web" })).body.out).toBe(1);
    expect((await service.run({ program: "web@2" })).body.out).toBe(2);
    const metrics = (await service.call("GET", "/metrics?format=prometheus")).text;
    expect(metrics).toContain('wf_channel_runs_total{channel="next",outcome="succeeded"} 3');
    expect(metrics).toContain('wf_channel_runs_total{channel="current",outcome="succeeded"} 9');
  });

  it("with a weight of 0 all reach the current version, and with 100 all reach next", async () => {
    const service = await staged({ weight: 0 });
    for (let at = 0; at < 5; at++) expect(await who(service, { "idempotency-key": `a${at}` })).toBe(1);
    await service.call("PUT", "/programs/web/next", { version: 2, weight: 100 });
    for (let at = 0; at < 5; at++) expect(await who(service, { "idempotency-key": `b${at}` })).toBe(2);
    expect((await exchange(service.port, "GET", "/app/web/openapi.json")).status).toBe(200);
  });
});

describe("a version next to the current one", () => {
  it("becomes current when it is promoted, and only the one that was named", async () => {
    const service = await staged({ weight: 10 });
    expect(await nextOf(service)).toMatchObject({ version: 2, weight: 10, key: null, abort: null });
    const promote = (version: number) => service.call("POST", "/programs/web/next/promote", { version });
    expect(refusal(await promote(1))).toBe("409 next_invalid");
    const done = await promote(2);
    expect([done.status, done.body.version, done.body.next]).toEqual([200, 2, null]);
    expect(await who(service)).toBe(2);
    expect(refusal(await promote(2))).toBe("409 next_invalid");
  });

  it("ends when it is aborted", async () => {
    const service = await staged({ weight: 100 });
    expect(await who(service)).toBe(2);
    expect((await service.call("DELETE", "/programs/web/next")).body.next).toBeNull();
    expect(await who(service)).toBe(1);
    expect(refusal(await service.call("DELETE", "/programs/web/next"))).toBe("409 next_invalid");
  });

  it("ends by itself when too many of its runs fail, and says so", async () => {
    const service = await staged({ weight: 100, abort: { failures_percent: 40, of: 5 } });
    for (const fail of [true, false, true, false]) await who(service, {}, `?fail=${fail}`);
    expect(await nextOf(service)).not.toBeNull();
    const aborted = service.logged("program_next_aborted");
    await who(service, {}, "?fail=true");
    expect(await aborted).toMatchObject({ program: "web", version: 2, failures: 3, of: 5 });
    expect(await who(service)).toBe(1);
    const warnings = async () => ((await service.call("GET", "/ready")).body.warnings ?? []).join();
    expect(await warnings()).toContain("next_aborted: web: version 2 ended by itself: 3 of its last 5 runs failed");
    await service.call("PUT", "/programs/web/next", { version: 2, weight: 1 });
    expect(await warnings()).not.toContain("next_aborted");
  });

  it("counts jobs, and neither cancelled ones nor inputs that are refused", async () => {
    const service = await staged({ weight: 100, abort: { failures_percent: 0, of: 2 } });
    expect((await exchange(service.port, "GET", "/app/web/who?fail=maybe")).status).toBe(422);
    const queued = await service.queued({ program: "web@2", delay_s: 60 });
    await service.call("POST", `/result/${queued}/cancel`);
    await service.over(await service.queued({ program: "web@2" }));
    expect(await nextOf(service)).not.toBeNull();
    const aborted = service.logged("program_next_aborted");
    await service.over(await service.queued({ program: "web@2", frame: { fail: true } }));
    expect(await aborted).toMatchObject({ failures: 1, of: 2 });
  });

  it("is refused without a current version, or where it is the current one", async () => {
    const service = await serving();
    expect(refusal(await service.call("PUT", "/programs/web?next=1", { code: code(1) }))).toBe("409 next_invalid");
    await service.call("PUT", "/programs/web", { code: code(1) });
    const set = (body: object) => service.call("PUT", "/programs/web/next", body);
    expect(refusal(await set({ version: 1, weight: 5 }))).toBe("409 next_invalid");
    expect(refusal(await set({ version: 7, weight: 5 }))).toBe("404 program_not_found");
    for (const body of [
      { version: 1 },
      { version: 1, weight: 101 },
      { version: 1, weight: 0.5 },
      { version: 1, weight: 5, key: { header: "a b" } },
      { version: 1, weight: 5, key: { header: "a", query: "b" } },
      { version: 1, weight: 5, abort: { failures_percent: 100, of: 5 } },
      { version: 1, weight: 5, abort: { failures_percent: 5, of: 100_000 } },
      { version: 1, weight: 5, abort: "failures > 5 % of 50" },
    ])
      expect(refusal(await set(body)), JSON.stringify(body)).toBe("400 invalid_request");
  });
});

describe("fires of schedules", () => {
  it("reach next by their due time, where it has the label", async () => {
    const cron = (answer: number, label: string) =>
      `@api("/who", method="GET")\ndef who():\n    return ${answer}\n\n\n@cron("0 3 * * *")\ndef ${label}():\n    return ${answer}\n`;
    const service = await serving();
    await service.call("PUT", "/programs/web", { code: cron(1, "nightly") });
    await service.call("PUT", "/programs/web?next=1", { code: cron(2, "nightly") });
    await service.call("PUT", "/programs/web/next", { version: 2, weight: 100 });
    const fired = async () => {
      const { body } = await service.call("POST", "/schedules/web/nightly/run", undefined);
      return (await service.over(body.job_id)).body.version;
    };
    expect(await fired()).toBe(2);
    await service.call("PUT", "/programs/web?next=1", { code: cron(3, "renamed") });
    await service.call("PUT", "/programs/web/next", { version: 3, weight: 100 });
    expect(await fired()).toBe(1);
  });
});

describe("with WF_DEPLOY=proposals", () => {
  const BEHIND_PROXY = { WF_DEPLOY: "proposals", WF_USER_HEADER: "X-User", WF_TRUST_PROXY: "1" };
  const as = (user: string) => ({ "x-user": user, "x-forwarded-for": "10.0.0.7" });

  it("a version becomes next by acceptance, and its weight needs a person (amendment 40)", async () => {
    const service = await serving(BEHIND_PROXY);
    const call = (user: string, method: string, path: string, body?: object) =>
      service.call(method, path, body, user === "" ? { "x-forwarded-for": "10.0.0.7" } : as(user));
    const accepted = async (answer: number, more: object) => {
      const { body } = await call("agent", "PUT", "/programs/web?propose=1", { code: code(answer) });
      const { id, checksum, base } = body;
      const word = { checksum, base, comment: "right", ...more };
      expect(refusal(await call("agent", "POST", `/proposals/${id}/accept`, word))).toBe("403 proposal_not_yours");
      return call("ann", "POST", `/proposals/${id}/accept`, word);
    };
    expect(refusal(await accepted(1, { next: true }))).toBe("409 next_invalid");
    expect((await accepted(1, {})).body.version).toBe(1);
    expect(refusal(await call("ann", "PUT", "/programs/web?next=1", { code: code(2) }))).toBe("403 proposals_only");
    expect((await accepted(2, { next: true })).body).toMatchObject({ state: "accepted", version: 2 });
    expect((await service.call("GET", "/programs/web")).body).toMatchObject({ version: 1, next: { weight: 0 } });
    const set = { version: 2, weight: 50 };
    expect(refusal(await call("", "PUT", "/programs/web/next", set))).toBe("403 proposals_only");
    expect((await call("ann", "PUT", "/programs/web/next", set)).status).toBe(200);
    expect(refusal(await call("", "POST", "/programs/web/next/promote", { version: 2 }))).toBe("403 proposals_only");
    // To end it is always allowed.
    expect((await call("", "DELETE", "/programs/web/next")).status).toBe(200);
  });
});
