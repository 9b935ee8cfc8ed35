/**
 * The loop of Python functions: one synchronous function, one switch. What needs more than a test for plain numbers is one call of an operation
 * (`vm/python/operations.ts`). Python values carry no sizes, so nothing is booked here; allocations are counted (amendment 26).
 */

import { Py } from "../../../../compiler/bytecode/python/instructions.ts";
import { Stop } from "../../../machine/slices/stop.ts";
import { badProgram } from "../../bad-program.ts";
import { type Calling, END, type Next, PyIterator, type Value } from "../../object.ts";
import { truth } from "../../operations.ts";
import { PyListIterator } from "../../types/elements.ts";
import { PyRangeIterator } from "../../types/range.ts";
import { Came, FunctionFrame, PyGenerator, type Routine } from "../frames.ts";
import { grantStep, refuel } from "../fuel.ts";
import type { PyState } from "../state.ts";
import {
  callAt,
  countPass,
  countPasses,
  deliver,
  enter,
  isHot,
  methodAt,
  plainCall,
  raise,
  resumeGenerator,
  resumePaused,
  WAITING,
} from "./entering.ts";
import { perform } from "./perform.ts";
import { unbound } from "./slow-paths.ts";
import { isExact, setUsualItem, usualItem } from "./usual.ts";

/** Runs until the program ends, waits or gives up its slice. Throws what nothing in it handles. */
export function runFrames(s: PyState): Stop {
  for (;;) {
    try {
      return proceed(s);
    } catch (thrown) {
      raise(s, thrown);
    }
  }
}

/** Each frame in generated code where that can begin at its place, else in the loop. */
function proceed(s: PyState): Stop {
  for (;;) {
    if (resumePaused(s)) return Stop.Yielded;
    const frame = s.frame as FunctionFrame;
    const { built } = frame.routine;
    const entry = built?.entries.get(frame.resume);
    s.nested = 0;
    const end = built === null || entry === undefined ? Came.InLoop : built.run(s, frame, entry);
    if (end === Came.InLoop) {
      const stop = advance(s);
      if (stop !== null) return stop;
    } else if (end === Came.Elsewhere && (s.awaited >= 0 || s.m.pending !== null)) return Stop.Suspended;
  }
}

/** Operators of Binary and InPlace by number. */
const SUBTRACT = 1;
const FLOOR_DIVIDE = 4;
const MODULO = 5;

