/**
 * Sums that fail in every run (WF5013): `+` of a string and a number, of a list and a number and so on. A number is never turned into a string
 * (docs/language.md, expressions), so the edit does that, where the author has written the string out and so shows what is meant.
 */
import type { Operand } from "../../../grammar/ast.ts";
import type { Finding, Fix } from "../../../grammar/diagnostic.ts";
import { spanAfter, spanBefore } from "../../../grammar/text/span.ts";
import type { Task } from "../../../grammar/text/task.ts";
import { findFunction } from "../../functions.ts";
import { walkOperands } from "../operand-walk.ts";
import { eachStep, type ProgramView } from "../program-view.ts";
import { type Kind, kindOf, type ValueTypes } from "./value-types.ts";

type Call = Operand & { readonly k: "call" };

/** `types`: asked for only when there is a sum to look at. */
export function* checkSums({ program }: ProgramView, types: () => ValueTypes): Task<Finding[]> {
  const findings: Finding[] = [];
  yield* eachStep(program, ({ id: label_id, module }, { step, node }) => {
    if (step.faulty) return;
    walkOperands(step, (operand) => {
      if (operand.k !== "call" || operand.fn.text !== "plus" || operand.args.length !== 2) return;
      const found = findingIn(operand, types(), module.file.text);
      if (found !== null) findings.push({ ...found, label_id, node_id: node?.id ?? null });
    });
  });
  return findings;
}

/** Kinds of which two make a sum. */
const SUMMED: ReadonlySet<Kind> = new Set(["number", "text", "list"]);

function findingIn({ args, fn }: Call, types: ValueTypes, source: string): Finding | null {
  const [a, b] = args as readonly [Operand, Operand];
  const [left, right] = [kindOf(types.of(a), types.records), kindOf(types.of(b), types.records)];
  if (left === null || right === null || (left === right && SUMMED.has(left))) return null;
  // `s += n` has the name in the place of the sign.
  const isSign = findFunction(source.slice(fn.span.start, fn.span.end)) === undefined;
  const { suggestion, fix } =
    [a, b].map((one) => (types.of(one) === "failure" ? asMessage(one, source) : null)).find((one) => one !== null) ??
    repairOf(a, left, b, right, source);
  const words = { op: isSign ? "+" : "plus", what: `${WORDS[left]} and ${WORDS[right]}` };
  return { code: "WF5013", span: fn.span, words, suggestion, fix: isSign ? fix : null };
}

const WORDS: Readonly<Record<Kind, string>> = {
  text: "a string",
  number: "a number",
  boolean: "true or false",
  list: "a list",
  map: "an object",
};

type Repair = { readonly suggestion: string; readonly fix: Fix | null };

function repairOf(a: Operand, left: Kind, b: Operand, right: Kind, source: string): Repair {
  const written = (one: Operand): string => source.slice(one.span.start, one.span.end);
  const short = (one: Operand): string => (written(one).length <= MAX_WORD_LENGTH ? written(one) : "…");
  if (left === "list" || right === "list") {
    const item = left === "list" ? b : a;
    return { suggestion: `put the other value into a list: [${short(item)}]`, fix: null };
  }
  if (left === "map" && right === "map") return { suggestion: `write merge(${short(a)}, ${short(b)})`, fix: null };
  const [text, other] = left === "text" ? [a, b] : [b, a];
  if ((left !== "text" && right !== "text") || left === "map" || right === "map") {
    return { suggestion: "add numbers, strings or lists", fix: null };
  }
  if (text.k === "str" && DATE.test(text.v))
    return { suggestion: `for a later day write date_add(${short(text)}, ${short(other)}, "day")`, fix: null };
  const made = asText(other, source);
  if (!isWritten(text))
    return {
      suggestion: `write ${short(other)} as a string, ${made.name}, or read the string with int or float`,
      fix: null,
    };
  return { suggestion: `write ${made.name}`, fix: { title: `write ${made.name}`, edits: made.edits } };
}

/** `"failed: " + e` */
function asMessage({ k, span }: Operand, source: string): Repair | null {
  if (k !== "name" && k !== "var") return null;
  const title = `write ${source.slice(span.start, span.end)}.message`;
  return { suggestion: title, fix: { title, edits: [{ span: spanAfter(span), new_text: ".message" }] } };
}

const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}/;
const MAX_WORD_LENGTH = 40;

/** `str(n)`; the edits go around the operand, so that those of several operands do not overlap. */
function asText({ span }: Operand, source: string): { readonly name: string; readonly edits: Fix["edits"] } {
  const written = source.slice(span.start, span.end);
  const name = written.length <= MAX_WORD_LENGTH && !written.includes("\n") ? `str(${written})` : "str(…)";
  return {
    name,
    edits: [
      { span: spanBefore(span), new_text: "str(" },
      { span: spanAfter(span), new_text: ")" },
    ],
  };
}

/** A string that is written out, and does not look like a number. */
function isWritten(operand: Operand): boolean {
  if (operand.k === "str") return operand.v.trim() === "" || !Number.isFinite(Number(operand.v));
  if (operand.k !== "call") return false;
  if (operand.fn.text === "plus") return operand.args.some(isWritten);
  return findFunction(operand.fn.text)?.name === "format";
}
