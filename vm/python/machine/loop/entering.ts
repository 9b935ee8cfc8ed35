/**
 * What enters and leaves frames: calls, natives that call back, generators, exceptions. What comes back at once is a value; else the run continues in
 * another frame.
 */

import { OPERATORS, Py } from "../../../../compiler/bytecode/python/instructions.ts";
import { limitFailure } from "../../../errors/fatal-failures.ts";
import { badProgram } from "../../bad-program.ts";
import { takesPlainly } from "../../binding.ts";
import { type PyException, raised, VALUE_ERROR } from "../../exceptions.ts";
import { PyBuiltin, PyCallable, type PyCell, PyFunction } from "../../kinds/callable.ts";
import type { PyDict } from "../../kinds/dict.ts";
import type { PyList } from "../../kinds/list.ts";
import type { PySet } from "../../kinds/set.ts";
import { type Calling, type CallRequest, END, isCalling, type Next, typeOf, type Value } from "../../object.ts";
import { contains, inPlace, item } from "../../operations.ts";
import { type Called, called, keywordsOf } from "../calls.ts";
import { askAdapter } from "../effects/adapter-calls.ts";
import { FunctionFrame, NativeFrame, PyGenerator, type Routine } from "../frames.ts";
import { grantStep } from "../fuel.ts";
import type { PyProgram } from "../program.ts";
import type { PyState } from "../state.ts";
import { exceptionOf, type NativeStep, unwind } from "../unwind.ts";
import { operand } from "./perform.ts";
import { extend, extendSet, methodCalled, special, unpack } from "./slow-paths.ts";

/** Raises what was thrown where the run stands: it continues at a handler. Throws what nothing handles. */
export function raise(s: PyState, first: unknown): void {
  let thrown = first;
  for (;;) {
    const exception = exceptionOf(thrown);
    if (exception === null) throw thrown;
    if (exception.raisedIn === null) placeRaised(s, exception);
    try {
      const went = unwind(s, exception);
      if (went !== true) answerNative(s, went);
      return;
    } catch (again) {
      if (s.frame === null) throw again;
      thrown = again;
    }
  }
}

function placeRaised(s: PyState, exception: PyException): void {
  exception.raisedIn = s.frame;
  let { frame } = s;
  while (frame instanceof NativeFrame) frame = frame.parent;
  exception.raisedAt = frame?.pc ?? null;
}

/** Continues with natives that have answered, until a frame of the file is the current one or they give others a turn. */
function answerNative(s: PyState, first: NativeStep): void {
  let step = first;
  for (;;) {
    const native = s.frame as NativeFrame;
    if (step.done) {
      s.frame = native.parent;
      if (!(s.frame instanceof NativeFrame)) {
        deliver(s, step.value);
        return;
      }
      step = next(s.frame.calling, step.value);
      continue;
    }
    const { request } = step;
    if (request === null) {
      s.m.spent = true;
      s.rested();
      native.isPaused = true;
      return;
    }
    const { callee, args, keywords = null } = request;
    if (callee instanceof PyGenerator) {
      if (resumeGenerator(s, callee)) return;
      step = next(native.calling, END);
      continue;
    }
    const result = called(s, callee, args, keywords);
    if (result instanceof FunctionFrame) {
      enterFrame(s, result);
      return;
    }
    if (isCalling(result)) {
      s.frame = new NativeFrame(result, native);
      step = next(result, undefined);
    } else step = next(native.calling, result);
  }
}

export const WAITING = Symbol("a frame was entered");

/** A called value, or WAITING. */
export function enter(s: PyState, result: Called): Value | typeof WAITING {
  if (result instanceof FunctionFrame) {
    enterFrame(s, result);
    return WAITING;
  }
  if (isCalling(result)) {
    s.frame = new NativeFrame(result, s.frame);
    answerNative(s, next(result, undefined));
    return WAITING;
  }
  return result;
}

/** What is called stands alone: its value is that of the run. */
export function begin(s: PyState, callee: Value, args: readonly Value[]): void {
  const through = callee instanceof PyCallable ? callee.through(args, undefined) : null;
  const request: CallRequest = through ?? { callee, args };
  const result = called(s, request.callee, request.args, request.keywords ?? null);
  if (result instanceof FunctionFrame) {
    result.parent = null;
    deepen(s);
    s.frame = result;
  } else if (isCalling(result))
    throw badProgram("a branch runs a function of the file: write one around what is called");
  else s.result = result;
}

/** A function of the file begins: one step, one level of depth. */
function enterFrame(s: PyState, frame: FunctionFrame): void {
  const { m } = s;
  if (--m.fuel < 0) grantStep(s);
  // A call that is too deep is not made, and not counted.
  if (s.depth >= m.deepest) m.fuel += 1;
  frame.parent = s.frame;
  deepen(s);
  s.frame = frame;
}

