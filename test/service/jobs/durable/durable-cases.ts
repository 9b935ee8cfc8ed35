/** What every store that keeps journals does for durable jobs, told through its interface alone. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DurableJobs } from "../../../../service/jobs/durable/durable-store.ts";
import type { NewSignal } from "../../../../service/jobs/durable/waits.ts";
import { type ClaimedJob, PARKED } from "../../../../service/jobs/job.ts";
import type { JobStore } from "../../../../service/state/store.ts";
import type { WaitSpec } from "../../../../vm/calls/wait-spec.ts";
import type { JournalRecord, ParkedWait, RecordBody } from "../../../../vm/durable/records.ts";
import type { PlaceRules, StoreUnderTest } from "../places.ts";
import { alone, type NewJob, newJob } from "../store-cases.ts";
import { takeJobs } from "../taking.ts";

export const OPTIONS = { most: 1000, key: null };
export const HOUR_MS = 3_600_000;
/** What the places allow. */
export const CASES_RULES: PlaceRules = { maxCrashes: 1, maxParked: 8, maxSignals: { signals: 1500, bytes: 400_000 } };

const SITE = { label: "L1", node: "n1", visit: 1, attempt: 1 } as const;

function record(seq: number, body: RecordBody): JournalRecord {
  return { ...body, seq, at: 1, active_ms: 7, branch: "" } as JournalRecord;
}

function answered(seq: number, result: string): JournalRecord {
  const key = { ...SITE, adapter: "http", verb: "GET", args_hash: "h" } as const;
  return record(seq, { kind: "call", ...key, ok: true, result, ms: 1 });
}

export function waiting(
  seq: number,
  spec: WaitSpec,
): { readonly records: readonly JournalRecord[]; readonly wait: ParkedWait } {
  const wait = spec.kind === "outcome" ? `outcome-${spec.of}` : `w-${seq}`;
  const body = { kind: "wait", wait, spec, ...SITE, adapter: "signal", verb: "WAIT" } as const;
  return { records: [record(seq, body)], wait: { wait, spec, place: '{"label":"L1","node":"n1"}' } };
}

export const signalSpec = (names: readonly string[], key: string | null = null): WaitSpec => ({
  ...{ kind: "signal", names, key, until: null },
});

