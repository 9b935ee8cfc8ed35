/**
 * As much of Go's text/template, with the functions of Helm that the chart uses, as rendering the chart in a test needs. Anything
 * else in a template is an error, so that a chart that outgrows this file is noticed.
 */
import { stringify } from "yaml";

export type Value = unknown;
type Node =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "print"; readonly pipeline: string }
  | { readonly kind: "set"; readonly name: string; readonly pipeline: string }
  | {
      readonly kind: "if" | "with" | "range";
      readonly pipeline: string;
      readonly names: readonly string[];
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[];
    };

/** A rendering that the chart refuses with `fail`. */
export class TemplateRefusal extends Error {}

export class Templates {
  readonly #defined = new Map<string, readonly Node[]>();

  /** Reads a file of definitions (`define`), or of one template with a name. */
  add(name: string, source: string): void {
    const tokens = tokensOf(source);
    const nodes = this.#block(tokens, []);
    this.#defined.set(name, nodes.body);
  }

  render(name: string, data: Value): string {
    return this.#print(this.#named(name), data, new Map([["$", data]]));
  }

  #named(name: string): readonly Node[] {
    const nodes = this.#defined.get(name);
    if (nodes === undefined) throw new Error(`no template ${name}`);
    return nodes;
  }

  /** Nodes up to one of `ends`, and the action that ended them. */
  #block(tokens: string[], ends: readonly string[]): { body: Node[]; end: string } {
    const body: Node[] = [];
    for (;;) {
      const token = tokens.shift();
      if (token === undefined) {
        if (ends.length > 0) throw new Error("a block is not closed");
        return { body, end: "" };
      }
      if (!token.startsWith("{{")) {
        body.push({ kind: "text", text: token });
        continue;
      }
      const action = token.slice(2, -2).trim();
      const word = /^\S*/u.exec(action)?.[0] ?? "";
      const rest = action.slice(word.length).trim();
      if (ends.includes(word)) return { body, end: action };
      if (word === "define") this.#defined.set(JSON.parse(rest) as string, this.#block(tokens, ["end"]).body);
      else if (word === "if" || word === "with" || word === "range") body.push(this.#branch(word, rest, tokens));
      else if (/^\$\w+\s*:=/u.test(action)) {
        const [name = "", pipeline = ""] = action.split(/\s*:=\s*/u, 2);
        body.push({ kind: "set", name, pipeline });
      } else body.push({ kind: "print", pipeline: action });
    }
  }

  #branch(kind: "if" | "with" | "range", head: string, tokens: string[]): Node {
    const assignment = /^(\$\w+)\s*,\s*(\$\w+)\s*:=\s*(.*)$/su.exec(head);
    const names = assignment === null ? [] : [assignment[1] ?? "", assignment[2] ?? ""];
    const { body, end } = this.#block(tokens, ["else", "end"]);
    const otherwise = end === "else" ? this.#block(tokens, ["end"]).body : [];
    return { kind, pipeline: assignment?.[3] ?? head, names, body, otherwise };
  }

  #print(nodes: readonly Node[], dot: Value, outer: ReadonlyMap<string, Value>): string {
    const variables = new Map(outer);
    let out = "";
    for (const node of nodes) {
      if (node.kind === "text") out += node.text;
      else if (node.kind === "set") variables.set(node.name, this.#value(node.pipeline, dot, variables));
      else if (node.kind === "print") out += textOf(this.#value(node.pipeline, dot, variables));
      else out += this.#printBranch(node, dot, variables);
    }
    return out;
  }

  #printBranch(node: Extract<Node, { names: unknown }>, dot: Value, variables: ReadonlyMap<string, Value>): string {
    const value = this.#value(node.pipeline, dot, variables);
    if (!isTrue(value)) return this.#print(node.otherwise, dot, variables);
    if (node.kind === "if") return this.#print(node.body, dot, variables);
    if (node.kind === "with") return this.#print(node.body, value, variables);
    const [key = "", item = ""] = node.names;
    const entries = Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1));
    return entries
      .map(([name, each]) => this.#print(node.body, each, new Map([...variables, [key, name], [item, each]])))
      .join("");
  }

  #value(pipeline: string, dot: Value, variables: ReadonlyMap<string, Value>): Value {
    let last: { value: Value } | undefined;
    for (const command of split(pipeline, "|")) {
      const [head = "", ...rest] = split(command, " ");
      const values = rest.map((each) => this.#operand(each, dot, variables));
      if (last !== undefined) values.push(last.value);
      last = { value: this.#call(head, values, dot, variables) };
    }
    return last?.value;
  }

  #call(head: string, values: readonly Value[], dot: Value, variables: ReadonlyMap<string, Value>): Value {
    if (head === "include") return this.render(textOf(values[0]), values[1]);
    const called = FUNCTIONS[head];
    if (called !== undefined) return called(...values);
    if (values.length > 0) throw new Error(`no function ${head}`);
    return this.#operand(head, dot, variables);
  }

  #operand(text: string, dot: Value, variables: ReadonlyMap<string, Value>): Value {
    if (text.startsWith("(")) {
      const close = text.lastIndexOf(")");
      return follow(this.#value(text.slice(1, close), dot, variables), text.slice(close + 1));
    }
    if (text.startsWith('"')) return JSON.parse(text);
    if (/^-?\d+$/u.test(text)) return Number(text);
    if (text === "true" || text === "false") return text === "true";
    if (text.startsWith(".")) return follow(dot, text === "." ? "" : text);
    const variable = /^(\$\w*)((?:\.\w+)*)$/u.exec(text);
    if (variable === null || !variables.has(variable[1] ?? "")) throw new Error(`not an operand: ${text}`);
    return follow(variables.get(variable[1] ?? ""), variable[2] ?? "");
  }
}

