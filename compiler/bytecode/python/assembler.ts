/** Words of code with everything they refer to: constants, names, targets that are not known yet. */
import type { IrOperand } from "../../ir/graph.ts";
import type { PyConstant, PySite, PyStub } from "./code.ts";

/** A table whose entries are kept apart by a text. */
class Table<T> {
  readonly items: T[] = [];
  private readonly known = new Map<string, number>();
  add(key: string, item: T): number {
    let at = this.known.get(key);
    if (at === undefined) {
      at = this.items.length;
      this.items.push(item);
      this.known.set(key, at);
    }
    return at;
  }
}

export class Assembler {
  readonly isTraced: boolean;
  readonly words: number[] = [];
  readonly constants = new Table<PyConstant>();
  readonly names = new Table<string>();
  readonly globals = new Table<string>();
  readonly keywords = new Table<readonly string[]>();
  readonly siteAt: number[] = [];
  readonly sites: PySite[] = [];
  readonly stubs: PyStub[] = [];

  constructor(isTraced: boolean) {
    this.isTraced = isTraced;
  }

  get pc(): number {
    return this.words.length;
  }

  emit(...words: readonly number[]): void {
    for (const word of words) this.words.push(word);
  }

  /** The operand of a literal; null: it is not one. */
  constant(operand: IrOperand): number | null {
    switch (operand.k) {
      case "str":
        return this.literal(`s${operand.v}`, { k: "value", v: operand.v });
      case "num":
        return this.literal(`n${operand.v}`, { k: "value", v: operand.v });
      case "bool":
        return this.literal(operand.v ? "true" : "false", { k: "value", v: operand.v });
      case "null":
        return this.literal("null", { k: "value", v: null });
      case "int":
      case "float":
      case "bytes":
      case "lib":
        return this.literal(`${operand.k} ${operand.v}`, { k: operand.k, v: operand.v });
      default:
        return null;
    }
  }

  /** What a variable holds that nothing sets. */
  unset(): number {
    return this.literal("unset", { k: "unset" });
  }

  private literal(key: string, constant: PyConstant): number {
    return ~this.constants.add(key, constant);
  }

  site(site: PySite): void {
    this.siteAt.push(this.pc, this.sites.length);
    this.sites.push(site);
  }
}
