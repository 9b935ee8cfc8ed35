/**
 * `call graph` and `x = call graph`. Does not know whether the graph exists.
 */
import type { Name, Slot } from "../../ast.ts";
import { isName, isWritable } from "../../operands/tokens.ts";
import type { Reporter } from "../../reporter.ts";
import { lexSlots } from "../../steps/slots.ts";
import { spanOver } from "../../text/span.ts";
import { nameAt, setStep } from "../lower/steps.ts";
import type { Statement } from "../program.ts";

/** A graph of this file, or a label of an included one. */
const QUALIFIED = /^[\p{L}_][\p{L}\p{Nd}_]*(?:\/[\p{L}\p{Nd}_]+)+$/u;
const NO_ARGUMENTS = "graphs take no arguments: set variables before the call";

/** `assigned` is the name before `=`. Without one, an arrow may name the result, as in the opcode form. */
export function readCallLine(
  reporter: Reporter,
  word: Slot,
  assigned: { readonly word: Slot; readonly name: Name } | null,
): Statement {
  reporter.lexicalErrors = [];
  const [target, ...rest] = lexSlots(reporter, word.span.line - 1, word.span.end);
  const place = assigned?.word ?? word;
  const out = assigned?.name ?? resultOf(rest);
  const surplus = assigned === null && out !== null ? undefined : rest[0];
  const span = spanOver(place.span, (rest.at(-1) ?? target ?? word).span);
  const isGraph = target !== undefined && !target.quoted && (isName(target.text) || QUALIFIED.test(target.text));
  const faulty = !isGraph || surplus !== undefined;
  if (!isGraph) reportTarget(reporter, target ?? word, target === undefined);
  else if (surplus !== undefined) {
    reporter.refuse(surplus.span, surplus.text.slice(0, 100), NO_ARGUMENTS);
  }
  // A call without a name was reported above.
  if (!isGraph) {
    const name = out ?? nameAt("_", word);
    return { s: "steps", steps: [setStep({ word: place, span, faulty }, name, { k: "null", span: word.span })] };
  }
  return { s: "call", word: place, span, faulty, target, out, inputs: null };
}

function reportTarget(reporter: Reporter, slot: Slot, isMissing: boolean): void {
  const words = { token: isMissing ? "end of the line: expected a graph" : `'${slot.text.slice(0, 100)}'` };
  const [, graph] = slot.quoted ? [] : (/^(.+)\(\)$/.exec(slot.text) ?? []);
  const isCall = !isMissing && slot.text.includes("(");
  const fix = graph === undefined ? null : { title: `write ${graph}`, edits: [{ span: slot.span, new_text: graph }] };
  const suggestion = fix !== null ? fix.title : isCall ? NO_ARGUMENTS : "write call and the name of a graph";
  reporter.report({ code: "WF1009", span: slot.span, words, expected: ["graph"], suggestion, fix });
}

/** `->x`, or `-> x`. */
function resultOf(slots: readonly Slot[]): Name | null {
  const [first, second, ...more] = slots;
  if (first === undefined || first.quoted || more.length > 0 || !first.text.startsWith("->")) return null;
  const glued = first.text.slice(2);
  if (second === undefined && isWritable(glued)) {
    const { span } = first;
    return { name: glued, span: { ...span, start: span.start + 2, column: span.column + 2 } };
  }
  return glued === "" && second !== undefined && isWritable(second.text)
    ? { name: second.text, span: second.span }
    : null;
}
