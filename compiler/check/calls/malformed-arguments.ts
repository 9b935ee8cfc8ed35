/** WF5023: spans, times, cron lines and time zones that are written out, in a way that a run would refuse. */
import type { Operand } from "../../../grammar/ast.ts";
import { readValueType, type ValueType } from "../../catalog/value-types.ts";
import { formProblem } from "../../catalog/written-forms.ts";
import type { TextForm } from "../../catalog.ts";
import type { KnownVerb, Report } from "../known-verb.ts";

export function checkMalformed({ target, verb }: KnownVerb, args: readonly Operand[], report: Report): void {
  const parameters = verb.parameters ?? [];
  const own = parameters.at(-1)?.name === "options" ? parameters.slice(0, -1) : parameters;
  for (const [at, { name, form }] of own.entries()) {
    const argument = args[at];
    if (form !== undefined && argument !== undefined) checkForm(target, name, form, argument, report);
  }
  const options = args.at(-1);
  if (verb.options === undefined || options?.k !== "map" || args.length <= own.length) return;
  const type = readValueType(verb.options);
  if (type.k !== "object") return;
  for (const { key, value } of options.entries)
    for (const form of formsOf(type.members.get(key.text)?.type)) checkForm(target, key.text, form, value, report);
}

function formsOf(type: ValueType | undefined): readonly TextForm[] {
  const parts = type === undefined ? [] : type.k === "union" ? type.of : [type];
  return parts.flatMap((part) => (part.k === "form" ? [part.form] : []));
}

function checkForm(target: string, argument: string, form: TextForm, operand: Operand, report: Report): void {
  // A namespace of memory may be left out, so a place alone does not say what it is.
  if (form === "namespace" || !isLiteral(operand)) return;
  const problem = formProblem(operand.v, form, target.toLowerCase() === "timer.sleep");
  if (problem !== null) report({ code: "WF5023", span: operand.span, words: { target, argument, ...problem } });
}

function isLiteral(operand: Operand): operand is Extract<Operand, { k: "str" | "word" | "num" | "bool" }> {
  return operand.k === "str" || operand.k === "word" || operand.k === "num" || operand.k === "bool";
}
