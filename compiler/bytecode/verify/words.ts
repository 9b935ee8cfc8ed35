/**
 * The words of single instructions: slots, indexes and what they point at. After this pass no instruction can make the
 * machine read outside its arrays or find a table entry of the wrong kind.
 */
import { findFunction, isHostCall } from "../../functions.ts";
import { MAX_BRANCHES_AT_ONCE, MAX_PAR_BRANCHES } from "../../ir/graph.ts";
import { INSTRUCTIONS, instructionLength, Op, type WordKind } from "../opcodes.ts";
import type { Aux } from "../program.ts";
import { isFused, MAX_NESTING, type Scan } from "./scan.ts";

const AUX_KINDS: ReadonlyMap<number, Aux["kind"]> = new Map<number, Aux["kind"]>([
  [Op.Path, "path"],
  [Op.Object, "keys"],
  [Op.Fn, "fn"],
  [Op.CoreCall, "fn"],
  [Op.Filt, "filt"],
  [Op.Sort, "sort"],
  [Op.Invoke, "call"],
  [Op.Host, "host"],
  [Op.Fail, "unknown_fn"],
  [Op.Begin, "inputs"],
  [Op.Fork, "fork"],
]);

/** Their destination is booked or restored as a variable. */
const TO_VARIABLE: ReadonlySet<number> = new Set([
  Op.Call,
  Op.CallResult,
  Op.Last,
  Op.LoopInit,
  Op.LoopNext,
  Op.End,
  Op.Fork,
]);

/** Why an instruction is refused, null when all are in order. */
export function checkWords(scan: Scan): string | null {
  const { heads, count } = scan;
  const { code } = scan.tables;
  for (let at = 0; at < count; at++) {
    const pc = heads[at] as number;
    const op = code[pc] as number;
    const wrong = misplaced(scan, op) ?? wrongWord(scan, pc, op) ?? wrongUse(scan, pc, op);
    if (wrong !== null) return `${INSTRUCTIONS[op]?.name ?? op} at ${pc}: ${wrong}`;
  }
  return null;
}

function misplaced(scan: Scan, op: number): string | null {
  if (isFused(op) && scan.kind !== "fast") return "fused outside of the fast variant";
  if ((op === Op.Visit || op === Op.Leave) && scan.kind !== "traced") return "traces outside of the traced variant";
  return null;
}

function wrongWord(scan: Scan, pc: number, op: number): string | null {
  const { code } = scan.tables;
  const kinds = INSTRUCTIONS[op]?.words ?? [];
  for (let at = 0; at < kinds.length; at++) {
    const wrong = wordFault(scan, kinds[at] as WordKind, pc + 1 + at, op);
    if (wrong !== null) return wrong;
  }
  const end = pc + instructionLength(code, pc);
  for (let at = pc + 1 + kinds.length; at < end; at++) {
    const wrong = operandFault(scan, at);
    if (wrong !== null) return wrong;
  }
  return null;
}

function wordFault(scan: Scan, kind: WordKind, at: number, op: number): string | null {
  const { tables } = scan;
  const word = tables.code[at] as number;
  switch (kind) {
    case "D":
      return word === -1 || isDestination(scan, word) ? null : "bad destination";
    case "d":
      return isDestination(scan, word) ? null : "bad destination";
    case "a":
      return operandFault(scan, at);
    case "v":
      return word >= 0 ? null : "bad operand count";
    case "k":
      return word >= (op === Op.Branch || op === Op.BranchLt ? 0 : 1) && word <= MAX_NESTING ? null : "bad depth";
    case "x":
      return tables.aux[word]?.kind === AUX_KINDS.get(op) ? null : "bad aux index";
    case "r":
      return isIndex(word, tables.routines.length) ? null : "bad routine";
    case "y":
      return isIndex(word, tables.sites.length) ? null : "bad site";
    case "n":
      return word >= 0 ? null : "negative charge";
    case "i":
      return op !== Op.Leave || word === -1 || tables.aux[word]?.kind === "edge" ? null : "bad aux index";
    default:
      // Jump targets and loop registers belong to the control flow.
      return null;
  }
}

export function isIndex(value: number, length: number): boolean {
  return value >= 0 && value < length;
}

function isDestination(scan: Scan, slot: number): boolean {
  return isIndex(slot, scan.variables) || (slot >= scan.firstTemporary && slot < scan.slots);
}

/** A variable may be unset, so a constant must stand by for it. */
function operandFault(scan: Scan, at: number): string | null {
  const slot = scan.tables.code[at] as number;
  const unset = scan.tables.unset_at[at] as number;
  if (!isIndex(slot, scan.slots)) return "bad operand";
  const standsBy = unset >= scan.variables && unset < scan.firstTemporary;
  return standsBy || (unset === -1 && slot >= scan.variables) ? null : "nothing stands for an unset operand";
}

