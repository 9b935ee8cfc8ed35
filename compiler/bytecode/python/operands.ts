/** Operands of the IR as instructions: from left to right, inner ones first, into registers. */
import type { IrOperand } from "../../ir/graph.ts";
import type { Assembler } from "./assembler.ts";
import { Py, SPECIAL } from "./instructions.ts";

const BINARY_NAMES = "add sub mul div floordiv mod pow lshift rshift or xor and matmul".split(" ");
const BINARY = new Map(BINARY_NAMES.map((name, at) => [`py.${name}`, at]));
const IN_PLACE = new Map(BINARY_NAMES.map((name, at) => [`py.i${name}`, at]));
const UNARY = new Map(["neg", "pos", "invert"].map((name, at) => [`py.${name}`, at]));
const SPECIALS = new Map(SPECIAL.map((name, at) => [`py.${name}`, at]));
const PLAIN: ReadonlyMap<string, Py> = new Map([
  ["py.lt", Py.Lt],
  ["py.le", Py.Le],
  ["py.gt", Py.Gt],
  ["py.ge", Py.Ge],
  ["py.eq", Py.Eq],
  ["py.ne", Py.Ne],
  ["py.in", Py.In],
  ["py.not_in", Py.NotIn],
  ["py.is", Py.Is],
  ["py.is_not", Py.IsNot],
  ["py.not", Py.Not],
  ["py.item", Py.Item],
  ["py.slice", Py.Slice],
  ["py.iter", Py.Iter],
  ["py.format", Py.Format],
  ["py.generator", Py.Generator],
]);
const LISTS: ReadonlyMap<string, Py> = new Map([
  ["py.list", Py.List],
  ["py.tuple", Py.Tuple],
  ["py.set", Py.Set],
  ["py.dict", Py.Dict],
  ["py.joined", Py.Joined],
]);
/** Without a result. */
const EFFECTS: ReadonlyMap<string, Py> = new Map([
  ["py.setitem", Py.SetItem],
  ["py.delitem", Py.DelItem],
  ["py.list_append", Py.Append],
  ["py.set_add", Py.SetAdd],
  ["py.dict_set", Py.DictSet],
]);

export class MalformedOperand extends Error {}

/** The registers of a function, and which of its variables are cells. */
export type Registers = {
  /** A register, or the cell `~c`. */
  find(variable: string): { readonly register: number } | { readonly cell: number };
  /** One that is used until `release`. */
  take(): number;
  release(to: number): void;
  readonly free: number;
  routine(label: string): number;
};

type CallOperand = Extract<IrOperand, { k: "call" }>;

export class Operands {
  private readonly asm: Assembler;
  private readonly registers: Registers;

  constructor(asm: Assembler, registers: Registers) {
    this.asm = asm;
    this.registers = registers;
  }

  /** An operand word: a constant, the register of a variable, or one that holds what was computed. */
  word(operand: IrOperand): number {
    const literal = this.asm.constant(operand);
    if (literal !== null) return literal;
    if (operand.k === "var") {
      const place = this.registers.find(operand.v);
      if ("register" in place) return place.register;
    }
    const register = this.registers.take();
    this.into(operand, register);
    return register;
  }

  /** Computes an operand into a register, which is written last. */
  into(operand: IrOperand, d: number): void {
    const { asm } = this;
    const literal = asm.constant(operand);
    if (literal !== null) {
      asm.emit(Py.Move, d, literal);
      return;
    }
    switch (operand.k) {
      case "var": {
        const place = this.registers.find(operand.v);
        if ("cell" in place) asm.emit(Py.LoadCell, d, place.cell);
        else asm.emit(Py.Move, d, place.register);
        return;
      }
      case "global":
        asm.emit(Py.Global, d, asm.globals.add(operand.v, operand.v));
        return;
      case "list":
        this.list(Py.List, d, operand.items);
        return;
      case "map":
        this.list(
          Py.Dict,
          d,
          operand.entries.flatMap(([key, value]): IrOperand[] => [{ k: "str", v: key }, value]),
        );
        return;
      case "call": {
        const mark = this.registers.free;
        this.call(operand, d);
        this.registers.release(mark);
        return;
      }
      default:
        throw new MalformedOperand(`operand ${operand.k} in a Python function`);
    }
  }

