/**
 * What happens when the granted steps are used up: the clock is read, the slice may be given up, and a new quantum is granted. And
 * when natives have done the work of a slice, which is given up then where the run stands.
 * When the rest of `max_steps` does not cover the next block, the run continues in the variant that charges node by
 * node, so that it ends at exactly the right one (docs/adr/0002).
 */
import { INSTRUCTIONS, Op } from "../../compiler/bytecode/opcodes.ts";
import type { VariantTables } from "../../compiler/bytecode/program.ts";
import { limitFailure } from "../errors/fatal-failures.ts";
import { checkMade } from "../memory/shared-budget.ts";
import { Rec, RecordKind } from "./control-stack.ts";
import type { Machine } from "./machine.ts";

/** Bytes of heap: an element of a list, or a short text. Larger things are counted one by one. */
const MADE_BY_A_STEP = 16;

export const enum Refuelled {
  /** `fuel` is granted and what was owed is charged. */
  Charged = 0,
  Yield = 1,
  /** The code was exchanged: start again from the machine's registers. */
  Exchanged = 2,
  /** The slice is given up inside of a block. */
  Pause = 3,
}

/** `quantum`: steps of a slice. */
export function refuel(m: Machine, yieldable: boolean, quantum = m.quantum): Refuelled {
  if (m.isLent) {
    m.isLent = false;
    return Refuelled.Yield;
  }
  m.stalled = true;
  // The clock was read when the run began.
  if (m.granted === 0) m.checkCancelled();
  else {
    m.checkTime();
    m.made += quantum * MADE_BY_A_STEP;
  }
  checkMade(m);
  if (yieldable) {
    endSlice(m);
    return Refuelled.Yield;
  }
  const need = Math.max(1, m.owed);
  const grant = Math.min(m.rest, Math.max(need - m.fuel, quantum - Math.trunc(m.debt)));
  endSlice(m);
  m.rest -= grant;
  m.granted += grant;
  m.fuel += grant;
  if (m.fuel < need) {
    if (m.kind !== "fast") throw outOfSteps(m);
    exchange(m);
    m.stalled = false;
    return Refuelled.Exchanged;
  }
  if (m.owed > 0) m.fuel -= m.owed;
  m.revisited = -1;
  m.stalled = false;
  return Refuelled.Charged;
}

/** The slice ends in the middle of an instruction, which begins again in the next one. */
export function pauseTask(m: Machine): void {
  m.owed = 0;
  endSlice(m);
}

/** What natives did belongs to the slice that is over, or to the quantum that is granted now. */
function endSlice(m: Machine): void {
  m.debt = 0;
  m.spent = false;
}

/**
 * Ends the slice after a native, at `m.pc`. At the start of a node, the block is left: its charge for the nodes ahead
 * is returned, and charged again when the run continues. In the middle of a node it stays charged, and the next block yields again.
 * At the end of the block the slice ends as well.
 */
export function pause(m: Machine): Refuelled.Charged | Refuelled.Yield | Refuelled.Pause {
  const { code, site_pc, site_charge } = m.tables;
  checkMade(m);
  const op = code[m.pc] as number;
  const next = op === Op.Charge || m.kind !== "fast" ? -1 : firstIndexOf(site_pc, m.pc);
  if (op === Op.Charge) {
    m.owed = code[m.pc + 1] as number;
    m.pc += 2;
  } else if (next >= 0) {
    m.owed = site_charge[next] as number;
    m.fuel += m.owed;
    m.revisited = next;
  } else {
    m.rest += m.fuel;
    m.granted -= m.fuel;
    m.fuel = 0;
    // Whatever follows is charged before it does anything.
    if (INSTRUCTIONS[op]?.flow !== "next") return Refuelled.Charged;
  }
  endSlice(m);
  return m.owed > 0 ? Refuelled.Yield : Refuelled.Pause;
}

function outOfSteps(m: Machine): Error {
  // A Charge stands right before pc; a Visit waits at pc itself.
  m.failedSite = m.tables.site_at[m.owed > 0 ? m.pc - 2 : m.pc] as number;
  const limit = m.options.limits.max_steps ?? 0;
  return limitFailure("RUNTIME_MAX_STEPS", "max_steps", limit, m.steps());
}

/** Goes over to the stepped variant at the same place: position, and return positions of all records. */
function exchange(m: Machine): void {
  const from = m.tables;
  const to = m.program.variant("stepped");
  m.pc = placeIn(to, from, m.pc, m.revisited);
  for (let sp = Rec.Words; sp <= m.sp; sp += Rec.Words) {
    if (m.CS[sp + Rec.Kind] !== RecordKind.Call) continue;
    m.CS[sp + Rec.CallPc] = to.calls[rowOf(from.calls, 1, m.CS[sp + Rec.CallPc] as number)] as number;
  }
  m.tables = to;
  m.kind = "stepped";
  m.owed = 0;
}

function placeIn(to: VariantTables, from: VariantTables, pc: number, revisited: number): number {
  if (revisited >= 0) return to.site_pc[revisited] as number;
  const row = rowOf(from.blocks, 4, pc) * 4;
  const mark = from.blocks[row + 2] as number;
  return (mark >= 0 ? to.marks[mark] : to.site_pc[from.blocks[row + 3] as number]) as number;
}

/** The first index at which the ascending `values` hold `value`; -1: nowhere. */
function firstIndexOf(values: Int32Array, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return values[low] === value ? low : -1;
}

/** Index of the row of `table` (rows of `width` words, sorted by their first) that starts with `key`. */
export function rowOf(table: Int32Array, width: number, key: number): number {
  let low = 0;
  let high = table.length / width - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = table[middle * width] as number;
    if (at === key) return middle;
    if (at < key) low = middle + 1;
    else high = middle - 1;
  }
  throw noRow(key);
}

/** Apart: `rowOf` gets inlined into the loop, where the engine made the text of the message ahead of every instruction. */
function noRow(key: number): Error {
  return new Error(`no row ${key} in a table of the program`);
}
