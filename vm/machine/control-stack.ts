/**
 * The records of the control stack: words of a machine's `CS`, one record for each routine that was entered and has not returned
 * (docs/bytecode.md, control records).
 */
import { Op } from "../../compiler/bytecode/opcodes.ts";
import type { VariantTables } from "../../compiler/bytecode/program.ts";

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

/** Words of a CallValue. */
const CALL_WORDS = 6;

/** Whether the call at `pc` has variables of its own. */
export function opensFrame(m: { readonly tables: VariantTables }, pc: number): boolean {
  const { code } = m.tables;
  return code[pc] === Op.CallValue && code[pc + CALL_WORDS] === Op.End;
}

/** Routine of the record at `sp`. */
export function routineOf(m: { readonly CS: Int32Array; readonly tables: VariantTables }, sp: number): number {
  if (m.CS[sp + Rec.Kind] !== RecordKind.Call) return m.CS[sp + Rec.Routine] as number;
  return m.tables.code[(m.CS[sp + Rec.CallPc] as number) + 2] as number;
}
