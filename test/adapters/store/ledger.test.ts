/** The ledger: the suite of all implementations, and hashes of arguments. */
import { expect, test } from "vitest";
import { argsHash } from "../../../adapters/store/ledger.ts";
import { IMPLEMENTATIONS } from "./bench.ts";
import { ledgerSuite } from "./ledger-suite.ts";

for (const [name, open] of IMPLEMENTATIONS) ledgerSuite(name, open);

test("the hash of arguments knows values, not the order of members", () => {
  expect(argsHash([{ a: 1, b: [null] }])).toBe(argsHash([{ b: [null], a: 1 }]));
  expect(argsHash([1])).not.toBe(argsHash(["1"]));
  expect(argsHash([[1], 2])).not.toBe(argsHash([1, [2]]));
});