/** What single instructions ask for beyond the kinds of their words. */
function wrongUse(scan: Scan, pc: number, op: number): string | null {
  const { code, aux } = scan.tables;
  const d = code[pc + 1] as number;
  if (TO_VARIABLE.has(op) && d >= scan.variables) return "its destination is not a variable";
  if (op === Op.CallValue && d < scan.firstTemporary) return "its destination is not a temporary";
  const operands = code[pc + 3] as number;
  const entry = aux[code[pc + 2] as number];
  switch (op) {
    case Op.Call:
    case Op.CallValue:
      return keepsLoops(scan, pc, code[pc + 5] as number) ? null : "the callee would use loop registers in use";
    case Op.Object:
      return entry?.kind === "keys" && entry.keys.length === operands ? null : "keys and values differ in number";
    case Op.Fn:
      return entry?.kind === "fn" && isPure(entry, operands) ? null : "no pure function";
    case Op.CoreCall:
      return entry?.kind === "fn" && entry.form === "verb" ? null : "no core verb";
    case Op.Host:
      return entry?.kind === "host" && isHost(entry.name, operands) ? null : "no host function";
    case Op.Invoke:
      return entry?.kind === "call" && operands >= operandsOf(entry) ? null : "operands are missing";
    case Op.Fork:
      return forkFault(scan, pc);
    case Op.Begin:
      return beginFault(scan, pc);
    case Op.End:
      return isAfterCall(scan, pc) ? null : "it ends no call with variables of its own";
    case Op.Skip:
      return code[pc + 2] === 0 || code[pc + 2] === 1 ? null : "it skips for no truth value";
    case Op.Stop:
      return isOwnLoop(scan, pc) ? null : "it stops no loop that it stands in";
    case Op.WhileInit:
      return isLimit(scan, code[pc + 6] as number) ? null : "its limit is not a whole number from 1";
    default:
      return null;
  }
}

function forkFault(scan: Scan, pc: number): string | null {
  const { code, aux, routines } = scan.tables;
  const entry = aux[code[pc + 2] as number];
  if (scan.version !== 2) return "branches belong to version 2";
  if (entry?.kind !== "fork" || entry.routines.length === 0 || entry.routines.length > MAX_PAR_BRANCHES)
    return "no branches, or too many";
  if (!entry.routines.every((routine) => isIndex(routine, routines.length))) return "bad routine";
  if (entry.limit < 1 || entry.limit > MAX_BRANCHES_AT_ONCE) return "no branch may be under way, or too many";
  const { item } = entry;
  if (item === null) return code[pc + 4] === 0 ? null : "an operand too many";
  if (code[pc + 4] !== 1 || entry.routines.length !== 1) return "not one list and one routine";
  return scan.slots_of.has(item) ? null : "the item is not a variable";
}

function beginFault(scan: Scan, pc: number): string | null {
  const { code, aux } = scan.tables;
  const entry = aux[code[pc + 1] as number];
  const count = code[pc + 2] as number;
  if (entry?.kind !== "inputs" || entry.names.length !== count) return "inputs and values differ in number";
  if (!entry.names.every((name) => scan.slots_of.has(name))) return "an input is not a variable";
  const call = pc + 3 + count;
  return code[call] === Op.CallValue && code[call + CALL_WORDS] === Op.End ? null : "no call follows";
}

/** Words of a CallValue. */
const CALL_WORDS = 6;

/** Directly after a Begin and its call. */
function isAfterCall(scan: Scan, pc: number): boolean {
  const { code } = scan.tables;
  const at = scan.indexAt[pc] as number;
  const call = scan.heads[at - 1] as number;
  const begin = scan.heads[at - 2] as number;
  return at >= 2 && code[call] === Op.CallValue && code[begin] === Op.Begin;
}

function isOwnLoop(scan: Scan, pc: number): boolean {
  const region = scan.regions[scan.regionOf[scan.indexAt[pc] as number] as number];
  return region?.isLoop === true && region.register === scan.tables.code[pc + 2];
}

/** A limit that no word holds is a constant: -1 is the first. */
function isLimit(scan: Scan, word: number): boolean {
  const limit = word >= 0 ? word : scan.tables.constants[-1 - word];
  return typeof limit === "number" && Number.isSafeInteger(limit) && limit >= 1;
}

/** The callee's registers start after those of all loops that the call stands in. */
function keepsLoops(scan: Scan, pc: number, live: number): boolean {
  const at = scan.indexAt[pc] as number;
  const inside = scan.regions[scan.regionOf[at] as number]?.register ?? -1;
  return live > inside && live <= (scan.tables.routines[scan.routineOf[at] as number]?.loops ?? 0);
}

function isPure(entry: Extract<Aux, { kind: "fn" }>, operands: number): boolean {
  const { name, form } = entry;
  return form === "call" && findFunction(name)?.name === name && !isHostCall(name, operands);
}

function isHost(name: string, operands: number): boolean {
  return findFunction(name)?.name === name && isHostCall(name, operands);
}

/** Computed names stand in front, the fallback at the end; the key is the second argument. */
function operandsOf(entry: Extract<Aux, { kind: "call" }>): number {
  const names = (entry.adapter === null ? 1 : 0) + (entry.verb === null ? 1 : 0);
  return names + (entry.fallback ? 1 : 0) + (entry.text_key ? 2 : 0);
}
