/** Deployments in memory, in SQLite and in PostgreSQL. */
import { afterAll, describe } from "vitest";
import { openJobStore } from "../../../service/jobs/open-store.ts";
import type { JobStore } from "../../../service/state/store.ts";
import { startPostgres } from "../../support/postgres.ts";
import { temporaryFolder } from "../jobs/serving-jobs.ts";
import { realClock } from "../serving.ts";
import { programStoreCases } from "./store-cases.ts";

const postgres = await startPostgres();
afterAll(() => postgres?.stop());
const folders: Awaited<ReturnType<typeof temporaryFolder>>[] = [];
afterAll(() => Promise.all(folders.map((folder) => folder.remove())));

const open = (place: { readonly stateDir?: string; readonly databaseUrl?: string }): Promise<JobStore> =>
  openJobStore({ stateDir: null, databaseUrl: null, clock: realClock, owner: "one", silentMs: 30_000, ...place });

programStoreCases("in memory", () => open({}));
programStoreCases("in SQLite", async () => {
  const folder = await temporaryFolder();
  folders.push(folder);
  return open({ stateDir: folder.path });
});
describe.skipIf(postgres === null)("in PostgreSQL", () => {
  programStoreCases("as a store", async () => open({ databaseUrl: (await postgres?.createDatabase()) ?? "" }));
});
