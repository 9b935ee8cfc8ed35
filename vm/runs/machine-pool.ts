/**
 * Machines of one program that are free. A short run takes less time than making its machine, so those whose run ended without
 * waiting are used again. A free machine holds nothing of the runs it was used for.
 */
import type { Program } from "../../compiler/bytecode/program.ts";
import type { JsonObject } from "../../compiler/json.ts";
import { exactText } from "../inputs/exact-text.ts";
import type { Machine } from "../machine/machine.ts";
import type { MachineOptions } from "../machine/options.ts";
import { type MachineCode, newMachine } from "./machine-code.ts";

/** Runs that end without waiting overlap only when one starts another. */
const MAX_FREE = 2;

export class MachinePool {
  readonly code: MachineCode;
  readonly program: Program;
  readonly #idle: MachineOptions;
  readonly #hot: Machine["hot"];
  readonly #free: Machine[] = [];
  #isUsedAgain = false;

  /** `idle`: the options of machines without a run. `hot`: where slices of the program run; null: in the loop. */
  constructor(code: MachineCode, idle: MachineOptions, hot: Machine["hot"] = null) {
    this.code = code;
    this.program = code.program;
    this.#idle = idle;
    this.#hot = hot;
  }

  /** A machine that is loaded and has not begun (`begin` of driver.ts). */
  take(frame: JsonObject, options: MachineOptions): Machine {
    const free = options.trace === null ? this.#free.pop() : undefined;
    if (free !== undefined) {
      free.load(frame, options);
      if (free.executor !== null) free.executor.frameText = exactText(frame);
      return free;
    }
    const machine = newMachine(this.code, frame, options);
    machine.hot = this.#hot;
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
