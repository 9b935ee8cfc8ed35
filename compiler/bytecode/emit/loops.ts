/**
 * Loop and While to code: an instruction that begins, the body, an instruction that continues, then the after-label. A loop keeps
 * its register until the after-label is done, because a Retry of the loop looks at it.
 */
import type { NodeOf } from "../../ir/graph.ts";
import { Op } from "../opcodes.ts";
import { Fixed } from "../program.ts";
import { type Block, type CodeBuilder, NEVER_UNSET, type Patch, type Use } from "./builder.ts";
import type { OperandEmitter } from "./operands.ts";

/** Words have 32 bits: a larger limit of a While is a constant, and the word says which. */
const MAX_WORD = 2 ** 31 - 1;

/** What loops need of the label emitter. */
export type LoopSurroundings = {
  /** Emits the label, or a call of it; its result goes to `finish`. */
  enterLabel(label: string | null, site: number, depth: number, finish: (result: Use) => void): void;
  /** Emits what follows the whole statement. */
  finishAfter(site: number, label: string | null, result: Use): void;
  /** Whether a label has no node to visit. */
  isEmpty(label: string | null): boolean;
};

export class LoopEmitter {
  private readonly code: CodeBuilder;
  private readonly operands: OperandEmitter;
  /** Registers in use at this point of the routine, and the most of it. */
  live = 0;
  most = 0;

  constructor(code: CodeBuilder, operands: OperandEmitter) {
    this.code = code;
    this.operands = operands;
  }

  beginRoutine(): void {
    this.live = 0;
    this.most = 0;
  }

  emitLoop(node: NodeOf<"Loop">, site: number, depth: number, targets: LoopTargets, around: LoopSurroundings): void {
    const list = this.operands.use(node.data.list);
    const item = this.code.variable(node.data.item);
    const loop = this.take(site, item);
    const init = this.code.emit(Op.LoopInit, item, loop, list, 0, 0, depth);
    const body = this.beginBody(init, init + 5, depth, targets);
    this.emitBody(targets.body, site, depth, Fixed.LoopLast, around);
    if (node.data.until !== undefined) {
      const until = this.code.variable(node.data.until);
      this.code.emit(Op.Stop, this.flag(until), loop);
      this.code.emit(Op.Set, until, this.code.constant(false));
    }
    const next = this.code.emit(Op.LoopNext, item, loop, body.start, 0);
    body.block.charges.push(next + 4);
    this.code.resolve([init + 4]);
    this.emitAfter(targets.after, site, depth, body, around);
    this.live -= 1;
  }

  emitWhile(node: NodeOf<"While">, site: number, depth: number, targets: LoopTargets, around: LoopSurroundings): void {
    const loop = this.take(site, -1);
    const condition = this.operands.condition(node.data.cond);
    const init = this.code.emit(Op.WhileInit, condition, loop, 0, 0, depth, this.limitWord(node.data.limit));
    const body = this.beginBody(init, init + 4, depth, targets);
    if (around.isEmpty(targets.body)) this.emitTick(site);
    this.emitBody(targets.body, site, depth, Fixed.WhileLast, around);
    this.emitWhileNext(node, site, loop, body);
    this.code.resolve([init + 3]);
    this.emitAfter(targets.after, site, depth, body, around);
    this.live -= 1;
  }

  /** The limit itself, or -1, -2 … for the first, second … constant. */
  private limitWord(limit: number): number {
    if (limit <= MAX_WORD) return limit;
    return -1 - this.code.constantIndex(limit);
  }

  /** A register for the loop at `site`. */
  private take(site: number, item: number): number {
    const loop = this.live++;
    this.most = Math.max(this.most, this.live);
    const known = this.code.sites[site];
    if (known !== undefined) this.code.sites[site] = { ...known, loop, item };
    return loop;
  }

  private beginBody(init: number, charge: number, depth: number, targets: LoopTargets): Body {
    this.code.entry(init, targets.body, targets.after);
    this.code.entered = Math.max(this.code.entered, depth);
    const block = this.code.openBlock(charge);
    this.code.join();
    return { block, start: this.code.pc, entered: this.code.entered };
  }