  /** Evaluates an operand whose value is not used. */
  effect(operand: IrOperand): void {
    const mark = this.registers.free;
    const op = operand.k === "call" ? EFFECTS.get(operand.fn) : undefined;
    if (op !== undefined) {
      const words = this.words((operand as CallOperand).args);
      this.asm.emit(op, ...words);
    } else {
      this.into(operand, this.registers.take());
    }
    this.registers.release(mark);
  }

  /**
   * Words of several operands. A variable that is a cell or a global is read in turn; a local is read by the instruction itself, because nothing in between can set it.
   */
  words(operands: readonly IrOperand[]): number[] {
    return operands.map((operand) => this.word(operand));
  }

  private list(op: Py, d: number, items: readonly IrOperand[]): void {
    const mark = this.registers.free;
    const words = this.words(items);
    this.asm.emit(op, d, words.length, ...words);
    this.registers.release(mark);
  }

  private call({ fn, args }: CallOperand, d: number): void {
    const { asm } = this;
    const binary = BINARY.get(fn);
    if (binary !== undefined) {
      const [a, b] = this.words(args) as [number, number];
      if (binary < 3) asm.emit(Py.Add + binary, d, a, b);
      else asm.emit(Py.Binary, d, a, b, binary);
      return;
    }
    const inPlace = IN_PLACE.get(fn);
    if (inPlace !== undefined) {
      const [a, b] = this.words(args) as [number, number];
      asm.emit(Py.InPlace, d, a, b, inPlace);
      return;
    }
    const plain = PLAIN.get(fn);
    if (plain !== undefined) {
      asm.emit(plain, d, ...this.words(args));
      return;
    }
    if (isLongDisplay(fn, args)) {
      if (fn === "py.dict") this.spreadDict(args, d, 0);
      else this.spreadSet(args, d);
      return;
    }
    const list = LISTS.get(fn);
    if (list !== undefined) {
      this.list(list, d, args);
      return;
    }
    const unary = UNARY.get(fn);
    if (unary !== undefined) {
      asm.emit(Py.Unary, d, ...this.words(args), unary);
      return;
    }
    const special = SPECIALS.get(fn);
    if (special !== undefined) {
      const words = this.words(args);
      asm.emit(Py.Special, d, special, words.length, ...words);
      return;
    }
    this.other(fn, args, d);
  }

  private other(fn: string, args: readonly IrOperand[], d: number): void {
    const { asm } = this;
    const first = args[0] as IrOperand;
    switch (fn) {
      case "py.attr":
        asm.emit(Py.Attr, d, this.word(first), this.name(args[1]));
        return;
      case "py.call": {
        const [callee, ...rest] = this.words(args) as [number, ...number[]];
        asm.emit(Py.Call, d, callee, rest.length, ...rest);
        return;
      }
      case "py.call_named": {
        const [callee, ...rest] = this.words(args.slice(1)) as [number, ...number[]];
        asm.emit(Py.CallNamed, d, callee, this.keywords(first), rest.length, ...rest);
        return;
      }
      case "py.call_spread":
        asm.emit(Py.CallSpread, d, ...this.words(args));
        return;
      case "py.method": {
        const [receiver, ...rest] = this.receiver(args.slice(1), first);
        asm.emit(Py.Method, d, receiver as number, this.name(first), rest.length, ...rest);
        return;
      }
      case "py.method_named": {
        const [receiver, ...rest] = this.receiver(args.slice(2), first);
        asm.emit(
          Py.MethodNamed,
          d,
          receiver as number,
          this.name(first),
          this.keywords(args[1] as IrOperand),
          rest.length,
          ...rest,
        );
        return;
      }
      case "py.method_spread": {
        const [receiver, list, names] = this.receiver(args.slice(1), first);
        asm.emit(Py.MethodSpread, d, receiver as number, this.name(first), list as number, names as number);
        return;
      }
      case "py.list_of":
        this.spreadList(args, d);
        return;
      case "py.tuple_of": {
        const list = this.registers.take();
        this.spreadList(args, list);
        asm.emit(Py.TupleOf, d, list);
        return;
      }
      case "py.set_of":
        this.spreadSet(args, d);
        return;
      case "py.dict_of":
        this.spreadDict(args, d, 0);
        return;
      case "py.names_of":
        this.spreadDict(args, d, 1);
        return;
      case "py.function":
        this.functionValue(args, d);
        return;
      default:
        throw new MalformedOperand(`unknown function ${fn}`);
    }
  }

