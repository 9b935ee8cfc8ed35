/**
 * Call nodes to code: R and the steps that are adapter calls under another name. `R core.F` stays inside the machine,
 * everything else leaves it through `Invoke`, where a run may suspend; a block ends there.
 */
import { findFunction, isHostCall } from "../../functions.ts";
import type { IrOperand, NodeOf } from "../../ir/graph.ts";
import { Op } from "../opcodes.ts";
import type { CallAux } from "../program.ts";
import type { CodeBuilder } from "./builder.ts";
import type { OperandEmitter } from "./operands.ts";

export type CallNode = NodeOf<"R" | "CacheGet" | "CacheSet" | "QueuePut" | "Tx" | "Enf">;

export class CallEmitter {
  private readonly code: CodeBuilder;
  private readonly operands: OperandEmitter;

  constructor(code: CodeBuilder, operands: OperandEmitter) {
    this.code = code;
    this.operands = operands;
  }

  /** Emits the call; returns the name it stores its result in. */
  emit(node: CallNode): string | null {
    const { adapter, verb, out } = node.data;
    if (adapter === "core" && typeof verb === "string") this.emitCore(node, verb, out);
    else this.emitInvoke(node);
    return out;
  }

  /** Ends the block after a host function, which may suspend (`sleep`). */
  afterSuspension(value: IrOperand): void {
    if (value.k !== "call" || !isHostCall(value.fn, value.args.length)) return;
    this.code.block = null;
    this.code.join();
  }

  private destination(out: string | null): number {
    return out === null ? -1 : this.code.variable(out);
  }

  private emitCore(node: CallNode, verb: string, out: string | null): void {
    const args = this.operands.uses(node.data.args);
    const name = findFunction(verb)?.name ?? verb;
    if (isHostCall(name, args.length)) {
      const aux = this.code.auxIndex({ kind: "host", name, counted: true, written: verb });
      this.code.emit(Op.Host, this.destination(out), aux, args.length, ...args);
      this.code.block = null;
      this.code.join();
      return;
    }
    const aux = this.code.auxIndex({ kind: "fn", name, form: "verb", written: verb });
    this.code.emit(Op.CoreCall, this.destination(out), aux, args.length, ...args);
  }

  private emitInvoke(node: CallNode): void {
    const operands = operandsOf(node);
    const uses = this.operands.uses(operands);
    this.code.emit(Op.Invoke, this.destination(node.data.out), this.code.auxIndex(callAux(node)), uses.length, ...uses);
    this.code.block = null;
    this.code.join();
  }
}

function operandsOf(node: CallNode): IrOperand[] {
  const { adapter, verb, args } = node.data;
  const operands = [...args];
  if (typeof adapter !== "string" || typeof verb !== "string") operands.unshift(asOperand(adapter), asOperand(verb));
  if (node.op === "CacheGet" && node.data.fallback !== null) operands.push(node.data.fallback);
  return operands;
}

function asOperand(name: string | IrOperand): IrOperand {
  return typeof name === "string" ? { k: "str", v: name } : name;
}

function callAux(node: CallNode): CallAux {
  const { adapter, verb } = node.data;
  const literal = typeof adapter === "string" && typeof verb === "string";
  return {
    kind: "call",
    adapter: literal ? adapter : null,
    verb: literal ? verb : null,
    text_key: node.op === "CacheGet" || node.op === "CacheSet",
    fallback: node.op === "CacheGet" && node.data.fallback !== null,
    txid: node.op === "Tx" && verb === "begin",
    enforce: adapter === "auth" && typeof verb === "string" && verb.toLowerCase() === "enforce",
  };
}
