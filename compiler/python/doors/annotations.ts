/**
 * Annotations of parameters as types of inputs (python.md F-3, amendment 21). They are never evaluated: a name that is not known means any value, and is
 * noted. Classes of TypedDict become record types.
 */
import type { ClassDef, Constant, Expr, Module, Place, Subscript } from "../../../grammar/python/tree.ts";
import type { IrDeclaration } from "../../ir/graph.ts";
import type { Json } from "../../json.ts";

export type Unknown = { readonly at: Place; readonly name: string };

/** What is an annotation's own, besides names that no type has. */
const PLAIN: Readonly<Record<string, string>> = {
  str: "text",
  int: "integer",
  float: "number",
  bool: "boolean",
  list: "list",
  dict: "map",
  List: "list",
  Dict: "map",
  Sequence: "list",
  Iterable: "list",
  Mapping: "map",
  MutableMapping: "map",
};
const LISTS: ReadonlySet<string> = new Set(["list", "List", "Sequence", "Iterable"]);
const MAPS: ReadonlySet<string> = new Set(["dict", "Dict", "Mapping", "MutableMapping"]);
const ANY: ReadonlySet<string> = new Set(["Any", "object"]);
/** Around the type that counts. */
const TRANSPARENT: ReadonlySet<string> = new Set(["Annotated", "Final", "Required", "ReadOnly"]);
/** Letters and words of the language of types: records have other names. */
const TAKEN: ReadonlySet<string> = new Set("any text number integer boolean list map I F S B D J".split(" "));
/** Types in types. Deeper ones are not written, and mean any value. */
const MOST_NESTED = 32;

/** One of several types each, `null` apart; null: any value. */
type Read = { readonly types: readonly string[]; readonly orNone: boolean } | null;

export class Annotations {
  readonly #records = new Map<string, string>();
  readonly #classes: ClassDef[] = [];
  readonly #used = new Set<string>();
  readonly #unknown: Unknown[] = [];
  /** Names that mean other types: `Rows = list[dict]`. */
  readonly #aliases = new Map<string, Expr>();

  constructor({ body }: Module) {
    for (const node of body) {
      if (
        node.kind === "ClassDef" &&
        node.bases.some((base) => lastName(base) === "TypedDict" || this.isRecord(base))
      ) {
        let name = node.name;
        while (TAKEN.has(name) || !/^[A-Za-z_]/.test(name)) name = `_${name}`;
        this.#records.set(node.name, name);
        this.#classes.push(node);
      }
      const target = node.kind === "Assign" && node.targets.length === 1 ? node.targets[0] : undefined;
      if (node.kind === "Assign" && target?.kind === "Name" && isType(node.value))
        this.#aliases.set(target.id, node.value);
    }
  }

  private isRecord(base: Expr): boolean {
    return base.kind === "Name" && this.#records.has(base.id);
  }

  /** Names that stand for no type, in the order in which they were met. */
  get unknown(): readonly Unknown[] {
    return this.#unknown;
  }

  /** Types of which a value must be one; none: any value. `orNone`: null is one, as where the default is None. */
  typesOf(node: Expr | null, orNone: boolean): readonly string[] {
    const read = node === null ? null : this.#read(node, 0);
    if (read === null) return [];
    return orNone || read.orNone ? read.types.map(orNull) : read.types;
  }

  /** Of the value that a function returns; null: nothing is promised. */
  returnType(node: Expr | null): string | null {
    const read = node === null || isNone(node) ? null : this.#read(node, 0);
    return read === null ? null : whole(read);
  }

