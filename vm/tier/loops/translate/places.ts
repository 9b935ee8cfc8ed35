/**
 * The places of a program's code, as the loop translator needs them: where jumps lead, where generated code can be entered, and which
 * variables a routine touches, itself or in what it calls.
 */
import { INSTRUCTIONS, instructionLength, Op } from "../../../../compiler/bytecode/opcodes.ts";
import type { Program, VariantTables } from "../../../../compiler/bytecode/program.ts";
import { type Region, type Scan, scanVariant, wordAt } from "../../../../compiler/bytecode/verify/scan.ts";

export class Places {
  readonly scan: Scan;
  readonly tables: VariantTables;
  readonly code: Int32Array;
  /** pc → 1: reached other than from the instruction before. */
  readonly isLabel: Uint8Array;
  /** pc → 1: the head of a block, where generated code can be entered. */
  readonly isHead: Uint8Array;
  /** pc → 1: a skip leads here, over which temporaries live. */
  readonly isSkipEnd: Uint8Array;
  /** Routine → whether it calls others. */
  readonly calls: readonly boolean[];
  readonly #touched: readonly Uint8Array[];
  readonly #regionAt = new Map<number, Region>();

  /** `program` is verified. */
  constructor(program: Program, tables: VariantTables) {
    const scan = scanVariant(program, "fast", tables);
    if (typeof scan === "string") throw new Error(scan);
    const { code, blocks, routines } = tables;
    this.scan = scan;
    this.tables = tables;
    this.code = code;
    this.isLabel = new Uint8Array(code.length + 1);
    this.isHead = new Uint8Array(code.length + 1);
    this.isSkipEnd = new Uint8Array(code.length + 1);
    for (let at = 0; at < blocks.length; at += 4) {
      const pc = blocks[at] as number;
      this.isHead[pc] = this.isLabel[pc] = 1;
    }
    for (const { pc } of routines) this.isLabel[pc] = 1;
    for (const region of scan.regions) {
      this.#regionAt.set(region.init, region);
      this.isLabel[region.start] = this.isLabel[region.exit] = 1;
    }
    const calls = routines.map(() => new Set<number>());
    const touched = routines.map(() => new Uint8Array(scan.variables));
    for (let at = 0; at < scan.count; at++) {
      const routine = scan.routineOf[at] as number;
      this.#add(scan.heads[at] as number, touched[routine] as Uint8Array, calls[routine] as Set<number>);
    }
    this.calls = calls.map(({ size }) => size > 0);
    this.#touched = throughCalls(touched, calls);
  }

  #add(pc: number, touched: Uint8Array, calls: Set<number>): void {
    const { code, scan } = this;
    const op = code[pc] as number;
    const kinds = INSTRUCTIONS[op]?.words ?? [];
    const length = instructionLength(code, pc);
    for (let word = 1; word < length; word++) {
      const kind = kinds[word - 1] ?? "a";
      const slot = code[pc + word] as number;
      if ((kind === "a" || kind === "v" || kind === "d" || kind === "D") && slot >= 0 && slot < scan.variables)
        touched[slot] = 1;
      if (kind !== "t") continue;
      this.isLabel[slot] = 1;
      if (op === Op.Skip) this.isSkipEnd[slot] = 1;
    }
    if (op === Op.Call || op === Op.CallValue) calls.add(code[pc + 2] as number);
    // Both write `_call_result`.
    if (op === Op.Call || op === Op.CallResult) touched[0] = 1;
  }

  /** Whether a routine, or what it calls, names a variable. */
  touches(routine: number, slot: number): boolean {
    return this.#touched[routine]?.[slot] === 1;
  }

  /** The loop that begins at `pc`. */
  regionAt(pc: number): Region | undefined {
    return this.#regionAt.get(pc);
  }

  /** The loop that the instruction at `pc` ends. */
  regionOf(pc: number): Region {
    const region = this.scan.regions[this.scan.regionOf[this.scan.indexAt[pc] as number] as number];
    if (region === undefined) throw new Error(`no loop at ${pc}`);
    return region;
  }

  /** Registers of the loops around `pc`, the innermost first. */
  registersAt(pc: number): number[] {
    const { indexAt, regionOf, regions } = this.scan;
    const registers: number[] = [];
    const index = indexAt[pc] ?? -1;
    for (let at = index < 0 ? -1 : (regionOf[index] as number); at >= 0; at = regions[at]?.parent ?? -1)
      registers.push((regions[at] as Region).register);
    return registers;
  }

  /** Word of the first target of the instruction at `pc`. */
  target(pc: number): number {
    return this.code[pc + wordAt(this.code[pc] as number, "t")] as number;
  }
}

function throughCalls(touched: readonly Uint8Array[], calls: readonly ReadonlySet<number>[]): readonly Uint8Array[] {
  for (let changed = true; changed; ) {
    changed = false;
    for (const [routine, callees] of calls.entries()) {
      const own = touched[routine] as Uint8Array;
      for (const callee of callees) {
        for (const [slot, is] of (touched[callee] as Uint8Array).entries()) {
          if (is === 0 || own[slot] === 1) continue;
          own[slot] = 1;
          changed = true;
        }
      }
    }
  }
  return touched;
}