function next(calling: Calling, value: Next | undefined): NativeStep {
  const step = calling.next(value as Value);
  return step.done === true ? { done: true, value: step.value } : { done: false, request: step.value };
}

function deepen(s: PyState): void {
  const { m } = s;
  s.depth += 1;
  if (s.depth <= m.depth) return;
  if (s.depth > m.deepest) {
    s.depth -= 1;
    throw m.depthFailure({});
  }
  m.depth = s.depth;
}

/** Makes the frame of a generator the current one; false: it has ended. */
export function resumeGenerator(s: PyState, generator: PyGenerator): boolean {
  const { frame } = generator;
  if (frame === null) {
    generator.returned = null;
    return false;
  }
  if (generator.isRunning) throw raised(VALUE_ERROR, "generator already executing");
  generator.isRunning = true;
  frame.parent = s.frame;
  s.frame = frame;
  return true;
}

/** Gives a value to what waits for it: the current frame. */
export function deliver(s: PyState, value: Next): void {
  const { frame } = s;
  if (frame instanceof FunctionFrame) {
    if (frame.after >= 0) {
      if (value === END) {
        frame.resume = frame.after;
        frame.after = -1;
        return;
      }
      frame.after = -1;
    }
    frame.registers[frame.into] = value as Value;
  } else if (frame !== null) {
    answerNative(s, next(frame.calling, value));
  }
}

function* negated(found: Calling<boolean>): Calling<boolean> {
  return !(yield* found);
}

export function countPasses(s: PyState, count: number): void {
  const { m } = s;
  if (count > m.maxIterations)
    throw limitFailure("RUNTIME_MAX_LOOP_ITERS", "max_loop_iters", m.maxIterations, count - 1);
  m.iterations = count;
}

/** A `while` loop begins another pass. */
export function countPass(s: PyState, frame: FunctionFrame, loop: number): void {
  frame.passes ??= [];
  const count = (frame.passes[loop] ?? 0) + 1;
  frame.passes[loop] = count;
  if (count > s.m.iterations) countPasses(s, count);
}

/** Continues with a native that had given others a turn. True: it is not its turn yet. */
export function resumePaused(s: PyState): boolean {
  const { frame } = s;
  if (!(frame instanceof NativeFrame) || !frame.isPaused) return false;
  if (s.m.spent) return true;
  frame.isPaused = false;
  answerNative(s, next(frame.calling, undefined));
  return resumePaused(s);
}

/** Calls and what else may run code of the program. A result, or WAITING when a frame was entered. `frame.into` is the register for it; -1: none. */
export function callAt(s: PyState, frame: FunctionFrame, pc: number): Value | typeof WAITING {
  const { code, keywords } = s.program.code;
  const R = frame.registers;
  const at = (word: number): Value => operand(s, frame, word);
  const list = (from: number): Value[] => {
    const n = code[from] as number;
    const values: Value[] = [];
    for (let word = from + 1; word <= from + n; word++) values.push(at(word));
    frame.resume = from + 1 + n;
    return values;
  };
  frame.into = code[pc + 1] as number;
  switch (code[pc]) {
    case Py.CallNamed: {
      const names = keywords[code[pc + 3] as number] as readonly string[];
      const args = list(pc + 4);
      const named = namedArguments(names, args);
      return enter(s, called(s, at(pc + 2), args, named));
    }
    case Py.CallSpread: {
      frame.resume = pc + 5;
      const args = (at(pc + 3) as PyList).items;
      return enter(s, called(s, at(pc + 2), args, keywordsOf(at(pc + 4) as PyDict)));
    }
    case Py.MethodNamed: {
      const names = keywords[code[pc + 4] as number] as readonly string[];
      const args = list(pc + 5);
      const named = namedArguments(names, args);
      return enter(s, methodCalled(s, code[pc + 3] as number, [at(pc + 2), ...args], named));
    }
    case Py.MethodSpread: {
      frame.resume = pc + 6;
      const args = (at(pc + 4) as PyList).items;
      const named = keywordsOf(at(pc + 5) as PyDict);
      return enter(s, methodCalled(s, code[pc + 3] as number, [at(pc + 2), ...args], named));
    }
    case Py.Call: {
      const word = code[pc + 2] as number;
      const native = (word >= 0 ? R[word] : s.program.constants[~word]) as Value | undefined;
      if (code[pc + 3] === 1 && native instanceof PyBuiltin && takesPlainly(native.native, 1)) {
        frame.resume = pc + 5;
        return enter(s, native.native.run(s, at(pc + 4)));
      }
      const args = list(pc + 3);
      return enter(s, called(s, at(pc + 2), args, null));
    }
    case Py.In:
    case Py.NotIn: {
      frame.resume = pc + 4;
      const member = at(pc + 2);
      const found = contains(at(pc + 3), member, s);
      const isIn = code[pc] === Py.In;
      if (typeof found === "boolean") return found === isIn;
      return enter(s, isIn ? found : negated(found));
    }
    case Py.Item: {
      frame.resume = pc + 4;
      return enter(s, item(at(pc + 2), at(pc + 3), s));
    }
    case Py.InPlace: {
      frame.resume = pc + 5;
      return enter(
        s,
        inPlace(OPERATORS[code[pc + 4] as number] as (typeof OPERATORS)[number], at(pc + 2), at(pc + 3), s),
      );
    }
    case Py.Generator: {
      frame.resume = pc + 4;
      const made = called(s, at(pc + 2), [at(pc + 3)], null);
      return made as Value;
    }
    case Py.Special: {
      const args = list(pc + 3);
      const got = enter(s, special(s, code[pc + 2] as number, args));
      return s.m.pending === null ? got : WAITING;
    }
    case Py.Extend: {
      frame.into = -1;
      frame.resume = pc + 3;
      return enter(s, extend(s, at(pc + 1) as PyList, at(pc + 2)));
    }
    case Py.SetUpdate: {
      frame.into = -1;
      frame.resume = pc + 3;
      return enter(s, extendSet(s, at(pc + 1) as PySet, at(pc + 2)));
    }
    case Py.Unpack: {
      frame.into = -1;
      const n = code[pc + 3] as number;
      frame.resume = pc + 4 + n;
      return enter(s, unpack(s, R, code, pc, at(pc + 1)));
    }
    default: {
      const args = list(pc + 3);
      return askAdapter(s, code[pc + 2] as number, args) ? WAITING : (s.answer as Value);
    }
  }
}

