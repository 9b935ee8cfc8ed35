/** Signals that are sent to many jobs at the same moment on PostgreSQL: they share statements and a commit, and each is as if it were alone. */
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import type { DurableJobs } from "../../../../service/jobs/durable/durable-store.ts";
import type { NewSignal, SignalSent } from "../../../../service/jobs/durable/waits.ts";
import type { ClaimedJob } from "../../../../service/jobs/job.ts";
import { openPostgresStore } from "../../../../service/jobs/postgres/store.ts";
import type { JobStore } from "../../../../service/state/store.ts";
import { startPostgres } from "../../../support/postgres.ts";
import { realClock } from "../../serving.ts";
import { OPTIONS, signalSpec, waiting } from "../durable/durable-cases.ts";
import { alone, newJob } from "../store-cases.ts";
import { takeJobs } from "../taking.ts";
import { seeStatements } from "./seen-statements.ts";

const postgres = await startPostgres();
const stores: JobStore[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const store of stores.splice(0)) await store.close();
});
afterAll(() => postgres?.stop());

const HOUR_MS = 3_600_000;
const JOBS = 24;

async function replicas(...owners: readonly string[]): Promise<readonly JobStore[]> {
  const url = (await postgres?.createDatabase()) ?? "";
  const times = { clock: realClock, now: Date.now, silentMs: 30_000 };
  for (const owner of owners) stores.push(await openPostgresStore({ url, owner, version: "1", ...times }));
  return stores;
}

function durableOf({ durable }: JobStore): DurableJobs {
  if (durable === null) throw new Error("a store without journals");
  return durable;
}

/** Jobs that wait for `go`, in the order of their ids. */
async function parkedJobs(store: JobStore, count: number): Promise<readonly ClaimedJob[]> {
  const taker = takeJobs(store, count);
  const jobs: ClaimedJob[] = [];
  for (let at = 0; at < count; at += 1) {
    await store.enqueue(alone(newJob(Date.now(), { durable: { lifetimeMs: HOUR_MS } })), OPTIONS);
    const { job, end } = await taker.next();
    const { records, wait } = waiting(1, signalSpec(["go"]));
    expect(await durableOf(store).journal(job).park?.(records, [wait], true)).toEqual({ state: "parked" });
    end();
    jobs.push(job);
  }
  await taker.stop();
  return jobs;
}

const signalTo = (job: string, more: Partial<NewSignal> = {}): NewSignal => ({
  ...{ id: `s-${job}`, name: "go", target: { job }, data: "1", expiresMs: Date.now() + HOUR_MS },
  ...more,
});

const isNew = (sent: SignalSent | undefined): boolean => sent?.state === "kept" && sent.isNew;

async function kindsOf(store: JobStore, id: string): Promise<readonly string[]> {
  return ((await durableOf(store).page(id, 0, 1000)) ?? []).map(({ kind }) => kind);
}

