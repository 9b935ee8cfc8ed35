/**
 * The loop of Python functions: one synchronous function, one switch. What needs more than a test for plain numbers is one call of an operation
 * (`vm/python/operations.ts`). Python values carry no sizes, so nothing is booked here; allocations are counted (amendment 26).
 */
import { OPERATORS, Py, UNARY_OPERATORS } from "../../../compiler/bytecode/python/instructions.ts";
import { limitFailure } from "../../errors/fatal-failures.ts";
import { Stop } from "../../machine/slices/stop.ts";
import { takesPlainly } from "../binding.ts";
import { CANCELLED, PyException, Raised, raised, VALUE_ERROR } from "../exceptions.ts";
import { PyBuiltin, PyCallable, type PyCell, PyFunction } from "../kinds/callable.ts";
import { DICT_TYPE, PyDict } from "../kinds/dict.ts";
import { PyList, PyTuple } from "../kinds/list.ts";
import { PySet } from "../kinds/set.ts";
import { PySlice } from "../kinds/slice.ts";
import {
  Bytes,
  type Calling,
  type CallRequest,
  END,
  isCalling,
  type Next,
  PyIterator,
  PyObject,
  typeOf,
  type Value,
} from "../object.ts";
import {
  binary,
  contains,
  deleteItem,
  equals,
  inPlace,
  item,
  iterate,
  keyOf,
  order,
  setItem,
  truth,
  unary,
} from "../operations.ts";
import { setMember } from "../types/dict.ts";
import { PyListIterator } from "../types/elements.ts";
import { PyRangeIterator } from "../types/range.ts";
import { type Called, called, cellsOf, keywordsOf } from "./calls.ts";
import { askAdapter } from "./effects/adapter-calls.ts";
import { FunctionFrame, NativeFrame, PyGenerator, type Routine } from "./frames.ts";
import { grantStep, refuel } from "./fuel.ts";
import { badProgram, raisedFrom } from "./raising.ts";
import {
  attributeOf,
  extend,
  format,
  globalOf,
  joined,
  methodCalled,
  requireMethod,
  special,
  unbound,
  unpack,
  unsetGlobal,
  update,
} from "./slow-paths.ts";
import type { PyState } from "./state.ts";
import { exceptionOf, type NativeStep, unwind } from "./unwind.ts";

/** Runs until the program ends, waits or gives up its slice. Throws what nothing in it handles. */
export function runFrames(s: PyState): Stop {
  for (;;) {
    try {
      return advance(s);
    } catch (thrown) {
      raise(s, thrown);
    }
  }
}

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

/** Operators of Binary and InPlace by number. */
const SUBTRACT = 1;
const FLOOR_DIVIDE = 4;
const MODULO = 5;

const WAITING = Symbol("a frame was entered");

/** Neither a frame nor a coroutine. */
function isValue(called: Called): called is Value {
  return typeof called !== "object" || called === null || called instanceof PyObject;
}

