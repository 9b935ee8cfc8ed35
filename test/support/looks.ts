/**
 * How often a run looks at the clock and gives other work its turn, counted and not timed: the clock of these runs moves on by a
 * millisecond each time it is read, and the units of work that natives charge between two readings are added up. A slow machine
 * and a fast one count the same.
 */
import type { JsonObject } from "../../compiler/json.ts";
import { createHost, type HostDeps, type RunAnswer } from "../../vm/host.ts";
import { Machine } from "../../vm/machine/machine.ts";
import type { Limits } from "../../vm/run.ts";
import { fakeFacts } from "./mock-adapters.ts";
import { testCatalog } from "./run-case.ts";

export type Looks = {
  readonly answer: RunAnswer;
  /** Units of work that were charged in all. */
  readonly units: number;
  /** The most units that were charged between two readings of the clock. */
  readonly mostUnits: number;
  /** Turns that other work got. */
  readonly turns: number;
  /** The most readings of the clock, and so milliseconds, between two turns. */
  readonly mostLooks: number;
};

type Charging = { charge(this: Machine, units: number): void };

export async function looksOf(source: string, frame: JsonObject = {}, limits: Limits = {}): Promise<Looks> {
  const machine = Machine.prototype as unknown as Charging;
  const { charge } = machine;
  let now = 0;
  let turns = 0;
  let since = 0;
  let total = 0;
  let pending = 0;
  let [mostUnits, mostLooks] = [0, 0];
  const deps: HostDeps = {
    clock: {
      now: () => {
        pending = 0;
        return ++now;
      },
      wall: () => 0,
      wait: () => () => {},
    },
    facts: fakeFacts(),
    catalog: testCatalog,
    adapters: new Map(),
    traceId: () => "t",
    turn: (then) => {
      turns += 1;
      mostLooks = Math.max(mostLooks, now - since);
      setImmediate(() => {
        since = now;
        then();
      });
    },
  };
  const host = createHost(deps);
  const { ir, diagnostics } = host.compile(source, { strict: false, inputs: Object.keys(frame) });
  if (ir === null) throw new Error(JSON.stringify(diagnostics));
  machine.charge = function (units) {
    total += units;
    pending += units;
    mostUnits = Math.max(mostUnits, pending);
    charge.call(this, units);
  };
  try {
    const answer = await host.run({ ir, frame, limits: { max_time_ms: 1e9, ...limits } });
    mostLooks = Math.max(mostLooks, now - since);
    return { answer, units: total, mostUnits, turns, mostLooks };
  } finally {
    machine.charge = charge;
  }
}
