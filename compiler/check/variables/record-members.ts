/**
 * Reads of a field that the declared record type of an input does not have (WF4005): `order.totl` where `D Order total:F` is declared. Follows
 * declared inputs, their fields, and the items of loops over lists of records; of anything else the type is not known.
 */
import type { Operand, Step } from "../../../grammar/ast.ts";
import type { Finding } from "../../../grammar/diagnostic.ts";
import { listed } from "../../../grammar/text/english.ts";
import { nearest } from "../../../grammar/text/nearest.ts";
import type { Span } from "../../../grammar/text/span.ts";
import { findFunction } from "../../functions.ts";
import { type RecordTypes, readRecordTypes } from "../../ir/record-types.ts";
import { walkOperands } from "../operand-walk.ts";
import type { ProgramView } from "../program-view.ts";
import { writtenBy } from "./flow-graph.ts";

/** Functions whose value has the type of their first argument, is an element of it, or which read a field of its elements. */
const SAME: ReadonlySet<string> = new Set(["each", "sort_by", "reverse", "unique", "take", "drop", "slice"]);
const ELEMENT: ReadonlySet<string> = new Set(["first", "last", "min_by", "max_by", "find"]);
const BY_FIELD: ReadonlySet<string> = new Set([
  ...["sum", "avg", "sort_by", "group_by", "count_by", "index_by", "min_by", "max_by", "find"],
]);
/** Loops in loops whose items get their types from one another. */
const MAX_PASSES = 8;

export function checkRecordMembers(view: ProgramView): Finding[] {
  const { labels, declarations, inputs } = view.program;
  const lines = declarations.map(({ line }) => ({ op: line.op, slots: line.slots.map(({ text }) => text), line: 0 }));
  const records = readRecordTypes(lines);
  if (records.size === 0) return [];
  const types = new Types(records, new Map([...inputs].map(([name, { type }]) => [name, type])));
  types.addItems(view);
  const findings: Finding[] = [];
  for (const { id: label_id, steps } of labels) {
    for (const { step, node } of steps) {
      for (const finding of findingsIn(step, types)) findings.push({ ...finding, label_id, node_id: node?.id ?? null });
    }
  }
  return findings;
}

/** What is known of the types of variables. */
class Types {
  private readonly records: RecordTypes;
  private readonly variables: Map<string, string>;

  constructor(records: RecordTypes, variables: Map<string, string>) {
    this.records = records;
    this.variables = variables;
  }

  /** Adds the items of loops, and leaves out what the program sets itself. */
  addItems(view: ProgramView): void {
    const steps = view.program.labels.flatMap((label) => label.steps);
    const loops = steps.flatMap(({ step }) => (step.op === "Loop" || step.op === "Each" ? [step] : []));
    const items = new Set(loops.map(({ item }) => item.name));
    for (const lowered of steps) {
      const { step } = lowered;
      if (step.op === "Loop" || step.op === "Each" || isItself(step)) continue;
      for (const name of writtenBy(lowered)) {
        this.variables.delete(name);
        items.delete(name);
      }
    }
    for (const name of items) this.variables.delete(name);
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      let grew = false;
      for (const name of items) {
        const found = loops.filter(({ item }) => item.name === name).map(({ list }) => elementOf(this.of(list)));
        const [type] = found;
        if (type == null || this.variables.has(name) || found.some((other) => other !== type)) continue;
        this.variables.set(name, type);
        grew = true;
      }
      if (!grew) break;
    }
  }

  fieldsOf(type: string | null): readonly string[] | null {
    const fields = type === null ? undefined : this.records.get(type);
    return fields === undefined || fields.size === 0 ? null : [...fields.keys()];
  }

  /** The type of a member; null when it is not known, or the type lacks the field. */
  member(type: string | null, name: string): string | null {
    const field = type === null ? undefined : this.records.get(type)?.get(name);
    if (field !== undefined) return bare(field);
    return /^-?[0-9]+$/.test(name) ? elementOf(type) : null;
  }

  of(operand: Operand): string | null {
    switch (operand.k) {
      case "var":
      case "name":
        return bare(this.variables.get(operand.v) ?? null);
      case "path":
        return operand.segments.reduce<string | null>(
          (type, segment) => this.member(type, segment),
          bare(this.variables.get(operand.root) ?? null),
        );
      case "call":
        return this.ofCall(operand);
      default:
        return null;
    }
  }

  private ofCall({ fn, args }: Operand & { readonly k: "call" }): string | null {
    const [first, second] = args;
    const name = findFunction(fn.text)?.name ?? "";
    if (first === undefined) return null;
    if (SAME.has(name)) return this.of(first);
    if (ELEMENT.has(name)) return elementOf(this.of(first));
    if (name !== "at" || second === undefined) return null;
    return second.k === "str" ? this.member(this.of(first), second.v) : elementOf(this.of(first));
  }
}

