/** Every peer that is installed gives what the native one gives, on every kind of workload; nothing here is timed. */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { HOW_TO_INSTALL, peerPackage } from "../../benchmarks/peers/peer-package.ts";
import { absent, SIDES, type SideFacts, sidesOf } from "../../benchmarks/sides.ts";
import { WORKLOADS } from "../../benchmarks/workloads.ts";

if ((await peerPackage("wasmoon")) === null)
  process.stderr.write(
    `test/benchmarks: what Weft is compared with is skipped, it is not installed (${HOW_TO_INSTALL})\n`,
  );

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

describe.each(WORKLOADS)("$name", (workload) => {
  it.for(sidesOf(workload))("%s", { timeout: 120_000 }, async (name, { skip }) => {
    const facts: SideFacts = SIDES[name];
    // isolated-vm needs a flag of Node that this process does not have.
    if (facts.flags.length > 0) return;
    const side = await facts.open(workload, ROOT);
    if (side === null) return skip(absent(name));
    side.compile();
    expect(await side.batch(1)).toEqual(workload.result);
    if (workload.short) expect(await side.batch(5)).toEqual(workload.prepare().native(4));
  });
});
