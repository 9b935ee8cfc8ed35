/** The email adapter with real stores behind it, and what its tests need around it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emailAdapter } from "../../../adapters/email/definition.ts";
import { createServices } from "../../../adapters/services.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors.ts";
import { type AdapterBench, type BenchOptions, NO_PLACES, openBench } from "../../support/adapter-bench.ts";
import { PASSWORD } from "./smtp-world.ts";

export const FROM = "Robot <robot@x.test>";
const SECRETS = { MAIL_PASSWORD: PASSWORD, WRONG_PASSWORD: "canary-wrong-9d2c" } as const;

export type MailHost = {
  readonly folder: string;
  /** A run with one account `default`, made of these members. */
  run(account: JsonObject, settings?: JsonObject, options?: BenchOptions): Promise<AdapterBench>;
  /** A run with these settings as they are. */
  runWith(settings: JsonObject, options?: BenchOptions): Promise<AdapterBench>;
  close(): Promise<void>;
};

/** A service with a state directory; its runs end with it at the latest. */
export async function mailHost(): Promise<MailHost> {
  const folder = await mkdtemp(join(tmpdir(), "weft-mail-"));
  const made = createServices({ places: { ...NO_PLACES, stateDir: folder }, environment: {} });
  const benches: AdapterBench[] = [];
  const runWith = async (settings: JsonObject, options: BenchOptions = {}): Promise<AdapterBench> => {
    const bench = await openBench(emailAdapter, { secrets: SECRETS, services: made.services, ...options, settings });
    benches.push(bench);
    return bench;
  };
  return {
    folder,
    runWith,
    run: (account, settings = {}, options = {}) =>
      runWith({ accounts: { default: { from: FROM, ...account } }, ...settings }, options),
    async close() {
      for (const bench of benches) await bench.end();
      await made.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The error a call rejects with. */
export async function failureOf(call: Promise<Json>): Promise<AdapterError> {
  try {
    await call;
  } catch (thrown) {
    if (thrown instanceof AdapterError) return thrown;
    throw thrown;
  }
  throw new Error("the call did not fail");
}
