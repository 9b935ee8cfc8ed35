/**
 * Annotations of parameters as types of inputs (python.md F-3, amendment 21). They are never evaluated: a name that is not known means any value, and is
 * noted. Classes of TypedDict become record types.
 */
import type { ClassDef, Constant, Expr, Place, Subscript } from "../../../grammar/python/tree.ts";
import type { IrDeclaration } from "../../ir/graph.ts";
import type { Json } from "../../json.ts";
import type { PythonFile } from "../imports/python-file.ts";

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

/** What a file says of types. */
type Home = {
  readonly of: PythonFile;
  readonly classes: ReadonlyMap<string, ClassDef>;
  /** Names that mean other types: `Rows = list[dict]`. */
  readonly aliases: ReadonlyMap<string, Expr>;
};
type Known = { readonly home: Home; readonly class: ClassDef } | { readonly home: Home; readonly alias: Expr };

export class Annotations {
  /** By what stands in front of their names; the program itself is the first. */
  readonly #homes: ReadonlyMap<string, Home>;
  readonly #main: Home;
  /** Names of record types, by their class. */
  readonly #records = new Map<ClassDef, string>();
  readonly #used = new Set<ClassDef>();
  readonly #unknown: Unknown[] = [];

  constructor(main: PythonFile, others: readonly PythonFile[]) {
    this.#main = homeOf(main);
    this.#homes = new Map([this.#main, ...others.map(homeOf)].map((home) => [home.of.key, home]));
    const taken = new Set(TAKEN);
    for (const home of this.#homes.values())
      for (const [own, node] of home.classes) {
        if (!this.#isRecord(home, node, 0)) continue;
        let name = own;
        while (taken.has(name) || !/^[A-Za-z_]/.test(name)) name = `_${name}`;
        taken.add(name);
        this.#records.set(node, name);
      }
  }

  isRecord(node: ClassDef): boolean {
    return this.#records.has(node);
  }

  #isRecord(home: Home, { bases }: ClassDef, depth: number): boolean {
    return bases.some((base) => {
      if (lastName(base) === "TypedDict") return true;
      const found = depth >= MOST_NESTED ? null : this.#find(home, base);
      return found !== null && "class" in found && this.#isRecord(found.home, found.class, depth + 1);
    });
  }

  /** What a name, or a member of a file, means as a type; null: the files say nothing. */
  #find(home: Home, node: Expr): Known | null {
    if (node.kind === "Attribute" && node.value.kind === "Name") {
      const imported = home.of.scopes.module.imports.get(node.value.id);
      const other = imported?.member === null && imported.file != null ? this.#homes.get(imported.file.key) : undefined;
      return other === undefined ? null : this.#named(other, node.attr, 0);
    }
    return node.kind === "Name" ? this.#named(home, node.id, 0) : null;
  }

