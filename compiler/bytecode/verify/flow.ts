/**
 * Where control goes: jumps stay in their routine and loop and lead forward, nothing falls off the end of a routine, loops
 * and calls visit a node, and no temporary is read before it is written.
 */
import { INSTRUCTIONS, instructionLength, Op } from "../opcodes.ts";
import { goesOn, type Region, type Scan, wordAt } from "./scan.ts";

export function checkFlow(scan: Scan): string | null {
  return checkJumps(scan) ?? checkRoutines(scan) ?? checkLoops(scan) ?? checkTemporaries(scan);
}

/** Branches and jumps. Loop edges were matched with their inits already. */
function checkJumps(scan: Scan): string | null {
  const { heads, count, routineOf, regionOf, indexAt } = scan;
  const { code } = scan.tables;
  for (let at = 0; at < count; at++) {
    const pc = heads[at] as number;
    const op = code[pc] as number;
    const last = at + 1 === count || routineOf[at + 1] !== routineOf[at];
    if (last && goesOn(op)) return `control leaves the routine after ${pc}`;
    if (op !== Op.Jump && op !== Op.Branch && op !== Op.BranchLt && op !== Op.Skip) continue;
    const target = code[pc + wordAt(op, "t")] as number;
    const to = target > pc ? (indexAt[target] ?? -1) : -1;
    if (to < 0) return `the jump at ${pc} does not lead to an instruction after it`;
    if (routineOf[to] !== routineOf[at] || regionOf[to] !== regionOf[at])
      return `the jump at ${pc} leaves its loop or routine`;
  }
  return null;
}

/** A routine counts a step at once, or does nothing but return: calls cannot multiply without being charged. */
function checkRoutines(scan: Scan): string | null {
  const { routines } = scan.tables;
  for (let at = 0; at < routines.length; at++) {
    const pc = routines[at]?.pc ?? 0;
    if (!charges(scan, at) && scan.tables.code[pc] !== Op.Ret) return `routine ${at} does work without a step`;
  }
  return null;
}

/** Whether entering the routine costs a step. */
function charges(scan: Scan, routine: number): boolean {
  const { code, routines } = scan.tables;
  const { pc, charge } = routines[routine] ?? { pc: 0, charge: 0 };
  return charge > 0 || code[pc] === Op.Charge || code[pc] === Op.Visit;
}

function checkLoops(scan: Scan): string | null {
  for (const region of scan.regions) {
    if (costsSteps(scan, region) || (region.isLoop && isBare(scan, region))) continue;
    return `the loop at ${region.init} goes round without a step`;
  }
  return null;
}

/** Each iteration begins with a charge: in the loop's edges, or in its first instruction. */
function costsSteps(scan: Scan, { init, start }: Region): boolean {
  const { code } = scan.tables;
  const first = code[start] as number;
  if ((code[init + wordAt(code[init] as number, "n")] as number) > 0) return true;
  if (first === Op.Charge || first === Op.Visit) return true;
  return first === Op.CallValue && charges(scan, code[start + 2] as number);
}

/** Words of a call of an empty label, what keeps its result, a jump, and what ends the loop early. */
const BARE_WORDS = 16;
const BARE: ReadonlySet<number> = new Set([Op.CallValue, Op.Last, Op.Jump, Op.LoopNext, Op.Stop, Op.Set]);

/** A Loop without nodes: as many short iterations as its list has elements. */
function isBare(scan: Scan, { start, end }: Region): boolean {
  const { code } = scan.tables;
  if (end - start > BARE_WORDS) return false;
  for (let pc = start; pc <= end; pc += instructionLength(code, pc)) {
    const op = code[pc] as number;
    if (!BARE.has(op) || (op === Op.CallValue && charges(scan, code[pc + 2] as number))) return false;
  }
  return true;
}

