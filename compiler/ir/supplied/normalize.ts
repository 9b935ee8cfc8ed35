/**
 * Supplied IR becomes normalised IR or a list of issues (docs/ir.md, IR from outside): bounds, shape, version, nodes and edges,
 * operands, derived members, runnable. Total, pure and linear for any JavaScript value. IR of the compiler comes back equal.
 */
import { completed, type Task } from "../../../grammar/text/task.ts";
import type { AdapterCatalog } from "../../catalog.ts";
import { isObject, type Json, type JsonObject } from "../../json.ts";
import { measured, measuredChecksum } from "../../policy/measured.ts";
import { ANONYMOUS_LABEL, type Ir, type IrDeclaration, type IrEndpoint, irVersionOf } from "../graph.ts";
import { type IrIssue, IssueList, pointer, quoted } from "../issues.ts";
import { admit } from "./bounds.ts";
import { readDeclaration, readEndpoint } from "./declarations.ts";
import { readGraph } from "./graph.ts";
import { isArray } from "./operands.ts";
import type { RawItem, RawProgram, Reading } from "./parts.ts";
import { isPredecessor, isPredecessorWithoutLabels, readPredecessor } from "./predecessor/program.ts";
import { type Recomputed, recompute } from "./recompute.ts";

export type NormalizeResult =
  | { readonly ok: true; readonly ir: Ir; readonly warnings: string[] }
  | { readonly ok: false; readonly status: "invalid_ir" | "unsupported_ir_version"; readonly issues: IrIssue[] };

const TOP_MEMBERS = [
  "ir_version",
  "entry",
  "labels",
  "nodes",
  "edges",
  "endpoints",
  "declarations",
  "execution_requirements",
  "checksum",
  // For people, who asked the compiler for it.
  "source",
];
const VERSION = /^([0-9]{1,9})(\.[0-9]{1,9}){0,2}$/;

/** Reads IR that somebody else wrote. Never throws; IR that it accepts may run. */
export function normalize(input: unknown, catalog: AdapterCatalog): NormalizeResult {
  return completed(normalizeTask(input, catalog));
}

/** The same in pieces of some milliseconds. The input must not change meanwhile. */
export function* normalizeTask(input: unknown, catalog: AdapterCatalog): Task<NormalizeResult> {
  const issues = new IssueList();
  const reading: Reading = { issues, catalog };
  const admitted = yield* admit(input, issues);
  if (!issues.empty) return refused(issues);
  if (!isObject(admitted)) {
    issues.add("schema", "", "expected an IR object");
    return refused(issues);
  }
  if (!isPredecessor(admitted) && isPredecessorWithoutLabels(admitted)) {
    const what = "this looks like IR of the predecessor, but it has no labels with nodes";
    issues.add("schema", "/labels", `${what}; compile the program's source again`);
    return refused(issues);
  }
  const unsupported = checkVersion(admitted, issues);
  if (unsupported) return { ok: false, status: "unsupported_ir_version", issues: issues.reported() };
  const raw = readShape(admitted, issues);
  if (raw === null || !issues.empty) return refused(issues);
  yield;
  const graph = yield* readGraph(raw, reading);
  const endpoints = raw.endpoints.map((item) => readEndpoint(item, graph.labels, issues));
  const declarations = raw.declarations.map((item) => readDeclaration(item, issues));
  if (raw.entry !== undefined) checkEntry(raw.entry, graph.labels, issues);
  if (!issues.empty) return refused(issues);
  yield;
  const recomputed = yield* recompute(raw, graph, reading);
  yield;
  const ir = assemble(raw, recomputed, endpoints, declarations, catalog);
  yield* checkChecksum(raw, ir, issues);
  yield;
  checkRunnable(ir, graph.labels, issues);
  return issues.empty ? { ok: true, ir, warnings: issues.warnings() } : refused(issues);
}

function refused(issues: IssueList): NormalizeResult {
  return { ok: false, status: "invalid_ir", issues: issues.reported() };
}

