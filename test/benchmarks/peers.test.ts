/** Every peer gives what the native one gives, on every kind of workload; nothing here is timed. */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { SIDES, type SideFacts, sidesOf } from "../../benchmarks/sides.ts";
import { WORKLOADS } from "../../benchmarks/workloads.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

describe.each(WORKLOADS)("$name", (workload) => {
  it.each(sidesOf(workload))("%s", { timeout: 120_000 }, async (name) => {
    const facts: SideFacts = SIDES[name];
    // isolated-vm needs a flag of Node that this process does not have.
    if (facts.flags.length > 0) return;
    const side = await facts.open(workload, ROOT);
    if (side === null) throw new Error(`${name} is a development dependency`);
    side.compile();
    expect(await side.batch(1)).toEqual(workload.result);
    if (workload.short) expect(await side.batch(5)).toEqual(workload.prepare().native(4));
  });
});
