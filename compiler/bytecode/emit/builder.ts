/**
 * Where code is put together: words, the tables next to them, and blocks. A block is a run of nodes that are executed
 * together when none fails; its step count is written into the instructions that enter it once the block is complete.
 */
import type { Json } from "../../json.ts";
import { WordSpace } from "../../word-space.ts";
import { INSTRUCTIONS, type Instruction, instructionLength, Op } from "../opcodes.ts";
import type { Aux, HandlerSite, NodeSite, RetrySite, Routine, VariantKind, VariantTables } from "../program.ts";

export type Block = {
  /** Words that take the step count. */
  readonly charges: number[];
  head: number;
  steps: number;
  firstSite: number;
  /** Index of the same place in the other layout-equal variant; -1: the place is the first site. */
  readonly mark: number;
};

/** A position in a block; no block: charged by itself. */
type Place = { readonly block: Block | null; readonly position: number };
type Head = { readonly pc: number; site: number; block: Block | null; position: number };

/** An operand ready for use: its slot, and the slot of what it means when the variable is unset (-1: cannot be unset). */
export type Use = { readonly slot: number; readonly unset: number };

/** Jump targets are known late: a list of words that wait for one. */
export type Patch = number[];

export class CodeBuilder {
  readonly kind: VariantKind;
  readonly words: number[] = [];
  /** The open block, null where a charge must come first. */
  block: Block | null = null;
  /** Deepest static depth already tested on the way here. */
  entered = 0;
  readonly sites: NodeSite[] = [];
  readonly retries: RetrySite[] = [];
  readonly handlers: HandlerSite[] = [];
  readonly routines: Routine[] = [];
  site = -1;
  private readonly slots: ReadonlyMap<string, number>;
  private readonly constants: Json[] = [];
  /** Constants by value, except lists and maps. */
  private readonly constantSlots = new Map<Json, number>();
  private readonly aux: Aux[] = [];
  private readonly auxKeys = new Map<string, number>();
  private readonly labels: string[] = [];
  private readonly labelKeys = new Map<string, number>();
  private temporaries = 0;
  private freeTemporary = 0;
  private readonly sitePc: number[] = [];
  private readonly sitePlace: Place[] = [];
  private readonly blocks: Block[] = [];
  private readonly calls: number[] = [];
  private readonly marks: number[] = [];
  private readonly entries: number[] = [];
  private readonly heads: Head[] = [];
  private readonly unset = new Map<number, number>();
  private lastHead = -1;
  private barrier = 0;

  /** `slots`: of the variables. */
  constructor(kind: VariantKind, slots: ReadonlyMap<string, number>) {
    this.kind = kind;
    this.slots = slots;
  }

  get pc(): number {
    return this.words.length;
  }

  variable(name: string): number {
    const slot = this.slots.get(name);
    if (slot === undefined) throw new Error(`variable '${name}' has no slot`);
    return slot;
  }

  /**
   * Constants and temporaries are numbered from their own zero while code is emitted; `finish` knows how many there are.
   * Constants are held as -2, -3 …, temporaries from 2^20 on.
   */
  constant(value: Json): number {
    const known = this.constantSlots.get(value);
    if (known !== undefined) return known;
    const slot = -2 - this.constants.length;
    this.constants.push(value);
    if (typeof value !== "object" || value === null) this.constantSlots.set(value, slot);
    return slot;
  }

  /** The place of a constant among the constants of the variant. */
  constantIndex(value: Json): number {
    return -2 - this.constant(value);
  }

  temporary(): number {
    const slot = FIRST_TEMPORARY + this.freeTemporary;
    this.freeTemporary += 1;
    this.temporaries = Math.max(this.temporaries, this.freeTemporary);
    return slot;
  }

  /** Temporaries are dead after the node that used them. */
  releaseTemporaries(): void {
    this.freeTemporary = 0;
  }

  auxIndex(aux: Aux): number {
    const key = auxKey(aux);
    const known = this.auxKeys.get(key);
    if (known !== undefined) return known;
    this.aux.push(aux);
    this.auxKeys.set(key, this.aux.length - 1);
    return this.aux.length - 1;
  }

