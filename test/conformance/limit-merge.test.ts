/** Limits of a caller under those of the server: the minimum holds, key by key, and the answer shows it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { mergeLimits, RESOURCE_FLOOR } from "../../vm/grant/limits.ts";
import { createHost, type Host, type RunAnswer } from "../../vm/host.ts";
import { LIMIT_KEYS, type Limits } from "../../vm/run.ts";
import { verifies } from "../support/requirements.ts";
import { irOf, testClock } from "../support/world.ts";

const THREE_STEPS = "L1:\n  Set a 1\n  R core.ADD a 1 ->b\n  J b\n";

const hostOf = (server: Limits): Host =>
  createHost({
    clock: testClock(),
    facts: { uuid: () => "id", env: () => undefined },
    catalog: builtinCatalog,
    adapters: new Map(),
    traceId: () => "trace",
    serverLimits: server,
  });

async function run(server: Limits, caller: Limits): Promise<RunAnswer> {
  return hostOf(server).run({ ir: irOf(THREE_STEPS), limits: caller });
}

const figure = fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: undefined });
const limits = fc
  .record(Object.fromEntries(LIMIT_KEYS.map((key) => [key, figure])))
  .map((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Limits);

describe("limits under a server's grant", () => {
  it("a lower one takes effect, a higher one does not, and the answer shows the result", async () => {
    verifies("limit.merge-min");
    expect(await run({ max_steps: 100, max_depth: 9 }, { max_steps: 2, max_depth: 50 })).toMatchObject({
      ok: false,
      error: { code: "RUNTIME_MAX_STEPS", data: { limit: 2, source: "request" } },
      limits: { max_steps: 2, max_depth: 9 },
    });
    expect(await run({ max_steps: 2 }, { max_steps: 100 })).toMatchObject({
      ok: false,
      error: { code: "RUNTIME_MAX_STEPS", data: { limit: 2, source: "server" } },
      limits: { max_steps: 2 },
    });
    expect((await run({ max_steps: 3 }, {})).ok).toBe(true);
  });

  it("zero adapter calls stay zero, core included", async () => {
    verifies("limit.max_adapter_calls.zero");
    for (const [server, caller] of [
      [{ max_adapter_calls: 5 }, { max_adapter_calls: 0 }],
      [{ max_adapter_calls: 0 }, { max_adapter_calls: 5 }],
    ] as const) {
      const answer = await run(server, caller);
      expect(answer.limits.max_adapter_calls).toBe(0);
      expect(answer).toMatchObject({ ok: false, error: { code: "RUNTIME_MAX_ADAPTER_CALLS", node: "n2" } });
      expect(answer.usage.adapter_calls).toBe(0);
    }
  });

  it("the default server grant is the contract's", async () => {
    verifies("limit.server-default");
    const floor = { max_steps: 500_000, max_depth: 500, max_adapter_calls: 50_000, max_time_ms: 900_000 };
    expect(RESOURCE_FLOOR).toEqual(floor);
    const answer = await run(RESOURCE_FLOOR, {});
    // allowed_adapters null: nothing is refused.
    expect(answer).toMatchObject({ ok: true, out: 2, limits: floor });
  });

  it("each run has its own, whatever the run before it asked for", async () => {
    verifies("limit.merge-min");
    const server = { max_steps: 1000, max_time_ms: 5000 };
    const host = hostOf(server);
    const ir = irOf(THREE_STEPS);
    for (const key of LIMIT_KEYS) {
      for (const caller of [{ [key]: 90 }, { [key]: 90 }, { [key]: 80 }, {}, { [key]: 70 }]) {
        const { limits } = await host.run({ ir, limits: caller });
        expect(limits).toEqual({ ...server, ...caller });
      }
    }
  });

  it("merging is the minimum whatever the order, and never unsets a limit", () => {
    fc.assert(
      fc.property(limits, limits, limits, (a, b, c) => {
        expect(mergeLimits(a, b)).toEqual(mergeLimits(b, a));
        expect(mergeLimits(a, a)).toEqual(a);
        expect(mergeLimits(mergeLimits(a, b), c)).toEqual(mergeLimits(a, mergeLimits(b, c)));
        for (const key of LIMIT_KEYS) {
          const merged = mergeLimits(a, b)[key];
          if (a[key] !== undefined) expect(merged).toBeLessThanOrEqual(a[key]);
        }
      }),
    );
  });
});
