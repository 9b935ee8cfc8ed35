/** What a word means, as Markdown: ops and their slots, verbs with effect and tier, functions, labels, variables. */
import type { AdapterCatalog, AdapterEntry, VerbEntry } from "../../compiler/catalog.ts";
import { findAdapter, findVerb } from "../../compiler/catalog.ts";
import { findFunction } from "../../compiler/functions.ts";
import { docstringOf } from "../../compiler/python/doors/docstrings.ts";
import { preludeFunction } from "../../compiler/python/library/prelude.ts";
import { LIBRARY_ROWS } from "../../compiler/python/library/rows.ts";
import type { CallStep, Operand, Step } from "../../grammar/ast.ts";
import { OP_EXAMPLES } from "../../grammar/op-examples.ts";
import { operandsIn } from "../../grammar/operands/operands.ts";
import { findOp, signatureOf } from "../../grammar/ops.ts";
import { counted, listed, nounFor } from "../../grammar/text/english.ts";
import type { Span } from "../../grammar/text/span.ts";
import { callForm, parametersText, pythonForm, verbFacts } from "../explain/call-form.ts";
import { FUNCTION_TEXTS, withoutMarkup } from "../explain/function-texts.ts";
import { isSame, occurrenceAt } from "./occurrences.ts";
import { holds, type OpenProgram, stepsOf } from "./program.ts";
import type { PythonParts } from "./python.ts";
import { verbAt } from "./python-names.ts";

export type Hover = { readonly markdown: string; readonly span: Span };

/** One sentence on a verb, from its definition; null when the adapter is not provided here. */
export type VerbSummary = (adapter: string, verb: string) => Promise<string | null>;

export async function hoverAt(
  program: OpenProgram,
  offset: number,
  catalog: AdapterCatalog,
  summaryOf: VerbSummary,
): Promise<Hover | null> {
  if (program.python !== null) return pythonHover(program, program.python, offset, catalog, summaryOf);
  for (const line of program.file.lines) {
    if (line.kind !== "declaration" && line.kind !== "include") continue;
    if (holds(line.word.span, offset)) return opHover(line.word.text, line.word.span);
  }
  const step = stepsOf(program.file).find(({ span }) => holds(span, offset));
  if (step !== undefined) {
    if (step.op === "R" && (holds(step.adapter.span, offset) || holds(step.verb.span, offset)))
      return callHover(step, catalog, summaryOf);
    const { span, text } = step.word;
    if (holds(span, offset)) return opHover(text, span);
    const called = functionAt(step, offset);
    if (called !== null) return called;
  }
  return nameHover(program, offset);
}

async function pythonHover(
  { text }: OpenProgram,
  { names, outside }: PythonParts,
  offset: number,
  catalog: AdapterCatalog,
  summaryOf: VerbSummary,
): Promise<Hover | null> {
  const here = names.find(({ span }) => holds(span, offset));
  // Of `http.Get` the whole comes before the name alone.
  for (const one of outside.filter(({ span }) => holds(span, offset))) {
    const { span } = one;
    const called = verbAt(catalog, one);
    if (called !== null) {
      const { adapter, verb } = called;
      const usage = `${code(pythonForm(adapter, verb), "python")}`;
      return { markdown: markdownOf(usage, await summaryOf(adapter.name, verb.name), adapter, verb), span };
    }
    const row = one.verb === null ? rowOf(one.name) : undefined;
    if (row !== undefined)
      return { markdown: `${code(`${one.name}(${row.params}) -> ${row.result}`, "python")}\n\n${row.help}`, span };
  }
  if (here === undefined) return null;
  const all = names.filter((one) => isSame(one, here));
  const made = all.find((one) => one.made !== undefined)?.made;
  if (made !== undefined) {
    const from = made.decorators.at(-1)?.end ?? made.start;
    const head = text.slice(text.indexOf(made.isAsync ? "async" : "def", from), made.body[0]?.start).trimEnd();
    const doc = docstringOf(made.body);
    return { markdown: [code(head, "python"), ...(doc === null ? [] : [doc])].join("\n\n"), span: here.span };
  }
  const lines = [...new Set(all.filter(({ role }) => role === "definition").map(({ span }) => span.line))];
  const set = lines.length === 0 ? "" : `, set on ${nounFor(lines.length, "line")} ${listed(lines.map(String))}`;
  return { markdown: `variable **${asWritten(here.name)}**${set}`, span: here.span };
}