  /** The body: its non-null value goes to `last`, then the next iteration is prepared. */
  private emitBody(label: string | null, site: number, depth: number, last: Fixed, around: LoopSurroundings): void {
    const ends: Patch = [];
    around.enterLabel(label, site, depth, (result) => {
      this.code.site = site;
      if (result.slot !== this.code.constant(null)) this.code.emit(Op.Last, last, result);
      ends.push(this.code.emit(Op.Jump, 0) + 1);
    });
    this.code.dropLastJump(ends);
    this.code.resolve(ends);
    this.code.block = null;
    this.code.site = site;
    this.code.releaseTemporaries();
  }

  private emitAfter(label: string | null, site: number, depth: number, body: Body, around: LoopSurroundings): void {
    this.code.block = null;
    this.code.join();
    // The body may not have run at all, so the depths that it tests count for nothing here.
    this.code.entered = body.entered;
    around.enterLabel(label, site, depth, (result) => {
      this.code.site = site;
      around.finishAfter(site, label, result);
    });
  }

  /** An iteration whose body visits no node counts one step of its own. */
  private emitTick(site: number): void {
    const loop = this.code.sites[site];
    if (loop === undefined) return;
    this.code.sites.push(loop);
    this.code.tick(this.code.sites.length - 1);
  }

  /** Whether a While that can be ended makes another pass: the condition is not asked once it was ended. */
  private going(node: NodeOf<"While">, name: string): Use {
    const slot = this.code.temporary();
    const until = this.code.variable(name);
    this.code.emit(Op.Not, slot, this.flag(until));
    this.code.emit(Op.Set, until, this.code.constant(false));
    const going = { slot, unset: NEVER_UNSET };
    const ended = this.code.emit(Op.Skip, going, 0, 0) + 3;
    this.code.emit(Op.Truthy, slot, this.operands.condition(node.data.cond));
    this.code.resolve([ended]);
    return going;
  }

  private flag(until: number): Use {
    return { slot: until, unset: this.code.constant(null) };
  }

  /** Evaluates the condition again; right after the instructions `Add` and `Lt` that change it, all become one. */
  private emitWhileNext(node: NodeOf<"While">, site: number, loop: number, body: Body): void {
    if (node.data.until !== undefined) {
      const next = this.code.emit(Op.WhileNext, this.going(node, node.data.until), loop, body.start, 0, site);
      body.block.charges.push(next + 4);
      return;
    }
    const condition = this.operands.condition(node.data.cond);
    const lt = this.code.kind === "fast" ? this.code.lastOf(Op.Lt) : -1;
    if (lt < 0 || this.code.words[lt + 1] !== condition.slot) {
      const next = this.code.emit(Op.WhileNext, condition, loop, body.start, 0, site);
      body.block.charges.push(next + 4);
      return;
    }
    const test = this.code.take();
    const [, d, a, b] = test.words as [number, number, number, number];
    const left = use(a, test.unset.get(2));
    const right = use(b, test.unset.get(3));
    if (this.code.lastOf(Op.Add) < 0) {
      const next = this.code.emit(Op.WhileNextLt, d, left, right, loop, body.start, 0, site);
      this.code.attribute(test.site, test.block, test.position);
      body.block.charges.push(next + 6);
      return;
    }
    const add = this.code.take();
    const [, sum, a1, b1] = add.words as [number, number, number, number];
    const first = use(a1, add.unset.get(2));
    const second = use(b1, add.unset.get(3));
    const next = this.code.emit(
      Op.AddWhileNextLt,
      ...[sum, first, second, d, left, right, loop, body.start, 0, test.site, site],
    );
    this.code.attribute(add.site, add.block, add.position);
    body.block.charges.push(next + 9);
  }
}

export type LoopTargets = { readonly body: string | null; readonly after: string | null };
/** `entered`: the depth that the loop itself tests, before its body does. */
type Body = { readonly block: Block; readonly start: number; readonly entered: number };

/** An operand of an instruction that is emitted again in another one. */
export function use(slot: number, unset: number | undefined): Use {
  return { slot, unset: unset ?? NEVER_UNSET };
}
