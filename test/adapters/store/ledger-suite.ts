/** What every implementation of `Ledger` must do. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ledger } from "../../../adapters/store/ledger.ts";
import { codeOf, type OpenStoreBench, type StoreBench } from "./bench.ts";

const DAY_MS = 24 * 3600 * 1000;

export function ledgerSuite(name: string, open: OpenStoreBench): void {
  describe(`ledger: ${name}`, () => {
    let bench: StoreBench;
    let ledger: Ledger;
    beforeAll(async () => {
      bench = await open();
      ledger = bench.stores.ledger(bench.path);
    });
    afterAll(() => bench.close());

    test("a call is new, then started, then done with its answer", async () => {
      const { call } = bench;
      const keyed = { scope: "mail.send", key: "k1", argsHash: "h" };
      expect(await ledger.begin(keyed, call)).toEqual({ state: "new" });
      expect(await ledger.begin(keyed, call)).toEqual({ state: "started" });
      await ledger.complete(keyed, { id: "m1", parts: [null] }, call);
      expect(await ledger.begin(keyed, call)).toEqual({ state: "done", result: { id: "m1", parts: [null] } });
      expect(await ledger.begin({ ...keyed, scope: "mail.reply" }, call)).toEqual({ state: "new" });
    });

    test("a key with other arguments is refused", async () => {
      const { call } = bench;
      const keyed = { scope: "mail.send", key: "k2", argsHash: "h" };
      await ledger.begin(keyed, call);
      expect(await codeOf(ledger.begin({ ...keyed, argsHash: "other" }, call))).toBe("ADAPTER_CONFLICT");
      expect(await codeOf(ledger.complete({ ...keyed, argsHash: "other" }, null, call))).toBe("ADAPTER_CONFLICT");
    });

    test("an abandoned call is new again, one that is done stays done", async () => {
      const { call } = bench;
      const keyed = { scope: "mail.send", key: "k3", argsHash: "h" };
      await ledger.begin(keyed, call);
      await ledger.abandon(keyed, call);
      expect(await ledger.begin({ ...keyed, argsHash: "other" }, call)).toEqual({ state: "new" });
      await ledger.complete({ ...keyed, argsHash: "other" }, 1, call);
      await ledger.abandon({ ...keyed, argsHash: "other" }, call);
      expect(await ledger.begin({ ...keyed, argsHash: "other" }, call)).toEqual({ state: "done", result: 1 });
    });

    test("entries live seven days", async () => {
      const { call } = bench;
      const keyed = { scope: "mail.send", key: "k4", argsHash: "h" };
      await ledger.begin(keyed, call);
      await ledger.complete(keyed, 1, call);
      bench.advance(7 * DAY_MS - 1);
      expect(await ledger.begin(keyed, call)).toMatchObject({ state: "done" });
      bench.advance(1);
      expect(await ledger.begin(keyed, call)).toEqual({ state: "new" });
    });
  });
}
