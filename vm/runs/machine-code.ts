/** The code of a program for machines: its bytecode, and what runs it where that is not the loop. */
import { flatten } from "../../compiler/bytecode/flatten.ts";
import type { Program } from "../../compiler/bytecode/program.ts";
import { stubsOf } from "../../compiler/bytecode/python/stubs.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { JsonObject } from "../../compiler/json.ts";
import { foldCall } from "../functions/fold-constants.ts";
import { exactText } from "../inputs/exact-text.ts";
import { Machine } from "../machine/machine.ts";
import type { MachineOptions } from "../machine/options.ts";
import type { Executor } from "../machine/slices/executor.ts";
import { pythonExecutors } from "../python/machine/loaded.ts";
import { pythonBuilder } from "../python/tier/builds.ts";
import type { TierPolicy } from "../tier/policy.ts";

export type MachineCode = {
  readonly program: Program;
  /** null: the loop runs it. Throws FatalFailure of a load code. */
  readonly executor: ((m: Machine) => Executor) | null;
};

/** Of `ir` for runs from label `entry`, which must exist. `tier`: null: all runs are in the loop. */
export function machineCodeOf(ir: Ir, entry: string, tier: TierPolicy | null): MachineCode {
  const stubs = stubsOf(ir, entry);
  const program = flatten(stubs ?? ir, entry, foldCall);
  return { program, executor: stubs === null ? null : pythonExecutors(ir, entry, program, pythonBuilder(tier)) };
}

/** A machine that is loaded and has not begun. */
export function newMachine({ program, executor }: MachineCode, frame: JsonObject, options: MachineOptions): Machine {
  const machine = new Machine(program, frame, options);
  if (executor !== null) {
    machine.executor = executor(machine);
    machine.executor.frameText = exactText(frame);
  }
  return machine;
}
