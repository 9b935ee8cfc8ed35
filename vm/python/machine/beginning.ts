/**
 * What a file does before its entry runs, where that is the same in every run: it makes functions without defaults and sets globals to values that
 * nothing can change. Such a run begins with the globals that this comes to.
 */
import type { PyCode } from "../../../compiler/bytecode/python/code.ts";
import { lengthAt, Py } from "../../../compiler/bytecode/python/instructions.ts";
import type { Machine } from "../../machine/machine.ts";
import { PyFunction } from "../kinds/callable.ts";
import { PyFloat } from "../kinds/float.ts";
import { Bytes, PyObject, type Value } from "../object.ts";
import type { Routine } from "./frames.ts";

export type Beginning = {
  readonly globals: readonly (Value | undefined)[];
  readonly steps: number;
  readonly bytes: number;
};

/** null: the file does something else. */
export function beginningOf(
  { code, keywords, globals: names }: PyCode,
  constants: readonly (Value | undefined)[],
  routines: readonly Routine[],
): Beginning | null {
  const [file] = routines;
  if (file === undefined || file.kind === "generator") return null;
  const registers = new Map<number, Value>();
  const globals = new Array<Value | undefined>(names.length).fill(undefined);
  let steps = 0;
  let bytes = 0;
  const read = (word: number): Value | undefined => (word >= 0 ? registers.get(word) : lasting(constants[~word]));
  for (let pc = file.pc; pc < file.end; pc += lengthAt(code, pc)) {
    const word = (at: number): number => code[pc + at] as number;
    switch (code[pc]) {
      case Py.Step:
        steps += 1;
        break;
      case Py.Function: {
        const routine = routines[word(2)];
        const isPlain = word(4) === 0 && keywords[word(3)]?.length === 0 && routine?.free.length === 0;
        if (routine === undefined || !isPlain) return null;
        registers.set(word(1), new PyFunction(routine.name, word(2), [], [], null));
        bytes += Bytes.Object * 2;
        break;
      }
      case Py.Move:
      case Py.SetGlobal: {
        const value = read(word(2));
        if (value === undefined) return null;
        if (code[pc] === Py.Move) registers.set(word(1), value);
        else globals[word(1)] = value;
        break;
      }
      case Py.Return:
        return { globals, steps, bytes };
      default:
        return null;
    }
  }
  return null;
}

/** A constant that no run can change. */
function lasting(value: Value | undefined): Value | undefined {
  return value instanceof PyObject && !(value instanceof PyFloat) ? undefined : value;
}

/** Whether a run can take all of these steps with its first ones, unwatched. */
export function beginsAtOnce({ options, ending, rest, quantum, debt }: Machine, { steps }: Beginning): boolean {
  const { signal, halt, journal, trace } = options;
  if (trace !== null || (journal ?? null) !== null || ending !== null) return false;
  if (signal?.aborted === true || halt?.aborted === true) return false;
  return steps < Math.min(rest, quantum - debt);
}
