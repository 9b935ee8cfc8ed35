/**
 * First pass over a variant: whole instructions, which routine each belongs to, and in which loop it stands. Loops are
 * emitted as nested stretches of code, so a stack finds them; a variant that is not made like that is refused. What the other
 * passes need to know of positions is collected in `Scan`.
 */
import { INSTRUCTIONS, instructionLength, Op } from "../opcodes.ts";
import type { Program, VariantKind, VariantTables } from "../program.ts";

/** Nesting of labels inlined into a routine, and so of its loops; the emitter stops before. */
export const MAX_NESTING = 64;

/** A loop: from the instruction after its init to its next. */
export type Region = {
  /** pc of LoopInit or WhileInit. */
  readonly init: number;
  readonly start: number;
  /** pc of the instruction that goes back. */
  end: number;
  readonly exit: number;
  readonly isLoop: boolean;
  readonly register: number;
  /** Slot of the item variable; -1 for a While. */
  readonly item: number;
  readonly parent: number;
};

export type Scan = {
  readonly kind: VariantKind;
  readonly version: Program["version"];
  readonly tables: VariantTables;
  readonly variables: number;
  /** Variables by name. */
  readonly slots_of: ReadonlyMap<string, number>;
  /** First slot after the constants, and first after everything. */
  readonly firstTemporary: number;
  readonly slots: number;
  /** pcs of the instructions, in order; `count` of them. */
  readonly heads: Int32Array;
  readonly count: number;
  /** pc → number of the instruction that starts there, -1 inside of one. */
  readonly indexAt: Int32Array;
  /** Instruction → routine, region (-1: none). */
  readonly routineOf: Int32Array;
  readonly regionOf: Int32Array;
  readonly regions: readonly Region[];
};

export function isWhileNext(op: number): boolean {
  return op === Op.WhileNext || op === Op.WhileNextLt || op === Op.AddWhileNextLt;
}

export function isFused(op: number): boolean {
  return op === Op.BranchLt || op === Op.WhileNextLt || op === Op.AddWhileNextLt;
}

/** Where the word of kind `t`, `l` or the first `n` of an instruction stands. */
export function wordAt(op: number, kind: "t" | "l" | "n"): number {
  return 1 + (INSTRUCTIONS[op]?.words.indexOf(kind) ?? -1);
}

/** Whether the next instruction follows. `Fail` never completes. */
export function goesOn(op: number): boolean {
  const flow = INSTRUCTIONS[op]?.flow;
  return op !== Op.Fail && (flow === "next" || flow === "branch");
}

/** The scan, or why the variant is refused. */
export function scanVariant(program: Program, kind: VariantKind, tables: VariantTables): Scan | string {
  const { code, routines } = tables;
  const heads = new Int32Array(code.length);
  const indexAt = new Int32Array(code.length).fill(-1);
  let count = 0;
  for (let pc = 0; pc < code.length; count++) {
    const length = instructionLength(code, pc);
    if (length === 0 || length > code.length - pc) return `no whole instruction at ${pc}`;
    heads[count] = pc;
    indexAt[pc] = count;
    pc += length;
  }
  const routineOf = new Int32Array(count);
  for (let at = 0; at < routines.length; at++) {
    const from = routines[at]?.pc ?? -1;
    const to = routines[at + 1]?.pc ?? code.length;
    if (at === 0 && from !== 0) return "the first routine does not start the code";
    if (from >= to || (indexAt[from] ?? -1) < 0) return `routine ${at} is misplaced`;
    const end = to === code.length ? count : (indexAt[to] ?? -1);
    routineOf.fill(at, indexAt[from], Math.max(0, end));
  }
  const regionOf = new Int32Array(count).fill(-1);
  const regions: Region[] = [];
  const firstTemporary = program.names.length + tables.constants.length;
  const scan: Scan = {
    kind,
    version: program.version,
    tables,
    variables: program.names.length,
    slots_of: program.slots,
    firstTemporary,
    slots: firstTemporary + tables.temporaries,
    heads,
    count,
    indexAt,
    routineOf,
    regionOf,
    regions,
  };
  return findRegions(scan, regions) ?? scan;
}

function findRegions(scan: Scan, regions: Region[]): string | null {
  const { heads, count, routineOf, regionOf } = scan;
  const { code, routines } = scan.tables;
  let open = -1;
  let registers = 0;
  for (let at = 0; at < count; at++) {
    const pc = heads[at] as number;
    const op = code[pc] as number;
    regionOf[at] = open;
    if (op === Op.LoopInit || op === Op.WhileInit) {
      const region = regionAt(scan, pc, op, open);
      // A loop in the after-label of another one has a higher register too, so there may be gaps.
      if (region.register <= (regions[open]?.register ?? -1) || region.register >= MAX_NESTING)
        return `bad loop register at ${pc}`;
      regions.push(region);
      open = regions.length - 1;
      registers = Math.max(registers, region.register + 1);
    } else if (op === Op.LoopNext || isWhileNext(op)) {
      const region = regions[open];
      if (region === undefined || !closes(scan, region, pc, op)) return `the loop edge at ${pc} ends no loop`;
      region.end = pc;
      open = region.parent;
    }
    if (at + 1 === count || routineOf[at + 1] !== routineOf[at]) {
      if (open >= 0) return `a loop is open at the end of routine ${routineOf[at]}`;
      if (routines[routineOf[at] as number]?.loops !== registers)
        return `routine ${routineOf[at]} has other loop registers`;
      registers = 0;
    }
  }
  return null;
}

function regionAt(scan: Scan, pc: number, op: number, parent: number): Region {
  const { code } = scan.tables;
  const isLoop = op === Op.LoopInit;
  return {
    init: pc,
    start: pc + instructionLength(code, pc),
    end: -1,
    exit: code[pc + wordAt(op, "t")] as number,
    isLoop,
    register: code[pc + wordAt(op, "l")] as number,
    item: isLoop ? (code[pc + 1] as number) : -1,
    parent,
  };
}

function closes(scan: Scan, region: Region, pc: number, op: number): boolean {
  const { code } = scan.tables;
  return (
    region.isLoop === (op === Op.LoopNext) &&
    code[pc + wordAt(op, "l")] === region.register &&
    code[pc + wordAt(op, "t")] === region.start &&
    region.exit === pc + instructionLength(code, pc) &&
    (!region.isLoop || code[pc + 1] === region.item)
  );
}
