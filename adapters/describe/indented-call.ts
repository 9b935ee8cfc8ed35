/** A call of the opcode form, as the examples of definitions are written, in the indented form: `R http.Get "https://…" ->r` is `r = http.Get("https://…")`. */

const CALL = /^R (\S+)\s*(.*?)\s*(?:->(\w+))?$/s;
const SPECIAL = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[([{]|[)\]}]|\s+/g;

/** A source that is not one call is returned as it is. */
export function indentedCall(source: string): string {
  const [, verb, operands = "", result] = CALL.exec(source) ?? [];
  if (verb === undefined) return source;
  const call = `${verb}(${operandsOf(operands).join(", ")})`;
  return result === undefined ? call : `${result} = ${call}`;
}

/** Cut at the spaces that are in no string and no brackets. */
function operandsOf(text: string): string[] {
  const operands: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: part, index } of text.matchAll(SPECIAL)) {
    if ("([{".includes(part)) depth += 1;
    else if (")]}".includes(part)) depth -= 1;
    else if (depth === 0 && part.trim() === "") {
      operands.push(text.slice(start, index));
      start = index + part.length;
    }
  }
  operands.push(text.slice(start));
  return operands.filter((operand) => operand !== "");
}
