/**
 * Functions of the Python form in supplied IR (docs/ir.md, Python): the `python` of their labels, the data of their steps, and where edges may lead. What the
 * machine relies on besides is checked where bytecode is made (`compiler/bytecode/python/emit.ts`).
 */
import { isObject, type Json, type JsonObject } from "../../json.ts";
import type { IrEdge, NodeData, NodeOp, PyData, PyLabel, PyParameter } from "../graph.ts";
import { type IssueList, pointer, quoted } from "../issues.ts";
import {
  checkMembers,
  inside,
  type ReadPlace,
  readGlobal,
  readList,
  readName,
  readOperand,
  readText,
  wrong,
} from "./operands.ts";
import type { RawProgram } from "./parts.ts";

const LABEL_KINDS = ["module", "function", "generator"] as const;
const PARAMETER_KINDS = ["position", "any", "name", "rest", "names"] as const;

/** By label; labels of the opcode form have none. */
export function readPythonLabels(raw: RawProgram, issues: IssueList): ReadonlyMap<string, PyLabel> {
  const found = new Map<string, PyLabel>();
  for (const [id, { value, path }] of raw.labels ?? []) {
    if (!isObject(value) || value["python"] === undefined) continue;
    found.set(id, readLabel(value["python"], { path: pointer(path, "python"), at: { label: id }, issues }));
  }
  return found;
}

function readLabel(value: Json, place: ReadPlace): PyLabel {
  const given: JsonObject = isObject(value) ? value : {};
  if (!isObject(value)) wrong(place, "an object");
  checkMembers(given, ["kind", "name", "params", "cells", "free", "loops", "doc"], place);
  const { loops, doc } = given;
  if (typeof loops !== "number" || !Number.isSafeInteger(loops) || loops < 0) wrong(inside(place, "loops"), "a number");
  return {
    kind: word(given["kind"], LABEL_KINDS, inside(place, "kind")),
    name: readText(given["name"], inside(place, "name")),
    params: readList(given["params"], inside(place, "params"), readParameter),
    cells: readList(given["cells"], inside(place, "cells"), readName),
    free: readList(given["free"], inside(place, "free"), readName),
    loops: typeof loops === "number" ? loops : 0,
    ...(doc === undefined ? {} : { doc: readText(doc, inside(place, "doc")) }),
  };
}

function readParameter(value: Json, place: ReadPlace): PyParameter {
  const given: JsonObject = isObject(value) ? value : {};
  if (!isObject(value)) wrong(place, "an object");
  const { optional, types } = given;
  if (typeof optional !== "boolean") wrong(inside(place, "optional"), "true or false");
  return {
    name: readName(given["name"], inside(place, "name")),
    kind: word(given["kind"], PARAMETER_KINDS, inside(place, "kind")),
    optional: optional === true,
    ...(types === undefined ? {} : { types: readList(types, inside(place, "types"), readText) }),
  };
}

function word<T extends string>(value: Json | undefined, words: readonly [T, ...T[]], place: ReadPlace): T {
  const found = words.find((known) => known === value);
  if (found === undefined) wrong(place, words.join(" or "));
  return found ?? words[0];
}

type Read = (value: Json | undefined, place: ReadPlace) => unknown;
const number: Read = (value, place) => {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  wrong(place, "a whole number");
  return 0;
};
const operand: Read = (value, place) => readOperand(value, place);
const operandOrNull: Read = (value, place) => (value === null ? null : readOperand(value, place));
const names: Read = (value, place) => readList(value, place, readName);

/** Members by what a step does. */
const MEMBERS: { readonly [D in PyData["do"]]: { readonly [member: string]: Read } } = {
  set: { name: readName, value: operand },
  set_global: { name: readGlobal, value: operand },
  del: { name: readName },
  del_global: { name: readGlobal },
  cell: { name: readName },
  eval: { value: operand },
  if: { cond: operand },
  next: { iter: readName, name: readName },
  pass: { loop: number },
  join: {},
  return: { value: operand },
  raise: { value: operand, cause: operandOrNull },
  reraise: { name: readName },
  catch: { name: readName },
  cleanup: { name: readName },
  recancel: { name: readName },
  unpack: { names, star: number, value: operand },
  yield: { value: operand },
};

export function readPyData(value: Json | undefined, place: ReadPlace): PyData {
  const given: JsonObject = isObject(value) ? value : {};
  const kind = given["do"];
  if (typeof kind !== "string" || !Object.hasOwn(MEMBERS, kind)) {
    wrong(inside(place, "do"), "what a Python step does");
    return { do: "join" };
  }
  const readers = MEMBERS[kind as PyData["do"]];
  checkMembers(given, ["do", ...Object.keys(readers)], place);
  const data: { [member: string]: unknown } = { do: kind };
  for (const [member, read] of Object.entries(readers)) data[member] = read(given[member], inside(place, member));
  // The readers of this kind made its members.
  return data as PyData;
}

const TO_NODES: ReadonlySet<string> = new Set(["next", "err", "then", "else", "body", "after"]);

/** What is wrong with an edge from a step of a Python function; null: nothing. */
export function pythonPortFault({ port, to_kind }: IrEdge): string | null {
  if (TO_NODES.has(port)) return to_kind === "node" ? null : `port ${port} of a Python step leads to a node`;
  if (port === "call") return to_kind === "label" ? null : "port call leads to a label";
  return `a Python step has no port ${port}`;
}

/** Whether an op stands where it may: `Py` in Python functions alone, and nothing but it and `R` there. */
export function checkForm(
  node: { readonly op: NodeOp; readonly label: string; readonly id: string; readonly path: string },
  isPython: boolean,
  issues: IssueList,
): void {
  const fits = isPython ? node.op === "Py" || node.op === "R" : node.op !== "Py";
  if (fits) return;
  const where = isPython ? "a Python function" : "a label that is not a Python function";
  issues.add("schema", pointer(node.path, "op"), `${quoted(node.op)} in ${where}`, {
    label: node.label,
    node: node.id,
  });
}

/** Ids of the steps that give the result of their label. */
export function isExit(op: NodeOp, data: NodeData[NodeOp]): boolean {
  return op === "J" || (op === "Py" && (data as PyData).do === "return");
}