function rowOf(name: string) {
  return LIBRARY_ROWS.get(name) ?? LIBRARY_ROWS.get(preludeFunction(name) ?? "");
}

function opHover(word: string, span: Span): Hover | null {
  const op = findOp(word);
  if (op === undefined) return null;
  const example = OP_EXAMPLES[op.name];
  return {
    markdown: [code(signatureOf(op)), op.doc, ...(example === undefined ? [] : [code(example)])].join("\n\n"),
    span,
  };
}

async function callHover(step: CallStep, catalog: AdapterCatalog, summaryOf: VerbSummary): Promise<Hover | null> {
  const adapter = findAdapter(catalog, step.adapter.text);
  if (adapter === undefined) return null;
  const verb = findVerb(adapter, step.verb.text);
  const span = {
    ...step.adapter.span,
    end: step.verb.span.end,
    end_line: step.verb.span.end_line,
    end_column: step.verb.span.end_column,
  };
  if (verb === undefined) return { markdown: `adapter **${adapter.name}**: no verb of this name`, span };
  const summary = await summaryOf(adapter.name, verb.name);
  return { markdown: verbMarkdown(adapter, verb, summary), span };
}

/** Usage, summary and the facts that policies look at. */
function verbMarkdown(adapter: AdapterEntry, verb: VerbEntry, summary: string | null): string {
  return markdownOf(code(callForm(adapter, verb)), summary, adapter, verb);
}

function markdownOf(usage: string, summary: string | null, adapter: AdapterEntry, verb: VerbEntry): string {
  return [usage, summary ?? "", verbFacts(adapter, verb).join(" · ")].filter((part) => part !== "").join("\n\n");
}

function functionAt(step: Step, offset: number): Hover | null {
  if (step.op === "X" && step.first.k === "name" && holds(step.first.span, offset))
    return functionHover(step.first.v, step.first.span);
  const operands: Operand[] = [];
  if (step.op === "X") operands.push(step.first, ...step.args);
  if (step.op === "R") operands.push(...step.args);
  if (step.op === "Set") operands.push(step.value);
  if (step.op === "J" && step.value !== null) operands.push(step.value);
  for (const operand of operands) {
    const found = nestedAt(operand, offset);
    if (found !== null) return found;
  }
  return null;
}

function nestedAt(operand: Operand, offset: number): Hover | null {
  if (!holds(operand.span, offset)) return null;
  if (operand.k === "call" && holds(operand.fn.span, offset)) return functionHover(operand.fn.text, operand.fn.span);
  for (const one of operandsIn(operand) ?? []) {
    const found = nestedAt(one, offset);
    if (found !== null) return found;
  }
  return null;
}

function functionHover(word: string, span: Span): Hover | null {
  const found = findFunction(word);
  if (found === undefined) return null;
  const host = found.host ? "reads clock, randomness or environment" : `pure · ${found.group}`;
  const text = FUNCTION_TEXTS[found.name];
  const told = text === undefined ? [] : [withoutMarkup(text.gives), text.example];
  return {
    markdown: [code(found.name + parametersText(found.parameters)), `function, ${host}`, ...told].join("\n\n"),
    span,
  };
}

function nameHover({ occurrences, file }: OpenProgram, offset: number): Hover | null {
  const here = occurrenceAt(occurrences, offset);
  if (here === null) return null;
  const same = occurrences.filter(({ kind, name }) => kind === here.kind && name === here.name);
  const lines = [...new Set(same.filter(({ role }) => role === "definition").map(({ span }) => span.line))];
  const uses = same.filter(({ role }) => role === "use").length;
  const name = asWritten(here.name);
  if (here.kind === "label") {
    const known = file.lines.some((line) => line.kind === "label" && line.id === here.name);
    return {
      markdown: known ? `label **L${name}**, named ${counted(uses, "time")}` : `no label **L${name}** in this file`,
      span: here.span,
    };
  }
  const set =
    lines.length === 0
      ? "never set in this file"
      : `set on ${nounFor(lines.length, "line")} ${listed(lines.map(String))}`;
  return { markdown: `variable **${name}**, ${set}`, span: here.span };
}

/** A name as Markdown that shows it: escaped, because an image in it would be fetched when it is shown. */
function asWritten(name: string): string {
  return name.replace(/[!-/:-@[-`{-~]/g, "\\$&");
}

function code(text: string, form: "wf" | "python" = "wf"): string {
  return `\`\`\`${form}\n${text}\n\`\`\``;
}
