/**
 * Reading operands and conditions of supplied IR (docs/ir.md, operands and conditions): every member checked, function names folded to their
 * canonical spelling. Input is plain JSON of bounded depth; what is wrong becomes an issue and reads as null.
 */
import { isName } from "../../../grammar/operands/tokens.ts";
import { findFunction, isHostCall } from "../../functions.ts";
import { isObject, type Json, type JsonObject } from "../../json.ts";
import type { IrComparator, IrCondition, IrOperand } from "../graph.ts";
import { type IssueList, type IssuePlace, pointer, quoted } from "../issues.ts";

/** Where a value stands: pointer into the input, and the node it belongs to. */
export type ReadPlace = { readonly path: string; readonly at: IssuePlace; readonly issues: IssueList };

export const MAX_NAME = 256;
const COMPARATORS: readonly IrComparator[] = ["==", "!=", "<", "<=", ">", ">="];
const NOTHING: IrOperand = { k: "null" };

const OPERAND_MEMBERS: Readonly<Record<IrOperand["k"], readonly string[]>> = {
  str: ["k", "v"],
  num: ["k", "v"],
  bool: ["k", "v"],
  null: ["k"],
  var: ["k", "v"],
  name: ["k", "v"],
  path: ["k", "root", "segments", "text"],
  list: ["k", "items"],
  map: ["k", "entries"],
  call: ["k", "fn", "args"],
  int: ["k", "v"],
  float: ["k", "v"],
  bytes: ["k", "v"],
  global: ["k", "v"],
  lib: ["k", "v"],
  label: ["k", "v"],
};
const CONDITION_MEMBERS: Readonly<Record<IrCondition["c"], readonly string[]>> = {
  truthy: ["c", "of"],
  present: ["c", "of"],
  text_eq: ["c", "left", "right"],
  cmp: ["c", "op", "left", "right"],
  not: ["c", "of"],
};

export function inside(place: ReadPlace, member: string | number): ReadPlace {
  return new InnerPlace(place, member);
}

/** A valid IR has some thousand places and no use for their pointers: one is put together when it is asked for. */
class InnerPlace implements ReadPlace {
  readonly at: IssuePlace;
  readonly issues: IssueList;
  private readonly around: ReadPlace;
  private readonly member: string | number;

  constructor(around: ReadPlace, member: string | number) {
    this.at = around.at;
    this.issues = around.issues;
    this.around = around;
    this.member = member;
  }

