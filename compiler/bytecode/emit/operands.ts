/**
 * Operands and conditions to code: constants and variables are used where they are, calls, paths and literals with variable
 * parts are computed into temporaries, left to right.
 */
import { isHostCall } from "../../functions.ts";
import type { IrCondition, IrOperand } from "../../ir/graph.ts";
import { constantOf, type Fold } from "../../passes/fold.ts";
import { Op } from "../opcodes.ts";
import { type CodeBuilder, NEVER_UNSET, type Patch, type Use } from "./builder.ts";

/** Functions with an instruction of their own, by number of arguments written. */
const DIRECT: Readonly<Record<string, { readonly op: Op; readonly args: number }>> = {
  add: { op: Op.Add, args: 2 },
  sub: { op: Op.Sub, args: 2 },
  mul: { op: Op.Mul, args: 2 },
  div: { op: Op.Div, args: 2 },
  idiv: { op: Op.IDiv, args: 2 },
  mod: { op: Op.Mod, args: 2 },
  lt: { op: Op.Lt, args: 2 },
  lte: { op: Op.Lte, args: 2 },
  gt: { op: Op.Gt, args: 2 },
  gte: { op: Op.Gte, args: 2 },
  eq: { op: Op.Eq, args: 2 },
  ne: { op: Op.Ne, args: 2 },
  and: { op: Op.And, args: 2 },
  or: { op: Op.Or, args: 2 },
  not: { op: Op.Not, args: 1 },
  bool: { op: Op.Truthy, args: 1 },
  ite: { op: Op.Select, args: 3 },
  len: { op: Op.Len, args: 1 },
  get: { op: Op.Get, args: 2 },
  put: { op: Op.Put, args: 3 },
  push: { op: Op.Push, args: 2 },
  obj: { op: Op.Obj, args: 2 },
};

const COMPARISON: Readonly<Record<string, Op>> = {
  "==": Op.Eq,
  "!=": Op.Ne,
  "<": Op.Lt,
  "<=": Op.Lte,
  ">": Op.Gt,
  ">=": Op.Gte,
};

/** What the emitter must know of functions: whether the canonical name exists, and calls that can be computed now. */
export type Functions = { readonly known: (name: string) => boolean; readonly fold: Fold };

export class OperandEmitter {
  private readonly code: CodeBuilder;
  private readonly functions: Functions;

  constructor(code: CodeBuilder, functions: Functions) {
    this.code = code;
    this.functions = functions;
  }

  /** A slot that holds the operand's value when the next instruction runs. */
  use(operand: IrOperand): Use {
    switch (operand.k) {
      case "var":
        return { slot: this.code.variable(operand.v), unset: this.code.constant(null) };
      case "name":
        return { slot: this.code.variable(operand.v), unset: this.code.constant(operand.v) };
      case "path":
        return this.computed(operand);
      default: {
        const value = constantOf(operand, this.functions.fold);
        return value === undefined ? this.computed(operand) : { slot: this.code.constant(value), unset: NEVER_UNSET };
      }
    }
  }

  uses(operands: readonly IrOperand[]): Use[] {
    const uses: Use[] = [];
    for (const operand of operands) uses.push(this.use(operand));
    return uses;
  }

  /** The operand's value written to `slot`. */
  into(slot: number, operand: IrOperand): void {
    const value = constantOf(operand, this.functions.fold);
    if (value !== undefined) this.code.emit(Op.Set, slot, this.code.constant(value));
    else this.compute(slot, operand);
  }

  /** The same for an operand that is not a constant. */
  private compute(slot: number, operand: IrOperand): void {
    switch (operand.k) {
      case "path": {
        const unset = this.code.constant(operand.text ?? null);
        const path = this.code.auxIndex({ kind: "path", segments: operand.segments });
        this.code.emit(Op.Path, slot, { slot: this.code.variable(operand.root), unset }, path);
        return;
      }
      case "call":
        if (isLazy(operand)) this.lazy(slot, operand);
        else this.call(slot, operand.fn, operand.args);
        return;
      case "list": {
        const items = this.uses(operand.items);
        this.code.emit(Op.List, slot, items.length, ...items);
        return;
      }
      case "map": {
        const values = this.uses(operand.entries.map(([, value]) => value));
        const keys = this.code.auxIndex({ kind: "keys", keys: operand.entries.map(([key]) => key) });
        this.code.emit(Op.Object, slot, keys, values.length, ...values);
        return;
      }
      default:
        this.code.emit(Op.Set, slot, this.use(operand));
    }
  }

