/** The adapter on a CalDAV server of its own, one for each test. */
import { afterAll, afterEach, beforeEach } from "vitest";
import { calendarAdapter } from "../../../../adapters/builtin/calendar/definition.ts";
import { createHttpService } from "../../../../adapters/guard/http/service.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { type AdapterBench, type BenchOptions, openBench } from "../../../support/adapter-bench.ts";
import { wallClock } from "../svc/wall-clock.ts";
import { type CaldavWorld, caldavWorld, PASSWORD, PASSWORD_SECRET } from "./caldav-world.ts";

export { failureOf } from "../social/social-bench.ts";

/** A verb with its arguments. */
export type Call = readonly [verb: string, ...args: unknown[]];

export type CalendarBench = {
  /** Of the running test; it has one calendar, `work`. */
  readonly world: CaldavWorld;
  /** `accounts` default to one, `default`, on the server. */
  open(settings?: JsonObject, options?: BenchOptions): Promise<AdapterBench>;
};

/** Registers what makes and ends the worlds. */
export function calendarBench(): CalendarBench {
  const http = createHttpService();
  let world: CaldavWorld;
  beforeEach(async () => {
    world = await caldavWorld();
  });
  afterEach(() => world.close());
  afterAll(() => http.close());
  return {
    get world() {
      return world;
    },
    open: (settings = {}, options = {}) =>
      openBench(calendarAdapter, {
        services: { http },
        secrets: { [PASSWORD_SECRET]: PASSWORD },
        clock: wallClock(),
        ...options,
        settings: { accounts: { default: world.account }, ...settings },
      }),
  };
}
