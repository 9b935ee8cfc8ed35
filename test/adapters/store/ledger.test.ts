/** The ledger: the suite of all implementations, and hashes of arguments. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { argsHash } from "../../../adapters/store/ledger.ts";
import { ledgerOf } from "../../../adapters/store/stores.ts";
import { NO_PLACES } from "../../support/adapter-bench.ts";
import { inProcessSqlite } from "../../support/in-process-sqlite.ts";
import { callAt, IMPLEMENTATIONS, START } from "./bench.ts";
import { ledgerSuite } from "./ledger-suite.ts";

for (const [name, open] of IMPLEMENTATIONS) ledgerSuite(name, open);

test("the service's ledger lies in the state directory, and outlives the service", async () => {
  const stateDir = mkdtempSync(join(tmpdir(), "weft-ledger-"));
  const keyed = { scope: "mail.send", key: "k", argsHash: "h" };
  const states: string[] = [];
  for (const places of [{ ...NO_PLACES, stateDir }, { ...NO_PLACES, stateDir }, NO_PLACES]) {
    const sqlite = inProcessSqlite();
    states.push((await ledgerOf({ sqlite, places }).begin(keyed, callAt({ now: START }))).state);
    await sqlite.close();
  }
  expect(states).toEqual(["new", "started", "new"]);
  rmSync(stateDir, { recursive: true });
});

test("the hash of arguments knows values, not the order of members", () => {
  expect(argsHash([{ a: 1, b: [null] }])).toBe(argsHash([{ b: [null], a: 1 }]));
  expect(argsHash([1])).not.toBe(argsHash(["1"]));
  expect(argsHash([[1], 2])).not.toBe(argsHash([1, [2]]));
});