/** Places that are reached other than from the instruction before: no temporary lives across them. */
function leaders(scan: Scan): Uint8Array {
  const { heads, count } = scan;
  const { code, routines, site_pc, blocks, marks } = scan.tables;
  const found = new Uint8Array(code.length);
  for (const { pc } of routines) found[pc] = 1;
  for (const pc of site_pc) found[pc] = 1;
  for (const pc of marks) found[pc] = 1;
  for (let at = 0; at < blocks.length; at += 4) found[blocks[at] as number] = 1;
  for (const { start, exit } of scan.regions) {
    found[start] = 1;
    found[exit] = 1;
  }
  for (let at = 0; at < count; at++) {
    const pc = heads[at] as number;
    const op = code[pc] as number;
    if (op === Op.Jump || op === Op.Branch || op === Op.BranchLt) found[code[pc + wordAt(op, "t")] as number] = 1;
  }
  return found;
}

function checkTemporaries(scan: Scan): string | null {
  const { heads, count, firstTemporary } = scan;
  const { code } = scan.tables;
  const isLeader = leaders(scan);
  // Temporary → the stretch of code in which it was first written, and up to where that counts.
  const written = new Int32Array(scan.tables.temporaries);
  const until = new Float64Array(scan.tables.temporaries);
  const skips = new Skips();
  let stretch = 0;
  let reached = true;
  const write = (temporary: number): void => {
    // What a skip may pass over is written only as far as it leads; what was written before it, for good.
    if (written[temporary] === stretch && (until[temporary] as number) >= skips.nearest) return;
    written[temporary] = stretch;
    until[temporary] = skips.nearest;
  };
  for (let at = 0; at < count; at++) {
    const pc = heads[at] as number;
    if (skips.arrive(pc)) reached = true;
    if (isLeader[pc] === 1) {
      if (skips.isOpen) return `a skip leads over ${pc}, where others arrive`;
      if (code[pc] === Op.CallValue && at > 0 && code[heads[at - 1] as number] === Op.Begin)
        return `the call at ${pc} is reached without its frame`;
      stretch += 1;
      reached = true;
    }
    const op = code[pc] as number;
    const kinds = INSTRUCTIONS[op]?.words ?? [];
    const length = instructionLength(code, pc);
    for (let word = 1; reached && word < length; word++) {
      const kind = kinds[word - 1] ?? "a";
      const temporary = (code[pc + word] as number) - firstTemporary;
      if (temporary < 0) continue;
      const isWritten = written[temporary] === stretch && (until[temporary] as number) > pc;
      if (kind === "a" && !isWritten) return `a temporary is read at ${pc} before it is written`;
      // The fused instructions write one half's result before the other half reads.
      if ((kind === "d" || kind === "D") && op === Op.AddWhileNextLt) write(temporary);
    }
    for (let word = 1; word < length; word++) {
      const temporary = (code[pc + word] as number) - firstTemporary;
      const kind = kinds[word - 1];
      if (temporary >= 0 && (kind === "d" || kind === "D")) write(temporary);
    }
    if (op === Op.Skip && !skips.open(code[pc + wordAt(op, "t")] as number))
      return `skips are nested too deeply at ${pc}`;
    reached &&= goesOn(op);
  }
  return null;
}

const MAX_SKIPS = 1_000;

/** The skips that a place in the code is under. */
class Skips {
  #targets: number[] = [];
  /** Where the first of them ends. */
  nearest = Number.MAX_SAFE_INTEGER;

  get isOpen(): boolean {
    return this.#targets.length > 0;
  }

  /** False: there are too many. */
  open(target: number): boolean {
    this.#targets.push(target);
    this.nearest = Math.min(this.nearest, target);
    return this.#targets.length <= MAX_SKIPS;
  }

  /** Closes those that end at `pc`; false when none ends here. */
  arrive(pc: number): boolean {
    if (pc < this.nearest) return false;
    this.#targets = this.#targets.filter((target) => target > pc);
    this.nearest = this.#targets.reduce((least, target) => Math.min(least, target), Number.MAX_SAFE_INTEGER);
    return true;
  }
}
