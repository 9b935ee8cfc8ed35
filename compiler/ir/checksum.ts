/**
 * The checksum of a program's meaning (docs/ir.md, checksum): the same for every layout, comment and op alias, another one for
 * whatever can change a run. Lines, files, annotations and requirements are not covered.
 */
import { createHash, type Hash } from "node:crypto";
import { completed, type Task } from "../../grammar/text/task.ts";
import { type Json, type JsonObject, setMember } from "../json.ts";
import { canonicalJson, canonicalTask } from "./canonical.ts";
import { type Ir, type IrEdge, type IrLabel, type IrNode, nodeNumber } from "./graph.ts";

/** The parts of an IR that the checksum reads. */
export type MeaningParts = Pick<Ir, "entry" | "labels" | "nodes" | "edges" | "endpoints" | "declarations">;

export const DECLARATIONS_WITH_MEANING: ReadonlySet<string> = new Set([
  "S",
  "D",
  "Q",
  "C",
  "Pol",
  "Txn",
  "Cr",
  "Job",
  "On",
  "frame",
]);

/** `sha256:` and 64 lower-case hex digits. */
export function checksumOf(parts: MeaningParts): string {
  return completed(checksumTask(parts));
}

/** The same in pieces. */
export function* checksumTask(parts: MeaningParts): Task<string> {
  const meaning = yield* meaningOf(parts);
  const hash = createHash("sha256");
  // The canonical JSON, member by member: labels are named by numbers, which keeps canonical text from being made the fast way.
  let before = "{";
  for (const name of Object.keys(meaning).sort()) {
    yield;
    hash.update(`${before}"${name}":`, "utf8");
    before = ",";
    const member = meaning[name] ?? null;
    if (Array.isArray(member) && member.length > 0) yield* updateWithList(hash, member);
    else hash.update(yield* canonicalTask(member), "utf8");
  }
  return `sha256:${hash.update("}").digest("hex")}`;
}

/** Elements that are hashed in one piece. */
const ELEMENTS_OF_A_PIECE = 1000;

function* updateWithList(hash: Hash, list: readonly Json[]): Task<void> {
  for (let at = 0; at < list.length; at += ELEMENTS_OF_A_PIECE) {
    const text = canonicalJson(list.slice(at, at + ELEMENTS_OF_A_PIECE));
    hash.update(`${at === 0 ? "[" : ","}${text.slice(1, -1)}`, "utf8");
    yield;
  }
  hash.update("]");
}

/** The value the checksum is taken of. */
function* meaningOf(parts: MeaningParts): Task<JsonObject> {
  const labels: { [id: string]: Json } = {};
  for (const id of Object.keys(parts.labels)) setMember(labels, id, labelMeaning(parts.labels[id]));
  yield;
  // Node data is JSON by construction; its optional members are absent, never undefined.
  const nodes = [...parts.nodes]
    .sort(compareNodes)
    .map((node) => [node.label, node.id, node.op, node.data as unknown as Json]);
  yield;
  const edges = [...parts.edges]
    .sort(compareEdges)
    .map((edge) => [edge.label, edge.from, edge.port, edge.to_kind, edge.to]);
  const endpoints = [...parts.endpoints].sort((a, b) => compareText(a.path, b.path) || compareText(a.method, b.method));
  return {
    meaning: 1,
    entry: parts.entry,
    labels,
    nodes,
    edges,
    endpoints: endpoints.map(({ method, path, label, returns, settings }) => [
      method,
      path,
      label,
      returns,
      ...(settings === undefined ? [] : [settings]),
    ]),
    declarations: parts.declarations
      .filter(({ op }) => DECLARATIONS_WITH_MEANING.has(op))
      .map(({ op, slots, settings }) => [op, slots, ...(settings === undefined ? [] : [settings])]),
  };
}

/** Of a Python function, its parameters and variables as well: steps say only how they are used. */
function labelMeaning(label: IrLabel | undefined): Json {
  const { entry = null, python } = label ?? {};
  if (python === undefined) return entry;
  const { doc: _documentation, ...meant } = python;
  // JSON by construction; its optional members are absent, never undefined.
  return [entry, meant as unknown as Json];
}

function compareNodes(a: IrNode, b: IrNode): number {
  return compareText(a.label, b.label) || nodeNumber(a.id) - nodeNumber(b.id);
}

/** No port of a node has two edges. */
function compareEdges(a: IrEdge, b: IrEdge): number {
  return compareText(a.label, b.label) || nodeNumber(a.from) - nodeNumber(b.from) || compareText(a.port, b.port);
}

/** By UTF-16 code units. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
