/** Stores that tests open, kill and open anew as processes would. */
import type { KeptSignals } from "../../../service/jobs/durable/signal-room.ts";
import { openPostgresStore } from "../../../service/jobs/postgres/store.ts";
import { openSqliteStore } from "../../../service/jobs/sqlite/store.ts";
import type { JobStore } from "../../../service/state/store.ts";
import type { Clock } from "../../../vm/run.ts";
import type { TestPostgres } from "../../support/postgres.ts";
import { realClock } from "../serving.ts";

export type StoreUnderTest = {
  /** Opens the store as a new process would. */
  open(owner: string): Promise<JobStore>;
  /** Leaves the store as a process that dies does. */
  kill(store: JobStore): Promise<void>;
  /** Moves the time of all stores opened from here on. */
  advance(ms: number): void;
  now(): number;
  /** Jobs that may wait. */
  readonly maxParked?: number | undefined;
  /** How many sequences of moves are tried. */
  readonly sequences: number;
};

/** Resumes without a record, jobs that may wait, and signals under keys. */
export type PlaceRules = {
  readonly maxCrashes?: number;
  readonly maxParked?: number;
  readonly maxSignals?: KeptSignals;
};

/** One process at a time has the folder: opening it anew is what follows a death. */
export function sqlitePlace(stateDir: string, rules: PlaceRules = {}): () => Promise<StoreUnderTest> {
  return async () => {
    let ahead = 0;
    const now = (): number => Date.now() + ahead;
    let current: JobStore | null = null;
    return {
      async open(owner) {
        if (owner === "dead" && current !== null) return current;
        current = await openSqliteStore({ stateDir, owner, now, clock: realClock, ...rules });
        return current;
      },
      kill: (store) => store.close(),
      advance: (ms) => {
        ahead += ms;
      },
      now,
      maxParked: rules.maxParked,
      sequences: 100,
    };
  };
}

/** Without a beat for so long a replica counts as dead. */
export const SILENT_MS = 400;

/** A clock that stops when the process it stands for dies. */
function mortalClock(): Clock & { die(): void } {
  let dead = false;
  return {
    ...realClock,
    wait: (ms, then) => realClock.wait(ms, () => dead || then()),
    die: () => {
      dead = true;
    },
  };
}

export type Replicas = StoreUnderTest & {
  closeAll(): Promise<void> /** Removes the database. */;
  remove(): Promise<void>;
  query(sql: string): Promise<unknown>;
};

/** By server, a database that has its tables and nothing in them: to copy it takes a fifth of the time of making them. */
const emptyStores = new WeakMap<TestPostgres, Promise<string>>();

async function emptyStore(postgres: TestPostgres): Promise<string> {
  const url = await postgres.createDatabase();
  const first = { owner: "first", version: "1", clock: realClock, now: Date.now, silentMs: SILENT_MS };
  const store = await openPostgresStore({ url, ...first });
  await store.close();
  await postgres.disconnect(url);
  return url;
}

/** Stores on one database, each as a replica of its own. */
export async function replicasOn(postgres: TestPostgres | null, rules: PlaceRules = {}): Promise<Replicas> {
  if (postgres !== null && !emptyStores.has(postgres)) emptyStores.set(postgres, emptyStore(postgres));
  const url = postgres === null ? "" : await postgres.createDatabase(await emptyStores.get(postgres));
  let ahead = 0;
  const clocks = new Map<JobStore, ReturnType<typeof mortalClock>>();
  const now = (): number => Date.now() + ahead;
  return {
    async open(owner) {
      const clock = mortalClock();
      const store = await openPostgresStore({ url, owner, version: "1", clock, now, silentMs: SILENT_MS, ...rules });
      clocks.set(store, clock);
      return store;
    },
    async kill(store) {
      clocks.get(store)?.die();
    },
    advance: (ms) => {
      ahead += ms;
    },
    now,
    maxParked: rules.maxParked,
    sequences: 25,
    query: async (sql) => postgres?.query(url, sql),
    remove: async () => postgres?.dropDatabase(url),
    closeAll: async () => {
      await Promise.allSettled([...clocks.keys()].map((store) => store.close()));
    },
  };
}
