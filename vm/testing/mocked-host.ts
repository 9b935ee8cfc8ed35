/** The host of a test: it knows no adapter but `core` and the mocked ones, and no time but the test's. */
import type { AdapterCatalog } from "../../compiler/catalog.ts";
import type { RunScope } from "../adapter.ts";
import { createHost, type Host } from "../host.ts";
import { mockWorld, seededRandom, seededUuid, type VirtualClock, virtualClock } from "./mocks.ts";
import type { TestWorld } from "./test-setup.ts";

const DEFAULT_WALL = "2030-01-01T00:00:00Z";

/** Throws TestInvalid. */
export function mockedHost({ mocks, clock: wall, random_seed }: TestWorld, catalog: AdapterCatalog): MockedHost {
  const clock = virtualClock(Date.parse(wall ?? DEFAULT_WALL));
  const world = mockWorld(mocks, catalog);
  const random = seededRandom(random_seed ?? 0);
  const uuid = seededUuid(random);
  const host = createHost({
    clock,
    facts: { uuid, random, env: () => undefined },
    catalog,
    adapters: world.adapters,
    traceId: uuid,
    compileCacheEntries: 0,
  });
  return { host, clock, uuid, surprises: world.surprises, wait: waitsOn(clock) };
}

type MockedHost = {
  readonly host: Host;
  readonly clock: VirtualClock;
  readonly uuid: () => string;
  /** What the test did not foresee. */
  readonly surprises: readonly string[];
  readonly wait: RunScope["wait"];
};

/** Waits for a time end as soon as nothing else happens; the clock has moved on then. Signals come from mocks. */
function waitsOn(clock: VirtualClock): RunScope["wait"] {
  return (spec) =>
    spec.kind === "timer"
      ? clock.until(spec.until).then(() => ({ at: new Date(spec.until).toISOString() }))
      : undefined;
}
