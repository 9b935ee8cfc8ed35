/**
 * Rules under everything that can go wrong with jobs, as a seed says: two processes claim, run, park, cancel and settle jobs, die between any
 * two steps, begin again with another round, and say nothing of what they did. Never do more jobs of a rule run than its limit; when calm returns every job comes to its end, and every
 * program has one job of each event.
 */
import { afterAll, describe, expect, it, vi } from "vitest";
import { type FlowAsked, flowOf, jobFlow } from "../../../../service/jobs/flow/flow-of.ts";
import { gatheredText } from "../../../../service/jobs/flow/gathered-text.ts";
import type { FlowMembers } from "../../../../service/jobs/flow/members.ts";
import type { ClaimedJob } from "../../../../service/jobs/job.ts";
import { jobId } from "../../../../service/jobs/job-id.ts";
import type { JobStore } from "../../../../service/state/store.ts";
import { startPostgres } from "../../../support/postgres.ts";
import { randomOf } from "../durable/simulation/timeline.ts";
import { replicasOn, type StoreUnderTest, sqlitePlace } from "../places.ts";
import { temporaryFolder } from "../serving-jobs.ts";
import { alone, newJob } from "../store-cases.ts";
import { SimulatedEvents } from "./simulated-events.ts";

vi.mock(import("node:worker_threads"), async (original) => {
  const { storeInPlace } = await import("../store-in-place.ts");
  const threads = await original();
  return { ...threads, Worker: storeInPlace(threads.Worker) };
});
vi.mock(import("pg"), async (original) => {
  const { keepingConnections } = await import("../kept-connections.ts");
  const driver = keepingConnections((await original()).default);
  return { ...driver, default: driver };
});

/** `WEFT_FLOW_SEEDS=10000` simulates as many worlds, from `WEFT_FLOW_FIRST` on. */
const SEEDS = Number(process.env["WEFT_FLOW_SEEDS"] ?? 4);
const FIRST = Number(process.env["WEFT_FLOW_FIRST"] ?? 1);
/** A world mostly waits for its store, so several are simulated at once, each in a database of its own. */
const AT_ONCE = 4;
const TIMEOUT = 240_000 + SEEDS * 10_000;
const JOBS = 60;
const folder = await temporaryFolder();
const postgres = await startPostgres();
afterAll(async () => {
  await folder.remove();
  await postgres?.stop();
});

type Rule = { readonly name: string; readonly limit: number };
/** What the test knows of a job: the rules that count it. */
type Known = { readonly id: string; readonly rules: readonly Rule[] };

const RULES: readonly FlowMembers[] = [
  { concurrency: { limit: 1, key: "customer" } },
  { concurrency: [{ limit: 2, key: "customer" }, { limit: 3 }] },
  { concurrency: { limit: 2, scope: "all" }, fair: "customer" },
  { fair: "customer" },
  { concurrency: { limit: 1, key: "customer" }, delay_s: 0.01 },
  { unique: { key: "customer" } },
  { unique: { key: "customer", on_conflict: "replace" }, concurrency: { limit: 2 } },
  { unique: { key: "customer", on_conflict: "reject", for_s: 0.01 }, delay_s: 0.005 },
  { debounce: { key: "customer", wait_s: 0.01, max_s: 0.05 }, concurrency: { limit: 1 } },
  { batch: { max: 3, wait_s: 0.02, key: "customer" }, concurrency: { limit: 1, key: "customer" } },
];

