/**
 * The machine's loop: one synchronous function, one switch. Nothing here awaits, allocates or looks anything up by name;
 * what needs more than a test for numbers, texts or plain keys is one call to a slow path (`slow-paths.ts`, `vm/memory/containers.ts`,
 * `dispatch.ts`). Failures are thrown by slow paths and sent on their way by `failure-routing.ts`.
 *
 * Meters: a block of nodes is charged when it is entered (`fuel`), depth is one compare per label, sizes are booked at
 * every write. Register pictures: docs/bytecode.md.
 */
import { Op } from "../../compiler/bytecode/opcodes.ts";
import { Fixed } from "../../compiler/bytecode/program.ts";
import type { Json } from "../../compiler/json.ts";
import { Booked, book, bookValue, carried, Mark } from "../memory/accounting.ts";
import { getSlow, hasRoom, makeList, makeLiteral, makeObject, push, put, sizeIn } from "../memory/containers.ts";
import { concat } from "../memory/join-texts.ts";
import { PAUSED } from "../memory/long-work.ts";
import { SIZE, type Sized } from "../values/values.ts";
import { fork } from "./branching/fork.ts";
import { Rec, RecordKind } from "./control-stack.ts";
import { invoke } from "./dispatch.ts";
import { route } from "./failure-routing.ts";
import { pause, pauseTask, Refuelled, refuel } from "./fuel.ts";
import { callHost } from "./host-calls.ts";
import type { Machine } from "./machine.ts";
import { Stop } from "./slices/stop.ts";
import {
  addAt,
  begin,
  coreCall,
  deepEqual,
  deepen,
  direct,
  end,
  fail,
  filter,
  lessAt,
  loopEnd,
  loopInit,
  path,
  pureFunction,
  select,
  sort,
  textEqual,
  truthyAt,
  whileInit,
  whileLimit,
} from "./slow-paths.ts";
import { leave, visit } from "./trace-hooks.ts";

/**
 * Runs until the program ends, waits for something, gives up its slice, or fails. `mayYield`: already where the next block begins, and
 * not only once it had steps of its own.
 */
export function run(m: Machine, mayYield: boolean): Stop {
  if (m.executor !== null) return m.executor.run();
  let sliced = mayYield;
  for (;;) {
    const stop = advance(m, sliced);
    if (stop !== GO_ON) return stop;
    // The code was exchanged, or a failure was routed: continue with the machine's registers.
    sliced = true;
  }
}

const GO_ON = -1;

/**
 * More words than any program has. Told that `pc` stays below, the engine adds to it without looking for an overflow, which gave W1
 * and W3 5 %.
 */
const enum Most {
  Words = 0x3ffffff,
}

/** Units of a text that is compared in no time. */
const GLANCED = 4096;

/** The elements that are left of a loop that ended early. */
const NO_ELEMENTS: Json[] = [];

/** The slots named by `count` words from `at` no longer own their containers. Marks of texts stay. */
function release(OWN: Uint8Array, code: Int32Array, at: number, count: number): void {
  for (let i = at; i < at + count; i++) {
    const slot = code[i] as number;
    if (OWN[slot] === Mark.Owned) OWN[slot] = Mark.None;
  }
}

