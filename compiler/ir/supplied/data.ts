/**
 * Reading `data` of supplied nodes: one row per op with a reader per member (docs/ir.md, nodes). Every member must be there,
 * others are refused. Adapter and verb names are folded to the catalog's spelling.
 */
import { listed, nounFor } from "../../../grammar/text/english.ts";
import { type AdapterCatalog, findAdapter, findVerb } from "../../catalog.ts";
import { isObject, type Json } from "../../json.ts";
import {
  type CallInput,
  type IrOperand,
  MAX_BRANCHES_AT_ONCE,
  MAX_PAR_BRANCHES,
  type NodeData,
  type NodeOp,
} from "../graph.ts";
import {
  checkMembers,
  inside,
  isArray,
  type ReadPlace,
  readCondition,
  readList,
  readName,
  readOperand,
  readText,
  readWord,
  readWritten,
  wrong,
} from "./operands.ts";
import { readPyData } from "./python.ts";

type Reader<T> = (value: Json | undefined, place: ReadPlace) => T;
type Readers = {
  readonly [O in NodeOp]: { readonly [member in keyof NodeData[O]]-?: Reader<NodeData[O][member]> };
};

const operand: Reader<IrOperand> = (value, place) => readOperand(value, place);
const wholeOperand: Reader<IrOperand> = (value, place) => readOperand(value, place, true);
const name: Reader<string> = readName;
const condition = (value: Json | undefined, place: ReadPlace) => readCondition(value, place);
const nameOrNull: Reader<string | null> = (value, place) => (value === null ? null : readName(value, place));
const operandOrNull: Reader<IrOperand | null> = (value, place) => (value === null ? null : readOperand(value, place));
const target: Reader<string | IrOperand> = (value, place) =>
  isObject(value) ? readOperand(value, place) : readWord(value, place);
const noName: Reader<null> = (value, place) => {
  if (value !== null) wrong(place, "null");
  return null;
};

/** The word itself, in any letter case. */
function fixed(word: string): Reader<string> {
  return (value, place) => {
    if (typeof value !== "string" || value.toLowerCase() !== word.toLowerCase()) wrong(place, `'${word}'`);
    return word;
  };
}

function oneOf<W extends string>(words: readonly [W, ...W[]]): Reader<W> {
  return (value, place) => {
    const found = words.find((word) => word === value);
    if (found === undefined) wrong(place, listed(words, "or"));
    return found ?? words[0];
  };
}

/** Arguments of the ops that are adapter calls under another name: fixed places, some of a fixed kind. */
function args(kinds: readonly (IrOperand["k"] | "any")[], least = kinds.length): Reader<readonly IrOperand[]> {
  return (value, place) => {
    const read = readList(value, place, operand);
    if (read.length < least || read.length > kinds.length)
      wrong(
        place,
        `${least === kinds.length ? "" : `${least} to `}${kinds.length} ${nounFor(kinds.length, "argument")}`,
      );
    read.forEach((item, index) => {
      const kind = kinds[index];
      if (kind !== undefined && kind !== "any" && item.k !== kind)
        wrong(inside(place, index), `an operand of kind ${kind}`);
    });
    return read;
  };
}

const positiveInteger: Reader<number> = (value, place) => {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  if (typeof value === "number") place.issues.add("bad_number", place.path, "expected a whole number from 1", place.at);
  else wrong(place, "a whole number");
  return 1;
};

const branchLimit: Reader<number> = (value, place) => {
  const limit = positiveInteger(value, place);
  if (limit <= MAX_BRANCHES_AT_ONCE) return limit;
  place.issues.add("bad_number", place.path, `expected a whole number up to ${MAX_BRANCHES_AT_ONCE}`, place.at);
  return 1;
};

/** Labels, which the edges `branch` lead to in the same order. */
const branches: Reader<readonly string[]> = (value, place) => {
  const read = readList(value, place, readText);
  if (isArray(value) && read.length === 0) wrong(place, "at least one label");
  if (read.length > MAX_PAR_BRANCHES) wrong(place, `at most ${MAX_PAR_BRANCHES} labels`);
  return read;
};

const TRANSACTION_WORDS = ["begin", "commit", "rollback"];
/** Another word is what a non-strict compile keeps of an unknown action: it fails when reached. */
const transactionVerb: Reader<string> = (value, place) => {
  const word = readWritten(value, place);
  return TRANSACTION_WORDS.find((known) => known === word.toLowerCase()) ?? word;
};

