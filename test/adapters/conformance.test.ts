/** The twelve rules that every adapter must follow, for every built-in one, with a real service (`fixtures.ts`). */
import { afterAll, describe, expect, it } from "vitest";
import { BUILTIN_LOADERS } from "../../adapters/registry.ts";
import { CONFORMANCE, checkPoint } from "../../adapters/testing/conformance.ts";
import { CONFORMANCE_OF, closeSharedThreads } from "./fixtures.ts";

afterAll(closeSharedThreads);

it("every built-in adapter has a fixture", () => {
  expect(Object.keys(CONFORMANCE_OF).sort()).toEqual(Object.keys(BUILTIN_LOADERS).sort());
});

it("the suite has twelve points", () => {
  expect(CONFORMANCE.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

describe.each(Object.entries(BUILTIN_LOADERS))("%s", (name, load) => {
  it.each(CONFORMANCE.map((point) => [point.number, point.title, point] as const))(
    "%i %s",
    { timeout: 120_000 },
    async (_number, _title, point) => {
      const options = await CONFORMANCE_OF[name]?.();
      if (options === undefined) throw new Error(`${name} has no fixture`);
      const { findings, skipped } = await checkPoint(point, await load(), options);
      if (skipped !== undefined) console.info(`${name}: point ${point.number} does not apply: ${skipped}`);
      expect(findings).toEqual([]);
    },
  );
});