/** True when the version is well-formed and of another major. */
function checkVersion(input: JsonObject, issues: IssueList): boolean {
  const version = input["ir_version"];
  const match = typeof version === "string" ? VERSION.exec(version) : null;
  if (match === null) {
    issues.add("schema", "/ir_version", "expected a version such as '1.0'");
    return false;
  }
  if (Number(match[1]) === 1) return false;
  issues.add(
    "unsupported_ir_version",
    "/ir_version",
    `IR version ${quoted(match[0])} is not supported; this is a reader of 1.x`,
  );
  return true;
}

function readShape(input: JsonObject, issues: IssueList): RawProgram | null {
  if (!isArray(input["nodes"]) && isPredecessor(input)) return readPredecessor(input, issues);
  for (const key of Object.keys(input)) {
    if (!TOP_MEMBERS.includes(key))
      issues.warn(key === "legacy" ? "legacy_ignored" : `field_ignored: ${pointer("", key)}`);
  }
  const { entry, labels } = input;
  if (entry !== undefined && entry !== null && typeof entry !== "string")
    issues.add("schema", "/entry", "expected a label id or null");
  if (labels !== undefined && !isObject(labels)) issues.add("schema", "/labels", "expected an object");
  return {
    nodes: items(input, "nodes", true, issues),
    edges: items(input, "edges", true, issues),
    labels: isObject(labels)
      ? new Map(Object.keys(labels).map((id) => [id, { value: labels[id] ?? null, path: pointer("/labels", id) }]))
      : null,
    endpoints: items(input, "endpoints", false, issues),
    declarations: items(input, "declarations", false, issues),
    entry,
    checksum: input["checksum"],
    foreign: false,
  };
}

function items(input: JsonObject, member: string, required: boolean, issues: IssueList): readonly RawItem[] {
  const value = input[member];
  if (isArray(value)) return value.map((item, index) => ({ value: item, path: `/${member}/${index}` }));
  if (required || value !== undefined) issues.add("schema", `/${member}`, "expected a list");
  return [];
}

function checkEntry(entry: Json, labels: ReadonlyMap<string, unknown>, issues: IssueList): void {
  if (typeof entry === "string" && !labels.has(entry)) {
    issues.add("missing_label", "/entry", `label ${quoted(entry)} is not in labels`);
  }
}

function assemble(
  raw: RawProgram,
  recomputed: Recomputed,
  endpoints: readonly IrEndpoint[],
  declarations: readonly IrDeclaration[],
  catalog: AdapterCatalog,
): Ir {
  const entry =
    raw.entry === undefined ? defaultEntry(recomputed, endpoints) : typeof raw.entry === "string" ? raw.entry : null;
  return measured(
    { ir_version: irVersionOf(recomputed.nodes), entry, ...recomputed, endpoints, declarations },
    catalog,
  );
}

/** The first label of the main file, else the first endpoint's, else the steps above all labels (docs/language.md, inputs and entry). */
function defaultEntry(recomputed: Recomputed, endpoints: readonly IrEndpoint[]): string | null {
  const first = recomputed.nodes.find((node) => node.file === undefined && node.label !== ANONYMOUS_LABEL);
  if (first !== undefined) return first.label;
  const endpoint = endpoints[0];
  if (endpoint !== undefined) return endpoint.label;
  return Object.hasOwn(recomputed.labels, ANONYMOUS_LABEL) ? ANONYMOUS_LABEL : null;
}

function* checkChecksum(raw: RawProgram, ir: Ir, issues: IssueList): Task<void> {
  if (raw.checksum === undefined || raw.checksum === (yield* measuredChecksum(ir))) return;
  if (typeof raw.checksum === "string")
    issues.add("checksum_mismatch", "/checksum", "checksum is not that of this program");
  else issues.add("schema", "/checksum", "expected text");
}

function checkRunnable(ir: Ir, labels: ReadonlyMap<string, readonly unknown[]>, issues: IssueList): void {
  if (ir.nodes.length === 0) issues.add("nothing_to_run", "/nodes", "no label has a step");
  else if (ir.entry !== null && labels.get(ir.entry)?.length === 0) {
    issues.add("nothing_to_run", "/entry", `entry label ${quoted(ir.entry)} has no step`, { label: ir.entry });
  }
}