  get path(): string {
    return pointer(this.around.path, this.member);
  }
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Reports members that the table does not know. */
export function checkMembers(object: JsonObject, known: readonly string[], place: ReadPlace): void {
  for (const key in object) {
    if (!known.includes(key))
      place.issues.add("unknown_member", pointer(place.path, key), `unknown member ${quoted(key)}`, place.at);
  }
}

export function wrong(place: ReadPlace, expected: string): void {
  place.issues.add("schema", place.path, `expected ${expected}`, place.at);
}

export function readText(value: Json | undefined, place: ReadPlace): string {
  if (typeof value === "string") return value;
  wrong(place, "text");
  return "";
}

/** Text of at most 256 characters that is not empty. */
export function readWord(value: Json | undefined, place: ReadPlace): string {
  const text = readWritten(value, place);
  if (typeof value === "string" && text === "") wrong(place, "text that is not empty");
  return text;
}

/** A word as a program has it, of at most 256 characters; `""` where a non-strict compile keeps it of `X n "" 1`, to fail when reached. */
export function readWritten(value: Json | undefined, place: ReadPlace): string {
  const text = readText(value, place);
  if (text.length > MAX_NAME) place.issues.add("too_large", place.path, `longer than ${MAX_NAME} characters`, place.at);
  return text;
}

/** Variables that the compiler of the Python form makes: `$1`, `.0`, `x.1`. */
const PYTHON_NAME = /^(?:\$[0-9]+|\.0|[\p{L}_][\p{L}\p{N}_]*\.[0-9]+)$/u;

/** The name of a variable. */
export function readName(value: Json | undefined, place: ReadPlace): string {
  const text = readText(value, place);
  if (typeof value !== "string") return text;
  if (text.length > MAX_NAME)
    place.issues.add("too_large", place.path, `name longer than ${MAX_NAME} characters`, place.at);
  else if (!isName(text) && !PYTHON_NAME.test(text))
    place.issues.add("bad_name", place.path, `${quoted(text)} is not a variable name`, place.at);
  return text;
}

/** A global: one of a file that the program imports has the path of it in front, and the path alone says that the file has run. */
export function readGlobal(value: Json | undefined, place: ReadPlace): string {
  const text = readText(value, place);
  if (typeof value !== "string" || !text.includes("/") || text.length > MAX_NAME) return readName(value, place);
  const parts = text.split("/");
  if (parts.at(-1) === "") parts.pop();
  if (!parts.every((part) => isName(part)))
    place.issues.add("bad_name", place.path, `${quoted(text)} is not the name of a global`, place.at);
  return text;
}

export function readList<T>(
  value: Json | undefined,
  place: ReadPlace,
  read: (item: Json, place: ReadPlace) => T,
): readonly T[] {
  if (isArray(value)) return value.map((item, index) => read(item, inside(place, index)));
  wrong(place, "a list");
  return [];
}

/** `whole`: the operand is the whole value of X or Set, where a host function may stand. */
export function readOperand(value: Json | undefined, place: ReadPlace, whole = false): IrOperand {
  if (!isObject(value)) {
    wrong(place, "an operand");
    return NOTHING;
  }
  const kind = value["k"];
  if (typeof kind !== "string") {
    wrong(inside(place, "k"), "an operand kind");
    return NOTHING;
  }
  if (!isOperandKind(kind)) {
    place.issues.add("unknown_kind", pointer(place.path, "k"), `unknown operand kind ${quoted(kind)}`, place.at);
    return NOTHING;
  }
  checkMembers(value, OPERAND_MEMBERS[kind], place);
  return kind === "call" ? readCall(value, place, whole) : readPlainOperand(kind, value, place);
}

function isOperandKind(kind: string): kind is IrOperand["k"] {
  return Object.hasOwn(OPERAND_MEMBERS, kind);
}

function readPlainOperand(kind: Exclude<IrOperand["k"], "call">, value: JsonObject, place: ReadPlace): IrOperand {
  const v = value["v"];
  const vPlace = inside(place, "v");
  switch (kind) {
    case "null":
      return NOTHING;
    case "str":
      return { k: kind, v: readText(v, vPlace) };
    case "num":
      if (typeof v === "number") return { k: kind, v };
      wrong(vPlace, "a number");
      return NOTHING;
    case "bool":
      if (typeof v === "boolean") return { k: kind, v };
      wrong(vPlace, "true or false");
      return NOTHING;
    case "var":
    case "name":
      return { k: kind, v: readName(v, vPlace) };
    case "path":
      return readPath(value, place);
    case "list":
      return { k: kind, items: readList(value["items"], inside(place, "items"), (item, at) => readOperand(item, at)) };
    case "map":
      return readMap(value, inside(place, "entries"));
    case "int":
    case "float":
    case "bytes":
    case "global":
    case "lib":
    case "label":
      return { k: kind, v: readText(v, vPlace) };
  }
}

function readPath(value: JsonObject, place: ReadPlace): IrOperand {
  const root = readName(value["root"], inside(place, "root"));
  const segments = readList(value["segments"], inside(place, "segments"), readText);
  if (isArray(value["segments"]) && segments.length === 0) wrong(inside(place, "segments"), "at least one segment");
  if (!Object.hasOwn(value, "text")) return { k: "path", root, segments };
  return { k: "path", root, segments, text: readText(value["text"], inside(place, "text")) };
}

function readMap(value: JsonObject, place: ReadPlace): IrOperand {
  const keys = new Set<string>();
  const entries = readList(value["entries"], place, (item, at): readonly [string, IrOperand] => {
    if (!isArray(item) || item.length !== 2) {
      wrong(at, "a pair of key and operand");
      return ["", NOTHING];
    }
    const key = readText(item[0], inside(at, 0));
    if (keys.has(key)) wrong(inside(at, 0), "a key that is not used before");
    keys.add(key);
    return [key, readOperand(item[1], inside(at, 1))];
  });
  return { k: "map", entries };
}

function readCall(value: JsonObject, place: ReadPlace, whole: boolean): IrOperand {
  const written = readWritten(value["fn"], inside(place, "fn"));
  const fn = findFunction(written)?.name ?? written;
  const args = readList(value["args"], inside(place, "args"), (item, at) => readOperand(item, at));
  if (!whole && isHostCall(fn, args.length)) {
    place.issues.add("nested_host_function", place.path, `${quoted(fn)} cannot stand inside another operand`, place.at);
  }
  return { k: "call", fn, args };
}

export function readCondition(value: Json | undefined, place: ReadPlace, negated = false): IrCondition {
  const nothing: IrCondition = { c: "truthy", of: NOTHING };
  if (!isObject(value)) {
    wrong(place, "a condition");
    return nothing;
  }
  const kind = value["c"];
  if (typeof kind !== "string") {
    wrong(inside(place, "c"), "a condition kind");
    return nothing;
  }
  if (!isConditionKind(kind)) {
    place.issues.add("unknown_kind", pointer(place.path, "c"), `unknown condition kind ${quoted(kind)}`, place.at);
    return nothing;
  }
  checkMembers(value, CONDITION_MEMBERS[kind], place);
  if (kind === "truthy" || kind === "present") return { c: kind, of: readOperand(value["of"], inside(place, "of")) };
  if (kind === "not") {
    if (!negated) return { c: kind, of: readCondition(value["of"], inside(place, "of"), true) };
    wrong(place, "no negation inside a negation");
    return nothing;
  }
  const left = readOperand(value["left"], inside(place, "left"));
  const right = readOperand(value["right"], inside(place, "right"));
  if (kind === "text_eq") return { c: kind, left, right };
  const op = COMPARATORS.find((comparator) => comparator === value["op"]);
  if (op === undefined) wrong(inside(place, "op"), "a comparator");
  return { c: kind, op: op ?? "==", left, right };
}

function isConditionKind(kind: string): kind is IrCondition["c"] {
  return Object.hasOwn(CONDITION_MEMBERS, kind);
}
