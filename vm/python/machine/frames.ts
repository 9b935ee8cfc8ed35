/** What is under way in a run of Python functions: frames of functions and of natives that call back, each with the one it returns to. */
import type { PyRoutine } from "../../../compiler/bytecode/python/code.ts";
import type { PyCell } from "../kinds/callable.ts";
import {
  type Calling,
  type CallRequest,
  type Context,
  type Next,
  PyIterator,
  PyType,
  setType,
  type Value,
} from "../object.ts";

/** A routine with what the machine needs of it at every call. */
export type Routine = PyRoutine & {
  /** Registers of a call that has not begun. */
  readonly empty: readonly (Value | undefined)[];
  /** Calls of it and passes of its loops, in the loop. */
  heat: number;
  /** As generated code; null: it is not. */
  built: Built | null;
  /** All parameters may be given by position, none has a default and none is captured. */
  readonly isSimple: boolean;
};

/** Where a run continues after generated code. */
export const enum Came {
  /** In the frame that called, which has the value. */
  Back = 0,
  /** In the loop, with the current frame. */
  InLoop = 1,
  /** In another frame that was entered, or later, when an answer is there. */
  Elsewhere = 2,
}

/** A routine as generated code. */
export type Built = {
  /** Runs a frame from one of the entries. */
  run(s: object, frame: FunctionFrame, entry: number): Came;
  /** By place in the bytecode: the number of the entry there. */
  readonly entries: ReadonlyMap<number, number>;
};

/** What gets a result. */
export type Frame = FunctionFrame | NativeFrame;

export class FunctionFrame {
  readonly routine: Routine;
  readonly registers: (Value | undefined)[];
  readonly cells: (PyCell | undefined)[];
  /** The instruction that is under way. */
  pc: number;
  /** Where it continues when that is done. */
  resume: number;
  parent: Frame | null;
  /** Register that gets what it waits for. */
  into: number;
  /** Where it continues when the generator that it asked has ended; -1: it asked none. */
  after: number;
  /** Of a generator: the object. */
  generator: PyGenerator | null;
  /** Passes of each `while` loop; null: none has begun. */
  passes: number[] | null;
  constructor(routine: Routine, registers: (Value | undefined)[], cells: (PyCell | undefined)[], parent: Frame | null) {
    this.routine = routine;
    this.registers = registers;
    this.cells = cells;
    this.pc = this.resume = routine.pc;
    this.parent = parent;
    this.into = 0;
    this.after = -1;
    this.generator = this.passes = null;
  }
}

export class NativeFrame {
  readonly calling: Calling;
  /** It gave others a turn, and continues by itself. */
  isPaused = false;
  parent: Frame | null;
  constructor(calling: Calling, parent: Frame | null) {
    this.calling = calling;
    this.parent = parent;
  }
}

/** A generator: the frame of a function that gives its values one by one. */
export class PyGenerator extends PyIterator {
  declare readonly type: PyType;
  override readonly isDirect = false;
  /** null: it has ended. */
  frame: FunctionFrame | null;
  isRunning = false;
  /** Until it is taken, or the generator is asked again. */
  returned: Value = null;
  constructor(frame: FunctionFrame) {
    super();
    this.frame = frame;
  }
  override takeReturned(): Value {
    const { returned } = this;
    this.returned = null;
    return returned;
  }
  next(): Next {
    throw new Error("a generator is asked through the machine");
  }
  override *pull(_ctx: Context): Calling<Next> {
    const request: CallRequest = { callee: this, args: [] };
    return (yield request) as Next;
  }
}
setType(PyGenerator, new PyType("generator", [], { iterate: (self: PyGenerator) => self }));