  labelIndex(label: string): number {
    const known = this.labelKeys.get(label);
    if (known !== undefined) return known;
    this.labels.push(label);
    this.labelKeys.set(label, this.labels.length - 1);
    return this.labels.length - 1;
  }

  /** Emits an instruction; operands are given as `Use`, everything else as numbers. Returns its pc. */
  emit(op: Op, ...words: readonly (number | Use)[]): number {
    const pc = this.words.length;
    this.heads.push({ pc, site: this.site, block: this.block, position: this.block?.steps ?? 0 });
    this.lastHead = pc;
    this.words.push(op);
    for (const word of words) {
      if (typeof word === "number") {
        this.words.push(word);
      } else {
        if (word.unset !== NEVER_UNSET) this.unset.set(this.words.length, word.unset);
        this.words.push(word.slot);
      }
    }
    return pc;
  }

  /** Marks the current position as a place that jumps reach: nothing before it may be fused with what follows. */
  join(): void {
    this.barrier = this.words.length;
  }

  /** The last instruction when it is of kind `op` and nothing jumps after it, else -1. */
  lastOf(op: Op): number {
    return this.lastHead >= this.barrier && this.lastHead >= 0 && this.words[this.lastHead] === op ? this.lastHead : -1;
  }

  /** The words of the last instruction, taken out of the code again. The position it had in its block is kept for `retake`. */
  take(): { words: number[]; unset: Map<number, number>; site: number; block: Block | null; position: number } {
    const head = this.heads.pop();
    if (head === undefined || head.pc !== this.lastHead) throw new Error("nothing to take");
    const words = this.words.splice(head.pc);
    const unset = new Map<number, number>();
    for (let at = head.pc; at < head.pc + words.length; at++) {
      const meaning = this.unset.get(at);
      if (meaning === undefined) continue;
      unset.set(at - head.pc, meaning);
      this.unset.delete(at);
    }
    this.lastHead = this.heads.at(-1)?.pc ?? -1;
    return { words, unset, site: head.site, block: head.block, position: head.position };
  }

  /** Re-attributes the instruction emitted last: to another site and place in a block (for fused instructions). */
  attribute(site: number, block: Block | null, position: number): void {
    const head = this.heads.at(-1);
    if (head === undefined) return;
    head.site = site;
    head.block = block;
    head.position = position;
  }

  /** Drops the jump that was emitted last when it would only lead to the next instruction. */
  dropLastJump(patch: Patch): boolean {
    const at = patch.at(-1);
    if (at === undefined || at !== this.words.length - 1 || this.words[at - 1] !== Op.Jump || this.barrier > at - 1)
      return false;
    patch.pop();
    this.take();
    return true;
  }

  resolve(patch: Patch): void {
    for (const at of patch) this.words[at] = this.words.length;
    if (patch.length > 0) this.join();
  }

  /** Opens the block that the instruction with the given charge words enters. It starts at the next instruction. */
  openBlock(...charges: readonly number[]): Block {
    this.marks.push(this.words.length);
    return this.newBlock(charges, this.marks.length - 1);
  }

  private newBlock(charges: readonly number[], mark: number): Block {
    const block: Block = { charges: charges.slice(), head: this.words.length, steps: 0, firstSite: -1, mark };
    this.blocks.push(block);
    this.block = block;
    return block;
  }

  /** Counts the visit of the node at `site`, with a charge in front where no block is open. */
  visit(site: number): void {
    this.site = site;
    this.sitePc[site] = this.words.length;
    if (this.kind === "traced") {
      this.block = null;
      this.emit(Op.Visit, site);
      this.sitePlace[site] = { block: null, position: 0 };
      return;
    }
    this.count(site);
    // A node that starts a block is visited again without the charge in front: the machine charges it.
    if (this.kind === "fast" && this.words[this.lastHead] === Op.Charge && this.lastHead === this.sitePc[site]) {
      this.sitePc[site] = this.words.length;
    }
  }

  /** Counts the step of an empty While body, which has no node. */
  tick(site: number): void {
    this.site = site;
    this.sitePc[site] = this.words.length;
    this.count(site);
  }

