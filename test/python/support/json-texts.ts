/**
 * Compares JSON texts. Two texts are exactly the same when their values are the same to Python: the order of members counts, `5.0` is not `5`,
 * and long integers count in full. Values of JavaScript have lost this, so texts are compared with them by value.
 */
type Node =
  | { readonly kind: "int"; readonly value: bigint }
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "plain"; readonly value: string | boolean | null }
  | { readonly kind: "list"; readonly items: readonly Node[] }
  | { readonly kind: "object"; readonly members: readonly (readonly [string, Node])[] };

const TOKEN =
  /\s*(?:([{}[\],:])|("[^"\\]*(?:\\.[^"\\]*)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|-?Infinity|NaN)|(true|false|null))\s*/y;

function parsed(text: string): Node {
  let at = 0;
  const next = (): RegExpExecArray => {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text);
    if (token === null) throw new Error(`not JSON at ${at}: ${text.slice(at, at + 40)}`);
    at = TOKEN.lastIndex;
    return token;
  };
  const closes = (mark: string): boolean => {
    const start = at;
    if (next()[1] === mark) return true;
    at = start;
    return false;
  };
  const value = (): Node => {
    const [, mark, string, number, word] = next();
    if (string !== undefined) return { kind: "plain", value: JSON.parse(string) as string };
    if (word !== undefined) return { kind: "plain", value: JSON.parse(word) as boolean | null };
    if (number !== undefined)
      return /^-?\d+$/.test(number)
        ? { kind: "int", value: BigInt(number) }
        : { kind: "float", value: number.includes("Inf") ? Number(number) : Number.parseFloat(number) };
    if (mark === "[") {
      const items: Node[] = [];
      if (closes("]")) return { kind: "list", items };
      do items.push(value());
      while (next()[1] === ",");
      return { kind: "list", items };
    }
    if (mark !== "{") throw new Error(`not JSON at ${at}: ${text.slice(0, 80)}`);
    const members: [string, Node][] = [];
    if (closes("}")) return { kind: "object", members };
    do {
      const key = JSON.parse(next()[2] ?? "null") as string;
      next();
      members.push([key, value()]);
    } while (next()[1] === ",");
    return { kind: "object", members };
  };
  const whole = value();
  if (at !== text.length) throw new Error(`not JSON at ${at}: ${text.slice(at, at + 40)}`);
  return whole;
}

function floatText(value: number): string {
  return Object.is(value, -0) ? "-0.0" : Number.isInteger(value) ? `${value}.0` : String(value);
}

/** The same text for texts of the same value. */
function exactText(node: Node): string {
  if (node.kind === "int") return String(node.value);
  if (node.kind === "float") return floatText(node.value);
  if (node.kind === "plain") return JSON.stringify(node.value);
  if (node.kind === "list") return `[${node.items.map(exactText).join(",")}]`;
  return `{${node.members.map(([key, item]) => `${JSON.stringify(key)}:${exactText(item)}`).join(",")}}`;
}

export function sameText(left: string, right: string): boolean {
  return left === right || exactText(parsed(left)) === exactText(parsed(right));
}
