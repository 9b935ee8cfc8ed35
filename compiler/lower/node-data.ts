/**
 * One step → op and data of its node, exactly as docs/ir.md (nodes) lists them. Knows nothing of edges, node numbers or other
 * steps; label references are resolved next to this (`statements.ts`).
 */
import type {
  CacheGetStep,
  CacheSetStep,
  EachStep,
  EnforceStep,
  FilterStep,
  FunctionStep,
  LabelCallStep,
  LoopStep,
  Operand,
  ParStep,
  RetryStep,
  Slot,
  SortStep,
  Step,
  TxStep,
  WhileStep,
} from "../../grammar/ast.ts";
import type { Finding } from "../../grammar/diagnostic.ts";
import type { AdapterCatalog } from "../catalog.ts";
import { findLoneFunction } from "../functions.ts";
import { BRANCHES_AT_ONCE, type BranchMode, type IrOperand, MAX_BRANCHES_AT_ONCE, type NodeData } from "../ir/graph.ts";
import type { NodeShape } from "../ir/operands.ts";
import type { NodePlace } from "../policy/annotate.ts";
import { lowerAdapterCall } from "./adapter-calls.ts";
import { PlaceSink } from "./findings.ts";
import type { Module, Read } from "./lowered.ts";
import { type DeclaredNames, reportUndeclared, wholeNumber } from "./names/declared-names.ts";
import { reportUnknownFunction } from "./names/function-names.ts";
import {
  lowerCall,
  lowerCondition,
  lowerOperand,
  lowerWholeValue,
  numberOperand,
  type OperandContext,
  textOperand,
} from "./operands.ts";

/** What the lowering of one step works with. */
export class StepContext extends PlaceSink implements OperandContext {
  readonly source: string;
  readonly reads: Read[] = [];
  readonly module: Module;
  readonly catalog: AdapterCatalog;
  readonly names: DeclaredNames;

  constructor(findings: Finding[], place: NodePlace, module: Module, program: ProgramContext) {
    super(findings, place.label, place.id);
    this.source = module.file.text;
    this.module = module;
    this.catalog = program.catalog;
    this.names = program.names;
  }
}

type ProgramContext = { readonly catalog: AdapterCatalog; readonly names: DeclaredNames };

const DEFAULT_RETRY_COUNT = 3;
const DEFAULT_WHILE_LIMIT = 10_000;
const TX_ACTIONS: ReadonlySet<string> = new Set(["begin", "commit", "rollback"]);

/** Op and data of a step that has a node. */
export function lowerStep(step: Exclude<Step, { op: "broken" }>, context: StepContext): NodeShape {
  switch (step.op) {
    case "R":
      return { op: "R", data: lowerAdapterCall(step, context) };
    case "J":
      return {
        op: "J",
        data: { value: step.value === null ? defaultResult(step.word, context) : operand(step.value, context) },
      };
    case "If":
      return { op: "If", data: { cond: lowerCondition(step.cond, context) } };
    case "Err":
      return { op: "Err", data: {} };
    case "Retry":
      return { op: "Retry", data: retryData(step, context) };
    case "Call":
      return { op: "Call", data: labelCallData(step, context) };
    case "Set":
      return { op: "Set", data: { name: step.name.name, value: lowerWholeValue(step.value, context) } };
    case "X":
      return { op: "X", data: { name: step.name.name, value: functionValue(step, context) } };
    case "Filt":
      return { op: "Filt", data: filterData(step, context) };
    case "Sort":
      return { op: "Sort", data: sortData(step, context) };
    case "Loop":
      return { op: "Loop", data: { list: operand(step.list, context), item: step.item.name, ...untilOf(step) } };
    case "While":
      return {
        op: "While",
        data: { cond: lowerCondition(step.cond, context), limit: step.limit ?? DEFAULT_WHILE_LIMIT, ...untilOf(step) },
      };
    case "Each":
      return { op: "Each", data: eachData(step, context) };
    case "Par":
      // The labels are known when all references are: `statements.ts` puts them in.
      return { op: "Par", data: { out: step.name.name, branches: [], mode: modeOf(step) } };
    case "CacheGet":
      return { op: "CacheGet", data: cacheGetData(step, context) };
    case "CacheSet":
      return { op: "CacheSet", data: cacheSetData(step, context) };
    case "QueuePut": {
      requireDeclared("Q", step.queue, context);
      const args = [textOperand(step.queue.text), operand(step.value, context)];
      return { op: "QueuePut", data: { adapter: "queue", verb: "Put", args, out: step.out?.name ?? null } };
    }
    case "Tx":
      return { op: "Tx", data: transactionData(step, context) };
    case "Enf":
      return { op: "Enf", data: enforceData(step, context) };
  }
}