/** In the loop; null: generated code can continue. */
function advance(s: PyState): Stop | null {
  const { m, program } = s;
  const { constants: K } = program;
  const code = program.code.code;
  if (resumePaused(s)) return Stop.Yielded;
  let frame = s.frame as FunctionFrame;
  let R = frame.registers;
  let pc = frame.resume;
  try {
    for (;;) {
      let got: Value | typeof WAITING;
      switch (code[pc]) {
        case Py.Step: {
          if (--m.fuel < 0 || m.spent) {
            frame.pc = frame.resume = pc;
            if (refuel(s)) return Stop.Yielded;
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
            if ((r | 0) === r ? (a | 0) === a && (b | 0) === b : isExact(r, a, b)) {
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
            if ((r | 0) === r ? (a | 0) === a && (b | 0) === b : isExact(r, a, b)) {
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
            if ((r | 0) === r ? (a | 0) === a && (b | 0) === b : isExact(r, a, b)) {
              R[d] = r;
              pc += 5;
              continue;
            }
          }
          frame.pc = pc;
          got = callAt(s, frame, pc);
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
        case Py.Jump: {
          const to = code[pc + 1] as number;
          if (to <= pc && isHot(program, frame.routine, to)) {
            frame.resume = to;
            return null;
          }
          pc = to;
          continue;
        }
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
          const found = usualItem(a, k);
          if (found !== undefined) {
            R[code[pc + 1] as number] = found;
            pc += 4;
            continue;
          }
          frame.pc = pc;
          got = callAt(s, frame, pc);
          break;
        }
        case Py.SetItem: {
          const x = code[pc + 1] as number;
          const y = code[pc + 2] as number;
          const z = code[pc + 3] as number;
          const v = x >= 0 ? R[x] : K[~x];
          const c = y >= 0 ? R[y] : K[~y];
          const k = z >= 0 ? R[z] : K[~z];
          pc = setUsualItem(c, k, v) ? pc + 4 : perform(s, frame, pc);
          continue;
        }
        case Py.Call: {
          const entered = plainCall(s, frame, pc);
          if (entered !== null) {
            if (isHot(program, entered.routine, entered.resume)) return null;
            frame = entered;
            R = frame.registers;
            pc = frame.resume;
            continue;
          }
          frame.pc = pc;
          got = callAt(s, frame, pc);
          break;
        }
        case Py.Method: {
          frame.pc = pc;
          got = methodAt(s, frame, pc);
          break;
        }
        case Py.Next: {
          const it = R[code[pc + 2] as number];
          // The walks of nearly all loops, asked without a look-up.
          const isKnown = it instanceof PyRangeIterator || it instanceof PyListIterator;
          if (!isKnown && !(it instanceof PyIterator)) throw badProgram("a loop over what is not an iterator");
          // A slice ends before an element is taken, for the step of the pass is charged after it.
          if (m.spent) {
            m.fuel -= 1;
            frame.pc = frame.resume = pc;
            refuel(s);
            return Stop.Yielded;
          }
          if (isKnown || it.isDirect) {
            if (isHot(program, frame.routine, pc)) {
              frame.resume = pc;
              return null;
            }
            const v = it instanceof PyRangeIterator ? it.next() : it instanceof PyListIterator ? it.next() : it.next(s);
            if (v === END) {
              pc = code[pc + 3] as number;
              continue;
            }
            R[code[pc + 1] as number] = v as Value;
            if (++it.passes > m.iterations) countPasses(s, it.passes);
            if (--m.fuel < 0) {
              frame.pc = pc;
              grantStep(s);
            }
            pc += 4;
            continue;
          }
          if (--m.fuel < 0) {
            frame.pc = frame.resume = pc;
            if (refuel(s)) return Stop.Yielded;
          }
          if (++it.passes > m.iterations) countPasses(s, it.passes);
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
          frame = s.frame as FunctionFrame;
          R = frame.registers;
          pc = frame.resume;
          continue;
        }
        case Py.Pass:
          countPass(s, frame, code[pc + 1] as number);
          pc += 2;
          continue;
        case Py.Yield: {
          const v = read(R, K, code[pc + 1] as number, frame.routine);
          const generator = frame.generator as PyGenerator;
          generator.isRunning = false;
          frame.pc = pc;
          frame.resume = pc + 2;
          s.frame = frame.parent;
          frame.parent = null;
          deliver(s, v);
          if (resumePaused(s)) return Stop.Yielded;
          frame = s.frame as FunctionFrame;
          R = frame.registers;
          pc = frame.resume;
          continue;
        }
        case Py.Return: {
          const v = read(R, K, code[pc + 1] as number, frame.routine);
          frame.pc = pc;
          const { parent } = frame;
          let given: Next = v;
          if (frame.generator !== null) {
            frame.generator.frame = null;
            frame.generator.isRunning = false;
            frame.generator.returned = v;
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
        case Py.SetUpdate:
        case Py.Unpack:
        case Py.Adapter:
          frame.pc = pc;
          got = callAt(s, frame, pc);
          break;
        default:
          pc = perform(s, frame, pc);
          continue;
      }
      // What may have entered another frame.
      if (got !== WAITING) {
        if (frame.into >= 0) R[frame.into] = got;
        pc = frame.resume;
        continue;
      }
      if (s.awaited >= 0 || m.pending !== null) return Stop.Suspended;
      if (resumePaused(s)) return Stop.Yielded;
      frame = s.frame as FunctionFrame;
      if (frame.resume === frame.routine.pc && isHot(program, frame.routine, frame.resume)) return null;
      R = frame.registers;
      pc = frame.resume;
    }
  } catch (thrown) {
    // A frame that was entered meanwhile has the instruction already.
    if (s.frame === frame) frame.pc = pc;
    throw thrown;
  }
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
