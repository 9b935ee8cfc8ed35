/** Rules about when jobs begin (docs/how-to/flow-control.md), on both stores. */
import { afterAll, describe } from "vitest";
import { startPostgres } from "../../../support/postgres.ts";
import { replicasOn, sqlitePlace } from "../places.ts";
import { temporaryFolder } from "../serving-jobs.ts";
import { flowCases } from "./flow-cases.ts";

const folder = await temporaryFolder();
const postgres = await startPostgres();
afterAll(async () => {
  await folder.remove();
  await postgres?.stop();
});

flowCases("rules in a file", sqlitePlace(`${folder.path}/flow`));
describe.skipIf(postgres === null)("PostgreSQL", () => {
  flowCases("rules in a database", () => replicasOn(postgres));
});
