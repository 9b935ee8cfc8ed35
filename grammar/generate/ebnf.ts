/**
 * EBNF for readers, in the notation of ISO/IEC 14977: `[x]` optional, `{x}` repeated, `? … ?` a character of a class. Spaces between
 * slots are implied, NL ends a line.
 */
import type { Expression, Production } from "./expression.ts";

export function ebnfOf(rules: readonly Production[]): string {
  const lines = rules.flatMap(({ name, doc, body }) => [
    ...(doc === "" ? [] : [`(* ${doc.replaceAll("*)", "* )")} *)`]),
    `${name} = ${print(body, false)} ;`,
  ]);
  return ["(* Slots are separated by spaces; NL is the end of a line. *)", ...lines, ""].join("\n");
}

function print(expression: Expression, inside: boolean): string {
  switch (expression.is) {
    case "text":
      return expression.text === "\n" ? "NL" : quoted(expression.text);
    case "class":
      return `? ${expression.set} ?`;
    case "rule":
      return expression.name;
    case "token":
    case "space":
      return "";
    case "optional":
      return `[ ${print(expression.of, false)} ]`;
    case "repeat": {
      const body = print(expression.of, false);
      const again = `{ ${body} }`;
      return expression.least === 0 ? again : `${print(expression.of, true)}, ${again}`;
    }
    case "choice": {
      const text = expression.of.map((one) => print(one, false)).join(" | ");
      return inside ? `( ${text} )` : text;
    }
    case "sequence":
      return expression.of
        .map((one) => print(one, true))
        .filter((part) => part !== "")
        .join(", ");
  }
}

/** A terminal; one that holds both kinds of quotes is written in two. */
function quoted(text: string): string {
  if (!text.includes('"')) return `"${text}"`;
  if (!text.includes("'")) return `'${text}'`;
  return text
    .split(/(")/)
    .filter((part) => part !== "")
    .map((part) => (part === '"' ? `'"'` : `"${part}"`))
    .join(", ");
}