const FUNCTIONS: Readonly<Record<string, (...values: Value[]) => Value>> = {
  add: (a, b) => Number(a) + Number(b),
  and: (a, b) => (isTrue(a) ? b : a),
  contains: (part, text) => textOf(text).includes(textOf(part)),
  default: (other, value) => (isTrue(value) ? value : other),
  div: (a, b) => Math.trunc(Number(a) / Number(b)),
  eq: (a, b) => a === b,
  fail: (message) => {
    throw new TemplateRefusal(textOf(message));
  },
  gt: (a, b) => Number(a) > Number(b),
  int: (value) => Math.trunc(Number(value)),
  ne: (a, b) => a !== b,
  nindent: (columns, text) => `\n${textOf(text).replace(/^/gmu, " ".repeat(Number(columns)))}`,
  not: (value) => !isTrue(value),
  or: (a, b) => (isTrue(a) ? a : b),
  printf: (format, ...values) => textOf(format).replace(/%s/gu, () => textOf(values.shift())),
  quote: (value) => JSON.stringify(textOf(value)),
  toYaml: (value) => stringify(value).trimEnd(),
  trimSuffix: (suffix, text) => {
    const whole = textOf(text);
    return whole.endsWith(textOf(suffix)) ? whole.slice(0, whole.length - textOf(suffix).length) : whole;
  },
  trunc: (length, text) => textOf(text).slice(0, Number(length)),
};

/** Texts and actions by turns; `{{-` and `-}}` remove the white space next to them. */
function tokensOf(source: string): string[] {
  const pieces = source.split(/(\{\{-?(?:"(?:[^"\\]|\\.)*"|[^"}]|\}(?!\}))*\}\})/u);
  return pieces.map((piece, at) => {
    if (piece.startsWith("{{")) return `{{${piece.slice(2, -2).replace(/^-\s/u, " ").replace(/\s-$/u, " ")}}}`;
    let text = piece;
    if (/\s-\}\}$/u.test(pieces[at - 1] ?? "")) text = text.trimStart();
    if (/^\{\{-\s/u.test(pieces[at + 1] ?? "")) text = text.trimEnd();
    return text;
  });
}

/** Splits at a separator outside of brackets and texts. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  let part = "";
  let depth = 0;
  for (const each of text.match(/"(?:[^"\\]|\\.)*"|[\s\S]/gu) ?? []) {
    if (each === "(") depth += 1;
    if (each === ")") depth -= 1;
    if (depth === 0 && each === separator) {
      parts.push(part);
      part = "";
    } else part += each;
  }
  return [...parts, part].map((each) => each.trim()).filter((each) => each !== "");
}

/** A member that is missing, or a member of nothing, is nothing. */
function follow(value: Value, path: string): Value {
  let at = value;
  for (const name of path.split(".").slice(1)) at = (at as Record<string, unknown> | null | undefined)?.[name];
  return at;
}

function isTrue(value: Value): boolean {
  if (value === null || value === undefined || value === false || value === 0 || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

function textOf(value: Value): string {
  return value === null || value === undefined ? "" : String(value);
}