  /** A slot whose truthiness is the condition. */
  condition(condition: IrCondition): Use {
    if (condition.c === "truthy") return this.use(condition.of);
    const slot = this.code.temporary();
    switch (condition.c) {
      case "present":
        this.code.emit(Op.Present, slot, this.present(condition.of));
        break;
      case "not":
        this.code.emit(Op.Not, slot, this.condition(condition.of));
        break;
      case "text_eq":
        this.code.emit(Op.TextEq, slot, this.use(condition.left), this.use(condition.right));
        break;
      case "cmp":
        this.code.emit(COMPARISON[condition.op] as Op, slot, this.use(condition.left), this.use(condition.right));
        break;
    }
    return { slot, unset: NEVER_UNSET };
  }

  /** `x?` asks whether the variable is set: its own name does not stand in for it. */
  private present(of: IrOperand): Use {
    return of.k === "name" ? { slot: this.code.variable(of.v), unset: this.code.constant(null) } : this.use(of);
  }

  private computed(operand: IrOperand): Use {
    const slot = this.code.temporary();
    this.compute(slot, operand);
    return { slot, unset: NEVER_UNSET };
  }

  /** `and`, `or` and `ite` with a call where it may not be needed: computed into a temporary, and past what is not. */
  private lazy(slot: number, { fn, args: [first, second, third] }: IrOperand & { readonly k: "call" }): void {
    const value = this.code.temporary();
    const use = { slot: value, unset: NEVER_UNSET };
    const result: Patch = [];
    if (fn === "ite") {
      this.code.emit(Op.Set, value, this.code.constant(null));
      const otherwise = this.code.emit(Op.Skip, this.use(first as IrOperand), 0, 0) + 3;
      if (second !== undefined) this.code.emit(Op.Set, value, this.use(second));
      result.push(this.code.emit(Op.Skip, this.code.constant(true), 1, 0) + 3);
      this.code.resolve([otherwise]);
      if (third !== undefined) this.code.emit(Op.Set, value, this.use(third));
    } else {
      this.code.emit(Op.Truthy, value, this.use(first as IrOperand));
      result.push(this.code.emit(Op.Skip, use, fn === "and" ? 0 : 1, 0) + 3);
      this.code.emit(Op.Truthy, value, this.use(second as IrOperand));
    }
    this.code.resolve(result);
    this.code.emit(Op.Set, slot, use);
  }

  private call(slot: number, fn: string, args: readonly IrOperand[]): void {
    const uses = this.uses(args);
    if (!this.functions.known(fn)) {
      this.code.emit(Op.Fail, this.code.auxIndex({ kind: "unknown_fn", name: fn }));
      return;
    }
    if (isHostCall(fn, args.length)) {
      this.code.emit(
        Op.Host,
        slot,
        this.code.auxIndex({ kind: "host", name: fn, counted: false, written: fn }),
        uses.length,
        ...uses,
      );
      return;
    }
    const direct = Object.hasOwn(DIRECT, fn) ? DIRECT[fn] : undefined;
    if (direct !== undefined && direct.args === uses.length) {
      this.code.emit(direct.op, slot, ...uses);
    } else if (fn === "concat" && uses.length > 0) {
      this.code.emit(Op.Concat, slot, uses.length, ...uses);
    } else {
      const aux = this.code.auxIndex({ kind: "fn", name: fn, form: "call", written: fn });
      this.code.emit(Op.Fn, slot, aux, uses.length, ...uses);
    }
  }
}

/**
 * Whether evaluating everything could show: a call that is not needed may fail, or take long. Anything else that an operand can be is
 * evaluated at once, which is faster.
 */
function isLazy({ fn, args }: IrOperand & { readonly k: "call" }): boolean {
  if (args.length < 2 || (fn !== "and" && fn !== "or" && fn !== "ite")) return false;
  return args.slice(1).some(holdsCall);
}

function holdsCall(operand: IrOperand): boolean {
  if (operand.k === "list") return operand.items.some(holdsCall);
  if (operand.k === "map") return operand.entries.some(([, value]) => holdsCall(value));
  return operand.k === "call";
}
