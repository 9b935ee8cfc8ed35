/** Every probe returns figures under any load; their size is not tested here. */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { HOW_TO_INSTALL } from "../../benchmarks/peers/peer-package.ts";
import { PROBE_NAMES, PROBES, type ProbeName } from "../../benchmarks/probes/all.ts";

const scope = {
  pace: { repetitions: 1, warm_ms: 1, repetition_ms: 1, settled_batches: 0 },
  root: fileURLToPath(new URL("../..", import.meta.url)),
  quick: true,
};

/** They need another flag of Node, or start the built command. */
const ELSEWHERE: readonly ProbeName[] = ["memory", "parked", "start_up", "batch", "service", "tier"];

describe("probes", () => {
  it.for(PROBE_NAMES.filter((name) => !ELSEWHERE.includes(name)))("%s", { timeout: 60_000 }, async (name, { skip }) => {
    const figures = await PROBES[name].measure(scope);
    if (figures === null) return skip(`what it compares is not installed (${HOW_TO_INSTALL})`);
    expect(figures.length).toBeGreaterThan(0);
    for (const figure of figures) expect(figure, figure.name).toMatchObject({ value: expect.any(Number) });
    expect(figures.filter(({ value }) => Number.isNaN(value))).toEqual([]);
    expect(new Set(figures.map(({ group, name: row }) => `${group}: ${row}`)).size).toBe(figures.length);
  });

  it.each(["start_up", "batch", "service"] as const)(
    "%s measures nothing where the command is not built",
    async (name) => {
      expect(await PROBES[name].measure({ ...scope, root: fileURLToPath(new URL(".", import.meta.url)) })).toBeNull();
    },
  );

  it("adapter calls of every kind are timed, the native one first", async () => {
    const figures = await PROBES.dispatch.measure(scope);
    expect(figures.map(({ name }) => name.split(" ")[0])).toEqual([
      "native",
      "core",
      "core",
      "external",
      "external",
      "external",
      "external",
    ]);
  });
});
