/** Questions to people on one PostgreSQL database: one replica asks, others decide, and one decision counts. */
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { openPostgresStore } from "../../../../service/jobs/postgres/store.ts";
import type { JobStore } from "../../../../service/state/store.ts";
import type { ApprovalAnswer } from "../../../../vm/durable/approvals.ts";
import { startPostgres } from "../../../support/postgres.ts";
import { realClock } from "../../serving.ts";
import { asking, asks, endAsking, inFolder, REFUND } from "../approvals/asking.ts";
import { alone, newJob } from "../store-cases.ts";
import { takeJobs } from "../taking.ts";

const postgres = await startPostgres();
afterAll(() => postgres?.stop());
// The database has connections for a few services.
afterEach(endAsking);
const database = async (): Promise<string> => (await postgres?.createDatabase()) ?? "";

const BASE = "https://weft.example.com";
const SENDS = 'L1:\n  R signal.send "paid" {"n": 1} {"key": "order-7"} ->s\n  J s.delivered\n';
const WAITS = 'L1:\n  R signal.wait "paid" {"key": "order-7", "timeout": "3d"} ->s\n  J s.data\n';
const LINKS = `L1:
  R signal.link "paid" ->url
  R ext.Hold url ->h
  R signal.wait "paid" {"timeout": "3d"} ->s
  J s.data
`;