function labelCallData({ out, inputs }: LabelCallStep, context: StepContext): NodeData["Call"] {
  const name = out?.name ?? "_call_result";
  if (inputs === undefined) return { out: name };
  return { out: name, inputs: inputs.map((input) => [input.name.name, operand(input.value, context)]) };
}

function untilOf({ until }: LoopStep | WhileStep): { readonly until?: string } {
  return until === undefined ? {} : { until };
}

function operand(value: Operand, context: StepContext): IrOperand {
  return lowerOperand(value, "operand", context);
}

/** `J` alone returns the variable `data`. */
function defaultResult(word: Slot, context: StepContext): IrOperand {
  context.reads.push({ name: "data", span: word.span, form: "var", slot: "operand", text: "data" });
  return { k: "var", v: "data" };
}

function retryData(step: RetryStep, context: StepContext): NodeData["Retry"] {
  const strategy = step.strategy?.text.toLowerCase() === "exponential" ? "exponential" : "fixed";
  return {
    count: step.count === null ? numberOperand(DEFAULT_RETRY_COUNT) : operand(step.count, context),
    backoff_ms: step.backoff_ms === null ? numberOperand(0) : operand(step.backoff_ms, context),
    strategy,
  };
}

/** `X n fn args…`, `X n (fn args…)`, or with a single operand that names no function a plain assignment. */
function functionValue(step: FunctionStep, context: StepContext): IrOperand {
  const { first, args } = step;
  const name = functionWord(first);
  if (name !== null && (args.length > 0 || findLoneFunction(name) !== undefined)) {
    return lowerCall(name, first.span, args, "whole", context);
  }
  if (args.length === 0) return lowerWholeValue(first, context);
  if (first.k === "call") {
    for (const extra of args) reportExtra(extra, context);
    return lowerWholeValue(first, context);
  }
  const written = context.source.slice(first.span.start, first.span.end);
  reportUnknownFunction(written, first.span, args.length, context);
  // The name it has at run time must not depend on layout and quotes.
  const fn = first.k === "str" ? first.v : first.k === "list" ? "[" : first.k === "map" ? "{" : written;
  return { k: "call", fn, args: args.map((argument) => operand(argument, context)) };
}

/** The text of a bare word that may name a function. */
function functionWord(first: Operand): string | null {
  if (first.k === "name" || first.k === "word") return first.v;
  return first.k === "path" ? first.text : null;
}

function reportExtra(extra: Operand, context: StepContext): void {
  const word = context.source.slice(extra.span.start, extra.span.end);
  context.report("WF9001", extra.span, { words: { op: "X", word } });
}

function filterData(step: FilterStep, context: StepContext): NodeData["Filt"] {
  return {
    name: step.name.name,
    list: operand(step.list, context),
    field: step.field.text,
    cmp: step.cmp.text === "=" ? "==" : step.cmp.text,
    value: operand(step.value, context),
  };
}

function sortData(step: SortStep, context: StepContext): NodeData["Sort"] {
  return {
    name: step.name.name,
    list: operand(step.list, context),
    field: step.field.text,
    order: step.order?.text.toLowerCase() === "desc" ? "desc" : "asc",
  };
}

