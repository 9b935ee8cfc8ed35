/** What people are notified of: without values, once, and as soon as the target takes it, however long that lasts. */
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { StartFault } from "../../../adapters/operator/start-fault.ts";
import { createDelivery } from "../../../service/notices/delivery.ts";
import { NoticeDesk } from "../../../service/notices/desk.ts";
import type { Notice } from "../../../service/notices/notice.ts";
import { signatureFault } from "../../../service/programs/endpoints/verify/signatures.ts";
import { type NoticeSettings, readNoticeSettings } from "../../../service/programs/notice-settings.ts";
import { sqlitePlace } from "../jobs/places.ts";
import { type JobServing, servingJobs, temporaryFolder } from "../jobs/serving-jobs.ts";
import { alone, newJob } from "../jobs/store-cases.ts";
import { takeJobs } from "../jobs/taking.ts";

const folder = await temporaryFolder();
const closing: (() => void)[] = [];
afterAll(async () => {
  for (const close of closing) close();
  await folder.remove();
});

type Came = { readonly headers: IncomingMessage["headers"]; readonly body: Buffer };
type Answer = { readonly status: number; readonly headers?: Record<string, string> } | "silence";

/** A target; what it answers may be changed. */
async function receiver(first: Answer = { status: 200 }) {
  const state = { answer: first };
  const came: Came[] = [];
  const takers: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    came.push({ headers: request.headers, body: Buffer.concat(chunks) });
    takers.shift()?.();
    if (state.answer !== "silence") response.writeHead(state.answer.status, state.answer.headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const next = async (at: number): Promise<Came> => {
    while (came.length <= at) await new Promise<void>((resolve) => takers.push(resolve));
    return came[at] as Came;
  };
  return { state, came, url, next };
}

let files = 0;
async function noticesFile(document: object): Promise<string> {
  const path = join(folder.path, `notices-${++files}.json`);
  await writeFile(path, JSON.stringify(document));
  return path;
}

const KEY = "a secret of the operator!";
const NOTICE: Notice = {
  ...{ id: "n1", target: "ops", kind: "failure", program: "shop", version: 2, cause: '{"code":"RUNTIME_KEY_ERROR"}' },
  ...{ jobId: "j1", count: 1, firstMs: 0, lastMs: 0, state: "due", dueMs: 0, tries: 1, sentMs: null, code: null },
} as const;

describe("T.N: a notice to an address", () => {
  const settingsFor = (http: object): NoticeSettings =>
    ({ targets: { ops: { http } }, notices_per_hour: 60, window_s: 300 }) as unknown as NoticeSettings;
  /** `timeoutMs`: long enough for a busy machine, where the target answers. */
  const delivery = (timeoutMs = 20_000) => {
    const services = { secrets: { get: async () => KEY }, clock: { wall: () => Date.now() } };
    return createDelivery(services as never, {} as never, timeoutMs);
  };
  const codeFor = async (answer: Answer): Promise<string | null> => {
    const { url } = await receiver(answer);
    return delivery(answer === "silence" ? 200 : undefined).send(NOTICE, settingsFor({ url }));
  };

  it.each<[string, Answer, string | null]>([
    ["is taken", { status: 204 }, null],
    ["that fails has the status", { status: 503 }, "status_503"],
    [
      "that redirects is not followed",
      { status: 302, headers: { location: "http://127.0.0.1:1/" } },
      "notice_redirected",
    ],
    ["that does not answer ends in time", "silence", "notice_timeout"],
  ])("%s", async (_what, answer, code) => {
    expect(await codeFor(answer)).toBe(code);
  });

  it("that nothing listens at is unreachable, and a target that is gone is missing", async () => {
    expect(await delivery().send(NOTICE, settingsFor({ url: "http://127.0.0.1:1/" }))).toBe("notice_unreachable");
    expect(await delivery().send({ ...NOTICE, target: "x" }, settingsFor({ url: "http://127.0.0.1:1/" }))).toBe(
      "notice_target_missing",
    );
  });

  it("is signed as Standard Webhooks are, with the same id each time", async () => {
    const { url, came } = await receiver();
    await delivery().send(NOTICE, settingsFor({ url, auth_secret: "NOTICE" }));
    await delivery().send(NOTICE, settingsFor({ url, auth_secret: "NOTICE" }));
    for (const { headers, body } of came) {
      const given = { method: "POST", path: "/", query: "", publicUrl: null, headers, body, now: Date.now() };
      expect(await signatureFault({ kind: "standard", secrets: "NOTICE" }, given, async () => KEY)).toBeNull();
      expect(headers["webhook-id"]).toBe("n1");
    }
  });
});

/** A desk on a store whose time moves by hand. `calls`: kind and job of what was sent. */
async function lookingAt(document: object) {
  const world = await sqlitePlace(`${folder.path}/desk${++desks}`)();
  const store = await world.open("first");
  const calls: [string, string][] = [];
  let ids = 0;
  const services = {
    config: { notices: readNoticeSettings(await noticesFile(document)) },
    freshId: () => `id${++ids}`,
    programs: null,
    metrics: { notice: () => {} },
    readiness: { warn: () => {} },
    events: { note: () => {} },
  };
  const desk = new NoticeDesk({ services, jobs: { store, now: store.now }, store: store.notices } as never, {
    async send({ kind, jobId }) {
      calls.push([kind, jobId]);
      return null;
    },
    close: async () => {},
  });
  await desk.look();
  const failed = async (): Promise<string> => {
    const taker = takeJobs(store, 1);
    const job = newJob(world.now());
    await store.enqueue(alone(job), { most: 10, key: null });
    const { job: claimed, end } = await taker.next();
    await store.settle(claimed, "failed", '{"ok":false,"trace_id":"t","error":"runtime_error","message":"no"}');
    end();
    await taker.stop();
    return job.id;
  };
  return { calls, desk, world, failed };
}
let desks = 0;

it("T.N: a target that is down for a day gets everything once when it is back", async () => {
  const world = await sqlitePlace(`${folder.path}/down`)();
  const store = await world.open("first");
  const sent: string[] = [];
  const codes: string[] = [];
  let isDown = true;
  const settings = readNoticeSettings(
    await noticesFile({ targets: { ops: { http: { url: "http://127.0.0.1:1/" } } }, on_failure: "ops" }),
  );
  let ids = 0;
  const services = {
    config: { notices: settings },
    freshId: () => `id${++ids}`,
    programs: null,
    metrics: { notice: () => {} },
    readiness: { warn: () => {} },
    events: {
      note: (_level: string, event: string, { error }: { error?: string }) =>
        event === "notice_failed" && codes.push(error ?? ""),
    },
  };
  const desk = new NoticeDesk({ services, jobs: { store, now: store.now }, store: store.notices } as never, {
    async send({ id }) {
      if (isDown) return "notice_unreachable";
      sent.push(id);
      return null;
    },
    close: async () => {},
  });
  await desk.look();
  const taker = takeJobs(store, 1);
  const job = newJob(world.now());
  await store.enqueue(alone(job), { most: 10, key: null });
  const { job: claimed, end } = await taker.next();
  await store.settle(claimed, "failed", '{"ok":false,"trace_id":"t","error":"runtime_error","message":"no"}');
  end();
  await taker.stop();
  for (let hour = 0; hour < 24; hour++) {
    await desk.look();
    world.advance(3_600_000);
  }
  expect(codes.length).toBeGreaterThan(10);
  expect(new Set(codes)).toEqual(new Set(["notice_unreachable"]));
  isDown = false;
  for (let look = 0; look < 3; look++) {
    await desk.look();
    world.advance(3_600_000);
  }
  expect(sent).toHaveLength(1);
  expect((await store.notices.list(5)).map(({ state, count }) => [state, count])).toEqual([["sent", 1]]);
  await store.close();
});

describe("T.N: a service", () => {
  const CODE = "def main(customer):\n    return {}[customer]\n";

  async function notifying(document: object, more: Record<string, string> = {}): Promise<JobServing> {
    return servingJobs({ variables: { WF_NOTICES: await noticesFile(document), ...more } });
  }

  it("says what failed, why and where, and no value", async () => {
    const { url, next, came } = await receiver();
    const targets = { ops: { http: { url, auth_secret: "N" } }, other: { http: { url: "http://127.0.0.1:1/" } } };
    const service = await notifying(
      { targets, on_failure: "other", console_url: "https://console.example/ui/" },
      { WF_SECRET_N: KEY },
    );
    try {
      await service.call("PUT", "/programs/lookup", { code: CODE, notices: { on_failure: "ops" } });
      const id = await service.queued({ program: "lookup", frame: { customer: "alice@example.com" } });
      const { body } = await next(0);
      const notice = JSON.parse(body.toString("utf8"));
      expect(notice).toMatchObject({
        type: "job.failure",
        program: "lookup",
        version: 1,
        count: 1,
        job_id: id,
        url: `https://console.example/ui/jobs/${id}`,
        cause: { code: "RUNTIME_KEY_ERROR", exception: "KeyError" },
      });
      expect(notice.subject).toContain("KeyError");
      expect(body.toString("utf8")).not.toContain("alice");
      await service.logged("notice_sent");
      const { notices } = (await service.call("GET", "/notices")).body;
      expect(notices).toMatchObject([{ state: "sent", target: "ops", program: "lookup", count: 1 }]);
      expect((await service.call("GET", "/metrics?format=prometheus")).text).toContain(
        'wf_notices_total{outcome="sent"} 1',
      );
      expect(service.lines.filter((line) => line.includes("notice_")).join()).not.toContain("alice");
      expect(came).toHaveLength(1);
    } finally {
      await service.stop();
    }
  });

  it("T.F-9: notifies of a dead letter that a person left alone", async () => {
    const targets = { ops: { program: "fixer" } };
    const { calls, desk, world, failed } = await lookingAt({ targets, on_dead_letter: { to: "ops", after_s: 3600 } });
    const id = await failed();
    await desk.look();
    world.advance(3_500_000);
    await desk.look();
    expect(calls).toEqual([]);
    world.advance(200_000);
    await desk.look();
    await desk.look();
    expect(calls).toEqual([["dead_letter", id]]);
  });

  it("starts a program as a target once, whose own failure makes no notice", async () => {
    const service = await notifying({ targets: { fix: { program: "fixer" } }, on_failure: "fix" });
    try {
      await service.call("PUT", "/programs/fixer", { code: 'def main(notice):\n    raise ValueError(notice["id"])\n' });
      await service.call("PUT", "/programs/lookup", { code: CODE });
      await service.queued({ program: "lookup", frame: { customer: "a" } });
      await service.logged("notice_sent");
      const { jobs } = (await service.call("GET", "/jobs?program=fixer")).body;
      expect(jobs).toHaveLength(1);
      await service.over(jobs[0].job_id);
      const before = service.log.filter(({ event }) => event === "notice_sent").length;
      // A further failure is noted after that of the fixer.
      await service.queued({ program: "lookup", frame: { customer: "b" } });
      await expect.poll(async () => (await service.call("GET", "/notices")).body.notices.length).toBe(2);
      expect(before).toBe(1);
      expect((await service.call("GET", "/jobs?program=fixer")).body.jobs).toHaveLength(1);
    } finally {
      await service.stop();
    }
  });

  it("warns about a deployment whose target is not there, and about a target that takes nothing", async () => {
    const service = await notifying({ targets: { ops: { http: { url: "http://127.0.0.1:1/" } } }, on_failure: "ops" });
    try {
      const { body } = await service.call("PUT", "/programs/lookup", { code: CODE, notices: { on_unknown: "gone" } });
      expect(body.warnings).toContainEqual(expect.stringContaining("notice_target_missing"));
      await service.queued({ program: "lookup", frame: { customer: "a" } });
      expect((await service.logged("notice_failed"))["error"]).toBe("notice_unreachable");
      const ready = (await service.call("GET", "/ready")).body;
      expect(ready.warnings).toContainEqual(expect.stringContaining("notice_target_failing"));
      const bad = await service.call("PUT", "/programs/x", {
        code: CODE,
        notices: { on_failure: "https://evil.example" },
      });
      expect(bad.status).toBe(400);
    } finally {
      await service.stop();
    }
  });
});

it.each([
  ["is not there", null],
  ["is not JSON", "{"],
  ["has a rule for a target that it lacks", '{"targets":{},"on_failure":"ops"}'],
  ["has a target called none", '{"targets":{"none":{"program":"a"}}}'],
  ["has an address that is not of the web", '{"targets":{"a":{"http":{"url":"file:///etc/passwd"}}}}'],
])("T.N: a file of notices stops the start when it %s", async (_what, text) => {
  const path = join(folder.path, `bad-${++files}.json`);
  if (text !== null) await writeFile(path, text);
  expect(() => readNoticeSettings(path)).toThrow(StartFault);
});