describe.skipIf(postgres === null)("signals to many jobs at once on PostgreSQL", { timeout: 60_000 }, () => {
  it("wake them in fewer statements than one for each", async () => {
    const [store] = (await replicas("a")) as [JobStore];
    const jobs = await parkedJobs(store, JOBS);
    let statements = 0;
    seeStatements((sql, pass) => {
      if (!/weft\.(replicas|probe)|graphile_worker"?\./.test(sql)) statements += 1;
      return pass();
    });
    const sent = await Promise.all(jobs.map(({ id }) => durableOf(store).send(signalTo(id))));
    expect(statements).toBeLessThan(JOBS);
    expect(sent).toEqual(
      jobs.map(({ id }) => ({ state: "kept", isNew: true, woken: [expect.objectContaining({ id })] })),
    );
    for (const { id } of jobs) expect(await kindsOf(store, id)).toEqual(["wait", "woken"]);
  });

  it("are answered each by itself: not found, over, sent before, or kept", async () => {
    const [store] = (await replicas("a")) as [JobStore];
    const [kept, twice, over] = (await parkedJobs(store, 3)) as [ClaimedJob, ClaimedJob, ClaimedJob];
    await store.cancel(over.id);
    await durableOf(store).send(signalTo(twice.id));
    const gone = newJob(Date.now()).id;
    const sent = await Promise.all([kept.id, twice.id, over.id, gone].map((id) => durableOf(store).send(signalTo(id))));
    expect(sent).toEqual([
      { state: "kept", isNew: true, woken: [expect.objectContaining({ id: kept.id })] },
      { state: "kept", isNew: false, woken: [], over: false, reads: 1 },
      { state: "ended", job: expect.objectContaining({ id: over.id, status: "cancelled" }) },
      { state: "no_job" },
    ]);
  });

  it("wake one job once, and are all kept, when they are all to that one", async () => {
    const [store] = (await replicas("a")) as [JobStore];
    const [job] = (await parkedJobs(store, 1)) as [ClaimedJob];
    const ids = ["a", "b", "c", "a", "d"];
    const sent = await Promise.all(ids.map((id) => durableOf(store).send(signalTo(job.id, { id }))));
    expect(sent.filter(isNew)).toHaveLength(4);
    expect(sent.flatMap((one) => (one.state === "kept" ? one.woken : []))).toHaveLength(1);
    expect(await durableOf(store).unread(job.id)).toEqual({ go: 3 });
    expect(await kindsOf(store, job.id)).toEqual(["wait", "woken"]);
  });

  it("do not fail with one that the database does not keep", async () => {
    const [store] = (await replicas("a")) as [JobStore];
    const jobs = await parkedJobs(store, 4);
    const sent = await Promise.allSettled(
      jobs.map(({ id }, at) => durableOf(store).send(signalTo(id, at === 1 ? { name: "go\u0000" } : {}))),
    );
    expect(sent.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    expect(sent[1]).toMatchObject({ reason: { error: "invalid_request" } });
    expect(await Promise.all(jobs.map(({ id }) => store.find(id)))).toMatchObject(
      ["queued", "waiting", "queued", "queued"].map((status) => ({ status })),
    );
  });

  it.each([
    ["before the database commits", false],
    ["after the database committed", true],
  ])("reach each job once when the connection is lost %s and they are sent again", async (_, committed) => {
    const [store] = (await replicas("a")) as [JobStore];
    const jobs = await parkedJobs(store, JOBS);
    const sending = new WeakSet<object>();
    let broken = false;
    seeStatements(async (sql, pass, client) => {
      if (sql.includes("INSERT INTO weft.signals")) sending.add(client);
      if (broken || sql !== "COMMIT" || !sending.has(client)) return pass();
      broken = true;
      if (committed) await pass();
      throw new Error("Connection terminated unexpectedly");
    });
    const send = () => Promise.allSettled(jobs.map(({ id }) => durableOf(store).send(signalTo(id))));
    const first = await send();
    expect(broken).toBe(true);
    expect(first.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
    for (const one of first)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ error: "store_unavailable" });
    for (const one of await send()) expect(one.status).toBe("fulfilled");
    for (const { id } of jobs) {
      expect(await kindsOf(store, id)).toEqual(["wait", "woken"]);
      expect(await durableOf(store).unread(id)).toEqual({});
    }
  });

  it("reach each job once when two replicas send them in opposite order", async () => {
    const [one, other] = (await replicas("a", "b")) as [JobStore, JobStore];
    const jobs = await parkedJobs(one, JOBS);
    const [first, second] = await Promise.all([
      Promise.all(jobs.map(({ id }) => durableOf(one).send(signalTo(id)))),
      Promise.all([...jobs].reverse().map(({ id }) => durableOf(other).send(signalTo(id)))),
    ]);
    const again = [...second].reverse();
    expect(jobs.map((_, at) => [first[at], again[at]].filter(isNew).length)).toEqual(jobs.map(() => 1));
    for (const { id } of jobs) expect(await kindsOf(one, id)).toEqual(["wait", "woken"]);
  });
});
