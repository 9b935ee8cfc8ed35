/** The rules that every adapter keeps, on a server of this machine. */
import { afterAll, expect, it } from "vitest";
import { createHttpService } from "../../../adapters/engine/http-service.ts";
import type { HostServices } from "../../../adapters/services.ts";
import { socialAdapter } from "../../../adapters/social/definition.ts";
import { CONFORMANCE, checkPoint, type Fixture } from "../../../adapters/testing/conformance.ts";
import { NO_PLACES } from "../../support/adapter-bench.ts";
import { inProcessSqlite } from "../../support/in-process-sqlite.ts";
import { SOCIAL_PROGRAMS, socialFixture } from "./fixture.ts";

const http = createHttpService();
afterAll(() => http.close());

async function start(): Promise<Fixture> {
  const { settings, secrets, observe, close } = await socialFixture();
  const sqlite = inProcessSqlite();
  return {
    settings,
    secrets,
    services: { places: NO_PLACES, sqlite, http } as unknown as HostServices,
    observe: async () => observe(),
    async stop() {
      await close();
      await sqlite.close();
    },
  };
}

it.each(CONFORMANCE.map((point) => [point.number, point.title, point] as const))(
  "%i %s",
  { timeout: 120_000 },
  async (_number, _title, point) => {
    const options = { start, examplesOutside: "they name posts of somebody's account", programs: SOCIAL_PROGRAMS };
    expect((await checkPoint(point, socialAdapter, options)).findings).toEqual([]);
  },
);
