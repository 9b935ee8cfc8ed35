/** A tree as `oracle.py` writes CPython's. Places inside an f-string are left out: those of CPython 3.11 are wrong there. */
import type { Constant, Module } from "../../../grammar/python/tree.ts";

type Node = { readonly kind: string; readonly start: number; readonly end: number; readonly [field: string]: unknown };

/** The fields in CPython's order; an operator is written as its sign, and what has no place in CPython has none here. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Module: ["body"],
  FunctionDef: ["name", "args", "body", "decorators", "returns"],
  ClassDef: ["name", "bases", "keywords", "body", "decorators"],
  Return: ["value"],
  Delete: ["targets"],
  Assign: ["targets", "value"],
  AugAssign: ["target", "op", "value"],
  AnnAssign: ["target", "annotation", "value", "simple"],
  For: ["target", "iter", "body", "orelse"],
  While: ["test", "body", "orelse"],
  If: ["test", "body", "orelse"],
  WithItem: ["context", "target"],
  With: ["items", "body"],
  Match: ["subject", "cases"],
  MatchCase: ["pattern", "guard", "body"],
  Raise: ["exc", "cause"],
  ExceptHandler: ["type", "name", "body"],
  Try: ["body", "handlers", "orelse", "finalbody"],
  Assert: ["test", "msg"],
  Alias: ["name", "asname"],
  Import: ["names"],
  ImportFrom: ["module", "names", "level"],
  Global: ["names"],
  Nonlocal: ["names"],
  Expr: ["value"],
  Pass: [],
  Break: [],
  Continue: [],
  BoolOp: ["op", "values"],
  NamedExpr: ["target", "value"],
  BinOp: ["left", "op", "right"],
  UnaryOp: ["op", "operand"],
  Lambda: ["args", "body"],
  IfExp: ["test", "body", "orelse"],
  Dict: ["keys", "values"],
  Set: ["elts"],
  Comprehension: ["target", "iter", "ifs", "isAsync"],
  ListComp: ["elt", "generators"],
  SetComp: ["elt", "generators"],
  DictComp: ["key", "value", "generators"],
  GeneratorExp: ["elt", "generators"],
  Await: ["value"],
  Yield: ["value"],
  YieldFrom: ["value"],
  Compare: ["left", "ops", "comparators"],
  Call: ["func", "args", "keywords"],
  Keyword: ["arg", "value"],
  JoinedStr: ["values"],
  Attribute: ["value", "attr"],
  Subscript: ["value", "slice"],
  Starred: ["value"],
  Name: ["id"],
  List: ["elts"],
  Tuple: ["elts"],
  Slice: ["lower", "upper", "step"],
  Arg: ["arg", "annotation"],
  MatchValue: ["value"],
  MatchSequence: ["patterns"],
  MatchMapping: ["keys", "patterns", "rest"],
  MatchClass: ["cls", "patterns", "kwd_attrs", "kwd_patterns"],
  MatchStar: ["name"],
  MatchAs: ["pattern", "name"],
  MatchOr: ["patterns"],
};
const ARGUMENTS = ["posonlyargs", "args", "vararg", "kwonlyargs", "kw_defaults", "kwarg", "defaults"];
const CALLED: Readonly<Record<string, string>> = {
  WithItem: "withitem",
  MatchCase: "match_case",
  Alias: "alias",
  Comprehension: "comprehension",
  Keyword: "keyword",
  Arg: "arg",
};
const WITHOUT_PLACE = new Set(["Module", "WithItem", "MatchCase", "Comprehension"]);
const SIGNS = new Set(["op", "ops"]);

export function dumpTree(module: Module): string {
  return dump(module, false);
}

function dump(value: unknown, hidden: boolean): string {
  if (value === null) return "-";
  if (Array.isArray(value)) return `[${value.map((one) => dump(one, hidden)).join(" ")}]`;
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return JSON.stringify(value);
  if (!("kind" in (value as object))) return dumpArguments(value as Record<string, unknown>, hidden);
  return dumpNode(value as Node, hidden);
}

function dumpArguments(value: Record<string, unknown>, hidden: boolean): string {
  return `(arguments${ARGUMENTS.map((name) => ` ${dump(value[name], hidden)}`).join("")})`;
}

function dumpNode(node: Node, hidden: boolean): string {
  const { kind } = node;
  const place = hidden || WITHOUT_PLACE.has(kind) ? "" : `@${node.start}-${node.end}`;
  if (kind === "Constant") return `(Constant${place} ${constant(node as never)})`;
  if (kind === "MatchSingleton")
    return `(MatchSingleton${place} ${node.value === null ? "none" : `bool ${String(node.value)}`})`;
  if (kind === "FormattedValue")
    return `(FormattedValue ${dump(node.value, hidden)} ${String(node.conversion ?? "-")} ${dump(node.spec, hidden)})`;
  const fields = FIELDS[kind];
  if (fields === undefined) throw new Error(`no fields are known of ${kind}`);
  const inner = hidden || kind === "JoinedStr";
  const parts = fields.map((name) => {
    const value = node[name];
    if (SIGNS.has(name)) return Array.isArray(value) ? ` [${value.join(" ")}]` : ` ${String(value)}`;
    return ` ${dump(value, inner)}`;
  });
  const called = node.isAsync === true && kind !== "Comprehension" ? `Async${kind}` : (CALLED[kind] ?? kind);
  return `(${called}${place}${parts.join("")})`;
}

function constant({ type, value }: Constant): string {
  if (type === "none" || type === "ellipsis") return type;
  if (type === "bool") return `bool ${String(value)}`;
  if (type === "int") return `int ${BigInt(value as number).toString(16)}`;
  if (type === "float") return `float ${bits(value as number)}`;
  if (type === "complex") return `complex ${bits(Number(String(value).replaceAll("_", "").slice(0, -1)))}`;
  return `${type} ${JSON.stringify(value)}`;
}

function bits(number: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(number);
  return bytes.toString("hex");
}
