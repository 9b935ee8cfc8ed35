/** A run that is stored in the middle of a pause and restored pauses for what is left of it, and not all over again (J-11). */
import { describe, expect, it } from "vitest";
import { createHost } from "../../../vm/host.ts";
import { Machine } from "../../../vm/machine/machine.ts";
import type { MachineOptions } from "../../../vm/machine/options.ts";
import { outcomeOf } from "../../../vm/machine/outcome.ts";
import { restore, snapshot } from "../../../vm/offload/snapshot.ts";
import { drive, resume } from "../../../vm/runs/driver.ts";
import { fakeClock, fakeFacts, lasting, mockAdapters } from "../../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";

describe("a stored pause", () => {
  it.each([
    ["of Retry", 'L1:\n  R ext.OP 1 "v" ->x\n  Retry 1 1000\n  J x\n'],
    ["of core.SLEEP", "L1:\n  R core.SLEEP 1000 ->x\n  J x\n"],
  ])("%s continues with what is left", async (_name, source) => {
    const clock = fakeClock();
    const waited: number[] = [];
    const watched = {
      ...clock,
      wait: (ms: number, then: () => void) => {
        waited.push(ms);
        return clock.wait(ms, then);
      },
    };
    const deps = {
      clock: watched,
      facts: fakeFacts(),
      catalog: testCatalog,
      adapters: lasting(mockAdapters(clock)),
      traceId: () => "t",
    };
    const options: MachineOptions = {
      deps,
      traceId: "t",
      limits: { max_time_ms: 5000 },
      allowed: null,
      trace: null,
      signal: undefined,
      quantum: 10_000,
    };
    const program = createHost(deps).program(compileForTest(source, false, []));
    let stored: unknown = null;
    const first = await drive(
      new Machine(program, {}, options),
      (then) => setImmediate(then),
      (m) => {
        if (m.pending?.kind !== "wait") return m;
        clock.advance(300);
        stored = JSON.parse(JSON.stringify(snapshot(m)));
        return null;
      },
    );
    expect(first.pending).toMatchObject({ kind: "wait", ms: 1000 });
    expect(waited).toEqual([]);
    const again = restore(program, stored, options);
    const end = await resume(again, (then) => setImmediate(then));
    const outcome = outcomeOf(end, false);
    expect(outcome.ok, JSON.stringify(outcome)).toBe(true);
    expect(waited[0]).toBe(700);
  });
});