  /** The record types that annotations name, as declarations `D`. */
  records(): readonly IrDeclaration[] {
    const fields = new Map<ClassDef, readonly string[]>();
    const next = (): ClassDef | undefined =>
      this.#classes.find((node) => this.#used.has(node.name) && !fields.has(node));
    // The fields of one may name another.
    for (let node = next(); node !== undefined; node = next()) fields.set(node, this.#fields(node, 0));
    return this.#classes.flatMap((node) => {
      const own = fields.get(node);
      return own === undefined
        ? []
        : [{ op: "D", slots: [this.#records.get(node.name) ?? "", ...own], line: node.line }];
    });
  }

  #fields(node: ClassDef, depth: number): string[] {
    const inherited = node.bases.flatMap((base) => {
      const of = base.kind === "Name" ? this.#classes.find(({ name }) => name === base.id) : undefined;
      return of === undefined || of === node || depth >= MOST_NESTED ? [] : this.#fields(of, depth + 1);
    });
    const isTotal = !node.keywords.some(({ arg, value }) => arg === "total" && isFalse(value));
    const own = node.body.flatMap((field) => {
      if (field.kind !== "AnnAssign" || field.target.kind !== "Name") return [];
      const head = field.annotation.kind === "Subscript" ? lastName(field.annotation.value) : "";
      const type = this.#read(field.annotation, 0);
      const isOptional = head === "NotRequired" || (!isTotal && head !== "Required");
      const written = type === null ? "any" : whole(type);
      return [`${field.target.id}:${isOptional ? orNull(written) : written}`];
    });
    return [...inherited, ...own];
  }

  #read(node: Expr, depth: number): Read {
    if (depth >= MOST_NESTED) return null;
    switch (node.kind) {
      case "Constant":
        if (node.type === "none") return { types: [], orNone: true };
        if (node.type === "str") return this.#named(node, String(node.value), depth);
        return this.#note(node, "this");
      case "Name":
        return this.#named(node, node.id, depth);
      case "Attribute":
        return this.#named(node, node.attr, depth);
      case "BinOp":
        if (node.op !== "|") return this.#note(node, "this");
        return joined([this.#read(node.left, depth + 1), this.#read(node.right, depth + 1)]);
      case "Subscript":
        return this.#generic(node, depth);
      default:
        return this.#note(node, "this");
    }
  }

  #named(node: Expr, name: string, depth: number): Read {
    if (Object.hasOwn(PLAIN, name)) return { types: [PLAIN[name] as string], orNone: false };
    if (name === "None") return { types: [], orNone: true };
    if (ANY.has(name)) return null;
    const record = this.#records.get(name);
    if (record !== undefined) {
      this.#used.add(name);
      return { types: [record], orNone: false };
    }
    const alias = this.#aliases.get(name);
    return alias === undefined ? this.#note(node, name) : this.#read(alias, depth + 1);
  }

  #generic(node: Subscript, depth: number): Read {
    const { value, slice } = node;
    const head = lastName(value);
    const args = slice.kind === "Tuple" ? slice.elts : [slice];
    const [first] = args;
    const inner = (node: Expr | undefined): string => {
      const read = node === undefined ? null : this.#read(node, depth + 1);
      return read === null ? "any" : whole(read);
    };
    if (LISTS.has(head)) {
      const of = inner(first);
      return { types: [of === "any" ? "list" : `A[${of}]`], orNone: false };
    }
    if (MAPS.has(head)) {
      const of = inner(args[1]);
      return { types: [of === "any" ? "map" : `M[${of}]`], orNone: false };
    }
    if (head === "Optional" && first !== undefined)
      return joined([this.#read(first, depth + 1), { types: [], orNone: true }]);
    if (head === "Union") return joined(args.map((one) => this.#read(one, depth + 1)));
    if (head === "Literal") return literal(args);
    if (head === "NotRequired" || TRANSPARENT.has(head))
      return first === undefined ? null : this.#read(first, depth + 1);
    return this.#note(node, head === "" ? "this" : head);
  }

  #note(at: Place, name: string): Read {
    const { start, end, line } = at;
    if (!this.#unknown.some((one) => one.at.start === start)) this.#unknown.push({ at: { start, end, line }, name });
    return null;
  }
}

function isType(node: Expr): boolean {
  if (node.kind === "Subscript") return lastName(node.value) !== "" && /^[A-Za-z]/.test(lastName(node.value));
  return node.kind === "Name" || (node.kind === "BinOp" && node.op === "|");
}

/** `typing.Optional` and `Optional` are the same. */
function lastName(node: Expr): string {
  if (node.kind === "Name") return node.id;
  return node.kind === "Attribute" ? node.attr : "";
}

function joined(reads: readonly Read[]): Read {
  if (reads.includes(null)) return null;
  const found = reads as readonly NonNullable<Read>[];
  return { types: [...new Set(found.flatMap(({ types }) => types))], orNone: found.some(({ orNone }) => orNone) };
}

/** The type in one text. */
function whole({ types, orNone }: NonNullable<Read>): string {
  const [only] = types;
  if (only === undefined) return "L[null]";
  const type = types.length === 1 ? only : `U[${types.join(",")}]`;
  return orNone ? orNull(type) : type;
}

function orNull(type: string): string {
  return type.endsWith("?") || type === "any" ? type : `${type}?`;
}

function literal(args: readonly Expr[]): Read {
  const values: Json[] = [];
  for (const one of args) {
    const value = literalOf(one);
    if (value === undefined) return null;
    values.push(value);
  }
  return { types: [`L${JSON.stringify(values)}`], orNone: false };
}

function literalOf(node: Expr): Json | undefined {
  if (node.kind === "UnaryOp" && node.op === "-" && node.operand.kind === "Constant" && node.operand.type === "int")
    return -Number(node.operand.value);
  if (node.kind !== "Constant") return undefined;
  const { type, value } = node as Constant;
  if (type === "none") return null;
  if (type === "int" && typeof value === "number") return value;
  return type === "str" || type === "bool" ? (value as string | boolean) : undefined;
}

function isNone(node: Expr): boolean {
  return node.kind === "Constant" && node.type === "none";
}

function isFalse(node: Expr): boolean {
  return node.kind === "Constant" && node.value === false;
}
