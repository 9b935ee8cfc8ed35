/** The twelve rules that every adapter keeps, for every built-in one, with the real thing behind it (`fixtures.ts`). */
import { describe, expect, it } from "vitest";
import { BUILTIN_LOADERS } from "../../adapters/registry.ts";
import { CONFORMANCE, type ConformanceOptions, checkPoint } from "../../adapters/testing/conformance.ts";
import { BARE_WORLD, CONFORMANCE_OF } from "./fixtures.ts";

/** Adapters whose world is not built yet: the points that need none are checked. */
const WITHOUT_WORLD: Readonly<Record<string, string>> = {
  calendar: "its calendars are servers",
};
const WORLDLESS_POINTS: readonly number[] = [1, 3];

function withoutWorld(reason: string): ConformanceOptions {
  const numbers = CONFORMANCE.map(({ number }) => number).filter((number) => !WORLDLESS_POINTS.includes(number));
  return {
    start: BARE_WORLD,
    examplesOutside: reason,
    without: Object.fromEntries(numbers.map((number) => [number, reason])),
  };
}

it("every built-in adapter has a fixture, or a reason to have none", () => {
  const missing = Object.keys(BUILTIN_LOADERS).filter((name) => !(name in CONFORMANCE_OF) && !(name in WITHOUT_WORLD));
  expect(missing).toEqual([]);
  expect(Object.keys(CONFORMANCE_OF).filter((name) => !(name in BUILTIN_LOADERS) || name in WITHOUT_WORLD)).toEqual([]);
});

it("the suite has twelve points", () => {
  expect(CONFORMANCE.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

describe.each(Object.entries(BUILTIN_LOADERS))("%s", (name, load) => {
  it.each(CONFORMANCE.map((point) => [point.number, point.title, point] as const))(
    "%i %s",
    { timeout: 120_000 },
    async (_number, _title, point) => {
      const options = (await CONFORMANCE_OF[name]?.()) ?? withoutWorld(WITHOUT_WORLD[name] ?? "it has no fixture");
      const { findings, skipped } = await checkPoint(point, await load(), options);
      if (skipped !== undefined) console.info(`${name}: point ${point.number} does not apply: ${skipped}`);
      expect(findings).toEqual([]);
    },
  );
});
