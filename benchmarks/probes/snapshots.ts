/** What storing a run costs: a machine between two slices to JSON text, and back to a machine that can continue. */
import { systemClock } from "../../adapters/engine/system-clock.ts";
import type { Program } from "../../compiler/bytecode/program.ts";
import { Machine, QUANTUM } from "../../vm/machine/machine.ts";
import type { MachineOptions } from "../../vm/machine/options.ts";
import { restore, snapshot } from "../../vm/offload/snapshot.ts";
import { firstSlice } from "../../vm/runs/driver.ts";
import { type Figure, timed } from "../figure.ts";
import { compiledOn, LIMITS, openHost } from "../peers/weft.ts";
import type { ProbeScope } from "./probe.ts";
import { timeInTurn } from "./timing.ts";

const LOOP = `# frame: big: list
L1:
  Set i 0
  Set c true
  While c ->L2 ->L3 limit=1000000
L2:
  X i add i 1
  X c lt i 1000000
L3:
  J i
`;
const SIZES: readonly (readonly [string, number])[] = [
  ["a small run", 0],
  ["a run with 1 000 texts", 1000],
];

export async function measureSnapshots({ pace }: ProbeScope): Promise<readonly Figure[]> {
  const host = openHost();
  const program = host.program(compiledOn(host, "snapshot", LOOP));
  const options: MachineOptions = {
    deps: { clock: systemClock, facts: { uuid: () => "", env: () => undefined }, adapters: new Map() },
    traceId: "bench",
    limits: LIMITS,
    allowed: null,
    trace: null,
    signal: undefined,
    quantum: QUANTUM,
  };
  const works = SIZES.flatMap(([, texts]) => {
    const paused = pausedRun(program, texts, options);
    const text = JSON.stringify(snapshot(paused));
    return [() => JSON.stringify(snapshot(paused)), () => restore(program, JSON.parse(text), options)];
  });
  const times = await timeInTurn(works, pace);
  return SIZES.flatMap(([name], at) =>
    ["to JSON", "from JSON"].map(
      (way, side): Figure => ({
        group: "Snapshot and restore",
        name: `${name}, ${way}`,
        ...timed(times[2 * at + side], "µs"),
      }),
    ),
  );
}

/** A run whose first slice is over. */
function pausedRun(program: Program, texts: number, options: MachineOptions): Machine {
  const big = Array.from({ length: texts }, (_, at) => `text number ${at}`);
  const machine = new Machine(program, { big }, options);
  firstSlice(machine);
  return machine;
}
