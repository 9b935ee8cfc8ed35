/** Both stores that keep questions to people, a file and a database, told by the same cases. */
import { afterAll, describe } from "vitest";
import { startPostgres } from "../../../support/postgres.ts";
import { replicasOn, sqlitePlace } from "../places.ts";
import { temporaryFolder } from "../serving-jobs.ts";
import { approvalStoreCases } from "./store-cases.ts";

const folder = await temporaryFolder();
const postgres = await startPostgres();
afterAll(async () => {
  await postgres?.stop();
  await folder.remove();
});

approvalStoreCases("a file", sqlitePlace(`${folder.path}/questions`));

describe.skipIf(postgres === null)("PostgreSQL", { timeout: 60_000 }, () => {
  approvalStoreCases("a database", () => replicasOn(postgres));
});
