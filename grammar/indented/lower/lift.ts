/**
 * Moves parts that an operand cannot contain into statements before it: calls of graphs, and lists that are built element by element. Their results
 * are hidden variables. A part that is evaluated only under a condition stays under it.
 */
import type { Name, Slot } from "../../ast.ts";
import {
  asNode,
  type Comprehension,
  callNode,
  type Expression,
  listNode,
  type Node,
  type Place,
  partsOf,
} from "../tree.ts";
import type { GraphCalls } from "./graph-calls.ts";

type Call = Expression & { readonly e: "call" };

/** Lifts the expressions of one file. */
export class Lifting {
  private readonly calls: GraphCalls;
  private readonly known = new Map<Expression, boolean>();

  constructor(calls: GraphCalls) {
    this.calls = calls;
  }

  /** Whether some part of an expression must become a statement. */
  needs(expression: Expression): boolean {
    if (expression.e === "operand") return false;
    const known = this.known.get(expression);
    if (known !== undefined) return known;
    const needed =
      expression.e === "each" || this.isStatement(expression) || partsOf(expression).some((one) => this.needs(one));
    this.known.set(expression, needed);
    return needed;
  }

  /** A call that is a step: of a graph, of an adapter. */
  isStatement(expression: Expression): expression is Call {
    if (expression.e !== "call" || expression.isSpaced) return false;
    return this.calls.isGraph(expression.fn) || this.calls.isAdapter(expression.fn);
  }

  /** Adds statements to `before` and returns the expression that is left. */
  lift(expression: Expression, before: Node[]): Expression {
    if (!this.needs(expression)) return expression;
    if (expression.e === "each") return this.built(expression, before);
    if (expression.e === "choice") return this.chosen(expression, before);
    if (expression.e === "and" || expression.e === "or") return this.joined(expression, before);
    const inner = this.withParts(expression, (part) => this.lift(part, before));
    if (!this.isStatement(inner)) return inner;
    const { name, value } = this.fresh("value", inner);
    before.push({ s: "assign", ...placeOf(inner), name, value: inner });
    return value;
  }

  private fresh(kind: "value" | "item", { span }: Expression): { readonly name: Name; readonly value: Expression } {
    const v = this.calls.hidden(kind);
    return { name: { name: v, span }, value: asNode({ k: "var", v, span }) };
  }

  /** `[value for item in list if cond]`. */
  private built(each: Comprehension, before: Node[]): Expression {
    const { key, cond, span, word } = each;
    const place = placeOf(each);
    const list = this.lift(each.list, before);
    const made = this.fresh("value", each);
    const empty: Expression = key === null ? listNode([], span) : { e: "map", entries: [], multiline: false, span };
    before.push({ s: "assign", ...place, name: made.name, value: empty });
    const inside: Node[] = [];
    const value = this.lift(each.value, inside);
    const grown =
      key === null
        ? callNode("push", word, [made.value, value], span)
        : callNode("put_at", word, [made.value, listNode([key], span), value], span);
    inside.push({ s: "assign", ...place, name: made.name, value: grown });
    const block: Node[] = [];
    if (cond === null) block.push(...inside);
    else {
      const asked = this.lift(cond, block);
      block.push({ s: "if", ...place, branches: [{ word, cond: asked, block: inside }], otherwise: null });
    }
    before.push({ s: "for", ...place, items: each.items, list, block });
    return made.value;
  }

  /** `a if c else b`: only one of them is evaluated. */
  private chosen(choice: Expression & { readonly e: "choice" }, before: Node[]): Expression {
    const { word } = choice;
    const place = placeOf(choice);
    const cond = this.lift(choice.cond, before);
    const { name, value } = this.fresh("value", choice);
    const branch = (of: Expression): Node[] => {
      const block: Node[] = [];
      const lifted = this.lift(of, block);
      block.push({ s: "assign", ...place, name, value: lifted });
      return block;
    };
    const branches = [{ word, cond, block: branch(choice.then) }];
    before.push({ s: "if", ...place, branches, otherwise: { word, block: branch(choice.otherwise) } });
    return value;
  }

  /** `a and b`: `b` is evaluated only where `a` is true. The value is that of the last one evaluated. */
  private joined(expression: Expression & { readonly e: "and" | "or" }, before: Node[]): Expression {
    const { word, e } = expression;
    const place = placeOf(expression);
    const { name, value } = this.fresh("value", expression);
    let block = before;
    for (const [at, part] of expression.of.entries()) {
      if (at > 0) {
        const inner: Node[] = [];
        const cond: Expression = e === "and" ? value : { e: "not", word, of: value, span: value.span };
        block.push({ s: "if", ...place, branches: [{ word, cond, block: inner }], otherwise: null });
        block = inner;
      }
      const of = this.lift(part, block);
      block.push({ s: "assign", ...place, name, value: of });
    }
    return value;
  }

  private withParts(expression: Expression, change: (part: Expression) => Expression): Expression {
    switch (expression.e) {
      case "list":
        return { ...expression, items: expression.items.map(change) };
      case "map":
        return { ...expression, entries: expression.entries.map(({ key, value }) => ({ key, value: change(value) })) };
      case "call":
        return { ...expression, args: expression.args.map(change) };
      case "present":
      case "not":
      case "negative":
        return { ...expression, of: change(expression.of) };
      case "compare":
        return { ...expression, of: expression.of.map(change) };
      case "compute":
        return { ...expression, left: change(expression.left), right: change(expression.right) };
      case "index":
        return { ...expression, of: change(expression.of), key: change(expression.key) };
      case "slice": {
        const { from, to } = expression;
        const of = change(expression.of);
        return { ...expression, of, from: from === null ? null : change(from), to: to === null ? null : change(to) };
      }
      case "template":
        return { ...expression, values: expression.values.map(change) };
      default:
        return expression;
    }
  }
}

function placeOf(expression: Expression): Place {
  const { span } = expression;
  const word: Slot = "word" in expression ? expression.word : { span, text: "", quoted: false };
  return { word, span, faulty: false };
}
