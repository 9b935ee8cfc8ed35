/** The email adapter with real stores, and what its tests need around it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emailAdapter } from "../../../../adapters/builtin/email/definition.ts";
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import { AdapterError } from "../../../../vm/errors/failures.ts";
import type { Clock } from "../../../../vm/run.ts";
import {
  type AdapterBench,
  type BenchOptions,
  NO_PLACES,
  openBench,
  realClock,
} from "../../../support/adapter-bench.ts";
import { inProcessSqlite } from "../../../support/in-process-sqlite.ts";
import { PASSWORD } from "./smtp-world.ts";

export const FROM = "Robot <robot@x.test>";
const SECRETS = { MAIL_PASSWORD: PASSWORD, IMAP_PASSWORD: "testpass", WRONG_PASSWORD: "canary-wrong-9d2c" } as const;

/** SQLite within this process takes whole milliseconds only. */
export const clock: Clock = { ...realClock, now: () => Math.floor(realClock.now()) };

export type MailHost = {
  readonly folder: string;
  /** A run with one account `default`, made of these members. */
  run(account: JsonObject, settings?: JsonObject, options?: BenchOptions): Promise<AdapterBench>;
  /** A run with these settings as they are. */
  runWith(settings: JsonObject, options?: BenchOptions): Promise<AdapterBench>;
  close(): Promise<void>;
};

/**
 * A service with a state directory; its runs end with it at the latest. Calls of a bench count from 1, so two runs of one host need keys
 * of their own where they mean different messages.
 */
export async function mailHost(): Promise<MailHost> {
  const folder = await mkdtemp(join(tmpdir(), "weft-mail-"));
  const sqlite = inProcessSqlite();
  const services = { places: { ...NO_PLACES, stateDir: folder }, sqlite };
  const benches: AdapterBench[] = [];
  const runWith = async (settings: JsonObject, options: BenchOptions = {}): Promise<AdapterBench> => {
    const bench = await openBench(emailAdapter, { clock, secrets: SECRETS, services, ...options, settings });
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
      await sqlite.close();
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