function bare(type: string | null): string | null {
  return type === null ? null : type.replace(/[?!]$/, "").trim();
}

function elementOf(type: string | null): string | null {
  return type !== null && /^A\[.*\]$/.test(type) ? bare(type.slice(2, -1)) : null;
}

/** `Set a $a`, which an `in:` line becomes. */
function isItself(step: Step): boolean {
  return step.op === "Set" && step.value.k === "var" && step.value.v === step.name.name;
}

function findingsIn(step: Step, types: Types): Finding[] {
  const findings: Finding[] = [];
  walkOperands(step, (operand) => {
    if (operand.k === "path") findings.push(...inPath(operand, types));
    if (operand.k === "call") findings.push(...inCall(operand, types));
  });
  if (step.op === "Filt" || step.op === "Sort") {
    const { text, span } = step.field;
    findings.push(...fieldFinding(elementOf(types.of(step.list)), text, span, types, (near) => near));
  }
  return findings;
}

function inPath(operand: Operand & { readonly k: "path" }, types: Types): readonly Finding[] {
  const { root, segments, span } = operand;
  for (const [at, segment] of segments.entries()) {
    const type = types.of({ ...operand, segments: segments.slice(0, at) });
    const before = [root, ...segments.slice(0, at)].join(".");
    const [found] = fieldFinding(type, segment, span, types, (near) =>
      [root, ...segments].join(".").length === span.end - span.start
        ? [before, near, ...segments.slice(at + 1)].join(".")
        : null,
    );
    if (found !== undefined) return [found];
  }
  return [];
}

/** `at(order, "totl")`, which `order["totl"]` is, and `sum(orders, "totl")`. */
function inCall({ fn, args }: Operand & { readonly k: "call" }, types: Types): readonly Finding[] {
  const name = findFunction(fn.text)?.name ?? "";
  const [of, key] = args;
  if (of === undefined || key?.k !== "str") return [];
  const isField = BY_FIELD.has(name) && !key.v.includes(".");
  if (name !== "at" && !isField) return [];
  const type = name === "at" ? types.of(of) : elementOf(types.of(of));
  return fieldFinding(type, key.v, key.span, types, (near) => `"${near}"`);
}

/** `written`: what stands at `span` with the field that is near; null when that is not certain. */
function fieldFinding(
  type: string | null,
  field: string,
  span: Span,
  types: Types,
  written: (near: string) => string | null,
): readonly Finding[] {
  const fields = types.fieldsOf(type);
  if (type === null || fields === null || fields.includes(field) || /^-?[0-9]+$/.test(field)) return [];
  const near = nearest(field, fields);
  const new_text = near === null ? null : written(near);
  return [
    {
      code: "WF4005",
      span,
      words: { type, field },
      suggestion: near === null ? `${type} has ${listed(fields.slice(0, 20))}` : `did you mean '${near}'?`,
      fix: new_text === null ? null : { title: `write ${new_text}`, edits: [{ span, new_text }] },
    },
  ];
}
