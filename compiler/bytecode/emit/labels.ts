/**
 * Labels and their nodes to code. A label is emitted in a *context* that says what its result is for: the return of a routine, the result of
 * an inlined Call, or a loop body's value. If, Loop and While end their label, so the labels they enter inherit the context.
 */
import { completed, Pieces, type Task } from "../../../grammar/text/task.ts";
import type { CallInput, IrNode, NodeOf } from "../../ir/graph.ts";
import { Op } from "../opcodes.ts";
import type { Aux } from "../program.ts";
import { type Block, type CodeBuilder, NEVER_UNSET, type Patch, type Use } from "./builder.ts";
import { CallEmitter } from "./calls.ts";
import { emitFork } from "./forks.ts";
import type { LabelPort, Layout } from "./layout.ts";
import { LoopEmitter, type LoopSurroundings, type LoopTargets, use } from "./loops.ts";
import { type Functions, OperandEmitter } from "./operands.ts";

/** Takes a label's result: emits what follows from it. */
type Context = (result: Use) => void;

/** Nodes that are emitted in one piece. */
const NODES_OF_A_PIECE = 1000;

/** Inlining stops at this nesting; deeper labels become routines. */
const MAX_INLINE_DEPTH = 48;

type Edge = Omit<Extract<Aux, { kind: "edge" }>, "kind">;

function labelEdge(port: string, label: string | null, condition: boolean | null): Edge {
  return { port: label === null ? null : port, to_kind: "label", to: label ?? "", condition };
}

type Place = { readonly label: string; readonly parent: number; readonly depth: number; readonly finish: Context };

export class LabelEmitter {
  private readonly code: CodeBuilder;
  private readonly layout: Layout;
  private readonly operands: OperandEmitter;
  private readonly calls: CallEmitter;
  /** Routine labels in order of first use; emitted one after another. */
  private readonly routines: string[] = [];
  private readonly routineIndex = new Map<string, number>();
  private readonly waiting: Patch[] = [];
  private readonly opened: Block[] = [];
  private readonly loops: LoopEmitter;
  /** Weight of the labels emitted so far, each as often as it was. */
  private emitted = 0;
  private readonly pieces = new Pieces(NODES_OF_A_PIECE);

  constructor(code: CodeBuilder, layout: Layout, functions: Functions) {
    this.code = code;
    this.layout = layout;
    this.operands = new OperandEmitter(code, functions);
    this.calls = new CallEmitter(code, this.operands);
    this.loops = new LoopEmitter(code, this.operands);
  }

  /** Works in pieces of some routines, or of some nodes of a long label. */
  *emitProgram(entry: string): Task<void> {
    this.routine(entry);
    for (let at = 0; at < this.routines.length; at++) yield* this.emitRoutine(at, this.routines[at] as string);
  }

  private routine(label: string): number {
    const known = this.routineIndex.get(label);
    if (known !== undefined) return known;
    this.routineIndex.set(label, this.routines.length);
    this.routines.push(label);
    this.waiting.push([]);
    return this.routines.length - 1;
  }

  private *emitRoutine(index: number, label: string): Task<void> {
    this.loops.beginRoutine();
    this.code.entered = 0;
    this.code.join();
    const pc = this.code.pc;
    const block = this.firstBlock(index);
    const finish = (result: Use): void => {
      this.code.emit(Op.Ret, result);
    };
    yield* this.emitChain({ label, parent: -1, depth: 0, finish });
    // The first block is also entered by the machine itself (start, handlers), which reads the charge here.
    this.code.routines.push({ label, pc, charge: block.steps, loops: this.loops.most });
  }

  /** Opens a routine's first block; calls emitted before it wait with their charge words. */
  private firstBlock(index: number): Block {
    const block = this.code.openBlock(...(this.waiting[index] ?? []));
    this.opened[index] = block;
    return block;
  }

