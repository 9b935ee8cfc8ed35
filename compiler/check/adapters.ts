/**
 * Calls against the catalog and the function table (docs/diagnostics.md, adapters and functions): argument counts and plain literal types, the
 * allowlist at hand, retries that may repeat an effect, and calls of labels that drop their result. Unknown adapters,
 * verbs and functions were reported by lowering.
 */
import type { Operand } from "../../grammar/ast.ts";
import type { Finding } from "../../grammar/diagnostic.ts";
import { listed } from "../../grammar/text/english.ts";
import { type Span, spanOver } from "../../grammar/text/span.ts";
import { type AdapterCatalog, findAdapter, type LiteralType, type Parameter } from "../catalog.ts";
import { type FunctionParameter, findFunction } from "../functions.ts";
import type { IrNode } from "../ir/graph.ts";
import type { LoweredStep } from "../lower/lowered.ts";
import type { CompileOptions } from "../options.ts";
import { capabilitiesOf } from "../policy/capabilities-of.ts";
import { checkMalformed } from "./calls/malformed-arguments.ts";
import { checkOddArguments } from "./calls/odd-arguments.ts";
import { checkRetry } from "./calls/retried-calls.ts";
import { knownVerb, type Report } from "./known-verb.ts";
import { walkOperands } from "./operand-walk.ts";
import type { ProgramView } from "./program-view.ts";

export function checkAdapters(view: ProgramView, options: CompileOptions): Finding[] {
  const findings: Finding[] = [];
  const effective = new Set<string>();
  for (const { port, label, to } of view.program.edges) if (port === "retry") effective.add(`${label} ${to}`);
  let label_id = "";
  let node_id = "";
  const report: Report = (finding) => findings.push({ label_id, node_id, ...finding });
  const allowed = options.allowed_adapters == null ? null : new Set(options.allowed_adapters);
  for (const label of view.program.labels) {
    label_id = label.id;
    for (const lowered of label.steps) {
      if (lowered.step.faulty || lowered.node === null) continue;
      node_id = lowered.node.id;
      checkCall(lowered, options.catalog, report);
      checkFunctions(lowered, report);
      if (allowed !== null) checkAllowed(lowered.step, lowered.node, allowed, options.catalog, report);
      // A second Retry of the same step repeats nothing.
      if (lowered.step.op === "Retry" && effective.has(`${label_id} ${node_id}`))
        checkRetry(view, label, lowered, options, report);
      if (lowered.step.op === "Call" && lowered.step.out === null) {
        report({ code: "WF9005", span: lowered.step.word.span });
      }
    }
  }
  return findings;
}

function checkCall({ step, node }: LoweredStep, catalog: AdapterCatalog, report: Report): void {
  if (step.op !== "R" || node?.op !== "R") return;
  const call = knownVerb(node.data, catalog);
  if (call === null || call.verb.parameters === null) return;
  const { target } = call;
  const { parameters } = call.verb;
  const span = spanOver(step.adapter.span, step.verb.span);
  checkCount(target, parameters, step.args, span, report);
  checkMalformed(call, step.args, report);
  checkOddArguments(call, step.args, report);
  for (const [index, parameter] of parameters.entries()) {
    const argument = step.args[index];
    if (argument === undefined) continue;
    const types = typesOf(parameter);
    // A map at the end may be the options object.
    const mayBeOptions =
      argument.k === "map" && (parameter.types === undefined || mayEndInOptions(step.args, index, parameters));
    if (types === null || mayBeOptions || isOneOf(types, argument, parameter.optional)) continue;
    const expected = listed(
      types.map((type) => TYPE_WORDS[type]),
      "or",
    );
    report({ code: "WF5011", span: argument.span, words: { target, n: String(index + 1), expected } });
  }
}

const TEXT: readonly LiteralType[] = ["text"];

/** Only what the catalog knows for certain: also without types, an address or path is text. */
function typesOf({ role, types }: Parameter): readonly LiteralType[] | null {
  if (types !== undefined) return types;
  return role === "url" || role === "path" ? TEXT : null;
}

function mayEndInOptions(args: readonly Operand[], index: number, parameters: readonly Parameter[]): boolean {
  return index === args.length - 1 && parameters.at(-1)?.name === "options";
}

const TYPE_WORDS: Readonly<Record<LiteralType, string>> = {
  text: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  list: "a list",
  object: "an object",
  null: "null",
};

/** True for everything whose type only a run knows. */
function isOneOf(types: readonly LiteralType[], argument: Operand, optional: boolean): boolean {
  switch (argument.k) {
    case "str":
    case "word":
      return types.includes("text");
    case "num":
      return types.includes("number") || (types.includes("integer") && Number.isInteger(argument.v));
    case "bool":
      return types.includes("boolean");
    case "list":
      return types.includes("list");
    case "map":
      return types.includes("object");
    case "null":
      return optional || types.includes("null");
    default:
      return true;
  }
}

function checkFunctions({ step, node }: LoweredStep, report: Report): void {
  if (step.op === "X" && node?.op === "X" && step.first.k !== "call" && node.data.value.k === "call") {
    checkFunctionCount(node.data.value.fn, step.args, step.first.span, report);
  }
  walkOperands(step, (operand) => {
    if (operand.k === "call" && !operand.infix) {
      checkFunctionCount(operand.fn.text, operand.args, operand.fn.span, report);
    }
  });
}

function checkFunctionCount(name: string, args: readonly Operand[], span: Span, report: Report): void {
  const signature = findFunction(name);
  if (signature !== undefined) checkCount(signature.name, signature.parameters, args, span, report);
}

/** WF5012 at the first argument that is too much, or WF5007 at a target that lacks some: those fail the run or have a default. */
function checkCount(
  target: string,
  parameters: readonly (Parameter | FunctionParameter)[],
  args: readonly Operand[],
  targetSpan: Span,
  report: Report,
): void {
  const count = args.length;
  let least = 0;
  let most = parameters.length;
  for (const { optional, repeat } of parameters) {
    if (repeat) most = Number.POSITIVE_INFINITY;
    else if (!optional) least += 1;
  }
  if (count >= least && count <= most) return;
  const span = (count > most ? args[most]?.span : undefined) ?? targetSpan;
  const expected = parameters.map(({ name }) => name);
  const signature = parameters.length === 0 ? "no arguments" : parameters.map(parameterText).join(" ");
  const surplus = count - most;
  const repair =
    surplus > 0
      ? `remove the last ${surplus === 1 ? "argument" : `${surplus} arguments`}`
      : `add ${listed(expected.slice(count, least))}`;
  report({ code: surplus > 0 ? "WF5012" : "WF5007", span, words: { target, signature, repair }, expected });
}

function parameterText({ name, optional, repeat }: Parameter | FunctionParameter): string {
  return repeat ? `${name}*` : optional ? `${name}?` : name;
}

/** Host functions in Set and X need `core` in the list, too. */
function checkAllowed(
  step: LoweredStep["step"],
  node: IrNode,
  allowed: ReadonlySet<string>,
  catalog: AdapterCatalog,
  report: Report,
): void {
  for (const { adapter, verb } of capabilitiesOf(node.op, node.data, catalog)) {
    if (adapter === null || allowed.has(adapter) || findAdapter(catalog, adapter) === undefined) continue;
    report({
      code: "WF5008",
      span: step.op === "R" ? spanOver(step.adapter.span, step.verb.span) : step.word.span,
      words: { adapter, verb: verb ?? "*", source: "the given allowlist" },
    });
  }
}
