/**
 * The records of the control stack: words of a machine's `CS`, one record for each routine that was entered and has not returned
 * (docs/bytecode.md, control records).
 */
import type { Machine } from "./machine.ts";

/**
 * Words of a control record: kind, pc of the entering call (of a handler: the site it handles), routine (of a handler; a call's
 * instruction says it, `routineOf`), depth of its label, first loop register, repeats (0 while `plans` is empty).
 */
export const enum Rec {
  Kind = 0,
  CallPc = 1,
  Routine = 2,
  Base = 3,
  LoopBase = 4,
  Repeats = 5,
  /** How many words that are. */
  Words = 6,
}
export const enum RecordKind {
  Root = 0,
  Call = 1,
  Handler = 2,
}

/** Routine of the record at `sp`. */
export function routineOf(m: Machine, sp: number): number {
  if (m.CS[sp + Rec.Kind] !== RecordKind.Call) return m.CS[sp + Rec.Routine] as number;
  return m.tables.code[(m.CS[sp + Rec.CallPc] as number) + 2] as number;
}