  private count(site: number): void {
    if (this.kind !== "fast") this.block = null;
    if (this.block === null) {
      const pc = this.emit(Op.Charge, 0);
      this.newBlock([pc + 1], -1);
    }
    const block = this.block as Block | null;
    if (block === null) return;
    this.sitePlace[site] = { block: this.kind === "fast" ? block : null, position: block.steps };
    block.steps += 1;
    if (block.firstSite < 0) block.firstSite = site;
  }

  call(pc: number): void {
    this.calls.push(pc);
  }

  entry(pc: number, first: string | null, second: string | null): void {
    this.entries.push(pc, first === null ? -1 : this.labelIndex(first), second === null ? -1 : this.labelIndex(second));
  }

  finish(variables: number): VariantTables {
    const firstTemporary = variables + this.constants.length;
    const slot = (raw: number): number => {
      if (raw >= FIRST_TEMPORARY) return firstTemporary + raw - FIRST_TEMPORARY;
      return raw <= -2 ? variables - 2 - raw : raw;
    };
    for (const block of this.blocks) for (const at of block.charges) this.words[at] = block.steps;
    const charged = this.blocks.filter((block) => block.steps > 0).sort((a, b) => a.head - b.head);
    const { words, marks, calls, entries, sitePc, sitePlace, routines } = this;
    const space = new WordSpace(
      4 * words.length +
        (marks.length + calls.length + entries.length + sitePc.length + sitePlace.length) +
        (routines.length + BLOCK_WORDS * charged.length),
    );
    const code = space.of(words);
    const unset_at = space.take(code.length).fill(-1);
    for (const [at, meaning] of this.unset) unset_at[at] = slot(meaning);
    const site_at = space.take(code.length).fill(-1);
    const refund_at = space.take(code.length);
    for (const { pc, site, block, position } of this.heads) {
      const { words: kinds } = INSTRUCTIONS[code[pc] as number] as Instruction;
      let at = pc;
      for (const kind of kinds) {
        at += 1;
        if (kind === "d" || kind === "D" || kind === "a") code[at] = slot(code[at] as number);
      }
      const next = pc + instructionLength(code, pc);
      while (++at < next) code[at] = slot(code[at] as number);
      site_at[pc] = site;
      refund_at[pc] = restOf(block, position);
    }
    const site_charge = space.take(sitePlace.length);
    for (let at = 0; at < site_charge.length; at++) {
      const { block, position } = sitePlace[at] as Place;
      site_charge[at] = restOf(block, position);
    }
    return {
      code,
      site_at,
      refund_at,
      unset_at,
      routines,
      routine_pc: space.of(routines.map(({ pc }) => pc)),
      site_pc: space.of(sitePc),
      site_charge,
      blocks: blockRows(charged, space.take(BLOCK_WORDS * charged.length)),
      marks: space.of(marks),
      calls: space.of(calls),
      entries: space.of(entries),
      constants: this.constants,
      temporaries: this.temporaries,
      aux: this.aux,
      labels: this.labels,
      sites: this.sites,
      retries: this.retries,
      handlers: this.handlers,
    };
  }
}

/** Of a row of `blocks`. */
const BLOCK_WORDS = 4;

function blockRows(charged: readonly Block[], rows: Int32Array): Int32Array {
  let at = 0;
  for (const { head, steps, mark, firstSite } of charged) {
    rows[at] = head;
    rows[at + 1] = steps;
    rows[at + 2] = mark;
    rows[at + 3] = firstSite;
    at += BLOCK_WORDS;
  }
  return rows;
}

/** Steps of a block that are charged but lie after a position in it. */
function restOf(block: Block | null, position: number): number {
  return block === null ? 0 : block.steps - position;
}

/** Equal entries have equal keys, and different ones never do. Most entries are functions. */
function auxKey(aux: Aux): string {
  if (aux.kind === "fn" && aux.form === "call" && aux.name === aux.written) return aux.name;
  return JSON.stringify(aux);
}

const FIRST_TEMPORARY = 1 << 20;
/** `unset` of an operand that is never unset. */
export const NEVER_UNSET = -1;
