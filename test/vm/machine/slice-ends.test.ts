/**
 * What can end a run between two slices: its time, a cancellation, the last of its steps. Wherever that happens, the counted steps are those
 * that acted, and the error names the step that would have been next.
 */
import { describe, expect, it } from "vitest";
import { createHost } from "../../../vm/host.ts";
import type { Limits, Outcome } from "../../../vm/run.ts";
import { fakeClock, fakeFacts } from "../../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";

/** Blocks of three steps, each of which counts itself. */
const SOURCE = [
  "L1:",
  "  While go ->L2 ->L3 limit=1000000",
  "L2:",
  "  X a add a 1",
  "  X b mul a 1",
  "  X c add c 1",
  "L3:",
  "  J c",
  "",
].join("\n");
const IR = compileForTest(SOURCE, false, ["go", "a", "b", "c"]);

type Ending = { readonly quantum: number; readonly limits?: Limits; readonly trace?: boolean; readonly by: string };

/** Every turn between slices takes 10 ms; the third one, or its deadline, ends the run. */
async function ended({ quantum, limits = {}, trace = false, by }: Ending): Promise<Outcome> {
  const clock = fakeClock();
  const controller = new AbortController();
  let turns = 0;
  const host = createHost({
    ...{ clock, facts: fakeFacts(), catalog: testCatalog, adapters: new Map(), traceId: () => "slices", quantum },
    turn(then) {
      turns += 1;
      clock.advance(10);
      if (by === "cancellation" && turns === 3) controller.abort("enough");
      setImmediate(then);
    },
  });
  const time: Limits = by === "deadline" ? { max_time_ms: 25 } : {};
  return host.run({
    ...{ ir: IR, frame: { go: true, a: 0, b: 0, c: 0 }, finalFrame: true, trace, signal: controller.signal },
    limits: { ...limits, ...time },
  });
}

/** The steps that acted, and the one after them. */
function seen({ frame = {} }: Outcome): { readonly steps: number; readonly next: string } {
  const [a, b, c] = [Number(frame["a"]), Number(frame["b"]), Number(frame["c"])];
  const position = a === c ? 1 : b === a ? 3 : 2;
  return { steps: 1 + a + b + c, next: `n${position}` };
}

describe.each(["deadline", "cancellation"])("a %s between two slices", (by) => {
  const code = by === "deadline" ? "RUNTIME_MAX_TIME" : "RUNTIME_CANCELLED";

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 50])("of %i steps ends the run there", async (quantum) => {
    for (const trace of [false, true]) {
      const outcome = await ended({ by, quantum, trace });
      const { steps, next } = seen(outcome);
      expect(outcome, `traced: ${trace}`).toMatchObject({ ok: false, error: { code, label: "2", node: next } });
      expect(outcome.usage.steps, `traced: ${trace}`).toBe(steps);
      // Three slices, each longer by what is left of its last block at most.
      expect(steps).toBeGreaterThanOrEqual(3 * quantum - 3);
      expect(steps).toBeLessThanOrEqual(3 * quantum + 9);
    }
  });

  it("ends the run there also on its last steps", async () => {
    for (let max_steps = 1; max_steps < 30; max_steps++) {
      for (const quantum of [1, 2, 5]) {
        const outcome = await ended({ by, quantum, limits: { max_steps } });
        const { steps } = seen(outcome);
        const ends = outcome.usage.steps === max_steps ? ["RUNTIME_MAX_STEPS", code] : [code];
        expect(ends).toContain(outcome.ok ? "ok" : outcome.error.code);
        expect(outcome.usage.steps, `${max_steps} in slices of ${quantum}`).toBe(steps);
      }
    }
  });
});
