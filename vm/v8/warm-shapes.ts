/**
 * Unused objects, kept as long as the process. V8 drops a hidden class when the last object of the class is
 * collected, and the machine code compiled for them: when a full collection found no machine alive, because all earlier runs had
 * waited for something, the next run was ten times slower, like the first of a process.
 */
import type { Program, VariantTables } from "../../compiler/bytecode/program.ts";
import { Machine, QUANTUM } from "../machine/machine.ts";
import type { MachineOptions } from "../machine/options.ts";
import { SIZE, type Sized } from "../values/values.ts";

const NO_WORDS = new Int32Array(0);
const NOTHING: readonly never[] = [];
const NO_TABLES: VariantTables = {
  code: NO_WORDS,
  site_at: NO_WORDS,
  refund_at: NO_WORDS,
  unset_at: NO_WORDS,
  routines: NOTHING,
  routine_pc: NO_WORDS,
  site_pc: NO_WORDS,
  site_charge: NO_WORDS,
  blocks: NO_WORDS,
  marks: NO_WORDS,
  calls: NO_WORDS,
  entries: NO_WORDS,
  constants: NOTHING,
  temporaries: 0,
  aux: NOTHING,
  labels: NOTHING,
  sites: NOTHING,
  retries: NOTHING,
  handlers: NOTHING,
};
const NO_PROGRAM: Program = {
  format: "weft-bytecode",
  version: 1,
  ir_checksum: "",
  entry: "",
  names: NOTHING,
  slots: new Map(),
  *variantTask() {},
  variant: () => NO_TABLES,
};

const NO_OPTIONS: MachineOptions = {
  deps: {
    clock: { now: () => 0, wall: () => 0, wait: () => () => {} },
    facts: { uuid: () => "", env: () => undefined },
    adapters: new Map(),
  },
  traceId: "",
  limits: {},
  allowed: null,
  trace: null,
  signal: undefined,
  quantum: QUANTUM,
};

const kept: object[] = [];

/** Keeps the layouts of machines and of containers with sizes. */
export function keepShapes(): void {
  if (kept.length > 0) return;
  const machine = new Machine(NO_PROGRAM, {}, NO_OPTIONS);
  // What may be a fraction in any run is one here, so that no later machine changes what a field holds.
  const fraction = 0.5;
  machine.startedAt = fraction;
  machine.endedAt = fraction;
  machine.maxTime = fraction;
  machine.rest = fraction;
  machine.debt = fraction;
  machine.frameBytes = fraction;
  machine.frameLimit = fraction;
  machine.frameCap = fraction;
  machine.made = fraction;
  machine.madeLimit = fraction;
  machine.iterations = fraction;
  machine.maxIterations = fraction;
  machine.maxCalls = fraction;
  machine.work = fraction;
  machine.result = "";
  kept.push(machine, ...[[], [1], [1.5], ["text"], new Array(1), {}].map(sized));
}

function sized(container: object): object {
  (container as Sized)[SIZE] = 2;
  return container;
}
