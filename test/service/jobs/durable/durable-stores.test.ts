/** Both stores that keep journals, a file and a database, told by the same cases. */
import { afterAll, describe } from "vitest";
import { startPostgres } from "../../../support/postgres.ts";
import { replicasOn, sqlitePlace } from "../places.ts";
import { temporaryFolder } from "../serving-jobs.ts";
import { CASES_RULES, durableCases } from "./durable-cases.ts";
import { severalWaitsCases } from "./several-waits-cases.ts";

const folder = await temporaryFolder();
const postgres = await startPostgres();
afterAll(async () => {
  await postgres?.stop();
  await folder.remove();
});

durableCases("durable jobs in a file", sqlitePlace(`${folder.path}/cases`, CASES_RULES));
severalWaitsCases("branches that wait, in a file", sqlitePlace(`${folder.path}/several`, CASES_RULES));

describe.skipIf(postgres === null)("PostgreSQL", () => {
  durableCases("durable jobs in a database", () => replicasOn(postgres, CASES_RULES));
  severalWaitsCases("branches that wait, in a database", () => replicasOn(postgres, CASES_RULES));
});
