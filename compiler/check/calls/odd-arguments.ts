/**
 * WF5022: arguments of verbs whose first place may be left out (`cache.set namespace? key value`), so that their number says what each is.
 * Options, a default or an amount among them would be taken for a key or a value.
 */
import type { Operand } from "../../../grammar/ast.ts";
import { readValueType } from "../../catalog/value-types.ts";
import type { KnownVerb, Report } from "../known-verb.ts";

export function checkOddArguments({ target, verb }: KnownVerb, args: readonly Operand[], report: Report): void {
  const parameters = verb.parameters ?? [];
  if (parameters[0]?.name.includes("_or_") !== true) return;
  const type = verb.options === undefined ? null : readValueType(verb.options);
  const options = type?.k === "object" ? [...type.members.keys()] : [];
  const [first, second, third] = args;
  if (args.length === 3 && third !== undefined && parameters[2]?.name !== "options" && isOptions(third, options)) {
    const repair = `write the namespace too: ${target}("default", key, value, {…})`;
    report({ code: "WF5022", span: third.span, words: { target, what: "these options", as: "the value", repair } });
    return;
  }
  if (first === undefined || second === undefined || args.length > 3) return;
  const isNumber = second.k === "num" || second.k === "bool";
  // A name in the place of the namespace and a written key: the name is the key, and the text its default.
  const isDefault = options.includes("default") && !isLiteral(first) && second.k === "str";
  if (parameters[1]?.name !== "key" || !(isNumber || isDefault)) return;
  const option = ["by", "default"].find((name) => options.includes(name));
  const repair =
    option === undefined ? "write the key as text" : `write it as an option: ${target}(key, {"${option}": …})`;
  const what = isNumber ? "this number" : "this text";
  report({ code: "WF5022", span: second.span, words: { target, what, as: "the key", repair } });
}

function isOptions(argument: Operand, options: readonly string[]): boolean {
  if (argument.k !== "map" || argument.entries.length === 0) return false;
  return argument.entries.every(({ key }) => options.includes(key.text));
}

function isLiteral({ k }: Operand): boolean {
  return k === "str" || k === "word" || k === "num";
}