  private chargeRoutine(index: number, at: number): void {
    const block = this.opened[index];
    if (block !== undefined) block.charges.push(at);
    else this.waiting[index]?.push(at);
  }

  private emitLabel(id: string, parent: number, depth: number, finish: Context): void {
    completed(this.emitChain({ label: id, parent, depth, finish }));
  }

  private *emitChain(place: Place): Task<void> {
    const { label: id, finish } = place;
    this.emitted += this.layout.weight(id);
    let handler = -1;
    const chain = this.layout.chain(id);
    for (let position = 0; position < chain.length; position++) {
      if (this.pieces.add()) yield;
      const node = chain[position] as IrNode;
      const site = this.newSite(place, node, position, handler);
      this.code.visit(site);
      this.code.releaseTemporaries();
      if (node.op === "Err") {
        handler = this.handlerSite(this.target(place, node, "handler"));
        this.leave(site, this.nothing());
      } else if (node.op === "Retry") {
        this.leave(site, this.nothing());
      } else if (this.emitNode(place, node, site)) {
        return;
      }
    }
    finish(this.nothing());
  }

  private newSite(place: Place, node: IrNode, position: number, active: number): number {
    const own = this.layout.handlerOf(place.label, node.id);
    this.code.sites.push({
      label: place.label,
      id: node.id,
      op: node.op,
      line: node.line ?? null,
      file: node.file ?? null,
      parent: place.parent,
      position,
      retry: this.retrySite(this.layout.retryOf(place.label, node.id)),
      handler: own === null ? active : this.handlerSite(own),
      loop: -1,
      item: -1,
    });
    return this.code.sites.length - 1;
  }

  private handlerSite(label: string | null): number {
    if (label === null) return -1;
    this.code.handlers.push({ label, routine: this.routine(label) });
    return this.code.handlers.length - 1;
  }

  private retrySite(node: NodeOf<"Retry"> | null): number {
    if (node === null) return -1;
    const { count, backoff_ms, strategy } = node.data;
    this.code.retries.push({ count, backoff_ms, strategy });
    return this.code.retries.length - 1;
  }

  private nothing(): Use {
    return { slot: this.code.constant(null), unset: NEVER_UNSET };
  }

  private variable(name: string): Use {
    return { slot: this.code.variable(name), unset: this.code.constant(null) };
  }

  /** Announces the completion of a node to the trace; without an edge it continued with the next node of its label, if any. */
  private leave(site: number, value: Use, edge?: Edge): void {
    if (this.code.kind !== "traced") return;
    const taken = edge ?? this.nextEdge(site);
    this.code.emit(Op.Leave, site, value, taken === null ? -1 : this.code.auxIndex({ kind: "edge", ...taken }));
  }

  private nextEdge(site: number): Edge | null {
    const from = this.code.sites[site];
    const next = from === undefined ? undefined : this.layout.chain(from.label)[from.position + 1];
    return next === undefined ? null : { port: "next", to_kind: "node", to: next.id, condition: null };
  }

