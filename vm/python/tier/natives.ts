/** What generated code calls. What a call came to: 0, its value is in its register; 1, the run continues in the loop; 2, in another frame or later. */

import { PyDict } from "../kinds/dict.ts";
import { PyList, PyTuple } from "../kinds/list.ts";
import { type Built, FunctionFrame } from "../machine/frames.ts";
import { grantStep } from "../machine/fuel.ts";
import { callAt, countPasses, isHot, methodAt, plainCall, WAITING } from "../machine/loop/entering.ts";
import { isExact } from "../machine/loop/exact.ts";
import { operand, perform } from "../machine/loop/perform.ts";
import { unbound } from "../machine/loop/slow-paths.ts";
import type { PyState } from "../machine/state.ts";
import { END, type Value } from "../object.ts";
import { truth } from "../operations.ts";

const DONE = 0;
const LEAVE = 1;
const ELSEWHERE = 2;

/** What functions of JavaScript in one another may weigh: by their names, of which an unoptimized frame has room for each. The host has room for more. */
const MOST_NESTED = 300;
const NAMES_OF_WEIGHT = 16;

/** What may call something of the program. */
function ask(s: PyState, f: FunctionFrame, pc: number): number {
  f.pc = pc;
  return came(s, f, callAt(s, f, pc));
}

function method(s: PyState, f: FunctionFrame, pc: number): number {
  f.pc = pc;
  return came(s, f, methodAt(s, f, pc));
}

function call(s: PyState, f: FunctionFrame, pc: number): number {
  const entered = plainCall(s, f, pc);
  return entered === null ? ask(s, f, pc) : run(s, entered);
}

function came(s: PyState, f: FunctionFrame, got: Value | typeof WAITING): number {
  if (got !== WAITING) {
    if (f.into >= 0) f.registers[f.into] = got as Value;
    return DONE;
  }
  const { frame } = s;
  const isCall = frame instanceof FunctionFrame && frame.parent === f && frame.resume === frame.routine.pc;
  return isCall ? run(s, frame) : ELSEWHERE;
}

/** Runs a function that was entered here and now, where it is generated code as well. */
function run(s: PyState, frame: FunctionFrame): number {
  const { routine } = frame;
  if (s.nested >= MOST_NESTED || (routine.built === null && !isHot(s.program, routine, frame.resume))) return ELSEWHERE;
  const weight = 1 + Math.floor(routine.registers / NAMES_OF_WEIGHT);
  s.nested += weight;
  const end = (routine.built as Built).run(s, frame, 0);
  s.nested -= weight;
  return end;
}

/** Returns from a function to the one that called it. */
function give(s: PyState, f: FunctionFrame, pc: number): number {
  const { parent } = f;
  if (f.generator !== null || !(parent instanceof FunctionFrame)) {
    f.resume = pc;
    return LEAVE;
  }
  const value = operand(s, f, pc + 1);
  f.pc = pc;
  s.depth -= 1;
  s.frame = parent;
  parent.registers[parent.into] = value;
  return DONE;
}

function pass(s: PyState, f: FunctionFrame, loop: number): void {
  f.passes ??= [];
  const count = (f.passes[loop] ?? 0) + 1;
  f.passes[loop] = count;
  if (count > s.m.iterations) countPasses(s, count);
}

/** A step in the middle of something. */
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

/** An element or member that is found at once. */
function itemOf(of: unknown, key: unknown): Value | undefined {
  if (typeof key === "number") {
    if (key >= 0 && (of instanceof PyList || of instanceof PyTuple)) return of.items[key];
  } else if (typeof key === "string" && of instanceof PyDict) return of.get(key);
  return undefined;
}

/** Whether an element of a list was replaced. */
function changed(of: unknown, key: unknown, value: Value | undefined): boolean {
  if (!(of instanceof PyList) || typeof key !== "number" || value === undefined) return false;
  if (!(key >= 0 && key < of.items.length && (key | 0) === key)) return false;
  of.items[key] = value;
  return true;
}

export const NATIVES = {
  END,
  ask,
  call,
  changed,
  countPasses,
  give,
  grant,
  isBoolean: (value: unknown): boolean => typeof value === "boolean",
  isExact,
  isNumber: (value: unknown): boolean => typeof value === "number",
  itemOf,
  method,
  modulo: (a: number, b: number): number => a % b,
  pass,
  perform,
  test,
  unset,
};
