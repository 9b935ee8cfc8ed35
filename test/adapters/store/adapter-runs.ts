/**
 * Runs of one adapter over the in-process stores: a clock that moves when the test says so, and as many runs as needed on the same
 * services. Calls of all runs are numbered alike, so keyed verbs of a second run need keys of their own.
 */
import type { AdapterDefinition } from "../../../adapters/definition/define.ts";
import type { HostPlaces } from "../../../adapters/definition/host-services.ts";
import type { JsonObject } from "../../../compiler/json.ts";
import { type AdapterBench, NO_PLACES, openBench } from "../../support/adapter-bench.ts";
import { inProcessSqlite } from "../../support/in-process-sqlite.ts";
import { testClock } from "../../support/world.ts";

export type AdapterRuns = {
  /** A run under these settings. */
  run(settings?: JsonObject): Promise<AdapterBench>;
  advance(seconds: number): void;
  readonly logged: readonly string[];
  close(): Promise<void>;
};

export function adapterRuns(definition: AdapterDefinition, places: Partial<HostPlaces> = {}): AdapterRuns {
  const sqlite = inProcessSqlite();
  const clock = testClock();
  const logged: string[] = [];
  return {
    run: (settings = {}) =>
      openBench(definition, {
        settings,
        clock,
        services: { sqlite, places: { ...NO_PLACES, ...places } },
        log: (event) => logged.push(event),
      }),
    advance: (seconds) => clock.advance(seconds * 1000),
    logged,
    close: () => sqlite.close(),
  };
}