async function simulate(world: StoreUnderTest, random: () => number): Promise<{ killed: number; most: number }> {
  const jobs = new Map<string, Known>();
  const running = new Map<string, ClaimedJob>();
  const over = new Set<string>();
  const counts = new Map<string, number>();
  /** How often a job began again. */
  const began = new Map<string, number>();
  let traces = 0;
  let killed = 0;
  let most = 0;
  let isTroubled = true;
  const count = (rules: readonly Rule[], by: number): void => {
    for (const { name, limit } of rules) {
      const now = (counts.get(name) ?? 0) + by;
      counts.set(name, now);
      most = Math.max(most, now);
      // The store counts a job until its end is kept; the run itself ended before that.
      if (now > limit) throw new Error(`${now} jobs run of rule ${name}, whose limit is ${limit}`);
    }
  };
  const events = new SimulatedEvents(random, (id) => void jobs.set(id, { id, rules: [] }));
  const begin = async (owner: string): Promise<{ store: JobStore; stop(): Promise<void> }> => {
    const store = await world.open(owner);
    await store.recover();
    const stopFlow = store.watchFlow((ended) => {
      for (const { id } of ended) over.add(id);
    });
    const dispatch = store.dispatch(
      {
        enter: async () => ({ signal: new AbortController().signal, leave: () => {} }),
        async run(job, slot) {
          const known = jobs.get(job.id);
          count(known?.rules ?? [], 1);
          running.set(job.id, job);
          for (let turns = Math.floor(random() * 4); turns > 0; turns--)
            await new Promise((next) => setImmediate(next));
          if (random() < 0.2) await events.emitFrom(job, store);
          count(known?.rules ?? [], -1);
          running.delete(job.id);
          if (isTroubled && random() < 0.1) await store.interrupt(job, null);
          else if (random() < 0.15) {
            const own = { frame: job.frame ?? "{}", request: null, search: [] };
            const next = { ...own, traceId: `t${traces}`, lifetimeMs: null };
            traces += 1;
            const again = await store.families.again(job, next);
            if (again?.status === "queued") began.set(job.id, (began.get(job.id) ?? 0) + 1);
            else if (again !== null) over.add(job.id);
          } else if ((await store.settle(job, "succeeded", '{"ok":true}')) !== null) over.add(job.id);
          slot.leave();
        },
        cancelled: ({ id }) => void over.add(id),
      },
      8,
    );
    return {
      store,
      async stop() {
        await dispatch.stop();
        await stopFlow();
      },
    };
  };
  let processes = 1;
  let items = 0;
  /** Inputs that became items of lists. */
  const listed = new Set<number>();
  let current = await begin("p1");
  await events.deploy(current.store);
  const queue = async (): Promise<void> => {
    const at = Math.floor(random() * RULES.length);
    const customer = Math.floor(random() * 3);
    const asked = flowOf({ program: `p${at}`, layers: [RULES[at] ?? {}], runAtMs: null, ageMs: 60_000 }) as FlowAsked;
    const now = current.store.now();
    const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join("");
    items += 1;
    const isList = asked.batch != null;
    const frame = isList ? gatheredText(`{"n":${items}}`) : "{}";
    if (isList) listed.add(items);
    const job = newJob(now, { id: jobId(now, hex), retry: true, frame });
    const rules = asked.concurrency.map(({ limit, key, scope }) => ({
      name: `${scope === "all" ? "all" : at} ${key === undefined ? "" : customer}`,
      limit,
    }));
    if (asked.unique != null) rules.push({ name: `unique ${at} ${customer}`, limit: 1 });
    jobs.set(job.id, { id: job.id, rules });
    const answer = await current.store.enqueue(
      { ...alone(job), flow: [jobFlow(asked, { customer }, now)] },
      { most: 10_000, key: null },
    );
    const isQueued = answer.state === "queued" && answer.ids?.[0] === job.id;
    if (!isQueued && answer.state !== "taken" && !(answer.state === "queued" && answer.there !== undefined))
      throw new Error(`a job was not queued: ${JSON.stringify(answer)}`);
    if (!isQueued) jobs.delete(job.id);
  };
  const ids = (): readonly string[] => [...jobs.keys()];
  for (let step = 0; step < JOBS * 2; step++) {
    const what = random();
    if (jobs.size < JOBS && what < 0.6) await queue();
    else if (what < 0.75) {
      const id = ids()[Math.floor(random() * jobs.size)] ?? "";
      const done = await current.store.cancel(id);
      if (done?.job.status === "cancelled") over.add(id);
    } else if (what < 0.85) {
      // What it began is settled, and the next process has to find what that set free.
      await current.stop();
      await current.store.close();
      killed += 1;
      processes += 1;
      current = await begin(`p${processes}`);
    } else if (what < 0.92) await events.emit(current.store);
    else if (what < 0.97) await events.deliver(current.store, false);
    else await new Promise((next) => setImmediate(next));
  }
  isTroubled = false;
  // Jobs emit further ones, until those that cause each other are too many: after the last job is over nothing emits, so the jobs are looked at first.
  const settle = async (): Promise<boolean> =>
    over.size < jobs.size || (await current.store.programEvents.next()) !== null;
  for (let looks = 0; (await settle()) && looks < 2000; looks++) {
    await events.deliver(current.store, true);
    for (const id of ids()) {
      const found = over.has(id) ? null : await current.store.find(id);
      if (found !== null && ["succeeded", "cancelled", "interrupted"].includes(found.status)) over.add(id);
    }
    await new Promise((next) => setTimeout(next, 5));
  }
  const left = ids().filter((id) => !over.has(id));
  const states = await Promise.all(left.map((id) => current.store.find(id)));
  expect(states.map((job) => [job?.status, job?.heldBy])).toEqual([]);
  const found: number[] = [];
  for (const id of ids()) {
    const frame = JSON.parse((await current.store.work(id))?.frame ?? "{}") as { items?: readonly { n: number }[] };
    for (const { n } of frame.items ?? []) found.push(n);
    const { replaced_by } = JSON.parse((await current.store.find(id))?.result ?? "{}") as { replaced_by?: string };
    if (replaced_by !== undefined && !jobs.has(replaced_by)) throw new Error(`${id} was replaced by no job`);
  }
  // Each input is in one list, also of lists that were cancelled, and whatever died meanwhile.
  expect(found.toSorted((a, b) => a - b)).toEqual([...listed]);
  await events.check(current.store);
  // No round is lost, and none is counted twice.
  for (const id of ids())
    expect((await current.store.families.rounds(id)).length, `rounds of ${id}`).toBe(began.get(id) ?? 0);
  await current.stop();
  await current.store.close();
  return { killed, most };
}

type Place = StoreUnderTest & { remove?(): Promise<void> };

async function rounds(place: (seed: number) => Promise<Place>, seeds: number): Promise<void> {
  const told = { seeds, first: FIRST, jobs: seeds * JOBS, killed: 0 };
  let next = FIRST;
  const line = async (): Promise<void> => {
    while (next < FIRST + seeds) {
      const seed = next++;
      const world = await place(seed);
      const { killed } = await simulate(world, randomOf(seed)).catch((thrown: unknown) => {
        throw new Error(`seed ${seed}`, { cause: thrown });
      });
      await world.remove?.();
      told.killed += killed;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
  console.info(JSON.stringify(told));
}

describe("T.F-1, T.F-4, T.F-6, T.F-7, T.J-3, E-2, E-4: jobs under rules that processes leave in the middle", () => {
  it("never run more than a limit, are in one list, and all come to their end, in a file", {
    timeout: TIMEOUT,
  }, async () => {
    await rounds((seed) => sqlitePlace(`${folder.path}/${seed}`)(), SEEDS);
  });

  it.skipIf(postgres === null)(
    "never run more than a limit, are in one list, and all come to their end, in a database",
    { timeout: TIMEOUT },
    async () => {
      await rounds(() => replicasOn(postgres), Math.max(2, Math.floor(SEEDS / 3)));
    },
  );
});