/** A member that may be absent; the data then has none either. */
function optional<T>(reader: Reader<T>): Reader<T | undefined> {
  return (value, place) => (value === undefined ? undefined : reader(value, place));
}

const MAX_INPUTS = 256;

/** Pairs of name and operand, each name once. */
const inputs: Reader<readonly CallInput[]> = (value, place) => {
  const names = new Set<string>();
  const read = readList(value, place, (pair, at): CallInput => {
    if (!Array.isArray(pair) || pair.length !== 2) {
      wrong(at, "a pair of a name and an operand");
      return ["", { k: "null" }];
    }
    const [name, given] = pair as readonly Json[];
    const input: CallInput = [readName(name, inside(at, 0)), readOperand(given, inside(at, 1))];
    if (names.has(input[0])) wrong(at, "a name that is not given twice");
    names.add(input[0]);
    return input;
  });
  if (read.length > MAX_INPUTS) wrong(place, `at most ${MAX_INPUTS} inputs`);
  return read;
};

const READERS: Readers = {
  R: { adapter: target, verb: target, args: (value, place) => readList(value, place, operand), out: name },
  CacheGet: {
    adapter: fixed("cache"),
    verb: fixed("get"),
    args: args(["str", "any"]),
    out: name,
    fallback: operandOrNull,
  },
  CacheSet: { adapter: fixed("cache"), verb: fixed("set"), args: args(["str", "any", "any", "num"]), out: noName },
  QueuePut: { adapter: fixed("queue"), verb: fixed("Put"), args: args(["str", "any"]), out: nameOrNull },
  Tx: { adapter: fixed("txn"), verb: transactionVerb, args: args(["str", "map"], 1), out: nameOrNull },
  Enf: { adapter: fixed("auth"), verb: fixed("enforce"), args: args(["str", "map", "map"]), out: noName },
  J: { value: operand },
  Set: { name, value: wholeOperand },
  X: { name, value: wholeOperand },
  Filt: { name, list: operand, field: readText, cmp: readWritten, value: operand },
  Sort: { name, list: operand, field: readText, order: oneOf(["asc", "desc"]) },
  If: { cond: condition },
  Loop: { list: operand, item: name, until: optional(name) },
  While: { cond: condition, limit: positiveInteger, until: optional(name) },
  Each: { list: operand, item: name, out: name, limit: branchLimit, mode: oneOf(["all", "settle"]) },
  Par: { out: name, branches, mode: oneOf(["all", "settle"]) },
  Call: { out: name, inputs: optional(inputs) },
  Err: {},
  Retry: { count: operand, backoff_ms: operand, strategy: oneOf(["fixed", "exponential"]) },
  // `readPyData` has the members of each kind of step.
  Py: {} as Readers["Py"],
};

const MEMBERS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(READERS).map(([op, readers]) => [op, Object.keys(readers)]),
);

export function isNodeOp(op: string): op is NodeOp {
  return Object.hasOwn(READERS, op);
}

/** The typed data of a node; what is wrong has become an issue. */
export function readData(
  op: NodeOp,
  value: Json | undefined,
  place: ReadPlace,
  catalog: AdapterCatalog,
): NodeData[NodeOp] {
  if (op === "Py") return readPyData(value, place);
  const readers: Readonly<Record<string, Reader<unknown>>> = READERS[op];
  const data: Record<string, unknown> = {};
  if (!isObject(value)) {
    wrong(place, "an object");
  } else {
    const members = MEMBERS[op] ?? [];
    checkMembers(value, members, place);
    for (const member of members) {
      const read = readers[member]?.(value[member], inside(place, member));
      if (read !== undefined) data[member] = read;
    }
  }
  // The table has exactly the members of the op's data; an issue keeps incomplete data from leaving.
  const read = data as NodeData[NodeOp];
  return op === "R" && isObject(value) ? foldTarget(read as NodeData["R"], catalog) : read;
}

function foldTarget(data: NodeData["R"], catalog: AdapterCatalog): NodeData["R"] {
  const entry = typeof data.adapter === "string" ? findAdapter(catalog, data.adapter) : undefined;
  if (entry === undefined) return data;
  const verb = typeof data.verb === "string" ? (findVerb(entry, data.verb)?.name ?? data.verb) : data.verb;
  return { ...data, adapter: entry.name, verb };
}