  /** Emits a node; true when it ended the label. */
  private emitNode(place: Place, node: IrNode, site: number): boolean {
    switch (node.op) {
      case "Set":
      case "X": {
        const name = this.code.variable(node.data.name);
        this.operands.into(name, node.data.value);
        this.calls.afterSuspension(node.data.value);
        this.leave(site, this.variable(node.data.name));
        return false;
      }
      case "Filt": {
        const name = this.code.variable(node.data.name);
        const aux = this.code.auxIndex({ kind: "filt", field: node.data.field, cmp: node.data.cmp });
        this.code.emit(Op.Filt, name, this.operands.use(node.data.list), aux, this.operands.use(node.data.value));
        this.leave(site, this.variable(node.data.name));
        return false;
      }
      case "Sort": {
        const name = this.code.variable(node.data.name);
        const aux = this.code.auxIndex({ kind: "sort", field: node.data.field, order: node.data.order });
        this.code.emit(Op.Sort, name, this.operands.use(node.data.list), aux);
        this.leave(site, this.variable(node.data.name));
        return false;
      }
      case "J": {
        const value = this.operands.use(node.data.value);
        this.leave(site, value);
        place.finish(value);
        return true;
      }
      case "If":
        this.emitIf(place, node, site);
        return true;
      case "Loop":
        this.loops.emitLoop(node, site, place.depth + 1, this.loopTargets(place, node), this.around(place));
        return true;
      case "While":
        this.loops.emitWhile(node, site, place.depth + 1, this.loopTargets(place, node), this.around(place));
        return true;
      case "Call":
        this.emitCall(place, node, site);
        return false;
      case "Each":
      case "Par":
        this.emitFork(place, node, site);
        return false;
      case "Err":
      case "Retry":
      case "Py":
        return false;
      default: {
        const stored = this.calls.emit(node);
        this.leave(site, stored === null ? this.nothing() : this.variable(stored));
        return false;
      }
    }
  }

  private target(place: Place, node: IrNode, port: LabelPort): string | null {
    return this.layout.target(place.label, node.id, port);
  }

  private isRoutine(label: string, depth: number): boolean {
    return (
      this.code.kind === "traced" ||
      this.layout.isRoutine(label) ||
      depth > MAX_INLINE_DEPTH ||
      this.emitted + this.layout.weight(label) > this.layout.maxWeight
    );
  }

  /** The label entered from `site`: inlined, or as a routine whose value continues to the context. */
  private enterLabel(label: string | null, site: number, depth: number, finish: Context): void {
    if (label === null) {
      finish(this.nothing());
    } else if (this.isRoutine(label, depth)) {
      finish(this.callValue(label, site, depth));
    } else {
      this.emitLabel(label, site, depth, finish);
    }
  }

  private callValue(label: string, site: number, depth: number): Use {
    const slot = this.code.temporary();
    const routine = this.routine(label);
    this.code.site = site;
    const pc = this.code.emit(Op.CallValue, slot, routine, depth, 0, this.loops.live);
    this.chargeRoutine(routine, pc + 4);
    this.code.call(pc);
    this.code.entry(pc, label, null);
    this.code.block = null;
    return { slot, unset: NEVER_UNSET };
  }

  private emitIf(place: Place, node: NodeOf<"If">, site: number): void {
    const then = this.target(place, node, "then");
    const otherwise = this.target(place, node, "else");
    const k = place.depth + 1;
    const condition = this.operands.condition(node.data.cond);
    const both = this.inlined(then, k) !== null && this.inlined(otherwise, k) !== null;
    const entered = this.code.entered;
    const test = both && entered < k ? k : 0;
    const branch = this.emitBranch(condition, test, site);
    this.code.entry(branch.pc, then, otherwise);
    const path = (label: string | null, charge: number, edge: Edge): void => {
      this.code.entered = Math.max(entered, test);
      this.code.openBlock(charge);
      this.code.join();
      this.code.site = site;
      this.code.releaseTemporaries();
      if (this.inlined(label, k) !== null) this.enter(label, k);
      this.enterLabel(label, site, k, (result) => {
        this.code.site = site;
        this.leave(site, result, edge);
        place.finish(result);
      });
    };
    path(then, branch.charge, labelEdge("then", then, true));
    this.code.resolve([branch.target]);
    path(otherwise, branch.charge + 1, labelEdge("else", otherwise, false));
  }

