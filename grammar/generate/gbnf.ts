/**
 * GBNF, the grammar format of constrained decoding: a model that samples with it writes formatted programs only. Spaces, indentation
 * and line ends are spelled out.
 */
import type { Expression, Production } from "./expression.ts";

/** The grammar as text; its first rule is `root`. */
export function gbnfOf(rules: readonly Production[]): string {
  const [first] = rules;
  const lines = rules.flatMap(({ name, doc, body }) => [
    ...(doc === "" ? [] : [`# ${doc}`]),
    `${name} ::= ${print(body, false)}`,
  ]);
  return [`root ::= ${first?.name ?? ""}`, ...lines, ""].join("\n");
}

/** `inside`: a choice needs brackets there. */
function print(expression: Expression, inside: boolean): string {
  switch (expression.is) {
    case "text":
    case "space":
      return literal(expression.text);
    case "class":
      return expression.set;
    case "rule":
      return expression.name;
    case "token":
      return "";
    case "optional":
      return `${closed(expression.of)}?`;
    case "repeat":
      return `${closed(expression.of)}${expression.least === 0 ? "*" : "+"}`;
    case "choice": {
      const text = expression.of.map((one) => print(one, false)).join(" | ");
      return inside ? `(${text})` : text;
    }
    case "sequence":
      return expression.of.map((one) => print(one, true)).join(" ");
  }
}

/** As one piece that a mark may follow. */
function closed(expression: Expression): string {
  const single = ["class", "rule", "space", "text"].includes(expression.is);
  return single ? print(expression, true) : `(${print(expression, false)})`;
}

function literal(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n")}"`;
}
