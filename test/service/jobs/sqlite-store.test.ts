/** The SQLite store in a file. */
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../../service/jobs/sqlite/store.ts";
import { realClock } from "../serving.ts";
import { temporaryFolder } from "./serving-jobs.ts";
import { newJob, type StoreUnderTest, storeCases } from "./store-cases.ts";

const folder = await temporaryFolder();
afterAll(() => folder.remove());

/** One process at a time has the folder: opening it anew is what follows a death. */
function placeAt(stateDir: string): () => Promise<StoreUnderTest> {
  return async () => {
    let ahead = 0;
    const now = (): number => Date.now() + ahead;
    let current: Awaited<ReturnType<typeof openSqliteStore>> | null = null;
    return {
      async open(owner) {
        if (owner === "dead" && current !== null) return current;
        current = await openSqliteStore({ stateDir, owner, now, clock: realClock });
        return current;
      },
      kill: (store) => store.close(),
      advance: (ms) => {
        ahead += ms;
      },
      now,
      sequences: 100,
    };
  };
}

storeCases("a file", placeAt(`${folder.path}/cases`));

describe("a file", () => {
  it("takes every call of a commit but the one that fails, and counts what it took", async () => {
    const stateDir = `${folder.path}/one-fails`;
    const store = await openSqliteStore({ stateDir, owner: "own", now: Date.now, clock: realClock });
    const [a, b, c] = [newJob(1), newJob(2), newJob(3)];
    const options = { most: 10, key: null };
    const ends = await Promise.allSettled([a, b, a, c].map((job) => store.enqueue(job, options)));
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(await store.figures()).toMatchObject({ queue_depth: 3, jobs_by_state: { queued: 3 } });
    await store.close();
    const db = new Database(`${stateDir}/weft.db`, { readonly: true });
    expect(db.prepare("SELECT id FROM jobs ORDER BY id").pluck().all()).toEqual([a.id, b.id, c.id].sort());
    db.close();
  });
});