  /** Branch on a condition; right after the `Lt` that computes it, both become one instruction. */
  private emitBranch(condition: Use, test: number, site: number): { pc: number; target: number; charge: number } {
    const lt = this.code.kind === "fast" && this.code.sites[site]?.retry === -1 ? this.code.lastOf(Op.Lt) : -1;
    if (lt < 0 || this.code.words[lt + 1] !== condition.slot) {
      const pc = this.code.emit(Op.Branch, condition, 0, 0, 0, test);
      return { pc, target: pc + 2, charge: pc + 3 };
    }
    const taken = this.code.take();
    const [, d, a, b] = taken.words as [number, number, number, number];
    const left = use(a, taken.unset.get(2));
    const right = use(b, taken.unset.get(3));
    const pc = this.code.emit(Op.BranchLt, d, left, right, 0, 0, 0, test, site);
    this.code.attribute(taken.site, taken.block, taken.position);
    return { pc, target: pc + 4, charge: pc + 5 };
  }

  /** Tests the depth of an inlined label where no instruction on the way has done so. */
  private enter(label: string | null, k: number): void {
    if (this.code.entered >= k) return;
    this.code.entry(this.code.emit(Op.Enter, k), label, null);
    this.code.entered = k;
  }

  private inlined(label: string | null, depth: number): string | null {
    return label === null || this.isRoutine(label, depth) ? null : label;
  }

  private loopTargets(place: Place, node: IrNode): LoopTargets {
    return { body: this.target(place, node, "body"), after: this.target(place, node, "after") };
  }

  private around(place: Place): LoopSurroundings {
    return {
      enterLabel: (label, site, depth, finish) => this.enterLabel(label, site, depth, finish),
      isEmpty: (label) => label === null || this.layout.chain(label).length === 0,
      finishAfter: (site, label, result) => {
        this.leave(site, result, labelEdge("after", label, null));
        place.finish(result);
      },
    };
  }

  /** A call with variables of its own: always a routine, because the frame it opens ends where its record does. */
  private emitOwnCall(
    inputs: readonly CallInput[],
    { label, out, depth }: { readonly label: string; readonly out: number; readonly depth: number },
    site: number,
  ): void {
    const values = this.operands.uses(inputs.map(([, value]) => value));
    const names = this.code.auxIndex({ kind: "inputs", names: inputs.map(([name]) => name) });
    this.code.emit(Op.Begin, names, values.length, ...values);
    const result = this.callValue(label, site, depth);
    this.code.emit(Op.End, out, result);
    this.code.join();
  }

  private emitFork(place: Place, node: NodeOf<"Each"> | NodeOf<"Par">, site: number): void {
    const body = this.target(place, node, "body") ?? "";
    emitFork(this.code, this.operands, node, { body, routine: (label) => this.routine(label), depth: place.depth + 1 });
    this.leave(site, this.variable(node.data.out));
  }

  private emitCall(place: Place, node: NodeOf<"Call">, site: number): void {
    const label = this.target(place, node, "call");
    const out = this.code.variable(node.data.out);
    const k = place.depth + 1;
    if (node.data.inputs !== undefined) {
      this.emitOwnCall(node.data.inputs, { label: label ?? "", out, depth: k }, site);
      this.leave(site, this.variable(node.data.out));
      return;
    }
    if (label === null || this.isRoutine(label, k)) {
      const routine = this.routine(label ?? "");
      const pc = this.code.emit(Op.Call, out, routine, k, 0, this.loops.live, 0);
      this.chargeRoutine(routine, pc + 4);
      this.code.call(pc);
      this.code.entry(pc, label, null);
      this.code.openBlock(pc + 6);
      this.code.join();
      this.leave(site, this.variable(node.data.out));
      return;
    }
    this.enter(label, k);
    const entered = this.code.entered;
    const ends: Patch = [];
    let exits = 0;
    let lastBlock = this.code.block;
    this.emitLabel(label, site, k, (result) => {
      this.code.site = site;
      this.code.emit(Op.CallResult, out, result);
      exits += 1;
      lastBlock = this.code.block;
      ends.push(this.code.emit(Op.Jump, 0) + 1);
    });
    this.code.dropLastJump(ends);
    this.code.resolve(ends);
    this.code.block = exits === 1 && ends.length === 0 ? lastBlock : null;
    this.code.entered = entered;
    this.code.site = site;
  }
}
