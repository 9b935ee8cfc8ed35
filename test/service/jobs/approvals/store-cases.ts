/** What every store does with questions to people and with links, told through its interface alone. Each store's test file runs them. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApprovalStore, Link, LinkStore } from "../../../../service/jobs/approvals/approvals.ts";
import type { DurableJobs } from "../../../../service/jobs/durable/durable-store.ts";
import type { ClaimedJob } from "../../../../service/jobs/job.ts";
import type { JobStore } from "../../../../service/state/store.ts";
import type { WaitSpec } from "../../../../vm/calls/wait-spec.ts";
import type { ApprovalAnswer, ApprovalAsked } from "../../../../vm/durable/approvals.ts";
import type { JournalRecord } from "../../../../vm/durable/records.ts";
import type { StoreUnderTest } from "../places.ts";
import { alone, newJob } from "../store-cases.ts";
import { takeJobs } from "../taking.ts";

const ASKED: ApprovalAsked = {
  title: "Pay \u202e?",
  details: JSON.parse('{"__proto__": 1, "é": ["\\ud800"]}'),
  choices: ["approve", "reject"],
  to: [],
  need: 1,
  form: null,
  expiresMs: null,
};
const freshId = (): string => randomBytes(16).toString("hex");

export function approvalStoreCases(name: string, place: () => Promise<StoreUnderTest>): void {
  describe(`questions in ${name}`, () => {
    let world: StoreUnderTest;
    let store: JobStore;
    let durable: DurableJobs;
    let approvals: ApprovalStore;
    let links: LinkStore;
    beforeAll(async () => {
      world = await place();
      store = await world.open("first");
      durable = store.durable as DurableJobs;
      approvals = durable.approvals as ApprovalStore;
      links = durable.links as LinkStore;
    });
    afterAll(() => store.close());

    const claimed = async (takes?: { readonly job: string; readonly seq: number }): Promise<ClaimedJob> => {
      const taker = takeJobs(store, 1);
      const taken = takes === undefined ? {} : { takes };
      await store.enqueue(alone(newJob(world.now(), { durable: { lifetimeMs: 86_400_000, ...taken } })), {
        most: 1000,
        key: null,
      });
      const { job, end } = await taker.next();
      end();
      await taker.stop();
      return job;
    };
    const opened = async (job: ClaimedJob, asked: Partial<ApprovalAsked> = {}, tell = false): Promise<string> => {
      const approval = freshId();
      expect(await approvals.open(job, { approval, asked: { ...ASKED, ...asked }, most: 20, tell })).toBe("open");
      return approval;
    };
    const parked = (job: ClaimedJob, approval: string, until: number | null = null) => {
      const spec: WaitSpec = { kind: "approval", approval, until };
      const at = { at: world.now(), active_ms: 1, branch: "" };
      const site = { label: "1", node: "n1", visit: 1, attempt: 1, adapter: "approval", verb: "ASK" };
      // Of its own, because the job may have waited in an earlier case.
      const wait = `w-${approval}`;
      const records: readonly JournalRecord[] = [{ kind: "wait", wait, spec, ...site, seq: 1, ...at }];
      return durable.journal(job).park?.(records, [{ wait, spec, place: "{}" }], true);
    };
    const answer = (choice: string, by: string | null = null): ApprovalAnswer => ({
      ...{ choice, by, via: "api", comment: null, data: null },
      atMs: world.now(),
    });
    const stateOf = async (id: string) => (await approvals.find(id))?.state ?? null;

    it("are kept as they were asked, once", async () => {
      const job = await claimed();
      const approval = await opened(job);
      const again = { approval, asked: { ...ASKED, title: "other" }, most: 20, tell: false };
      expect(await approvals.open(job, again)).toBe("open");
      expect(await approvals.find(approval)).toMatchObject({ id: approval, state: "open", asked: ASKED, answers: [] });
      expect([await approvals.isOf(job, approval), await approvals.isOf(job, freshId())]).toEqual([true, false]);
      expect(await approvals.find(freshId())).toBeNull();
    });

    it("are counted with the age of the oldest, without those that are over", async () => {
      const before = await approvals.countOpen();
      const job = await claimed();
      await opened(job, { expiresMs: world.now() + 90_000 });
      world.advance(60_000);
      await opened(job);
      const { open, oldestAgeMs } = await approvals.countOpen();
      expect(open).toBe(before.open + 2);
      expect(oldestAgeMs).toBeGreaterThanOrEqual(60_000);
      await store.settle(job, "succeeded", '{"ok":true}');
      expect((await approvals.countOpen()).open).toBe(before.open);
    });

    it("are bounded for each job, and not asked by a run that lost its job", async () => {
      const job = await claimed();
      await opened(job);
      const more = { approval: freshId(), asked: ASKED, most: 1, tell: false };
      expect(await approvals.open(job, more)).toBe("full");
      expect(await approvals.open({ ...job, attempt: 99 }, { ...more, most: 20 })).toBe("stale");
    });

    it("wake the job that waits, with the decision in its journal", async () => {
      const job = await claimed();
      const approval = await opened(job);
      expect(await parked(job, approval)).toEqual({ state: "parked" });
      expect((await store.find(job.id))?.status).toBe("waiting");
      const decided = await approvals.decide(approval, answer("reject", "ann"), null);
      expect(decided).toMatchObject({ state: "answered", approval: { state: "decided" }, woken: { id: job.id } });
      expect((await store.find(job.id))?.status).toBe("queued");
      const records = await durable.page(job.id, 0, 10);
      expect(records?.at(-1)).toMatchObject({
        kind: "woken",
        why: "decision",
        result: { decision: "reject", approved: false, by: "ann", id: approval },
      });
      expect(await approvals.decide(approval, answer("approve"), null)).toMatchObject({ state: "not_open" });
    });

    it("that are decided already do not park a job", async () => {
      const job = await claimed();
      const approval = await opened(job);
      await approvals.decide(approval, answer("approve"), null);
      expect(await parked(job, approval)).toMatchObject({ state: "woken", woken: [{ result: { approved: true } }] });
    });

    it("count one of many decisions at the same time", async () => {
      const job = await claimed();
      const approval = await opened(job);
      await parked(job, approval);
      const all = await Promise.all(
        ["a", "b", "c", "d"].map((by) => approvals.decide(approval, answer("approve", by), null)),
      );
      expect(all.map(({ state }) => state).sort()).toEqual(["answered", "not_open", "not_open", "not_open"]);
    });

    it("need as many different people as they say to approve, and one for anything else", async () => {
      const job = await claimed();
      const two = await opened(job, { need: 2 });
      expect(await approvals.decide(two, answer("approve", "ann"), null)).toMatchObject({ woken: null });
      expect(await stateOf(two)).toBe("open");
      expect(await approvals.decide(two, answer("approve", "ann"), null)).toEqual({ state: "same_person" });
      expect(await approvals.decide(two, answer("approve", "bob"), null)).toMatchObject({
        approval: { state: "decided" },
      });
      const one = await opened(job, { need: 2 });
      await approvals.decide(one, answer("reject", "ann"), null);
      expect(await stateOf(one)).toBe("decided");
    });

    it("are over with their time, with their job, and when they are taken back", async () => {
      const job = await claimed();
      const late = await opened(job, { expiresMs: world.now() + 50 });
      const back = await opened(job);
      const open = await opened(job);
      expect(await approvals.cancel(job, back)).toBe(true);
      expect(await approvals.cancel(job, back)).toBe(false);
      world.advance(100);
      expect([await stateOf(late), await stateOf(back), await stateOf(open)]).toEqual(["expired", "cancelled", "open"]);
      expect(await approvals.decide(late, answer("approve"), null)).toMatchObject({ state: "not_open" });
      expect(await parked(job, late)).toMatchObject({ state: "woken", woken: [{ result: { decision: "expired" } }] });
      await store.cancel(job.id);
      await store.settle(job, "cancelled", '{"ok":false}');
      expect(await stateOf(open)).toBe("cancelled");
      expect(await stateOf(late)).toBe("expired");
    });

    it("are asked anew by a job that took over the records of one that is over, and by no other", async () => {
      const before = await claimed();
      const approval = await opened(before);
      const held = link({ kind: "approval", approval, person: "user:ann" });
      await links.add(before.id, held);
      await parked(before, approval);
      const other = await claimed();
      const again = { approval, asked: ASKED, most: 20, tell: false };
      expect(await approvals.open(other, again)).toBe("open");
      expect(await approvals.isOf(other, approval)).toBe(false);
      await store.cancel(before.id);
      expect(await stateOf(approval)).toBe("cancelled");
      const heir = await claimed({ job: before.id, seq: 1 });
      expect(await approvals.open(heir, again)).toBe("open");
      expect(await approvals.find(approval)).toMatchObject({ state: "open", job: { id: heir.id } });
      expect(await links.find(held.hash)).toBeNull();
      expect(await parked(heir, approval)).toEqual({ state: "parked" });
      const decided = await approvals.decide(approval, answer("approve", "ann"), null);
      expect(decided).toMatchObject({ state: "answered", woken: { id: heir.id } });
    });

    it("are over with their time for a job that waits for longer, and wake it", async () => {
      const job = await claimed();
      const approval = await opened(job, { expiresMs: world.now() + 3_600_000 });
      expect(await parked(job, approval, world.now() + 7_200_000)).toEqual({ state: "parked" });
      world.advance(3_600_001);
      let stop = (): void => {};
      const woken = await new Promise<string>((resolve) => {
        stop = durable.watchTimes(({ job: { id }, why }) => resolve(`${id} ${why}`));
      });
      stop();
      expect(woken).toBe(`${job.id} expired`);
      const records = await durable.page(job.id, 0, 10);
      expect(records?.at(-1)).toMatchObject({ kind: "woken", result: { decision: "expired", approved: false } });
      expect(await stateOf(approval)).toBe("expired");
    });

    it("go with the result of their job, and links with them", async () => {
      const job = await claimed();
      const approval = await opened(job);
      const one = link({ kind: "approval", approval, person: "user:ann" });
      await links.add(job.id, one);
      await store.settle(job, "succeeded", '{"ok":true}');
      await store.sweep({ mostResults: 0 });
      expect([await approvals.find(approval), await links.find(one.hash)]).toEqual([null, null]);
    });

    it("are listed newest first, by state, people and job, a page at a time", async () => {
      const job = await claimed();
      const ids: string[] = [];
      for (const to of [["user:ann"], [], ["group:leads"]]) {
        world.advance(1);
        ids.unshift(await opened(job, { to }));
      }
      const [, second = ""] = ids;
      const listed = async (filter: Partial<Parameters<ApprovalStore["list"]>[0]>) => {
        const all = { state: null, to: null, job: job.id, before: null, most: 10, ...filter };
        return (await approvals.list(all)).map(({ id }) => id);
      };
      expect(await listed({})).toEqual(ids);
      expect(await listed({ to: ["user:ann", "user:bob"] })).toEqual([ids[1], ids[2]]);
      await approvals.decide(second, answer("approve"), null);
      expect(await listed({ state: "decided" })).toEqual([second]);
      expect(await listed({ state: "open" })).toEqual([ids[0], ids[2]]);
      const page = await approvals.list({ state: null, to: null, job: job.id, before: null, most: 1 });
      const [first] = page;
      expect(await listed({ before: { openedMs: first?.openedMs ?? 0, id: first?.id ?? "" } })).toEqual(ids.slice(1));
    });

    it("have notices that are due until they were sent", async () => {
      const job = await claimed();
      const approval = await opened(job, {}, true);
      await opened(job);
      const due = async () => (await approvals.dueNotices(10)).map(({ approval: { id }, tries }) => [id, tries]);
      expect(await due()).toEqual([[approval, 0]]);
      expect(await due()).toEqual([]);
      world.advance(60_001);
      expect(await due()).toEqual([[approval, 1]]);
      await approvals.noticed(approval, null);
      world.advance(60_001);
      expect(await due()).toEqual([]);
    });

    const link = (target: Link["target"], ms = 60_000): Link => ({
      hash: randomBytes(32).toString("hex"),
      target,
      expiresMs: world.now() + ms,
    });

    it("are decided once by a link, and not by one that is too old", async () => {
      const job = await claimed();
      const approval = await opened(job, { need: 2 });
      const [good, old] = [
        link({ kind: "approval", approval, person: "user:ann" }),
        link({ kind: "approval", approval, person: "user:bob" }, 10),
      ];
      for (const one of [good, old]) await links.add(job.id, one);
      world.advance(20);
      expect(await approvals.decide(approval, answer("approve", "bob"), old.hash)).toEqual({ state: "link_spent" });
      expect(await links.find(good.hash)).toMatchObject({ target: good.target, usedMs: null, job: { id: job.id } });
      await approvals.decide(approval, answer("approve", "ann"), good.hash);
      expect((await links.find(good.hash))?.usedMs).not.toBeNull();
      expect(await approvals.decide(approval, answer("approve", "eve"), good.hash)).toEqual({ state: "link_spent" });
      expect(await links.find(randomBytes(32).toString("hex"))).toBeNull();
    });

    it("a signal by a link is sent once", async () => {
      const job = await claimed();
      const one = link({ kind: "signal", name: "paid" });
      await links.add(job.id, one);
      const signal = { id: freshId(), name: "paid", target: { job: job.id }, data: "1", expiresMs: 1e15 };
      const sent = await Promise.all([
        links.send(one.hash, signal),
        links.send(one.hash, { ...signal, id: freshId() }),
      ]);
      expect(sent.map((each) => each?.state ?? null).sort()).toEqual(["kept", null]);
      expect(await durable.unread(job.id)).toEqual({ paid: 1 });
    });
  });
}
