/**
 * The benchmarks compare what is comparable: each workload gives the result and takes the steps written here, and its native
 * peer gives the same result. Numbers are repeated from docs on purpose, so that neither side can drift.
 */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { compiledOn, LIMITS, openHost, runOnce, sourceOf } from "../../benchmarks/peers/weft.ts";
import { faultsOf } from "../../benchmarks/verify.ts";
import { WORKLOADS, workloadNamed } from "../../benchmarks/workloads.ts";
import type { Json } from "../../compiler/json.ts";
import { LIMIT_KEYS } from "../../vm/run.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const TABLE: readonly (readonly [name: string, steps: number, result: Json])[] = [
  ["W1", 2_000_004, 1_000_000],
  ["W2", 901_204, 22_402_575_000],
  ["W3", 1_213_927, 75_025],
  ["W4", 1_000_006, 50_000],
  ["W5", 33, { id: 7, name: "user_bob", tier: "low", y: "low-done", sum: 77 }],
  ["W10", 10, { id: 7, name: "user_low" }],
];

describe("benchmark workloads", () => {
  it("are those of the table", () => {
    expect(WORKLOADS.map(({ name }) => name)).toEqual(TABLE.map(([name]) => name));
  });

  it("run under all six limits", () => {
    // The bounds of a cleanup are for runs that are cancelled.
    const keys = LIMIT_KEYS.filter((key) => !key.startsWith("cleanup_"));
    expect(Object.keys(LIMITS).sort()).toEqual(keys.sort());
  });

  it.each(TABLE)("%s: steps, result, and the native peer's result", async (name, steps, result) => {
    const workload = workloadNamed(name);
    if (workload === undefined) throw new Error(`no workload ${name}`);
    const host = openHost();
    const given = workload.prepare();
    const answer = await runOnce(host, compiledOn(host, name, sourceOf(ROOT, workload)), given, 0);
    expect(answer.ok ? answer.out : answer.error).toEqual(result);
    expect(answer.usage.steps).toBe(steps);
    expect(given.native(0)).toEqual(result);
    expect(workload).toMatchObject({ steps, result });
  });

  it("short runs agree with their peers on every input", async () => {
    for (const workload of WORKLOADS.filter(({ short }) => short)) {
      expect(await faultsOf(workload, ROOT)).toEqual([]);
    }
  });

  it("a wrong result or step count is found", async () => {
    const workload = workloadNamed("W10");
    if (workload === undefined) throw new Error("no workload W10");
    const given = workload.prepare();
    const wrong = { ...workload, steps: 11, prepare: () => ({ ...given, native: () => 1 }) };
    const faults = await faultsOf(wrong, ROOT);
    expect(faults).toHaveLength(2 * given.count);
    expect(faults[0]).toBe('W10, input 0: Weft gives {"id":7,"name":"user_low"}, the native peer 1');
    expect(faults[1]).toBe("W10, input 0: 10 steps, expected were 11");
  });
});