describe.skipIf(postgres === null)("questions to people on PostgreSQL", { timeout: 60_000 }, () => {
  it("are decided once, by whichever of two replicas takes the decision first", async () => {
    const databaseUrl = await database();
    const [first, second] = [await asking({ databaseUrl }), await asking({ databaseUrl })];
    for (let round = 0; round < 5; round += 1) {
      const { job, approval } = await first.asked(REFUND);
      const decisions = await Promise.all(
        [first, second].map((service, at) =>
          service.call("POST", `/approvals/${approval}`, { decision: at === 0 ? "approve" : "reject" }),
        ),
      );
      expect(decisions.map(({ status }) => status).sort()).toEqual([200, 409]);
      const counted = decisions.find(({ status }) => status === 200);
      const { body } = await first.over(job);
      expect(body).toMatchObject({ status: "succeeded", attempt: 1, resumes: 1 });
      expect(body.result.out.decision).toBe(counted?.body.decision);
      for (const service of [first, second])
        expect((await service.call("GET", `/approvals/${approval}`)).body).toMatchObject({
          state: "decided",
          answers: [{ choice: body.result.out.decision }],
        });
    }
  });

  it("are listed and decided by another replica when the one that asked is gone", async () => {
    const databaseUrl = await database();
    const first = await asking({ databaseUrl });
    const { job, approval } = await first.asked(asks({ timeout: "3d", choices: ["yes", "no"] }));
    await first.leave();
    const second = await asking({ databaseUrl });
    const { body: listed } = await second.call("GET", "/approvals");
    expect(listed.approvals).toMatchObject([{ approval_id: approval, job_id: job, state: "open" }]);
    expect((await second.call("POST", `/approvals/${approval}`, { decision: "yes" })).status).toBe(200);
    expect((await second.over(job)).body.result.out).toMatchObject({ decision: "yes", approved: true, id: approval });
  });

  it("are not looked for by words that no database takes", async () => {
    const service = await asking({ databaseUrl: await database() });
    for (const query of ["job=%00", "job=x", "to=user:a%00"])
      expect((await service.call("GET", `/approvals?${query}`)).status, query).toBe(400);
    expect((await service.call("GET", "/approvals/%00")).status).toBe(404);
    expect((await service.call("GET", "/a/%00")).status).toBe(404);
  });

  it("are decided by a link whose page another replica showed", async () => {
    const databaseUrl = await database();
    const options = { databaseUrl, variables: { WF_PUBLIC_URL: BASE } };
    const [first, second] = [await asking(options), await asking(options)];
    const { job, approval } = await first.asked(REFUND);
    const { body } = await first.call("POST", `/approvals/${approval}/links`, { for: "user:ann" });
    const path = body.url.slice(BASE.length);
    const page = await second.call("GET", path);
    const nonce = /name="page" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    const form = new URLSearchParams({ page: nonce, choice: "approve" }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answers = await Promise.all([first, second].map((service) => service.call("POST", path, form, headers)));
    // The other one finds the question decided, or its link spent.
    expect(answers.map(({ status }) => status).sort()).toEqual([303, expect.toBeOneOf([409, 410])]);
    expect((await second.over(job)).body.result.out).toMatchObject({ approved: true, by: "ann" });
  });

  it("tell no person that a decision counts when a replica with a faster clock has told the job that time is over", async () => {
    const url = await database();
    let ahead = 0;
    const open = (owner: string, now: () => number): Promise<JobStore> =>
      openPostgresStore({ url, owner, version: "1", clock: realClock, now, silentMs: 30_000 });
    const [fast, slow] = [await open("fast", () => Date.now() + ahead), await open("slow", Date.now)];
    try {
      await slow.enqueue(alone(newJob(slow.now(), { durable: { lifetimeMs: 86_400_000 } })), { most: 10, key: null });
      const taker = takeJobs(slow, 1);
      const { job, end } = await taker.next();
      const [approval, expiresMs] = [randomBytes(16).toString("hex"), slow.now() + 60_000];
      const asked = { title: "Pay?", details: null, choices: ["yes", "no"], to: [], need: 1, form: null, expiresMs };
      const { approvals } = slow.durable ?? { approvals: null };
      await approvals?.open(job, { approval, asked, most: 20, tell: false });
      const spec = { kind: "approval", approval, until: null } as const;
      const site = { label: "1", node: "n1", visit: 1, attempt: 1, adapter: "approval", verb: "ASK" };
      const record = { kind: "wait", wait: "w-1", spec, ...site, seq: 1, at: 1, active_ms: 1, branch: "" } as const;
      await slow.durable?.journal(job).park?.([record], [{ wait: "w-1", spec, place: "{}" }], true);
      end();
      await taker.stop();
      ahead = 120_000;
      let stop = (): void => {};
      await new Promise<void>((resolve) => {
        stop = fast.durable?.watchTimes(() => resolve()) ?? stop;
      });
      stop();
      const answer: ApprovalAnswer = { choice: "yes", by: "ann", via: "api", comment: null, data: null, atMs: 1 };
      expect(await approvals?.decide(approval, answer, null)).toMatchObject({
        state: "not_open",
        approval: { state: "expired", endedMs: expiresMs },
      });
    } finally {
      await Promise.all([fast.close(), slow.close()]);
    }
  });
});

describe.skipIf(postgres === null)("signals of programs on PostgreSQL", { timeout: 60_000 }, () => {
  const signalling = async (databaseUrl: string) => {
    const operatorFile = join(await inFolder(), "adapters.json");
    await writeFile(operatorFile, JSON.stringify({ signal: { allow_send: ["paid"], allow_links: true } }));
    return asking({ databaseUrl, variables: { WF_PUBLIC_URL: BASE, WF_ADAPTERS_CONFIG: operatorFile } });
  };

  it("wake jobs that wait under the key", async () => {
    const service = await signalling(await database());
    const waiting = await service.queued({ code: WAITS });
    await service.until(waiting, "waiting");
    expect((await service.over(await service.queued({ code: SENDS }))).body.result.out).toBe("now");
    expect((await service.over(waiting)).body.result.out).toEqual({ n: 1 });
  });

  it("come by a link once, whichever replica takes it", async () => {
    const databaseUrl = await database();
    const services = [await signalling(databaseUrl), await signalling(databaseUrl)] as const;
    const id = await services[0].queued({ code: LINKS });
    const held = await Promise.race(services.map((service) => service.held()));
    held.release(null);
    await services[0].until(id, "waiting");
    const path = held.name.slice(BASE.length);
    const sent = await Promise.all(services.map((service, at) => service.call("POST", path, [at])));
    expect(sent.map(({ status }) => status).sort()).toEqual([202, 410]);
    const taken = sent.findIndex(({ status }) => status === 202);
    expect((await services[1].over(id)).body).toMatchObject({ result: { out: [taken] } });
  });
});