/** A called value, or WAITING. */
function enter(s: PyState, result: Called): Value | typeof WAITING {
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
function resumeGenerator(s: PyState, generator: PyGenerator): boolean {
  const { frame } = generator;
  if (frame === null) return false;
  if (generator.isRunning) throw raised(VALUE_ERROR, "generator already executing");
  generator.isRunning = true;
  frame.parent = s.frame;
  s.frame = frame;
  return true;
}

/** Gives a value to what waits for it: the current frame. */
function deliver(s: PyState, value: Next): void {
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

function advance(s: PyState): Stop {
  const { m, program } = s;
  const { routines, constants: K } = program;
  const code = program.code.code;
  if (resumePaused(s)) return Stop.Yielded;
  let frame = s.frame as FunctionFrame;
  let R = frame.registers;
  let pc = frame.resume;
  let fuel = m.fuel;
  try {
    for (;;) {
      switch (code[pc]) {
        case Py.Step: {
          if (--fuel < 0 || m.spent) {
            m.fuel = fuel;
            frame.pc = frame.resume = pc;
            if (refuel(s)) return Stop.Yielded;
            fuel = m.fuel;
          }
          pc += 1;
          continue;
        }
        case Py.Move: {
          const a = code[pc + 2] as number;
          const v = a >= 0 ? R[a] : K[~a];
          if (v === undefined) throw unbound(frame.routine, a);
          R[code[pc + 1] as number] = v;
          pc += 3;
          continue;
        }
        case Py.Add: {
          const x = code[pc + 2] as number;
          const y = code[pc + 3] as number;
          const a = x >= 0 ? R[x] : K[~x];
          const b = y >= 0 ? R[y] : K[~y];
          if (typeof a === "number" && typeof b === "number") {
            const r = a + b;
            if ((r | 0) === r ? (a | 0) === a : isExact(r, a, b)) {
              R[code[pc + 1] as number] = r;
              pc += 4;
              continue;
            }
          }
          if (a === undefined) throw unbound(frame.routine, x);
          if (b === undefined) throw unbound(frame.routine, y);
          R[code[pc + 1] as number] = binary("+", a, b, s);
          pc += 4;
          continue;
        }
        case Py.Sub: {
          const x = code[pc + 2] as number;
          const y = code[pc + 3] as number;
          const a = x >= 0 ? R[x] : K[~x];
          const b = y >= 0 ? R[y] : K[~y];
          if (typeof a === "number" && typeof b === "number") {
            const r = a - b;
            if ((r | 0) === r ? (a | 0) === a : isExact(r, a, b)) {
              R[code[pc + 1] as number] = r;
              pc += 4;
              continue;
            }
          }
          if (a === undefined) throw unbound(frame.routine, x);
          if (b === undefined) throw unbound(frame.routine, y);
          R[code[pc + 1] as number] = binary("-", a, b, s);
          pc += 4;
          continue;
        }
        case Py.Mul: {
          const x = code[pc + 2] as number;
          const y = code[pc + 3] as number;
          const a = x >= 0 ? R[x] : K[~x];
          const b = y >= 0 ? R[y] : K[~y];
          if (typeof a === "number" && typeof b === "number") {
            const r = a * b;
            if ((r | 0) === r ? (a | 0) === a && (b | 0) === b : isExact(r, a, b)) {
              R[code[pc + 1] as number] = r + 0;
              pc += 4;
              continue;
            }
          }
          if (a === undefined) throw unbound(frame.routine, x);
          if (b === undefined) throw unbound(frame.routine, y);
          R[code[pc + 1] as number] = binary("*", a, b, s);
          pc += 4;
          continue;
        }
        case Py.Lt:
        case Py.Le:
        case Py.Gt:
        case Py.Ge: {
          const x = code[pc + 2] as number;
          const y = code[pc + 3] as number;
          const a = x >= 0 ? R[x] : K[~x];
          const b = y >= 0 ? R[y] : K[~y];
          const op = code[pc] as number;
          let yes: boolean;
          if (typeof a === "number" && typeof b === "number") {
            yes = op === Py.Lt ? a < b : op === Py.Le ? a <= b : op === Py.Gt ? a > b : a >= b;
          } else {
            if (a === undefined) throw unbound(frame.routine, x);
            if (b === undefined) throw unbound(frame.routine, y);
            yes = order(op === Py.Lt ? "<" : op === Py.Le ? "<=" : op === Py.Gt ? ">" : ">=", a, b, s);
          }
          const d = code[pc + 1] as number;
          R[d] = yes;
          pc += 4;
          // The branch that nearly always follows.
          if (code[pc] === Py.Branch && code[pc + 1] === d) pc = yes ? pc + 3 : (code[pc + 2] as number);
          continue;
        }
        case Py.Eq:
        case Py.Ne: {
          const x = code[pc + 2] as number;
          const y = code[pc + 3] as number;
          const a = x >= 0 ? R[x] : K[~x];
          const b = y >= 0 ? R[y] : K[~y];
          if (a === undefined) throw unbound(frame.routine, x);
          if (b === undefined) throw unbound(frame.routine, y);
          const same = typeof a === "number" && typeof b === "number" ? a === b : equals(a, b, s);
          const d = code[pc + 1] as number;
          const yes = same === (code[pc] === Py.Eq);
          R[d] = yes;
          pc += 4;
          if (code[pc] === Py.Branch && code[pc + 1] === d) pc = yes ? pc + 3 : (code[pc + 2] as number);
          continue;
        }
        case Py.Binary: {
          const x = code[pc + 2] as number;
          const y = code[pc + 3] as number;
          const a = x >= 0 ? R[x] : K[~x];
          const b = y >= 0 ? R[y] : K[~y];
          const op = code[pc + 4] as number;
          if (typeof a === "number" && typeof b === "number" && a >= 0 && b > 0 && (a | 0) === a && (b | 0) === b) {
            if (op === MODULO || op === FLOOR_DIVIDE) {
              R[code[pc + 1] as number] = op === MODULO ? a % b : (a / b) | 0;
              pc += 5;
              continue;
            }
          }
          if (a === undefined) throw unbound(frame.routine, x);
          if (b === undefined) throw unbound(frame.routine, y);
          R[code[pc + 1] as number] = binary(OPERATORS[op] as (typeof OPERATORS)[number], a, b, s);
          pc += 5;
          continue;
        }
        case Py.InPlace: {
          const x = code[pc + 2] as number;
          const y = code[pc + 3] as number;
          const a = x >= 0 ? R[x] : K[~x];
          const b = y >= 0 ? R[y] : K[~y];
          const d = code[pc + 1] as number;
          if (typeof a === "number" && typeof b === "number" && (code[pc + 4] as number) <= SUBTRACT) {
            const r = code[pc + 4] === SUBTRACT ? a - b : a + b;
            if ((r | 0) === r ? (a | 0) === a : isExact(r, a, b)) {
              R[d] = r;
              pc += 5;
              continue;
            }
          }
          if (a === undefined) throw unbound(frame.routine, x);
          if (b === undefined) throw unbound(frame.routine, y);
          const r = inPlace(OPERATORS[code[pc + 4] as number] as (typeof OPERATORS)[number], a, b, s);
          if (isCalling(r)) {
            m.fuel = fuel;
            frame.pc = pc;
            frame.resume = pc + 5;
            frame.into = d;
            const got = enter(s, r);
            if (got === WAITING) {
              if (resumePaused(s)) return Stop.Yielded;
              frame = s.frame as FunctionFrame;
              R = frame.registers;
              pc = frame.resume;
            }
            continue;
          }
          R[d] = r;
          pc += 5;
          continue;
        }
        case Py.In:
        case Py.NotIn: {
          const a = read(R, K, code[pc + 2] as number, frame.routine);
          const b = read(R, K, code[pc + 3] as number, frame.routine);
          const found = contains(b, a, s);
          if (typeof found === "boolean") {
            R[code[pc + 1] as number] = found === (code[pc] === Py.In);
            pc += 4;
            continue;
          }
          const calling = code[pc] === Py.In ? found : negated(found);
          m.fuel = fuel;
          frame.pc = pc;
          frame.resume = pc + 4;
          frame.into = code[pc + 1] as number;
          enter(s, calling);
          if (resumePaused(s)) return Stop.Yielded;
          frame = s.frame as FunctionFrame;
          R = frame.registers;
          pc = frame.resume;
          continue;
        }
        case Py.Is:
        case Py.IsNot: {
          const a = read(R, K, code[pc + 2] as number, frame.routine);
          const b = read(R, K, code[pc + 3] as number, frame.routine);
          R[code[pc + 1] as number] = (a === b) === (code[pc] === Py.Is);
          pc += 4;
          continue;
        }
        case Py.Not: {
          const v = read(R, K, code[pc + 2] as number, frame.routine);
          R[code[pc + 1] as number] = typeof v === "boolean" ? !v : !truth(v, s);
          pc += 3;
          continue;
        }
        case Py.Unary: {
          const v = read(R, K, code[pc + 2] as number, frame.routine);
          R[code[pc + 1] as number] =
            typeof v === "number" && v !== 0 && code[pc + 3] === 0
              ? -v
              : unary(UNARY_OPERATORS[code[pc + 3] as number] as "-", v, s);
          pc += 4;
          continue;
        }
        case Py.Jump:
          pc = code[pc + 1] as number;
          continue;
        case Py.Branch: {
          const x = code[pc + 1] as number;
          const v = x >= 0 ? R[x] : K[~x];
          if (v === undefined) throw unbound(frame.routine, x);
          const yes = typeof v === "boolean" ? v : truth(v, s);
          pc = yes ? pc + 3 : (code[pc + 2] as number);
          continue;
        }
        case Py.Item: {
          const x = code[pc + 2] as number;
          const y = code[pc + 3] as number;
          const a = x >= 0 ? R[x] : K[~x];
          const k = y >= 0 ? R[y] : K[~y];
          const d = code[pc + 1] as number;
          let found: Value | undefined;
          if (typeof k === "number") {
            if (k >= 0 && (a instanceof PyList || a instanceof PyTuple)) found = a.items[k];
          } else if (typeof k === "string" && a instanceof PyDict) found = a.get(k);
          if (found !== undefined) {
            R[d] = found;
            pc += 4;
            continue;
          }
          if (a === undefined) throw unbound(frame.routine, x);
          if (k === undefined) throw unbound(frame.routine, y);
          const r = item(a, k, s);
          if (!(typeof r === "object" && isCalling(r))) {
            R[d] = r;
            pc += 4;
            continue;
          }
          m.fuel = fuel;
          frame.pc = pc;
          frame.resume = pc + 4;
          frame.into = d;
          enter(s, r);
          if (resumePaused(s)) return Stop.Yielded;
          frame = s.frame as FunctionFrame;
          R = frame.registers;
          pc = frame.resume;
          continue;
        }
        case Py.SetItem: {
          const v = read(R, K, code[pc + 1] as number, frame.routine);
          const c = read(R, K, code[pc + 2] as number, frame.routine);
          const k = read(R, K, code[pc + 3] as number, frame.routine);
          if (c instanceof PyList && typeof k === "number" && k >= 0 && k < c.items.length && (k | 0) === k)
            c.items[k] = v;
          else if (typeof k === "string" && c instanceof PyDict && c.type === DICT_TYPE) setMember(c, k, v, s);
          else setItem(c, k, v, s);
          pc += 4;
          continue;
        }
        case Py.DelItem: {
          const c = read(R, K, code[pc + 1] as number, frame.routine);
          const k = read(R, K, code[pc + 2] as number, frame.routine);
          deleteItem(c, k, s);
          pc += 3;
          continue;
        }
        case Py.Attr: {
          const v = read(R, K, code[pc + 2] as number, frame.routine);
          R[code[pc + 1] as number] = attributeOf(s, v, code[pc + 3] as number);
          pc += 4;
          continue;
        }
        case Py.Slice: {
          const a = read(R, K, code[pc + 2] as number, frame.routine);
          const b = read(R, K, code[pc + 3] as number, frame.routine);
          const c = read(R, K, code[pc + 4] as number, frame.routine);
          R[code[pc + 1] as number] = new PySlice(a, b, c);
          pc += 5;
          continue;
        }
        case Py.Call: {
          const x = code[pc + 2] as number;
          const f = x >= 0 ? R[x] : K[~x];
          const n = code[pc + 3] as number;
          if (f instanceof PyFunction) {
            const routine = routines[f.routine] as Routine;
            if (routine.isSimple && routine.params.length === n) {
              const registers = routine.empty.slice();
              for (let at = 0; at < n; at++) {
                const y = code[pc + 4 + at] as number;
                const v = y >= 0 ? R[y] : K[~y];
                if (v === undefined) throw unbound(frame.routine, y);
                registers[at] = v;
              }
              frame.pc = pc;
              frame.into = code[pc + 1] as number;
              frame.resume = pc + 4 + n;
              m.fuel = --fuel;
              if (fuel < 0) {
                grantStep(s);
                fuel = m.fuel;
              }
              // A call that is too deep is not made, and not counted.
              if (s.depth >= m.deepest) fuel += 1;
              deepen(s);
              frame = new FunctionFrame(routine, registers, f.cells as PyCell[], frame);
              s.frame = frame;
              R = registers;
              pc = routine.pc;
              continue;
            }
          }
          let got: Called;
          if (f instanceof PyBuiltin && n === 1 && takesPlainly(f.native, 1)) {
            const y = code[pc + 4] as number;
            const a = y >= 0 ? R[y] : K[~y];
            if (a === undefined) throw unbound(frame.routine, y);
            m.fuel = fuel;
            frame.pc = pc;
            got = f.native.run(s, a);
          } else {
            const args: Value[] = [];
            for (let at = pc + 4; at < pc + 4 + n; at++) args.push(read(R, K, code[at] as number, frame.routine));
            if (f === undefined) throw unbound(frame.routine, x);
            m.fuel = fuel;
            frame.pc = pc;
            got = called(s, f, args, null);
          }
          if (isValue(got)) {
            R[code[pc + 1] as number] = got;
            pc += 4 + n;
            continue;
          }
          frame.into = code[pc + 1] as number;
          frame.resume = pc + 4 + n;
          enter(s, got);
          if (resumePaused(s)) return Stop.Yielded;
          fuel = m.fuel;
          frame = s.frame as FunctionFrame;
          R = frame.registers;
          pc = frame.resume;
          continue;
        }
        case Py.Method: {
          const x = code[pc + 2] as number;
          const a = x >= 0 ? R[x] : K[~x];
          const n = code[pc + 4] as number;
          const known = program.lookups[code[pc + 3] as number];
          let got: Called;
          if (
            n <= 2 &&
            known !== undefined &&
            a !== undefined &&
            known.type === typeOf(a) &&
            takesPlainly(known.method, n + 1)
          ) {
            const b = n === 0 ? null : read(R, K, code[pc + 5] as number, frame.routine);
            const c = n <= 1 ? null : read(R, K, code[pc + 6] as number, frame.routine);
            m.fuel = fuel;
            frame.pc = pc;
            const { method } = known;
            got = n === 0 ? method.run(s, a) : n === 1 ? method.run(s, a, b) : method.run(s, a, b, c);
          } else {
            const args: Value[] = [read(R, K, x, frame.routine)];
            for (let at = pc + 5; at < pc + 5 + n; at++) args.push(read(R, K, code[at] as number, frame.routine));
            m.fuel = fuel;
            frame.pc = pc;
            got = methodCalled(s, code[pc + 3] as number, args, null);
          }
          if (isValue(got)) {
            R[code[pc + 1] as number] = got;
            pc += 5 + n;
            continue;
          }
          frame.into = code[pc + 1] as number;
          frame.resume = pc + 5 + n;
          enter(s, got);
          if (resumePaused(s)) return Stop.Yielded;
          fuel = m.fuel;
          frame = s.frame as FunctionFrame;
          R = frame.registers;
          pc = frame.resume;
          continue;
        }
        case Py.CallNamed:
        case Py.CallSpread:
        case Py.MethodNamed:
        case Py.MethodSpread:
        case Py.Generator:
        case Py.Special:
        case Py.Extend:
        case Py.Unpack:
        case Py.Adapter: {
          m.fuel = fuel;
          frame.pc = pc;
          const got = callAt(s, frame, pc);
          if (got === WAITING) {
            if (s.awaited >= 0 || m.pending !== null) return Stop.Suspended;
            if (resumePaused(s)) return Stop.Yielded;
            fuel = m.fuel;
            frame = s.frame as FunctionFrame;
            R = frame.registers;
            pc = frame.resume;
            continue;
          }
          if (frame.into >= 0) R[frame.into] = got as Value;
          pc = frame.resume;
          continue;
        }
        case Py.HasMethod:
          requireMethod(s, read(R, K, code[pc + 1] as number, frame.routine), code[pc + 2] as number);
          pc += 3;
          continue;
        case Py.Iter: {
          const v = read(R, K, code[pc + 2] as number, frame.routine);
          R[code[pc + 1] as number] = iterate(v, s);
          pc += 3;
          continue;
        }
        case Py.Next: {
          const it = R[code[pc + 2] as number];
          // The walks of nearly all loops, asked without a look-up.
          const isKnown = it instanceof PyRangeIterator || it instanceof PyListIterator;
          if (!isKnown && !(it instanceof PyIterator)) throw badProgram("a loop over what is not an iterator");
          // A slice ends before an element is taken, for the step of the pass is charged after it.
          if (m.spent) {
            m.fuel = fuel - 1;
            frame.pc = frame.resume = pc;
            refuel(s);
            return Stop.Yielded;
          }
          if (isKnown || it.isDirect) {
            const v = it instanceof PyRangeIterator ? it.next() : it instanceof PyListIterator ? it.next() : it.next(s);
            if (v === END) {
              pc = code[pc + 3] as number;
              continue;
            }
            R[code[pc + 1] as number] = v as Value;
            if (++it.passes > m.iterations) countPasses(s, it.passes);
            if (--fuel < 0) {
              m.fuel = fuel;
              frame.pc = pc;
              grantStep(s);
              fuel = m.fuel;
            }
            pc += 4;
            continue;
          }
          if (--fuel < 0) {
            m.fuel = fuel;
            frame.pc = frame.resume = pc;
            if (refuel(s)) return Stop.Yielded;
            fuel = m.fuel;
          }
          if (++it.passes > m.iterations) countPasses(s, it.passes);
          m.fuel = fuel;
          frame.pc = pc;
          frame.resume = pc + 4;
          frame.into = code[pc + 1] as number;
          frame.after = code[pc + 3] as number;
          if (it instanceof PyGenerator) {
            if (!resumeGenerator(s, it)) {
              frame.after = -1;
              pc = code[pc + 3] as number;
              continue;
            }
          } else enter(s, it.pull(s) as Calling);
          if (resumePaused(s)) return Stop.Yielded;
          fuel = m.fuel;
          frame = s.frame as FunctionFrame;
          R = frame.registers;
          pc = frame.resume;
          continue;
        }
        case Py.Pass: {
          const loop = code[pc + 1] as number;
          frame.passes ??= [];
          const count = (frame.passes[loop] ?? 0) + 1;
          frame.passes[loop] = count;
          if (count > m.iterations) countPasses(s, count);
          pc += 2;
          continue;
        }
        case Py.List:
        case Py.Tuple: {
          const n = code[pc + 2] as number;
          const items: Value[] = [];
          for (let at = pc + 3; at < pc + 3 + n; at++) items.push(read(R, K, code[at] as number, frame.routine));
          s.alloc(Bytes.Object + n * Bytes.Element);
          R[code[pc + 1] as number] = code[pc] === Py.List ? new PyList(items) : new PyTuple(items);
          pc += 3 + n;
          continue;
        }
        case Py.Set: {
          const n = code[pc + 2] as number;
          const set = new PySet();
          for (let at = pc + 3; at < pc + 3 + n; at++) {
            const v = read(R, K, code[at] as number, frame.routine);
            const key = keyOf(v, s);
            if (!set.members.has(key)) set.members.set(key, v);
          }
          s.alloc(Bytes.Object + n * Bytes.Entry);
          R[code[pc + 1] as number] = set;
          pc += 3 + n;
          continue;
        }
        case Py.Dict: {
          const n = code[pc + 2] as number;
          const dict = new PyDict();
          for (let at = pc + 3; at < pc + 3 + n; at += 2) {
            const k = read(R, K, code[at] as number, frame.routine);
            const v = read(R, K, code[at + 1] as number, frame.routine);
            dict.set(typeof k === "string" ? k : keyOf(k, s), k, v);
          }
          s.alloc(Bytes.Object + n * (Bytes.Entry / 2));
          R[code[pc + 1] as number] = dict;
          pc += 3 + n;
          continue;
        }
        case Py.Append: {
          const list = read(R, K, code[pc + 1] as number, frame.routine) as PyList;
          list.items.push(read(R, K, code[pc + 2] as number, frame.routine));
          s.alloc(Bytes.Element);
          pc += 3;
          continue;
        }
        case Py.SetAdd: {
          const set = read(R, K, code[pc + 1] as number, frame.routine) as PySet;
          const v = read(R, K, code[pc + 2] as number, frame.routine);
          const key = keyOf(v, s);
          if (!set.members.has(key)) set.members.set(key, v);
          s.alloc(Bytes.Entry);
          pc += 3;
          continue;
        }
        case Py.DictSet: {
          const dict = read(R, K, code[pc + 1] as number, frame.routine) as PyDict;
          const k = read(R, K, code[pc + 2] as number, frame.routine);
          const v = read(R, K, code[pc + 3] as number, frame.routine);
          dict.set(keyOf(k, s), k, v);
          s.alloc(Bytes.Entry);
          pc += 4;
          continue;
        }
        case Py.Update:
          update(
            s,
            read(R, K, code[pc + 1] as number, frame.routine) as PyDict,
            read(R, K, code[pc + 2] as number, frame.routine),
            code[pc + 3] === 1,
          );
          pc += 4;
          continue;
        case Py.TupleOf:
          R[code[pc + 1] as number] = new PyTuple((R[code[pc + 2] as number] as PyList).items);
          pc += 3;
          continue;
        case Py.SetOf: {
          const set = new PySet();
          for (const v of (R[code[pc + 2] as number] as PyList).items) {
            const key = keyOf(v, s);
            if (!set.members.has(key)) set.members.set(key, v);
          }
          R[code[pc + 1] as number] = set;
          pc += 3;
          continue;
        }
        case Py.Format:
          R[code[pc + 1] as number] = format(
            s,
            read(R, K, code[pc + 2] as number, frame.routine),
            read(R, K, code[pc + 3] as number, frame.routine),
            read(R, K, code[pc + 4] as number, frame.routine) as string,
          );
          pc += 5;
          continue;
        case Py.Joined: {
          const n = code[pc + 2] as number;
          R[code[pc + 1] as number] = joined(s, R, K, code, pc + 3, n);
          pc += 3 + n;
          continue;
        }
        case Py.Global: {
          const g = code[pc + 2] as number;
          R[code[pc + 1] as number] = s.globals[g] ?? globalOf(s, g);
          pc += 3;
          continue;
        }
        case Py.SetGlobal:
          s.globals[code[pc + 1] as number] = read(R, K, code[pc + 2] as number, frame.routine);
          pc += 3;
          continue;
        case Py.DelGlobal: {
          const g = code[pc + 1] as number;
          if (s.globals[g] === undefined) throw unsetGlobal(s, g);
          s.globals[g] = undefined;
          pc += 2;
          continue;
        }
        case Py.LoadCell: {
          const c = code[pc + 2] as number;
          const v = (frame.cells[c] as PyCell).value;
          if (v === undefined) throw unbound(frame.routine, c, true);
          R[code[pc + 1] as number] = v;
          pc += 3;
          continue;
        }
        case Py.StoreCell:
          (frame.cells[code[pc + 1] as number] as PyCell).value = read(R, K, code[pc + 2] as number, frame.routine);
          pc += 3;
          continue;
        case Py.NewCell: {
          const fresh = cellsOf(frame.routine, R, [])[0] as PyCell;
          frame.cells[code[pc + 1] as number] = fresh;
          fresh.value = undefined;
          pc += 2;
          continue;
        }
        case Py.DelCell: {
          const c = code[pc + 1] as number;
          const cell = frame.cells[c] as PyCell;
          if (cell.value === undefined) throw unbound(frame.routine, c, true);
          cell.value = undefined;
          pc += 2;
          continue;
        }
        case Py.Del: {
          const d = code[pc + 1] as number;
          if (R[d] === undefined) throw unbound(frame.routine, d);
          R[d] = undefined;
          pc += 2;
          continue;
        }
        case Py.Function: {
          const n = code[pc + 4] as number;
          const routine = routines[code[pc + 2] as number] as Routine;
          const names = program.code.keywords[code[pc + 3] as number] as readonly string[];
          const values: Value[] = [];
          for (let at = pc + 5; at < pc + 5 + n; at++) values.push(read(R, K, code[at] as number, frame.routine));
          R[code[pc + 1] as number] = makeFunction(frame, routine, code[pc + 2] as number, values, names);
          s.alloc(Bytes.Object * 2);
          pc += 5 + n;
          continue;
        }
        case Py.Raise: {
          const v = read(R, K, code[pc + 1] as number, frame.routine);
          const cause = read(R, K, code[pc + 2] as number, frame.routine);
          throw raisedFrom(v, cause);
        }
        case Py.Reraise:
          throw raisedFrom(read(R, K, code[pc + 1] as number, frame.routine), null);
        case Py.Catch:
        case Py.Cleanup:
          R[code[pc + 1] as number] = s.raised as PyException;
          s.raised = null;
          pc += 2;
          continue;
        case Py.Recancel: {
          const x = code[pc + 1] as number;
          const v = x >= 0 ? R[x] : K[~x];
          if (v instanceof PyException && v.type === CANCELLED) throw new Raised(v);
          pc += 2;
          continue;
        }
        case Py.Yield: {
          const v = read(R, K, code[pc + 1] as number, frame.routine);
          const generator = frame.generator as PyGenerator;
          generator.isRunning = false;
          frame.pc = pc;
          frame.resume = pc + 2;
          m.fuel = fuel;
          s.frame = frame.parent;
          frame.parent = null;
          deliver(s, v);
          if (resumePaused(s)) return Stop.Yielded;
          fuel = m.fuel;
          frame = s.frame as FunctionFrame;
          R = frame.registers;
          pc = frame.resume;
          continue;
        }
        case Py.Visit:
          m.fuel = fuel;
          s.trace?.visit(frame, code[pc + 1] as number);
          pc += 2;
          continue;
        case Py.Leave:
          s.trace?.leave(frame, null, read(R, K, code[pc + 1] as number, frame.routine));
          pc += 2;
          continue;
        case Py.Return: {
          const v = read(R, K, code[pc + 1] as number, frame.routine);
          m.fuel = fuel;
          frame.pc = pc;
          const { parent } = frame;
          let given: Next = v;
          if (frame.generator !== null) {
            frame.generator.frame = null;
            frame.generator.isRunning = false;
            given = END;
          } else {
            s.depth -= 1;
          }
          if (parent instanceof FunctionFrame) {
            s.frame = parent;
            if (given === END) deliver(s, END);
            else parent.registers[parent.into] = given;
            frame = parent;
            R = frame.registers;
            pc = frame.resume;
            continue;
          }
          s.frame = parent;
          if (parent === null) {
            s.result = v;
            return Stop.Done;
          }
          deliver(s, given);
          if (resumePaused(s)) return Stop.Yielded;
          fuel = m.fuel;
          frame = s.frame as unknown as FunctionFrame;
          R = frame.registers;
          pc = frame.resume;
          continue;
        }
        default:
          throw new Error(`no instruction ${code[pc]} at ${pc}`);
      }
    }
  } catch (thrown) {
    // A frame that was entered meanwhile has the instruction already.
    if (s.frame === frame) frame.pc = pc;
    // A step that is not made is not counted.
    if (!s.isAtStep) m.fuel = fuel;
    throw thrown;
  }
}

/** Whether `r` is the exact sum, difference or product of two plain numbers: an int of ints, or a float that is not whole. */
function isExact(r: number, a: number, b: number): boolean {
  if (Math.floor(r) !== r) return true;
  return Math.floor(a) === a && Math.floor(b) === b && r <= Number.MAX_SAFE_INTEGER && r >= -Number.MAX_SAFE_INTEGER;
}

function read(
  R: readonly (Value | undefined)[],
  K: readonly (Value | undefined)[],
  word: number,
  routine: Routine,
): Value {
  const v = word >= 0 ? R[word] : K[~word];
  if (v === undefined) throw unbound(routine, word);
  return v;
}

function* negated(found: Calling<boolean>): Calling<boolean> {
  return !(yield* found);
}

function countPasses(s: PyState, count: number): void {
  const { m } = s;
  if (count > m.maxIterations)
    throw limitFailure("RUNTIME_MAX_LOOP_ITERS", "max_loop_iters", m.maxIterations, count - 1);
  m.iterations = count;
}

function makeFunction(
  frame: FunctionFrame,
  routine: Routine,
  at: number,
  values: Value[],
  names: readonly string[],
): PyFunction {
  const own = frame.routine;
  const around = [...own.cells, ...own.free];
  const cells = routine.free.map((name) => frame.cells[around.indexOf(name)] as PyCell);
  const positional = values.length - names.length;
  const byName =
    names.length === 0 ? null : new Map(names.map((name, index) => [name, values[positional + index] as Value]));
  return new PyFunction(routine.name, at, cells, values.slice(0, positional), byName);
}

/** Continues with a native that had given others a turn. True: it is not its turn yet. */
function resumePaused(s: PyState): boolean {
  const { frame } = s;
  if (!(frame instanceof NativeFrame) || !frame.isPaused) return false;
  if (s.m.spent) return true;
  frame.isPaused = false;
  answerNative(s, next(frame.calling, undefined));
  return resumePaused(s);
}

/** Calls and what else may run code of the program. A result, or WAITING when a frame was entered. `frame.into` is the register for it; -1: none. */
function callAt(s: PyState, frame: FunctionFrame, pc: number): Value | typeof WAITING {
  const { code, keywords } = s.program.code;
  const R = frame.registers;
  const { constants: K } = s.program;
  const { routine } = frame;
  const at = (word: number): Value => read(R, K, code[word] as number, routine);
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
