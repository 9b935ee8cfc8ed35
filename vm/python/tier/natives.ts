/** The functions that generated code calls. */

import { type Built, Came, FunctionFrame } from "../machine/frames.ts";
import { grantStep } from "../machine/fuel.ts";
import { callAt, countPass, countPasses, isHot, methodAt, plainCall, WAITING } from "../machine/loop/entering.ts";
import { operand, perform } from "../machine/loop/perform.ts";
import { unbound } from "../machine/loop/slow-paths.ts";
import { isExact, setUsualItem, usualItem } from "../machine/loop/usual.ts";
import type { PyState } from "../machine/state.ts";
import { END, type Value } from "../object.ts";
import { truth } from "../operations.ts";

/**
 * Maximum weight of generated functions that call one another. A function weighs more with more variables, because an unoptimized frame of JavaScript has
 * room for each. The stack of the host holds several times as much.
 */
const MAX_NESTED = 300;
const VARIABLES_PER_WEIGHT = 16;

/** Does an instruction that may call something of the program. */
function ask(s: PyState, f: FunctionFrame, pc: number): Came {
  f.pc = pc;
  return came(s, f, callAt(s, f, pc));
}

function method(s: PyState, f: FunctionFrame, pc: number): Came {
  f.pc = pc;
  return came(s, f, methodAt(s, f, pc));
}

function call(s: PyState, f: FunctionFrame, pc: number): Came {
  const entered = plainCall(s, f, pc);
  return entered === null ? ask(s, f, pc) : run(s, entered);
}

function came(s: PyState, f: FunctionFrame, got: Value | typeof WAITING): Came {
  if (got !== WAITING) {
    if (f.into >= 0) f.registers[f.into] = got as Value;
    return Came.Back;
  }
  const { frame } = s;
  const isCall = frame instanceof FunctionFrame && frame.parent === f && frame.resume === frame.routine.pc;
  return isCall ? run(s, frame) : Came.Elsewhere;
}

/** Runs a function that was entered here and now, where it is generated code as well. */
function run(s: PyState, frame: FunctionFrame): Came {
  const { routine } = frame;
  if (s.nested >= MAX_NESTED || (routine.built === null && !isHot(s.program, routine, frame.resume)))
    return Came.Elsewhere;
  const weight = 1 + Math.floor(routine.registers / VARIABLES_PER_WEIGHT);
  s.nested += weight;
  const end = (routine.built as Built).run(s, frame, 0);
  s.nested -= weight;
  return end;
}

/** Returns from a function to the one that called it. */
function give(s: PyState, f: FunctionFrame, pc: number): Came {
  const { parent } = f;
  if (f.generator !== null || !(parent instanceof FunctionFrame)) {
    f.resume = pc;
    return Came.InLoop;
  }
  const value = operand(s, f, pc + 1);
  f.pc = pc;
  s.depth -= 1;
  s.frame = parent;
  parent.registers[parent.into] = value;
  return Came.Back;
}

/** Grants steps in the middle of an instruction. */
function grant(s: PyState, f: FunctionFrame, pc: number): void {
  f.pc = pc;
  grantStep(s);
}

function test(s: PyState, f: FunctionFrame, at: number): boolean {
  return truth(operand(s, f, at), s);
}

function unset(s: PyState, f: FunctionFrame, at: number): never {
  throw unbound(f.routine, s.program.code.code[at] as number);
}

export const NATIVES = {
  END,
  ask,
  call,
  changed: setUsualItem,
  countPasses,
  give,
  grant,
  isBoolean: (value: unknown): boolean => typeof value === "boolean",
  isExact,
  isNumber: (value: unknown): boolean => typeof value === "number",
  itemOf: usualItem,
  method,
  modulo: (a: number, b: number): number => a % b,
  pass: countPass,
  perform,
  test,
  unset,
};
