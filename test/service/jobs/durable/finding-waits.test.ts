/** Jobs are found by what they wait for, in a file and in a database. */
import { afterAll, describe, expect, it } from "vitest";
import type { WaitKind } from "../../../../service/jobs/filter.ts";
import { JOB_STATUSES, type JobStatus } from "../../../../service/jobs/job.ts";
import type { WaitSpec } from "../../../../vm/calls/wait-spec.ts";
import { startPostgres } from "../../../support/postgres.ts";
import { replicasOn, type StoreUnderTest, sqlitePlace } from "../places.ts";
import { temporaryFolder } from "../serving-jobs.ts";
import { alone, newJob } from "../store-cases.ts";
import { takeJobs } from "../taking.ts";

const HOUR_MS = 3_600_000;
const folder = await temporaryFolder();
const postgres = await startPostgres();
afterAll(async () => {
  await postgres?.stop();
  await folder.remove();
});

const waitsIn = (place: () => Promise<StoreUnderTest>) =>
  it("finds those that wait for one of some kinds, and no others", async () => {
    const world = await place();
    const store = await world.open("first");
    const later = world.now() + HOUR_MS;
    const specs: Readonly<Record<string, WaitSpec>> = {
      signal: { kind: "signal", names: ["go"], key: null, until: null },
      span: { kind: "timer", until: later, span: HOUR_MS },
      date: { kind: "timer", until: later },
      outcome: { kind: "outcome", of: 1, until: null },
    };
    const ids = new Map<string, string>();
    for (const [name, spec] of Object.entries({ ...specs, cancelled: specs["signal"] as WaitSpec })) {
      const job = newJob(world.now(), { durable: { lifetimeMs: HOUR_MS } });
      ids.set(job.id, name);
      await store.enqueue(alone(job), { most: 1000, key: null });
      const taker = takeJobs(store, 1);
      const taken = await taker.next();
      taken.end();
      await taker.stop();
      const wait = spec.kind === "outcome" ? "outcome-1" : "w-1";
      const site = { label: "L1", node: "n1", visit: 1, attempt: 1, adapter: "signal", verb: "WAIT" } as const;
      const record = { kind: "wait", wait, spec, ...site, seq: 1, at: 1, active_ms: 7, branch: "" } as const;
      const end = await store.durable?.journal(taken.job).park?.([record], [{ wait, spec, place: "{}" }], true);
      expect(end, name).toEqual({ state: "parked" });
    }
    const found = async (waits: readonly WaitKind[], statuses: readonly JobStatus[] = JOB_STATUSES) => {
      const jobs = await store.list({ statuses, waits, order: "oldest", limit: 10, after: null });
      return jobs.map(({ id }) => ids.get(id));
    };
    await store.cancel([...ids].find(([, name]) => name === "cancelled")?.[0] ?? "");
    expect(await found(["outcome"])).toEqual(["outcome"]);
    expect(await found(["signal"])).toEqual(["signal"]);
    expect(await found(["timer"])).toEqual(["span", "date"]);
    expect(await found(["timer", "outcome"])).toEqual(["span", "date", "outcome"]);
    expect(await found(["approval"])).toEqual([]);
    expect(await found(["timer", "outcome"], ["waiting"])).toEqual(["outcome"]);
    await store.close();
  });

describe("in a file", () => waitsIn(sqlitePlace(`${folder.path}/waits`)));
describe.skipIf(postgres === null)("in PostgreSQL", () => waitsIn(() => replicasOn(postgres)));
