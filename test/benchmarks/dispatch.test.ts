/** The programs behind the figures of adapter calls run, and every kind of call is timed. */
import { expect, it } from "vitest";
import { measureDispatch } from "../../benchmarks/dispatch.ts";

it("every kind of call is timed, the native one first", async () => {
  const rows = await measureDispatch({ repetitions: 1, warm_ms: 1, repetition_ms: 1 });
  expect(rows.map(({ name }) => name.split(" ")[0])).toEqual([
    "native",
    "core",
    "core",
    "external",
    "external",
    "external",
    "external",
  ]);
  for (const { cpu_ms } of rows) expect(Number.isFinite(cpu_ms.median)).toBe(true);
});