  /** The receiver and the arguments of a method. It is looked up before arguments that do something are evaluated. */
  private receiver(operands: readonly IrOperand[], name: IrOperand): number[] {
    const [first, ...rest] = operands as [IrOperand, ...IrOperand[]];
    const receiver = this.word(first);
    if (rest.some(({ k }) => k === "call" || k === "list" || k === "map"))
      this.asm.emit(Py.HasMethod, receiver, this.name(name));
    return [receiver, ...this.words(rest)];
  }

  private name(operand: IrOperand | undefined): number {
    if (operand?.k !== "str") throw new MalformedOperand("a name must be a text");
    return this.asm.names.add(operand.v, operand.v);
  }

  private keywords(operand: IrOperand): number {
    if (operand.k !== "list") throw new MalformedOperand("names of arguments must be a list");
    const names = operand.items.map((item) => (item.k === "str" ? item.v : ""));
    return this.asm.keywords.add(names.join(" "), names);
  }

  /** `[a, *b]` */
  private spreadList(items: readonly IrOperand[], d: number): void {
    const { asm } = this;
    const list = this.registers.take();
    asm.emit(Py.List, list, 0);
    for (const item of items) {
      const mark = this.registers.free;
      const inner = starred(item);
      asm.emit(inner === null ? Py.Append : Py.Extend, list, this.word(inner ?? item));
      this.registers.release(mark);
    }
    asm.emit(Py.Move, d, list);
  }

  /** `{a, *b}`: as in CPython, what stands before the first star becomes a set when that is reached, and what follows is added one by one. */
  private spreadSet(items: readonly IrOperand[], d: number): void {
    const { asm } = this;
    const set = this.registers.take();
    const first = Math.max(
      0,
      items.findIndex((item) => starred(item) !== null),
    );
    this.list(Py.Set, set, items.slice(0, first));
    for (const item of items.slice(first)) {
      const mark = this.registers.free;
      const inner = starred(item);
      asm.emit(inner === null ? Py.SetAdd : Py.SetUpdate, set, this.word(inner ?? item));
      this.registers.release(mark);
    }
    asm.emit(Py.Move, d, set);
  }

  /** `{k: v, **d}`, and the named arguments of a call. */
  private spreadDict(items: readonly IrOperand[], d: number, isStrict: 0 | 1): void {
    const { asm } = this;
    const dict = this.registers.take();
    asm.emit(Py.Dict, dict, 0);
    for (let at = 0; at < items.length; ) {
      const inner = starred(items[at] as IrOperand);
      if (inner !== null) {
        const mark = this.registers.free;
        asm.emit(Py.Update, dict, this.word(inner), isStrict);
        this.registers.release(mark);
        at += 1;
      } else {
        const star = items.findIndex((item, place) => place > at && starred(item) !== null);
        const end = star < 0 ? items.length : star;
        this.pairs(dict, items.slice(at, end));
        at = end;
      }
    }
    asm.emit(Py.Move, d, dict);
  }

  /** Pairs between two stars: 17 at a time, as in CPython, and up to 15 are set when all of them are evaluated, more of them one by one. */
  private pairs(dict: number, items: readonly IrOperand[]): void {
    for (let at = 0; at < items.length; at += 34) {
      const some = items.slice(at, at + 34);
      const together = some.length <= 30 ? some.length : 2;
      for (let from = 0; from < some.length; from += together) {
        const mark = this.registers.free;
        const words = this.words(some.slice(from, from + together));
        for (let pair = 0; pair < together; pair += 2)
          this.asm.emit(Py.DictSet, dict, words[pair] as number, words[pair + 1] as number);
        this.registers.release(mark);
      }
    }
  }

  private functionValue([label, defaults, named]: readonly IrOperand[], d: number): void {
    if (label?.k !== "label" || defaults?.k !== "list" || named?.k !== "map")
      throw new MalformedOperand("a function is a label, a list and a map");
    const values = this.words([...defaults.items, ...named.entries.map(([, value]) => value)]);
    const names = named.entries.map(([name]) => name);
    const keywords = this.asm.keywords.add(names.join(" "), names);
    this.asm.emit(Py.Function, d, this.registers.routine(label.v), keywords, values.length, ...values);
  }
}

function starred(operand: IrOperand): IrOperand | null {
  return operand.k === "call" && operand.fn === "py.star" ? (operand.args[0] as IrOperand) : null;
}

/** Whether CPython adds what is in this display one by one, and a call in it could tell: of constants nothing can. */
function isLongDisplay(fn: string, args: readonly IrOperand[]): boolean {
  return (fn === "py.dict" || fn === "py.set") && args.length > 30 && args.some(({ k }) => k === "call");
}
