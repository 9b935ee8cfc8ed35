/** The adapter on a server of its own, one for each test. */
import { afterAll, afterEach, beforeEach } from "vitest";
import { socialAdapter } from "../../../../adapters/builtin/social/definition.ts";
import { createHttpService } from "../../../../adapters/guard/http/service.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { AdapterError } from "../../../../vm/errors/failures.ts";
import { type AdapterBench, type BenchOptions, NO_PLACES, openBench } from "../../../support/adapter-bench.ts";
import { inProcessSqlite } from "../../../support/in-process-sqlite.ts";
import { wallClock } from "../svc/wall-clock.ts";
import { type SocialWorld, socialWorld, TOKEN, TOKEN_SECRET } from "./world.ts";

export type SocialBench = {
  /** Of the running test. */
  readonly world: SocialWorld;
  /** `accounts` default to one, `default`, on the server. */
  open(settings?: JsonObject, options?: BenchOptions): Promise<AdapterBench>;
};

/** Registers what makes and ends the worlds. */
export function socialBench(): SocialBench {
  let sqlite = inProcessSqlite();
  const http = createHttpService();
  let world: SocialWorld;
  beforeEach(async () => {
    sqlite = inProcessSqlite();
    world = await socialWorld();
  });
  afterEach(async () => {
    await world.server.close();
    await sqlite.close();
  });
  afterAll(() => http.close());
  return {
    get world() {
      return world;
    },
    open: (settings = {}, options = {}) =>
      openBench(socialAdapter, {
        services: { places: NO_PLACES, sqlite, http },
        secrets: { [TOKEN_SECRET]: TOKEN },
        clock: wallClock(),
        ...options,
        settings: { accounts: { default: world.account }, ...settings },
      }),
  };
}

/** What a call fails with. */
export async function failureOf(call: Promise<unknown>): Promise<AdapterError> {
  const thrown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (thrown instanceof AdapterError) return thrown;
  throw new Error("no error of an adapter", { cause: thrown });
}
