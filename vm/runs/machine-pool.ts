/**
 * Machines of one program that are free. A short run takes less time than making its machine, so those whose run ended without
 * waiting are used again. A free machine holds nothing of the runs it was used for.
 */
import type { Program } from "../../compiler/bytecode/program.ts";
import type { JsonObject } from "../../compiler/json.ts";
import { Machine } from "../machine/machine.ts";
import type { MachineOptions } from "../machine/options.ts";

/** Runs that end without waiting overlap only when one starts another. */
const MAX_FREE = 2;

export class MachinePool {
  readonly program: Program;
  readonly #idle: MachineOptions;
  readonly #free: Machine[] = [];
  #isUsedAgain = false;

  /** `idle`: the options of machines without a run. */
  constructor(program: Program, idle: MachineOptions) {
    this.program = program;
    this.#idle = idle;
  }

  /** A machine that is loaded and has not begun (`begin` of driver.ts). */
  take(frame: JsonObject, options: MachineOptions): Machine {
    const machine = options.trace === null ? this.#free.pop() : undefined;
    if (machine === undefined) return new Machine(this.program, frame, options);
    machine.load(frame, options);
    return machine;
  }

  /**
   * Takes back a machine whose run has ended and whose outcome was read; no reference to it may remain. The first is dropped: many programs
   * run once, and a machine kept for nothing costs more than making another one.
   */
  give(machine: Machine): void {
    if (!this.#isUsedAgain) {
      this.#isUsedAgain = true;
      return;
    }
    if (this.#free.length < MAX_FREE && machine.forget(this.#idle)) this.#free.push(machine);
  }
}