function advance(m: Machine, sliced: boolean): Stop | typeof GO_ON {
  const code = m.tables.code;
  const V = m.V;
  const SZ = m.SZ;
  const OWN = m.OWN;
  const { routine_pc, unset_at } = m.tables;
  let positions = m.positions;
  let bounds = m.bounds;
  let sp = m.sp;
  let CS = m.CS;
  let lastRecord = CS.length - Rec.Words;
  // Plans are made on the way of a failure, which ends this activation.
  const planned = m.plans.length > 0;
  let pc = m.pc;
  let fuel = m.fuel;
  let owed = m.owed;
  let base = CS[m.sp + Rec.Base] as number;
  let deep = m.depth;
  let loopBase = CS[m.sp + Rec.LoopBase] as number;
  let yieldable = sliced;
  try {
    if (owed > 0) fuel -= owed;
    // A revisited node matters only while its own charge is not covered.
    if (fuel >= 0) m.revisited = -1;
    enter: for (;;) {
      if (fuel < 0 || owed < 0) {
        // A block that the fuel does not cover (owed > 0, charged already), or a step wanted at this place (owed < 0).
        if (owed > 0) fuel += owed;
        m.sp = sp;
        m.pc = pc;
        m.fuel = fuel;
        m.owed = owed;
        m.depth = deep;
        const got = refuel(m, yieldable);
        if (got === Refuelled.Yield) return Stop.Yielded;
        if (got === Refuelled.Exchanged) return GO_ON;
        fuel = m.fuel;
        owed = 0;
        yieldable = true;
      }
      next: for (;;) {
        pc &= Most.Words;
        switch (code[pc]) {
          case Op.Set: {
            // d ← a
            const d = code[pc + 1] as number;
            let a = code[pc + 2] as number;
            let v = V[a];
            if (v === undefined) {
              a = unset_at[pc + 2] as number;
              v = V[a] as Json;
            }
            const size = SZ[a] as number;
            if (OWN[a] === Mark.Owned) OWN[a] = Mark.None;
            OWN[d] = OWN[a] as number;
            // Equal booked sizes change nothing in the frame's total.
            if (SZ[d] === size) {
              V[d] = v;
              pc += 3;
              continue;
            }
            book(m, d, v, size);
            pc += 3;
            break;
          }
          // @ts-expect-error: falls through when the case below is the next instruction.
          case Op.Add: {
            // d ← a + b
            const d = code[pc + 1] as number;
            const a = V[code[pc + 2] as number];
            const b = V[code[pc + 3] as number];
            const r = typeof a === "number" && typeof b === "number" ? a + b : Number.NaN;
            if (r - r !== 0) {
              direct(m, pc);
              pc += 4;
              break;
            }
            if (SZ[d] === Booked.Number) V[d] = r;
            else book(m, d, r, Booked.Number);
            pc += 4;
            // What a label computes last, it mostly ends with: without a turn of the switch this and the call below are 4 % of W3.
            if (code[pc] !== Op.Ret) continue;
          }
          case Op.Ret: {
            // pop records; the result goes where the entering instruction says
            let slot = code[pc + 1] as number;
            if (V[slot] === undefined) slot = unset_at[pc + 1] as number;
            const v = V[slot] as Json;
            if (CS[sp] !== RecordKind.Call) {
              let handled = -1;
              while (CS[sp] === RecordKind.Handler) {
                handled = CS[sp + Rec.CallPc] as number;
                sp -= Rec.Words;
              }
              if (CS[sp] === RecordKind.Root) {
                m.sp = sp;
                m.pc = pc;
                m.result = v;
                m.resultSlot = slot;
                m.fuel = fuel;
                m.owed = 0;
                // What fails at the end of the run belongs to the entry's own node, not to its handler's.
                m.failedSite = handled;
                m.end();
                return Stop.Done;
              }
            }
            pc = CS[sp + Rec.CallPc] as number;
            sp -= Rec.Words;
            base = CS[sp + Rec.Base] as number;
            loopBase = CS[sp + Rec.LoopBase] as number;
            const d = code[pc + 1] as number;
            const called = code[pc] === Op.Call;
            // A label without J that is called again changes nothing: its null is there already, and null has one size.
            if (v !== null || V[d] !== null || V[Fixed.CallResult] !== null) {
              if (OWN[slot] === Mark.Owned) OWN[slot] = Mark.None;
              OWN[d] = Mark.None;
              if (SZ[d] === SZ[slot]) V[d] = v;
              else book(m, d, v, SZ[slot] as number);
              if (called && d !== Fixed.CallResult) {
                OWN[Fixed.CallResult] = Mark.None;
                if (SZ[Fixed.CallResult] === SZ[slot]) V[Fixed.CallResult] = v;
                else book(m, Fixed.CallResult, v, SZ[slot] as number);
              }
            }
            if (called) {
              owed = code[pc + 6] as number;
              fuel -= owed;
              pc += 7;
              if (fuel < 0) continue enter;
            } else {
              pc += 6;
            }
            continue;
          }
          // @ts-expect-error: falls through when the case below is the next instruction.
          case Op.Sub: {
            const d = code[pc + 1] as number;
            const a = V[code[pc + 2] as number];
            const b = V[code[pc + 3] as number];
            const r = typeof a === "number" && typeof b === "number" ? a - b : Number.NaN;
            if (r - r !== 0) {
              direct(m, pc);
              pc += 4;
              break;
            }
            if (SZ[d] === Booked.Number) V[d] = r;
            else book(m, d, r, Booked.Number);
            pc += 4;
            // Recursion counts down and calls.
            if (code[pc] !== Op.Call) continue;
          }
          case Op.Call:
          case Op.CallValue: {
            // push a record, go to the routine
            const depth = base + (code[pc + 3] as number);
            if (depth > deep) deep = deepen(m, pc, depth, 0, m.tables.site_at[pc] as number);
            sp += Rec.Words;
            if (sp > lastRecord) {
              const grown = new Int32Array(CS.length * 2);
              grown.set(CS);
              m.CS = CS = grown;
              lastRecord = CS.length - Rec.Words;
            }
            loopBase += code[pc + 5] as number;
            CS[sp + Rec.Kind] = RecordKind.Call;
            CS[sp + Rec.CallPc] = pc;
            CS[sp + Rec.Base] = depth;
            CS[sp + Rec.LoopBase] = loopBase;
            if (planned) {
              m.plans[sp] = null;
              CS[sp + Rec.Repeats] = 0;
            }
            base = depth;
            owed = code[pc + 4] as number;
            fuel -= owed;
            pc = routine_pc[code[pc + 2] as number] as number;
            if (fuel < 0) continue enter;
            continue;
          }
          case Op.Mul: {
            const d = code[pc + 1] as number;
            const a = V[code[pc + 2] as number];
            const b = V[code[pc + 3] as number];
            if (typeof a === "number" && typeof b === "number") {
              // Adding 0 turns -0 into 0.
              const r = a * b + 0;
              if (r - r === 0) {
                if (SZ[d] === Booked.Number) V[d] = r;
                else book(m, d, r, Booked.Number);
                pc += 4;
                continue;
              }
            }
            direct(m, pc);
            pc += 4;
            break;
          }
          case Op.IDiv: {
            const d = code[pc + 1] as number;
            const a = V[code[pc + 2] as number];
            const b = V[code[pc + 3] as number];
            // Quotients of 32-bit integers are exact enough to be cut; wider ones are left to the slow path.
            if (typeof a === "number" && typeof b === "number" && (a | 0) === a && (b | 0) === b && b !== 0) {
              const r = Math.floor(a / b) + 0;
              if (SZ[d] === Booked.Number) V[d] = r;
              else book(m, d, r, Booked.Number);
              pc += 4;
              continue;
            }
            direct(m, pc);
            pc += 4;
            break;
          }
          case Op.Lt:
          case Op.Lte:
          case Op.Gt:
          case Op.Gte: {
            const d = code[pc + 1] as number;
            const a = V[code[pc + 2] as number];
            const b = V[code[pc + 3] as number];
            if (typeof a === "number" && typeof b === "number") {
              const op = code[pc];
              const r = op === Op.Lt ? a < b : op === Op.Lte ? a <= b : op === Op.Gt ? a > b : a >= b;
              if (SZ[d] === Booked.Boolean) V[d] = r;
              else book(m, d, r, Booked.Boolean);
              pc += 4;
              continue;
            }
            direct(m, pc);
            pc += 4;
            break;
          }
          case Op.Eq:
          case Op.Ne: {
            const d = code[pc + 1] as number;
            const a = V[code[pc + 2] as number];
            const b = V[code[pc + 3] as number];
            if (a !== undefined && b !== undefined) {
              // Identity must not be used as a shortcut for containers: sharing must be invisible, even through the nesting bound.
              const walked = typeof a === "string" ? a.length > GLANCED : typeof a === "object" && a !== null;
              const same = walked ? deepEqual(a, b, m) : a === b;
              const r = same === (code[pc] === Op.Eq);
              if (SZ[d] === Booked.Boolean) V[d] = r;
              else book(m, d, r, Booked.Boolean);
            } else {
              direct(m, pc);
            }
            pc += 4;
            break;
          }
          case Op.Div:
          case Op.Mod:
          case Op.And:
          case Op.Or:
            direct(m, pc);
            pc += 4;
            break;
          case Op.Not:
          case Op.Truthy:
            direct(m, pc);
            pc += 3;
            break;
          case Op.Len: {
            const d = code[pc + 1] as number;
            const a = V[code[pc + 2] as number];
            if (Array.isArray(a)) {
              if (SZ[d] === Booked.Number) V[d] = a.length;
              else book(m, d, a.length, Booked.Number);
            } else {
              direct(m, pc);
            }
            pc += 3;
            break;
          }
          case Op.TextEq:
            textEqual(m, pc);
            pc += 4;
            break;
          case Op.Present: {
            // An unset variable stands for null here, or for its own name, which is present.
            const v = V[code[pc + 2] as number];
            const set = v === undefined ? V[unset_at[pc + 2] as number] !== null : v !== null;
            bookValue(m, code[pc + 1] as number, set);
            pc += 3;
            continue;
          }
          case Op.Select: {
            // d ← c ? a : b; what is chosen is shared from now on.
            const b = code[pc + 3] as number;
            const c = code[pc + 4] as number;
            if (OWN[b] === Mark.Owned) OWN[b] = Mark.None;
            if (OWN[c] === Mark.Owned) OWN[c] = Mark.None;
            const test = V[code[pc + 2] as number];
            if (test === true || test === false) select(m, pc, test ? pc + 3 : pc + 4);
            else direct(m, pc);
            pc += 5;
            break;
          }
          case Op.Get: {
            // d ← own key b of a
            const o = V[code[pc + 2] as number];
            const k = V[code[pc + 3] as number];
            if (typeof o === "object" && o !== null && typeof k === "string" && k !== "" && !Array.isArray(o)) {
              const v = (o as { readonly [key: string]: Json | undefined })[k];
              // What objects inherit are functions, and __proto__.
              if (v !== undefined && typeof v !== "function" && k !== "__proto__") {
                const d = code[pc + 1] as number;
                if (typeof v === "number" && SZ[d] === Booked.Number) V[d] = v;
                else bookValue(m, d, v);
                pc += 4;
                continue;
              }
            }
            release(OWN, code, pc + 2, 1);
            getSlow(m, pc);
            pc += 4;
            break;
          }
          case Op.Path:
            path(m, pc);
            pc += 4;
            continue;
          case Op.Put:
            put(m, pc);
            pc += 5;
            break;
          case Op.Push: {
            // d ← a with b appended; in place where d owns the list. A call would read the machine's arrays anew: 9 % of W2.
            const d = code[pc + 1] as number;
            const b = code[pc + 3] as number;
            const list = V[d];
            const v = V[b];
            const inPlace = code[pc + 2] === d && OWN[d] === Mark.Owned && b !== d && v !== undefined;
            if (inPlace && Array.isArray(list) && hasRoom(m, d, list)) {
              const added = sizeIn(m, b, v) + 1;
              const total = m.frameBytes + added;
              if (total <= m.frameLimit) {
                if (OWN[b] === Mark.Owned) OWN[b] = Mark.None;
                const size = (SZ[d] as number) + added;
                list.push(v);
                (list as Sized)[SIZE] = carried(size);
                SZ[d] = size;
                m.frameBytes = total;
                pc += 4;
                continue;
              }
            }
            push(m, pc);
            pc += 4;
            break;
          }
          case Op.Obj:
            pc = makeObject(m, pc);
            break;
          case Op.Concat:
            concat(m, pc);
            pc += 3 + (code[pc + 2] as number);
            break;
          case Op.List:
            makeList(m, pc);
            pc += 3 + (code[pc + 2] as number);
            break;
          case Op.Object:
            makeLiteral(m, pc);
            pc += 4 + (code[pc + 3] as number);
            break;
          case Op.Fn: {
            const n = code[pc + 3] as number;
            // A function may hand back an argument: none of them is owned afterwards.
            release(OWN, code, pc + 4, n);
            pureFunction(m, pc);
            pc += 4 + n;
            break;
          }
          case Op.CoreCall: {
            const n = code[pc + 3] as number;
            release(OWN, code, pc + 4, n);
            m.sp = sp;
            coreCall(m, pc);
            pc += 4 + n;
            break;
          }
          case Op.Filt:
            release(OWN, code, pc + 2, 1);
            filter(m, pc);
            pc += 5;
            break;
          case Op.Sort:
            release(OWN, code, pc + 2, 1);
            sort(m, pc);
            pc += 4;
            break;
          case Op.Charge:
            owed = code[pc + 1] as number;
            fuel -= owed;
            pc += 2;
            if (fuel < 0) continue enter;
            continue;
          case Op.Jump:
            pc = code[pc + 1] as number;
            continue;
          case Op.Branch: {
            // a truthy: continue, else to t; charges the block entered
            const v = V[code[pc + 1] as number];
            const yes = v === true || (v !== false && truthyAt(m, pc + 1));
            const k = code[pc + 5] as number;
            if (k > 0 && base + k > deep) deep = deepen(m, pc, base + k, yes ? 0 : 1, m.tables.site_at[pc] as number);
            if (yes) {
              owed = code[pc + 3] as number;
              pc += 6;
            } else {
              owed = code[pc + 4] as number;
              pc = code[pc + 2] as number;
            }
            fuel -= owed;
            if (fuel < 0) continue enter;
            continue;
          }
          case Op.BranchLt: {
            // d ← a < b, then Branch on d
            const d = code[pc + 1] as number;
            const a = V[code[pc + 2] as number];
            const b = V[code[pc + 3] as number];
            let yes: boolean;
            if (typeof a === "number" && typeof b === "number") {
              yes = a < b;
              if (SZ[d] === Booked.Boolean) V[d] = yes;
              else book(m, d, yes, Booked.Boolean);
            } else {
              yes = lessAt(m, pc + 1);
            }
            const k = code[pc + 7] as number;
            if (k > 0 && base + k > deep) deep = deepen(m, pc, base + k, yes ? 0 : 1, code[pc + 8] as number);
            if (yes) {
              owed = code[pc + 5] as number;
              pc += 9;
            } else {
              owed = code[pc + 6] as number;
              pc = code[pc + 4] as number;
            }
            fuel -= owed;
            if (fuel < 0) continue enter;
            continue;
          }
          case Op.Enter: {
            const k = code[pc + 1] as number;
            if (base + k > deep) deep = deepen(m, pc, base + k, 0, m.tables.site_at[pc] as number);
            pc += 2;
            continue;
          }
          case Op.CallResult: {
            // end of an inlined Call: d ← a, _call_result ← a
            const d = code[pc + 1] as number;
            let a = code[pc + 2] as number;
            if (V[a] === undefined) a = unset_at[pc + 2] as number;
            const v = V[a] as Json;
            const size = SZ[a] as number;
            if (OWN[a] === Mark.Owned) OWN[a] = Mark.None;
            OWN[d] = Mark.None;
            book(m, d, v, size);
            if (d !== Fixed.CallResult) {
              OWN[Fixed.CallResult] = Mark.None;
              book(m, Fixed.CallResult, v, size);
            }
            pc += 3;
            break;
          }
          case Op.Last: {
            // slot ← a unless a is null
            let a = code[pc + 2] as number;
            if (V[a] === undefined) a = unset_at[pc + 2] as number;
            const v = V[a] as Json;
            if (v !== null) {
              const d = code[pc + 1] as number;
              if (OWN[a] === Mark.Owned) OWN[a] = Mark.None;
              OWN[d] = Mark.None;
              book(m, d, v, SZ[a] as number);
            }
            pc += 3;
            continue;
          }
          case Op.LoopInit: {
            // list a into register l, d kept aside; empty: to t; else d ← first
            const some = loopInit(m, pc, loopBase + (code[pc + 2] as number));
            positions = m.positions;
            bounds = m.bounds;
            const depth = base + (code[pc + 6] as number);
            if (depth > deep) deep = deepen(m, pc, depth, some ? 0 : 1, m.tables.site_at[pc] as number);
            if (some) {
              owed = code[pc + 5] as number;
              fuel -= owed;
              pc += 7;
              if (fuel < 0) continue enter;
              if (owed > 0) continue;
            } else {
              pc = code[pc + 4] as number;
            }
            break;
          }
          case Op.LoopNext: {
            // d ← next element, back to t; at the end d as it was before
            const d = code[pc + 1] as number;
            const register = loopBase + (code[pc + 2] as number);
            const list = m.lists[register] as readonly Json[];
            const at = positions[register] as number;
            if (at < list.length) {
              positions[register] = at + 1;
              const v = list[at] as Json;
              const plain = typeof v === "number" && SZ[d] === Booked.Number;
              if (plain) V[d] = v;
              else bookValue(m, d, v);
              owed = code[pc + 4] as number;
              fuel -= owed;
              pc = code[pc + 3] as number;
              if (fuel < 0) continue enter;
              if (!plain && m.spent) break;
            } else {
              loopEnd(m, d, register);
              pc += 5;
            }
            continue;
          }
          case Op.WhileInit: {
            // a falsy: to t; else count the first body
            const v = V[code[pc + 1] as number];
            const yes = v === true || (v !== false && truthyAt(m, pc + 1));
            whileInit(m, loopBase + (code[pc + 2] as number), code[pc + 6] as number, yes);
            positions = m.positions;
            bounds = m.bounds;
            const depth = base + (code[pc + 5] as number);
            if (depth > deep) deep = deepen(m, pc, depth, yes ? 0 : 1, m.tables.site_at[pc] as number);
            if (yes) {
              owed = code[pc + 4] as number;
              fuel -= owed;
              pc += 7;
              if (fuel < 0) continue enter;
            } else {
              pc = code[pc + 3] as number;
            }
            continue;
          }
          case Op.WhileNext: {
            // a truthy: count, back to t
            const v = V[code[pc + 1] as number];
            if (v === true || (v !== false && truthyAt(m, pc + 1))) {
              const register = loopBase + (code[pc + 2] as number);
              const count = positions[register] as number;
              if (count >= (bounds[register] as number)) throw whileLimit(m, register, code[pc + 5] as number);
              positions[register] = count + 1;
              owed = code[pc + 4] as number;
              fuel -= owed;
              pc = code[pc + 3] as number;
              if (fuel < 0) continue enter;
            } else {
              pc += 6;
            }
            continue;
          }
          case Op.WhileNextLt: {
            // d ← a < b, then WhileNext on d
            const d = code[pc + 1] as number;
            const a = V[code[pc + 2] as number];
            const b = V[code[pc + 3] as number];
            let yes: boolean;
            if (typeof a === "number" && typeof b === "number") {
              yes = a < b;
              if (SZ[d] === Booked.Boolean) V[d] = yes;
              else book(m, d, yes, Booked.Boolean);
            } else {
              yes = lessAt(m, pc + 1);
            }
            if (yes) {
              const register = loopBase + (code[pc + 4] as number);
              const count = positions[register] as number;
              if (count >= (bounds[register] as number)) throw whileLimit(m, register, code[pc + 7] as number);
              positions[register] = count + 1;
              owed = code[pc + 6] as number;
              fuel -= owed;
              pc = code[pc + 5] as number;
              if (fuel < 0) continue enter;
            } else {
              pc += 8;
            }
            continue;
          }
          case Op.AddWhileNextLt: {
            // d ← a + b; e ← f < g, then WhileNext on e
            const d = code[pc + 1] as number;
            const first = code[pc + 2] as number;
            const second = code[pc + 3] as number;
            const e = code[pc + 4] as number;
            const left = code[pc + 5] as number;
            const right = code[pc + 6] as number;
            const register = loopBase + (code[pc + 7] as number);
            const back = code[pc + 8] as number;
            const most = bounds[register] as number;
            owed = code[pc + 9] as number;
            // A body that is this instruction alone comes back to it, and without a turn of the switch: 0.6 of the time of W1.
            do {
              const a = V[first];
              const b = V[second];
              if (typeof a === "number" && typeof b === "number") {
                const r = a + b;
                if (r - r === 0) {
                  if (SZ[d] === Booked.Number) V[d] = r;
                  else book(m, d, r, Booked.Number);
                } else {
                  addAt(m, pc + 1);
                }
              } else {
                addAt(m, pc + 1);
              }
              const f = V[left];
              const g = V[right];
              let yes: boolean;
              if (typeof f === "number" && typeof g === "number" && SZ[e] === Booked.Boolean) {
                yes = f < g;
                V[e] = yes;
              } else {
                m.failedSite = code[pc + 10] as number;
                yes = lessAt(m, pc + 4);
                m.failedSite = -1;
              }
              if (!yes) {
                pc += 12;
                continue next;
              }
              const count = positions[register] as number;
              if (count >= most) throw whileLimit(m, register, code[pc + 11] as number);
              positions[register] = count + 1;
              fuel -= owed;
            } while (back === pc && fuel >= 0);
            pc = back;
            if (fuel < 0) continue enter;
            continue;
          }
          case Op.Invoke: {
            m.sp = sp;
            m.pc = pc;
            m.fuel = fuel;
            const n = code[pc + 3] as number;
            release(OWN, code, pc + 4, n);
            if (invoke(m, pc)) {
              m.owed = 0;
              return Stop.Suspended;
            }
            fuel = m.fuel;
            pc += 4 + n;
            continue;
          }
          case Op.Host: {
            m.sp = sp;
            m.pc = pc;
            m.fuel = fuel;
            const n = code[pc + 3] as number;
            release(OWN, code, pc + 4, n);
            if (callHost(m, pc)) {
              m.owed = 0;
              return Stop.Suspended;
            }
            pc += 4 + n;
            continue;
          }
          case Op.Visit:
            if (fuel < 1) {
              owed = -1;
              continue enter;
            }
            fuel -= 1;
            m.sp = sp;
            m.fuel = fuel;
            visit(m, pc);
            pc += 2;
            continue;
          case Op.Skip: {
            // a truthy (i is 1) or not (0): to t
            const v = V[code[pc + 1] as number];
            const yes = v === true || (v !== false && truthyAt(m, pc + 1));
            pc = yes === (code[pc + 2] === 1) ? (code[pc + 3] as number) : pc + 4;
            continue;
          }
          case Op.Begin: {
            const n = code[pc + 2] as number;
            release(OWN, code, pc + 3, n);
            begin(m, pc);
            pc += 3 + n;
            break;
          }
          case Op.End:
            end(m, pc);
            pc += 3;
            break;
          case Op.Stop:
            if (truthyAt(m, pc + 1)) m.lists[loopBase + (code[pc + 2] as number)] = NO_ELEMENTS;
            pc += 3;
            continue;
          case Op.Fork: {
            m.sp = sp;
            m.pc = pc;
            m.fuel = fuel;
            if (fork(m, pc)) {
              m.owed = 0;
              return Stop.Suspended;
            }
            pc += 5 + (code[pc + 4] as number);
            break;
          }
          case Op.Leave:
            m.sp = sp;
            leave(m, pc);
            pc += 4;
            continue;
          default:
            return fail(m, pc);
        }
        // Natives that did the work of a slice end it, even in the middle of a block. Everything else continued above.
        if (m.spent) {
          m.sp = sp;
          m.pc = pc;
          m.fuel = fuel;
          m.owed = 0;
          const got = pause(m);
          if (got === Refuelled.Yield) return Stop.Yielded;
          if (got === Refuelled.Pause) return Stop.Paused;
          fuel = m.fuel;
        }
      }
    }
  } catch (thrown) {
    m.sp = sp;
    m.pc = pc;
    m.fuel = fuel;
    if (thrown === PAUSED) {
      pauseTask(m);
      return Stop.Paused;
    }
    m.owed = 0;
    return route(m, thrown);
  }
}