/** Takes the named arguments from the end of the list. */
function namedArguments(names: readonly string[], args: Value[]): ReadonlyMap<string, Value> {
  const values = args.splice(args.length - names.length);
  return new Map(names.map((name, index) => [name, values[index] as Value]));
}

/** Calls a function of the file with as many arguments as it has parameters, none of which needs binding; null: it is another call. */
export function plainCall(s: PyState, frame: FunctionFrame, pc: number): FunctionFrame | null {
  const { code } = s.program.code;
  const { constants: K } = s.program;
  const { registers: R } = frame;
  const word = code[pc + 2] as number;
  const callee = word >= 0 ? R[word] : K[~word];
  const n = code[pc + 3] as number;
  if (!(callee instanceof PyFunction)) return null;
  const routine = s.program.routines[callee.routine] as Routine;
  if (!routine.isSimple || routine.params.length !== n) return null;
  const registers = routine.empty.slice();
  for (let at = 0; at < n; at++) registers[at] = operand(s, frame, pc + 4 + at);
  frame.pc = pc;
  frame.into = code[pc + 1] as number;
  frame.resume = pc + 4 + n;
  const { m } = s;
  if (--m.fuel < 0) grantStep(s);
  // A call that is too deep is not made, and not counted.
  if (s.depth >= m.deepest) m.fuel += 1;
  deepen(s);
  const entered = new FunctionFrame(routine, registers, callee.cells as PyCell[], frame);
  s.frame = entered;
  return entered;
}

/** `value.name(…)`: at once where the type of the value is the one that the name was looked up in last. */
export function methodAt(s: PyState, frame: FunctionFrame, pc: number): Value | typeof WAITING {
  const { code } = s.program.code;
  const n = code[pc + 4] as number;
  const name = code[pc + 3] as number;
  const self = operand(s, frame, pc + 2);
  frame.into = code[pc + 1] as number;
  frame.resume = pc + 5 + n;
  const known = s.program.lookups[name];
  if (n <= 2 && known !== undefined && known.type === typeOf(self) && takesPlainly(known.method, n + 1)) {
    const { method } = known;
    if (n === 0) return enter(s, method.run(s, self));
    const a = operand(s, frame, pc + 5);
    return enter(s, n === 1 ? method.run(s, self, a) : method.run(s, self, a, operand(s, frame, pc + 6)));
  }
  const args: Value[] = [self];
  for (let at = pc + 5; at < pc + 5 + n; at++) args.push(operand(s, frame, at));
  return enter(s, methodCalled(s, name, args, null));
}

/** Whether generated code can continue at `pc` of a routine, which was called, or whose loop begins another pass. */
export function isHot(program: PyProgram, routine: Routine, pc: number): boolean {
  const { builder } = program;
  if (builder === null) return false;
  if (routine.built === null && ++routine.heat === builder.heat) routine.built = builder.build(program, routine);
  return routine.built?.entries.has(pc) ?? false;
}