  #named(home: Home, name: string, depth: number): Known | null {
    const own = home.classes.get(name);
    if (own !== undefined) return { home, class: own };
    const alias = home.aliases.get(name);
    if (alias !== undefined) return { home, alias };
    const taken = home.of.scopes.module.taken.get(name);
    const other = taken === undefined ? undefined : this.#homes.get(taken.file.key);
    if (other === undefined || taken === undefined || depth >= MOST_NESTED) return null;
    return this.#named(other, taken.member, depth + 1);
  }

  /** Names that stand for no type, in the order in which they were met. */
  get unknown(): readonly Unknown[] {
    return this.#unknown;
  }

  /** Types of which a value must be one; none: any value. `orNone`: null is one, as where the default is None. */
  typesOf(node: Expr | null, orNone: boolean): readonly string[] {
    const read = node === null ? null : this.#read(node, this.#main, 0);
    if (read === null) return [];
    return orNone || read.orNone ? read.types.map(orNull) : read.types;
  }

  /** Of the value that a function returns; null: nothing is promised. */
  returnType(node: Expr | null): string | null {
    const read = node === null || isNone(node) ? null : this.#read(node, this.#main, 0);
    return read === null ? null : whole(read);
  }

  /** The record types that annotations name, as declarations `D`. */
  records(): readonly IrDeclaration[] {
    const fields = new Map<ClassDef, readonly string[]>();
    const all = [...this.#homes.values()].flatMap((home) => [...home.classes.values()].map((node) => ({ home, node })));
    const next = () => all.find(({ node }) => this.#used.has(node) && !fields.has(node));
    // The fields of one may name another.
    for (let one = next(); one !== undefined; one = next()) fields.set(one.node, this.#fields(one.node, one.home, 0));
    return all.flatMap(({ home: { of }, node }) => {
      const own = fields.get(node);
      if (own === undefined) return [];
      const file = of.path === null ? {} : { file: of.path };
      return [{ op: "D", slots: [this.#records.get(node) ?? "", ...own], line: node.line, ...file }];
    });
  }

  #fields(node: ClassDef, home: Home, depth: number): string[] {
    const inherited = node.bases.flatMap((base) => {
      const of = this.#find(home, base);
      if (of === null || !("class" in of) || of.class === node || depth >= MOST_NESTED) return [];
      return this.#fields(of.class, of.home, depth + 1);
    });
    const isTotal = !node.keywords.some(({ arg, value }) => arg === "total" && isFalse(value));
    const own = node.body.flatMap((field) => {
      if (field.kind !== "AnnAssign" || field.target.kind !== "Name") return [];
      const head = field.annotation.kind === "Subscript" ? lastName(field.annotation.value) : "";
      const type = this.#read(field.annotation, home, 0);
      const isOptional = head === "NotRequired" || (!isTotal && head !== "Required");
      const written = type === null ? "any" : whole(type);
      return [`${field.target.id}:${isOptional ? orNull(written) : written}`];
    });
    return [...inherited, ...own];
  }

  #read(node: Expr, home: Home, depth: number): Read {
    if (depth >= MOST_NESTED) return null;
    switch (node.kind) {
      case "Constant":
        if (node.type === "none") return { types: [], orNone: true };
        if (node.type === "str") return this.#word(node, String(node.value), home, depth);
        return this.#note(node, "this", home);
      case "Name":
        return this.#word(node, node.id, home, depth);
      case "Attribute":
        return this.#word(node, node.attr, home, depth);
      case "BinOp":
        if (node.op !== "|") return this.#note(node, "this", home);
        return joined([this.#read(node.left, home, depth + 1), this.#read(node.right, home, depth + 1)]);
      case "Subscript":
        return this.#generic(node, home, depth);
      default:
        return this.#note(node, "this", home);
    }
  }

  #word(node: Expr, name: string, home: Home, depth: number): Read {
    if (Object.hasOwn(PLAIN, name)) return { types: [PLAIN[name] as string], orNone: false };
    if (name === "None") return { types: [], orNone: true };
    if (ANY.has(name)) return null;
    const found = node.kind === "Constant" ? this.#named(home, name, 0) : this.#find(home, node);
    if (found !== null && "alias" in found) return this.#read(found.alias, found.home, depth + 1);
    const record = found === null ? undefined : this.#records.get(found.class);
    if (found === null || record === undefined) return this.#note(node, name, home);
    this.#used.add(found.class);
    return { types: [record], orNone: false };
  }

  #generic(node: Subscript, home: Home, depth: number): Read {
    const { value, slice } = node;
    const head = lastName(value);
    const args = slice.kind === "Tuple" ? slice.elts : [slice];
    const [first] = args;
    const inner = (node: Expr | undefined): string => {
      const read = node === undefined ? null : this.#read(node, home, depth + 1);
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
      return joined([this.#read(first, home, depth + 1), { types: [], orNone: true }]);
    if (head === "Union") return joined(args.map((one) => this.#read(one, home, depth + 1)));
    if (head === "Literal") return literal(args);
    if (head === "NotRequired" || TRANSPARENT.has(head))
      return first === undefined ? null : this.#read(first, home, depth + 1);
    return this.#note(node, head === "" ? "this" : head, home);
  }

  /** Types of other files are theirs. */
  #note(at: Place, name: string, home: Home): Read {
    const { start, end, line } = at;
    if (home !== this.#main) return null;
    if (!this.#unknown.some((one) => one.at.start === start)) this.#unknown.push({ at: { start, end, line }, name });
    return null;
  }
}

function homeOf(of: PythonFile): Home {
  const classes = new Map<string, ClassDef>();
  const aliases = new Map<string, Expr>();
  for (const node of of.module.body) {
    if (node.kind === "ClassDef") classes.set(node.name, node);
    if (node.kind !== "Assign" && node.kind !== "AnnAssign") continue;
    const target = node.kind === "AnnAssign" ? node.target : node.targets.length === 1 ? node.targets[0] : undefined;
    const isAlias = node.kind === "Assign" || lastName(node.annotation) === "TypeAlias";
    if (isAlias && target?.kind === "Name" && node.value !== null && isType(node.value))
      aliases.set(target.id, node.value);
  }
  return { of, classes, aliases };
}

function isType(node: Expr): boolean {
  if (node.kind === "Subscript") return lastName(node.value) !== "" && /^[A-Za-z]/.test(lastName(node.value));
  return node.kind === "Name" || (node.kind === "BinOp" && node.op === "|");
}

/** `typing.Optional` and `Optional` are the same. */
export function lastName(node: Expr): string {
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
