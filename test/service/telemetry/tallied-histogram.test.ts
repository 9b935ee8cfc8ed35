import { Histogram, Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { talliedHistogram } from "../../../service/telemetry/tallied-histogram.ts";

const OPTIONS = { name: "wf_test_seconds", help: "Help", buckets: [0.1, 1, 10] };

describe("a tallied histogram", () => {
  it.each([
    ["before its first value", []],
    ["with values below, on, between and above its bounds", [0, 0.1, 0.100001, 1, 9.5, 10, 11, 1e9]],
  ])("is read like one of the registry: %s", async (_title, values) => {
    const [own, theirs] = [new Registry(), new Registry()];
    const tallied = talliedHistogram(own, OPTIONS);
    const plain = new Histogram({ ...OPTIONS, registers: [theirs] });
    for (const value of values) {
      tallied.observe(value);
      plain.observe(value);
    }
    expect(await own.metrics()).toBe(await theirs.metrics());
    const withoutExemplars = (name: string, value: unknown): unknown => (name === "exemplar" ? undefined : value);
    const json = async (one: Registry): Promise<unknown> =>
      JSON.parse(JSON.stringify(await one.getMetricsAsJSON(), withoutExemplars));
    expect(await json(own)).toEqual(await json(theirs));
  });

  it("is empty after a reset of its registry", async () => {
    const registry = new Registry();
    const tallied = talliedHistogram(registry, OPTIONS);
    tallied.observe(3);
    registry.resetMetrics();
    expect(await registry.metrics()).toContain("wf_test_seconds_count 0\n");
  });
});
