/**
 * The loop of Python functions: one synchronous function, one switch. What needs more than a test for plain numbers is one call of an operation
 * (`vm/python/operations.ts`). Python values carry no sizes, so nothing is booked here; allocations are counted (amendment 26).
 */

import { Py } from "../../../compiler/bytecode/python/instructions.ts";
import { Stop } from "../../machine/slices/stop.ts";
import { takesPlainly } from "../binding.ts";
import { PyBuiltin, type PyCell, PyFunction } from "../kinds/callable.ts";
import { PyDict } from "../kinds/dict.ts";
import { PyList, PyTuple } from "../kinds/list.ts";
import { Bytes, type Calling, END, type Next, PyIterator, typeOf, type Value } from "../object.ts";
import { truth } from "../operations.ts";
import { PyListIterator } from "../types/elements.ts";
import { PyRangeIterator } from "../types/range.ts";
import { type Called, called } from "./calls.ts";
import {
  callAt,
  countPasses,
  deepen,
  deliver,
  enter,
  isValue,
  raise,
  resumeGenerator,
  resumePaused,
  WAITING,
} from "./entering.ts";
import { FunctionFrame, PyGenerator, type Routine } from "./frames.ts";
import { grantStep, refuel } from "./fuel.ts";
import { perform } from "./perform.ts";
import { badProgram } from "./raising.ts";
import { globalOf, methodCalled, unbound } from "./slow-paths.ts";
import type { PyState } from "./state.ts";

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

/** Operators of Binary and InPlace by number. */
const SUBTRACT = 1;
const FLOOR_DIVIDE = 4;
const MODULO = 5;

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
          pc = perform(s, frame, pc);
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
          pc = perform(s, frame, pc);
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
          pc = perform(s, frame, pc);
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
            pc = perform(s, frame, pc);
            continue;
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
          if (typeof a !== "number" || typeof b !== "number") {
            pc = perform(s, frame, pc);
            continue;
          }
          const d = code[pc + 1] as number;
          const yes = (a === b) === (code[pc] === Py.Eq);
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
          pc = perform(s, frame, pc);
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
          break;
        }
        case Py.Not: {
          const x = code[pc + 2] as number;
          const v = x >= 0 ? R[x] : K[~x];
          if (typeof v === "boolean") {
            R[code[pc + 1] as number] = !v;
            pc += 3;
          } else pc = perform(s, frame, pc);
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
          break;
        }
        case Py.SetItem: {
          const x = code[pc + 1] as number;
          const y = code[pc + 2] as number;
          const z = code[pc + 3] as number;
          const v = x >= 0 ? R[x] : K[~x];
          const c = y >= 0 ? R[y] : K[~y];
          const k = z >= 0 ? R[z] : K[~z];
          if (c instanceof PyList && typeof k === "number" && k >= 0 && k < c.items.length && (k | 0) === k) {
            if (v === undefined) throw unbound(frame.routine, x);
            c.items[k] = v;
            pc += 4;
          } else pc = perform(s, frame, pc);
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
        case Py.Append: {
          const list = read(R, K, code[pc + 1] as number, frame.routine) as PyList;
          list.items.push(read(R, K, code[pc + 2] as number, frame.routine));
          s.alloc(Bytes.Element);
          pc += 3;
          continue;
        }
        case Py.Global: {
          const g = code[pc + 2] as number;
          R[code[pc + 1] as number] = s.globals[g] ?? globalOf(s, g);
          pc += 3;
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
        case Py.In:
        case Py.NotIn:
        case Py.CallNamed:
        case Py.CallSpread:
        case Py.MethodNamed:
        case Py.MethodSpread:
        case Py.Generator:
        case Py.Special:
        case Py.Extend:
        case Py.Unpack:
        case Py.Adapter:
          break;
        default:
          m.fuel = fuel;
          pc = perform(s, frame, pc);
          continue;
      }
      // What may call something of the program.
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
