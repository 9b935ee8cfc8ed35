/** When events are delivered, how long they are kept, and how many programs one of them starts: in a file and in a database. */
import { afterAll, describe, expect, it } from "vitest";
import type { Starting } from "../../../service/events/event.ts";
import { jobId } from "../../../service/jobs/job-id.ts";
import type { JobStore } from "../../../service/state/store.ts";
import { startPostgres } from "../../support/postgres.ts";
import { replicasOn, type StoreUnderTest, sqlitePlace } from "../jobs/places.ts";
import { temporaryFolder } from "../jobs/serving-jobs.ts";
import { alone, newJob } from "../jobs/store-cases.ts";
import { eventful } from "./event-service.ts";

const DAY = 86_400_000;
const folder = await temporaryFolder();
const postgres = await startPostgres();
afterAll(async () => {
  await folder.remove();
  await postgres?.stop();
});

type Given = { readonly isGiven?: boolean; readonly atMs?: number | null; readonly mostKept?: number };

const emit = (store: JobStore, id: string, given: Given = {}) =>
  store.programEvents.emit({
    ...{ id, name: "a/b", key: null, data: '{"n":1}', isGiven: true, atMs: null, from: null, mostKept: 100 },
    ...given,
  });
const ids = async (store: JobStore) =>
  (await store.programEvents.list({ limit: 100, before: null, name: null })).map(({ id }) => id).sort();

/** Delivers what is due; `program`: gets a job of each event. */
async function deliver(store: JobStore, program: string | null = null): Promise<readonly string[]> {
  const due = await store.programEvents.due(100);
  for (const event of due) {
    const job = newJob(store.now(), { id: jobId(store.now(), event.number.toString(16).padStart(32, "0")) });
    const start = { version: 1, label: "main", outcome: "start", error: null, submission: alone(job) } as const;
    const starts: Starting[] = program === null ? [] : [{ ...start, program }];
    const step = { number: event.number, after: event.after, starts, next: program ?? event.after };
    await store.programEvents.deliver({ ...step, isLast: true, isCut: false, maxQueued: 1000 });
    while ((await store.programEvents.wake({ number: event.number, name: event.name })).more);
  }
  return due.map(({ id }) => id);
}

function cases(open: () => Promise<StoreUnderTest>): void {
  const opened = async (): Promise<{ readonly world: StoreUnderTest; readonly store: JobStore }> => {
    const world = await open();
    return { world, store: await world.open("events") };
  };

  it("an event with a time is delivered before it, or one whose time is over is not delivered at once", async () => {
    const { world, store } = await opened();
    const at = world.now() + 60_000;
    await emit(store, "later", { atMs: at });
    await emit(store, "over", { atMs: at - DAY });
    await emit(store, "now");
    expect([...(await deliver(store))].sort()).toEqual(["now", "over"]);
    const left = (await store.programEvents.next()) ?? 0;
    expect(left > 50_000 && left <= 60_000).toBe(true);
    world.advance(59_000);
    expect(await deliver(store)).toEqual([]);
    world.advance(2000);
    expect(await deliver(store)).toEqual(["later"]);
    expect(await store.programEvents.next()).toBeNull();
    await store.close();
  });

  it("the id of an event is free before 7 days are over, or never", async () => {
    const { world, store } = await opened();
    await emit(store, "one");
    await deliver(store);
    const again = async (): Promise<boolean> => {
      await store.sweep({ mostResults: 1000 });
      const done = await emit(store, "one");
      return done.state === "kept" && done.isNew;
    };
    expect(await again()).toBe(false);
    world.advance(7 * DAY - 60_000);
    expect(await again()).toBe(false);
    world.advance(120_000);
    expect(await again()).toBe(true);
    await store.close();
  });

  it("an event that is to come is forgotten, or one that is over is kept beyond 7 days", async () => {
    const { world, store } = await opened();
    await emit(store, "far", { atMs: world.now() + 30 * DAY });
    await emit(store, "done");
    await deliver(store);
    world.advance(8 * DAY);
    await store.sweep({ mostResults: 1000 });
    expect(await ids(store)).toEqual(["far"]);
    await store.close();
  });

  it("more events are kept than may be, or the id of one that was chosen is free with them", async () => {
    const { store } = await opened();
    for (let at = 0; at < 6; at++) await emit(store, `e${at}`, { isGiven: at < 3 });
    await deliver(store);
    await store.sweep({ mostResults: 1000, mostEvents: 2 });
    expect(await ids(store)).toEqual(["e4", "e5"]);
    expect(await store.programEvents.find("e5", 10)).toMatchObject({ data: '{"n":1}' });
    expect(await emit(store, "e1")).toMatchObject({ state: "kept", isNew: false });
    await store.close();
  });

  it("further events are taken while as many wait as may", async () => {
    const { store } = await opened();
    for (let at = 0; at < 3; at++) await emit(store, `e${at}`, { mostKept: 3 });
    expect(await emit(store, "e3", { mostKept: 3 })).toEqual({ state: "full" });
    expect(await emit(store, "e1", { mostKept: 3 })).toMatchObject({ state: "kept", isNew: false });
    await deliver(store);
    expect(await emit(store, "e3", { mostKept: 3 })).toMatchObject({ state: "kept", isNew: true });
    await store.close();
  });
}

let places = 0;
describe("in a file", () => cases(() => sqlitePlace(`${folder.path}/${++places}`)()));
describe.skipIf(postgres === null)("in PostgreSQL", () => cases(() => replicasOn(postgres)));

describe("an event that more than 1,000 programs hear of", () => {
  it("starts more than 1,000 jobs, or says nothing of the others", { timeout: 120_000 }, async () => {
    const programs = 1003;
    const service = await eventful({
      variables: { WF_PROGRAMS_MAX: "2000", WF_QUEUE_MAX: "5000", WF_RESULT_MAX: "5000" },
    });
    const code = '@on("wide/spread")\ndef heard(event):\n    return 1\n';
    const names = Array.from({ length: programs }, (_, at) => `p${String(at).padStart(4, "0")}`);
    const line = names.values();
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (const name of line) await service.deployed(name, code, { accept: ["wide/*"] });
      }),
    );
    const { id } = await service.emitted({ name: "wide/spread", data: 1 });
    const event = await service.delivered(id);
    expect(event).toMatchObject({ started: 1000, failed: 0, cut: true });
    expect(new Set(event.starts.map(({ program }) => program)).size).toBe(event.starts.length);
  });
});
