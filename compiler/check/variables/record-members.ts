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
import { walkOperands } from "../operand-walk.ts";
import type { ProgramView } from "../program-view.ts";
import { elementOf, type ValueTypes } from "./value-types.ts";

/** Functions that read a field of the elements of their first argument. */
const BY_FIELD: ReadonlySet<string> = new Set([
  ...["sum", "avg", "sort_by", "group_by", "count_by", "index_by", "min_by", "max_by", "find"],
]);

export function checkRecordMembers({ program }: ProgramView, typesOf: () => ValueTypes): Finding[] {
  if (!program.declarations.some(({ line }) => line.op === "D")) return [];
  const types = typesOf();
  const findings: Finding[] = [];
  for (const { id: label_id, steps } of program.labels) {
    for (const { step, node } of steps) {
      for (const finding of findingsIn(step, types)) findings.push({ ...finding, label_id, node_id: node?.id ?? null });
    }
  }
  return findings;
}

function findingsIn(step: Step, types: ValueTypes): Finding[] {
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

function inPath(operand: Operand & { readonly k: "path" }, types: ValueTypes): readonly Finding[] {
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
function inCall({ fn, args }: Operand & { readonly k: "call" }, types: ValueTypes): readonly Finding[] {
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
  types: ValueTypes,
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
