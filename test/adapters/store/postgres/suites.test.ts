/** The stores in PostgreSQL do what those in files do: the same suites. */
import { afterAll, describe } from "vitest";
import { startPostgres } from "../../../support/postgres.ts";
import { keyValueSuite } from "../key-value-suite.ts";
import { ledgerSuite } from "../ledger-suite.ts";
import { queueSuite } from "../queue-suite.ts";
import { recordSuite } from "../record-suite.ts";
import { postgresBench } from "./bench.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

describe.skipIf(server === null)("in PostgreSQL", () => {
  if (server === null) return;
  const open = postgresBench(server);
  for (const suite of [keyValueSuite, recordSuite, queueSuite, ledgerSuite]) suite("PostgreSQL", open);
});