export function durableCases(name: string, place: () => Promise<StoreUnderTest>): void {
  describe(name, { timeout: 60_000 }, () => {
    let world: StoreUnderTest;
    let store: JobStore;
    let durable: DurableJobs;
    const use = (opened: JobStore): void => {
      if (opened.durable === null) throw new Error("a store without journals");
      store = opened;
      durable = opened.durable;
    };
    beforeAll(async () => {
      world = await place();
      use(await world.open("first"));
    });
    afterAll(() => store.close());

    const queue = async (changes: Partial<NewJob> = {}): Promise<NewJob> => {
      const job = newJob(world.now(), { durable: { lifetimeMs: HOUR_MS }, ...changes });
      await store.enqueue(alone(job), OPTIONS);
      return job;
    };
    /** The next job in line, claimed; its place to run is free again. */
    const claim = async (): Promise<ClaimedJob> => {
      const taker = takeJobs(store, 1);
      const { job, end } = await taker.next();
      end();
      await taker.stop();
      return job;
    };
    const running = async (changes: Partial<NewJob> = {}): Promise<ClaimedJob> => {
      const { id } = await queue(changes);
      const job = await claim();
      expect(job).toMatchObject({ id, durable: true });
      return job;
    };
    const park = (job: ClaimedJob, { records, wait }: ReturnType<typeof waiting>) =>
      durable.journal(job).park?.(records, [wait], true);
    const parked = async (spec: WaitSpec, changes: Partial<NewJob> = {}): Promise<ClaimedJob> => {
      const job = await running(changes);
      expect(await park(job, waiting(1, spec))).toEqual({ state: "parked" });
      return job;
    };
    const statusOf = async (id: string) => (await store.find(id))?.status ?? null;
    const recordsOf = async (id: string) => (await durable.page(id, 0, 1000)) ?? [];
    const kindsOf = async (id: string) => (await recordsOf(id)).map(({ kind }) => kind);
    const signalTo = (target: NewSignal["target"], name: string, more: Partial<NewSignal> = {}) =>
      durable.send({ id: `s-${Math.random()}`, name, target, data: "null", expiresMs: world.now() + HOUR_MS, ...more });
    const done = async (job: ClaimedJob) => expect(await store.settle(job, "succeeded", "{}")).not.toBeNull();

    it("keeps the records of a run in order, once, and gives them to the next", async () => {
      const job = await running();
      const journal = durable.journal(job);
      const large = "x".repeat(100_000);
      const records = [answered(1, "é\u0000"), answered(2, large), answered(3, large)];
      expect(await journal.append(records)).toBe("kept");
      // The answer was lost: the same records come again, with a further one.
      expect(await journal.append([...records, answered(4, "d")])).toBe("kept");
      const { records: loaded } = await journal.load();
      expect([...loaded]).toEqual([...records, answered(4, "d")]);
      expect(await durable.page(job.id, 2, 1)).toEqual([records[2]]);
      expect(await durable.page(newJob(world.now()).id, 0, 10)).toBeNull();
      expect([await durable.lastSeq(job.id), await durable.lastSeq(newJob(world.now()).id)]).toEqual([4, 0]);
      journal.keep({ seq: 2, text: "a" });
      journal.keep({ seq: 3, text: "b" });
      journal.keep({ seq: 4, text: "c" });
      const seqs = async () => ((await journal.load()).snapshots ?? []).map((one) => (one as { seq: number }).seq);
      await expect.poll(seqs).toEqual([4, 3]);
      durable.last(job, [answered(5, "e")]);
      await done(job);
      durable.ended(job);
      expect(await recordsOf(job.id)).toHaveLength(5);
      await expect.poll(seqs).toEqual([]);
      const other = await running();
      await durable.journal(other).append([answered(1, large)]);
      await done(other);
      await store.sweep({ mostResults: 0 });
      expect([await recordsOf(job.id), await recordsOf(other.id)]).toEqual([[], []]);
    });

    it("takes nothing from a run that lost its job", async () => {
      const old = await running();
      await durable.journal(old).append([answered(1, "a")]);
      expect(await store.interrupt(old, null)).toMatchObject({ status: "queued" });
      const heir = await claim();
      expect(heir).toMatchObject({ id: old.id, attempt: 2, resumes: 1, why: "stop" });
      const journal = durable.journal(old);
      expect(await journal.append([answered(2, "z")])).toBe("stale");
      expect(await park(old, waiting(2, signalSpec(["x"])))).toEqual({ state: "stale" });
      journal.keep({ seq: 1 });
      durable.last(old, [answered(2, "z")]);
      expect(await store.settle(old, "failed", "{}")).toBeNull();
      expect(await store.interrupt(old, null)).toBeNull();
      expect(await durable.journal(heir).append([answered(2, "b")])).toBe("kept");
      expect((await recordsOf(old.id)).map((one) => "result" in one && one.result)).toEqual(["a", "b"]);
      expect((await durable.journal(heir).load()).snapshots).toEqual([]);
      await done(heir);
    });

    it("takes nothing from the claim before a wait, though process and attempt are the same", async () => {
      const before = await parked(signalSpec(["x"]));
      await signalTo({ job: before.id }, "x");
      const after = await claim();
      expect(after).toMatchObject({ id: before.id, owner: before.owner, attempt: 1, resumes: 1, why: "wake" });
      expect(await durable.journal(before).append([answered(3, "late")])).toBe("stale");
      expect(await park(before, waiting(3, signalSpec(["y"])))).toEqual({ state: "stale" });
      expect(await store.settle({ ...before }, "failed", "{}")).toBeNull();
      expect(await kindsOf(after.id)).toEqual(["wait", "woken"]);
      await done(after);
    });

    it("lists keys under which jobs wait for a signal, as long as they wait", async () => {
      const spec = signalSpec(["agent.result", "other"], "t-1");
      const jobs = [await parked(spec), await parked(spec)];
      const unlike = await parked(signalSpec(["agent"], "t-2"));
      const keys = async (after = "") =>
        (await durable.waitedKeys("agent.result", after, 10)).map(({ key, sinceMs }) => [key, sinceMs <= world.now()]);
      expect(await keys()).toEqual([["t-1", true]]);
      expect(await keys("t-1")).toEqual([]);
      expect(await signalTo({ key: "t-1" }, "other")).toMatchObject({ state: "kept" });
      expect(await keys()).toEqual([]);
      for (const _ of jobs) await done(await claim());
      await store.cancel(unlike.id);
    });

    it("answers a wait at once with what is there, and again when that answer was lost", async () => {
      const job = await running();
      await signalTo({ job: job.id }, "x", { data: JSON.stringify("y".repeat(70_000)) });
      const first = await park(job, waiting(1, signalSpec(["x"])));
      expect(first).toMatchObject({ state: "woken", woken: [{ seq: 2, result: { received: true, name: "x" } }] });
      expect(await park(job, waiting(1, signalSpec(["x"])))).toEqual(first);
      expect(await kindsOf(job.id)).toEqual(["wait", "woken"]);
      const past = { kind: "timer", until: world.now() - 1, span: 1 } as const;
      expect(await park(job, waiting(3, past))).toMatchObject({ state: "woken", woken: [{ seq: 4 }] });
      await done(job);
    });

    it("wakes a job when its time has come, and says how late", async () => {
      const wakeDue = async (): Promise<unknown> => {
        let stop = (): void => {};
        const heard = await new Promise((resolve) => {
          stop = durable.watchTimes(({ job, why, lagMs }) => resolve({ id: job.id, why, late: lagMs >= HOUR_MS }));
        });
        stop();
        return heard;
      };
      const job = await parked(
        { kind: "timer", until: world.now() + HOUR_MS, span: HOUR_MS },
        { durable: { lifetimeMs: 9 * HOUR_MS } },
      );
      expect(await statusOf(job.id)).toBe("sleeping");
      world.advance(2 * HOUR_MS);
      expect(await wakeDue()).toEqual({ id: job.id, why: "time", late: true });
      const again = await claim();
      expect(again).toMatchObject({ id: job.id, attempt: 1, resumes: 1, why: "wake" });
      expect(again.parkedMs).toBeGreaterThanOrEqual(2 * HOUR_MS);
      expect((await recordsOf(job.id)).at(-1)).toMatchObject({ kind: "woken", why: "time", seq: 2, active_ms: 7 });
      const spec = { kind: "signal", names: ["x"], key: null, until: world.now() + HOUR_MS } as const;
      expect(await park(again, waiting(3, spec))).toEqual({ state: "parked" });
      expect(await statusOf(job.id)).toBe("waiting");
      world.advance(2 * HOUR_MS);
      expect(await wakeDue()).toEqual({ id: job.id, why: "expired", late: true });
      const last = await claim();
      expect((await recordsOf(job.id)).at(-1)).toMatchObject({ why: "expired", result: { received: false } });
      await done(last);
    });

    it("keeps dates by the clock of the wall, whatever that of the store says", async () => {
      // By then the clock of the store is hours ahead of that of the wall.
      const date = Date.now() + HOUR_MS;
      const job = await running({ durable: { lifetimeMs: 9 * HOUR_MS } });
      expect(await park(job, waiting(1, { kind: "timer", until: date }))).toEqual({ state: "parked" });
      expect(await durable.waits(job.id)).toMatchObject([{ spec: { kind: "timer", until: date }, endedMs: null }]);
      const sooner = await parked({ kind: "timer", until: world.now() - 1 + HOUR_MS, span: HOUR_MS });
      world.advance(2 * HOUR_MS);
      let stop = (): void => {};
      const woken = await new Promise((resolve) => {
        stop = durable.watchTimes((one) => resolve(one.job.id));
      });
      stop();
      expect(woken).toBe(sooner.id);
      expect(await statusOf(job.id)).toBe("sleeping");
      await done(await claim());
      await store.cancel(job.id);
    });

    it("fails the wait of one job more than may wait, and not that for a person who knows", async () => {
      const { maxParked = 0 } = world;
      const { length } = await store.list({ limit: 100, after: null, statuses: PARKED });
      const jobs: ClaimedJob[] = [];
      for (let at = length; at < maxParked; at++) jobs.push(await parked(signalSpec(["x"])));
      const job = await running();
      expect(await park(job, waiting(1, signalSpec(["x"])))).toEqual({ state: "full", maxParked });
      expect(await kindsOf(job.id)).toEqual(["wait"]);
      expect(await park(job, waiting(2, { kind: "outcome", of: 1, until: null }))).toEqual({ state: "parked" });
      for (const { id } of [...jobs, job]) await store.cancel(id);
    });

    it("keeps no more signals under all keys than it may, whatever the keys are", async () => {
      const send = (key: string, data: string, keepMs = HOUR_MS) =>
        durable.send({
          id: key,
          name: "x",
          target: { key },
          data: JSON.stringify(data),
          expiresMs: world.now() + keepMs,
        });
      const until = async (data: string, keys: string): Promise<number> => {
        for (let at = 0; at < 2000; at++) if ((await send(`${keys}${at}`, data)).state === "full") return at;
        return 2000;
      };
      world.advance(2 * HOUR_MS);
      const text = "y".repeat(40_000);
      // Ten of them are less than the bound; data that is stored packed counts in full.
      expect(await until(text, "bytes-")).toBe(10);
      expect(await durable.keptSignals()).toEqual({ signals: 10, bytes: 10 * 40_002 });
      // A signal to a job has the bound of the job.
      const job = await queue();
      const data = JSON.stringify(text);
      const toJob = { id: "j", name: "x", target: { job: job.id }, data, expiresMs: Number.MAX_SAFE_INTEGER };
      expect(await durable.send(toJob)).toMatchObject({ state: "kept" });
      world.advance(2000);
      expect((await send("late", "")).state).toBe("full");
      // What has expired makes room.
      world.advance(HOUR_MS);
      expect(await until("", "many-")).toBe(1500);
      // The same signal again takes no room.
      world.advance(2 * HOUR_MS);
      expect(await durable.keptSignals()).toEqual({ signals: 0, bytes: 0 });
      await send("again", text);
      await send("again", text);
      expect(await durable.keptSignals()).toEqual({ signals: 1, bytes: 40_002 });
      world.advance(2 * HOUR_MS);
      await store.cancel(job.id);
    });

    it("gives a new job the first records of another, or says that they are gone", async () => {
      const large = "x".repeat(100_000);
      const old = await running();
      await durable.journal(old).append([answered(1, large), answered(2, large), answered(3, "c")]);
      await store.settle(old, "failed", "{}");
      const taking = (job: string, seq: number) =>
        newJob(world.now(), { durable: { lifetimeMs: HOUR_MS, takes: { job, seq } } });
      for (const [id, seq] of [
        [old.id, 4],
        [newJob(world.now()).id, 1],
      ] as const)
        expect(await store.enqueue(alone(taking(id, seq)), OPTIONS)).toEqual({ state: "no_journal" });
      const next = taking(old.id, 2);
      expect(await store.enqueue(alone(next), OPTIONS)).toMatchObject({ state: "queued" });
      // The records stay when those of the other job go.
      await store.sweep({ mostResults: 0 });
      expect([await recordsOf(old.id), await statusOf(old.id)]).toEqual([[], "expired"]);
      const job = await claim();
      expect(job).toMatchObject({ id: next.id, attempt: 1, resumes: 1, why: "retry" });
      const { records } = await durable.journal(job).load();
      expect([...records]).toEqual([answered(1, large), answered(2, large)]);
      await done(job);
      const bare = taking(old.id, 0);
      await store.enqueue(alone(bare), OPTIONS);
      const first = await claim();
      expect(first).toMatchObject({ id: bare.id, resumes: 0, why: null });
      await done(first);
    });

    it("gives signals to a job in their order, each once, also those that came before the wait", async () => {
      const { id } = await queue();
      expect(await signalTo({ job: id }, "go", { id: "a", data: "1" })).toMatchObject({ isNew: true, woken: [] });
      await signalTo({ job: id }, "other", { data: "0" });
      await signalTo({ job: id }, "go", { id: "b", data: "2" });
      expect(await signalTo({ job: id }, "go", { id: "b", data: "3" })).toMatchObject({ isNew: false });
      const job = await claim();
      const one = await park(job, waiting(1, signalSpec(["go", "stop"])));
      const two = await park(job, waiting(3, signalSpec(["go", "stop"])));
      expect([one, two]).toMatchObject([
        { state: "woken", woken: [{ result: { data: 1, name: "go" } }] },
        { state: "woken", woken: [{ result: { data: 2 } }] },
      ]);
      expect(await park(job, waiting(5, signalSpec(["go", "stop"])))).toEqual({ state: "parked" });
      expect(await durable.unread(id)).toEqual({ other: 1 });
      expect(await durable.waits(id)).toMatchObject([{ wait: "w-5", endedMs: null, place: { label: "L1" } }]);
      expect(await signalTo({ job: id }, "stop", { data: "4" })).toMatchObject({ woken: [{ id, status: "queued" }] });
      expect(await durable.waits(id)).toMatchObject([{ endedMs: expect.any(Number) }]);
      await done(await claim());
      expect(await signalTo({ job: id }, "go")).toMatchObject({ state: "ended", job: { status: "succeeded" } });
      expect(await signalTo({ job: newJob(world.now()).id }, "go")).toEqual({ state: "no_job" });
    });

    it("gives a signal under a key that came before its job to one job that is queued in time (D2.Q-4)", async () => {
      const key = `k-${Math.random()}`;
      await signalTo({ key }, "paid", { data: '"early"' });
      await signalTo({ key }, "late", { expiresMs: world.now() - 1 });
      await new Promise((resolve) => setTimeout(resolve, 2));
      const first = await running();
      const second = await running();
      const spec = signalSpec(["paid", "late"], key);
      expect(await park(first, waiting(1, spec))).toMatchObject({ woken: [{ result: { data: "early" } }] });
      expect(await park(first, waiting(3, spec))).toEqual({ state: "parked" });
      expect(await park(second, waiting(1, spec))).toEqual({ state: "parked" });
      for (const { id } of [first, second]) await store.cancel(id);
      // The job that read it is forgotten, and the signal stays read.
      await store.sweep({ mostResults: 0 });
      const third = await parked(spec);
      await store.cancel(third.id);
    });

    it("gives what a signal says exactly, as often as it is asked", async () => {
      const data = '{"10":2.0,"9":12345678901234567890}';
      const { id } = await queue({ durable: { lifetimeMs: HOUR_MS, signals: [{ id: "f", name: "go", data: "5.0" }] } });
      await signalTo({ job: id }, "go", { data });
      const job = await claim();
      const first = await park(job, waiting(1, signalSpec(["go"])));
      expect(first).toMatchObject({ woken: [{ result: { data: 5 }, result_text: expect.stringContaining(":5.0,") }] });
      const given = { woken: [{ result: { data: JSON.parse(data) }, result_text: expect.stringContaining(data) }] };
      expect(await park(job, waiting(3, signalSpec(["go"])))).toMatchObject(given);
      expect(await park(job, waiting(3, signalSpec(["go"])))).toMatchObject(given);
      expect((await recordsOf(id)).at(-1)).toMatchObject({ kind: "woken", ...given.woken[0] });
      await store.cancel(id);
    });

    it("gives a job the signals that it was queued with, each once (D2.Q-4)", async () => {
      const signals = [1, 2].map((n) => ({ id: `s${n}`, name: "go", data: JSON.stringify({ n }) }));
      const job = await running({ durable: { lifetimeMs: HOUR_MS, signals } });
      expect(await durable.unread(job.id)).toEqual({ go: 2 });
      expect(await park(job, waiting(1, signalSpec(["go"])))).toMatchObject({
        woken: [{ result: { data: { n: 1 } } }],
      });
      expect(await park(job, waiting(3, signalSpec(["go"])))).toMatchObject({
        woken: [{ result: { data: { n: 2 } } }],
      });
      expect(await park(job, waiting(5, signalSpec(["go"])))).toEqual({ state: "parked" });
      expect(await signalTo({ job: job.id }, "go", { id: "s1" })).toMatchObject({
        state: "kept",
        isNew: false,
        woken: [],
      });
      await store.cancel(job.id);
    });

    it("says of a signal that comes again after the end what came of it (D2.Q-12)", async () => {
      const job = await parked(signalSpec(["go"]));
      await signalTo({ job: job.id }, "go", { id: "read" });
      await signalTo({ job: job.id }, "go", { id: "unread" });
      await done(await claim());
      const again = (id: string) => signalTo({ job: job.id }, "go", { id });
      expect(await again("read")).toMatchObject({ state: "kept", isNew: false, over: true, reads: 1 });
      expect(await again("unread")).toMatchObject({ state: "kept", isNew: false, over: true, reads: 0 });
      expect(await again("new")).toMatchObject({ state: "ended" });
    });

    it("gives signals under a key to all jobs that were queued before them, and forgets them in time", async () => {
      const key = `k-${Math.random()}`;
      const jobs = [await parked(signalSpec(["paid"], key)), await parked(signalSpec(["paid"], key))];
      const late = await running();
      const sent = await signalTo({ key }, "paid", { data: '"now"' });
      expect(sent).toMatchObject({
        woken: expect.arrayContaining(jobs.map(({ id }) => expect.objectContaining({ id }))),
      });
      expect(await park(late, waiting(1, signalSpec(["paid"], key)))).toMatchObject({
        woken: [{ result: { data: "now" } }],
      });
      await done(late);
      for (const _ of jobs) await done(await claim());
      await signalTo({ key }, "short", { expiresMs: world.now() - 1 });
      const after = await running();
      expect(await park(after, waiting(1, signalSpec(["short"], key)))).toEqual({ state: "parked" });
      await store.cancel(after.id);
    });

    it("refuses signals beyond a thousand", async () => {
      const key = `k-${Math.random()}`;
      const states: string[] = [];
      while (states.length < 1005) {
        const five = await Promise.all(Array.from({ length: 5 }, () => signalTo({ key }, "many")));
        states.push(...five.map(({ state }) => state));
      }
      expect(states.filter((state) => state === "full")).toHaveLength(5);
    });

    it("continues with what a person says of a call, once", async () => {
      const job = await parked({ kind: "outcome", of: 1, until: null });
      const said = { decision: "done", by: "ann", result: { ok: true } } as const;
      expect(await durable.decide(job.id, { ...said, of: 2 })).toBeNull();
      expect(await durable.decide(job.id, { ...said, of: 1 })).toMatchObject({ status: "queued" });
      expect(await durable.decide(job.id, { ...said, of: 1 })).toBeNull();
      expect((await recordsOf(job.id)).at(-1)).toMatchObject({ kind: "decision", ...said, of: 1 });
      await done(await claim());
    });

    it("keeps the time that a job ran and the time that it waited apart (T.S-5)", async () => {
      const job = await parked(signalSpec(["x"]));
      expect(await store.find(job.id)).toMatchObject({ parkedMs: 0, parkedAtMs: expect.any(Number) });
      world.advance(5000);
      await signalTo({ job: job.id }, "x");
      const woken = await store.find(job.id);
      expect(woken?.parkedAtMs).toBeNull();
      expect(woken?.parkedMs).toBeGreaterThanOrEqual(5000);
      await done(await claim());
      const over = await store.find(job.id);
      expect(over?.parkedMs).toBe(woken?.parkedMs);
      const ended = await parked(signalSpec(["x"]));
      world.advance(7000);
      const cancelled = await store.cancel(ended.id);
      expect(cancelled?.job.parkedMs).toBeGreaterThanOrEqual(7000);
      expect((await store.find(ended.id))?.parkedMs).toBe(cancelled?.job.parkedMs);
    });

    it("ends a parked job at once when it is cancelled, with its waits", async () => {
      const job = await parked(signalSpec(["x"]));
      expect(await store.cancel(job.id)).toMatchObject({ moved: true, job: { status: "cancelled" } });
      expect(await durable.waits(job.id)).toMatchObject([{ endedMs: expect.any(Number) }]);
      expect(await signalTo({ job: job.id }, "x")).toMatchObject({ state: "ended" });
      const other = await running();
      await store.cancel(other.id);
      expect(await park(other, waiting(1, signalSpec(["x"])))).toEqual({ state: "ending" });
      await store.settle(other, "cancelled", "{}");
    });

    it("ends jobs in line and parked jobs when their lifetime is over, and none that runs", async () => {
      const lifetime = { durable: { lifetimeMs: 60_000 } };
      const waits = await parked(signalSpec(["x"]), lifetime);
      const runs = await running(lifetime);
      const queued = await queue(lifetime);
      world.advance(61_000);
      const ended = await durable.endLifetimes();
      expect(ended.map(({ id }) => id).sort()).toEqual([waits.id, queued.id].sort());
      expect(await store.find(waits.id)).toMatchObject({ status: "timed_out", error: "lifetime_exceeded" });
      expect(await statusOf(runs.id)).toBe("running");
      await done(runs);
      expect(await durable.endLifetimes()).toEqual([]);
    });

    it("puts jobs of a dead process back in line, and ends those that come no further", async () => {
      const ids = [(await running()).id, (await running()).id];
      const steps = async (heir: string, recovered: readonly string[]): Promise<void> => {
        await world.kill(store);
        use(await world.open(heir));
        await expect
          .poll(async () => {
            await store.recover();
            return Promise.all(ids.map(statusOf));
          })
          .toEqual(recovered);
      };
      await steps("second", ["queued", "queued"]);
      const again = [await claim(), await claim()];
      expect(again).toMatchObject(ids.map((id) => ({ id, attempt: 2, resumes: 1 })));
      // One of them comes further, and the other does not.
      await durable.journal(again[0] as ClaimedJob).append([answered(1, "a")]);
      await steps("third", ["queued", "interrupted"]);
      const stuck = JSON.parse((await store.find(ids[1] ?? ""))?.result ?? "");
      expect(stuck).toMatchObject({ error: "interrupted", reason: "crash_loop" });
      await done(await claim());
    });

    it("loses no wake, however parking and sending meet", async () => {
      const key = `race-${Math.random()}`;
      for (let at = 0; at < 20; at++) {
        const job = await running();
        const spec = at % 2 === 0 ? signalSpec(["x"]) : signalSpec(["x"], key);
        const target = at % 2 === 0 ? { job: job.id } : { key };
        await Promise.all([park(job, waiting(1, spec)), signalTo(target, "x")]);
        const status = await statusOf(job.id);
        expect(await kindsOf(job.id), `${status}`).toEqual(["wait", "woken"]);
        await done(status === "queued" ? await claim() : job);
      }
    });
  });
}