function eachData(step: EachStep, context: StepContext): NodeData["Each"] {
  const { limit, limit_slot, name, item } = step;
  const most = limit ?? BRANCHES_AT_ONCE;
  const used = Math.min(Math.max(1, most), MAX_BRANCHES_AT_ONCE);
  if (limit_slot !== null && most !== used) {
    const expected = `limit=1 to limit=${MAX_BRANCHES_AT_ONCE}`;
    context.report("WF2013", limit_slot.span, {
      words: { word: limit_slot.text, expected },
      suggestion: `use ${expected}`,
    });
  }
  return {
    list: operand(step.list, context),
    item: item.name,
    out: name.name,
    limit: used,
    mode: modeOf(step),
  };
}

function modeOf({ mode }: EachStep | ParStep): BranchMode {
  return mode?.text === "settle" ? "settle" : "all";
}

function cacheGetData(step: CacheGetStep, context: StepContext): NodeData["CacheGet"] {
  requireDeclared("C", step.cache, context);
  const declared = context.names.cache(step.cache.text, context.module);
  return {
    adapter: "cache",
    verb: "get",
    args: [textOperand(step.cache.text), operand(step.key, context)],
    out: step.out?.name ?? "data",
    fallback: step.fallback === null ? (declared?.fallback ?? null) : operand(step.fallback, context),
  };
}

function cacheSetData(step: CacheSetStep, context: StepContext): NodeData["CacheSet"] {
  requireDeclared("C", step.cache, context);
  const written = step.ttl_s === null ? null : wholeNumber(step.ttl_s.text);
  const ttl = written ?? context.names.cache(step.cache.text, context.module)?.ttl_s ?? 0;
  return {
    adapter: "cache",
    verb: "set",
    args: [textOperand(step.cache.text), operand(step.key, context), operand(step.value, context), numberOperand(ttl)],
    out: null,
  };
}

function transactionData(step: TxStep, context: StepContext): NodeData["Tx"] {
  requireDeclared("Txn", step.name, context);
  const folded = step.action.text.toLowerCase();
  const verb = TX_ACTIONS.has(folded) ? folded : step.action.text;
  const args = [textOperand(step.name.text)];
  if (verb === "begin") {
    const declared = context.names.transaction(step.name.text, context.module);
    const entries: [string, IrOperand][] = [];
    if (declared?.resource != null) entries.push(["resource", textOperand(declared.resource)]);
    if (declared?.mode != null) entries.push(["mode", textOperand(declared.mode)]);
    if (entries.length > 0) args.push({ k: "map", entries });
  }
  return { adapter: "txn", verb, args, out: verb === "begin" ? "_txid" : null };
}

/** The runtime judges the constraints by these two variables; they are predefined, so their reads are not checked. */
function enforceData(step: EnforceStep, context: StepContext): NodeData["Enf"] {
  requireDeclared("Pol", step.policy, context);
  const constraints = context.names.policy(step.policy.text, context.module) ?? [];
  return {
    adapter: "auth",
    verb: "enforce",
    args: [
      textOperand(step.policy.text),
      { k: "map", entries: constraints.map(([key, value]) => [key, textOperand(value)]) },
      {
        k: "map",
        entries: [
          ["auth_present", { k: "var", v: "_auth_present" }],
          ["role", { k: "var", v: "_role" }],
        ],
      },
    ],
    out: null,
  };
}

function requireDeclared(op: "C" | "Q" | "Txn" | "Pol", name: Slot, context: StepContext): void {
  const { names, module } = context;
  const declared =
    op === "C"
      ? names.cache(name.text, module)
      : op === "Q"
        ? names.queue(name.text, module)
        : op === "Txn"
          ? names.transaction(name.text, module)
          : names.policy(name.text, module);
  if (declared === undefined) reportUndeclared(op, name, module, context);
}
