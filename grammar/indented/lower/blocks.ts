/**
 * Statements as they were read → statements of single steps and nested blocks, whose values are operands. Statements that only the indented form
 * has are written with those that the opcode form has.
 */
import type { Condition, Name, Operand, Slot } from "../../ast.ts";
import { rootOf } from "../names.ts";
import type { Block, Branch, Graph, Statement } from "../program.ts";
import {
  asNode,
  type BranchNode,
  callNode,
  type Expression,
  type GraphNode,
  type IfNode,
  listNode,
  type Node,
  type Place,
} from "../tree.ts";
import type { GraphCalls } from "./graph-calls.ts";
import { Lifting } from "./lift.ts";
import { adapterStep, failStep, isTrue, setStep, truth, variable } from "./steps.ts";
import type { Values } from "./values.ts";

const EXCEPTION = /^(?:[A-Z]\w*(?:Error|Exception|Interrupt|Exit)|Exception|Error)$/;

type Of<S extends Node["s"]> = Extract<Node, { readonly s: S }>;

/** Functions whose value is a list, so that a loop over it needs no check. */
const LIST_FUNCTIONS: ReadonlySet<string> = new Set([
  ...["range", "enumerate", "entries", "keys", "values", "split", "lines", "words", "chars", "sort_by", "each", "arr"],
]);

/** Those whose elements are pairs, or no objects at least. */
const PAIR_FUNCTIONS: ReadonlySet<string> = new Set(
  [...LIST_FUNCTIONS].filter((name) => !["values", "sort_by", "each", "arr"].includes(name)),
);

/** Lowers the blocks of one file. */
export class Blocks {
  private readonly values: Values;
  private readonly calls: GraphCalls;
  private readonly lifting: Lifting;

  constructor(values: Values, calls: GraphCalls) {
    this.values = values;
    this.calls = calls;
    this.lifting = new Lifting(calls);
  }

  graph({ name, decorators, parameters, block, repeated }: GraphNode): Graph {
    const head = parameters.flatMap(({ name: input, fallback, isInLine }): Node[] => {
      if (isInLine) return [];
      const word: Slot = { span: input.span, text: input.name, quoted: false };
      const given = asNode({ k: "var", v: input.name, span: input.span });
      const nothing = asNode({ k: "null", span: input.span });
      const ops = [{ ...word, text: "!=" }];
      const cond: Expression = { e: "compare", ops, of: [given, nothing], span: input.span };
      const value: Expression =
        fallback === null ? given : { e: "choice", word, cond, then: given, otherwise: fallback, span: input.span };
      return [{ s: "assign", word, span: input.span, faulty: false, name: input, value }];
    });
    return { name, decorators, block: this.block([...head, ...block]), repeated };
  }

  private block(nodes: readonly Node[]): Block {
    const block: Block = [];
    for (const node of nodes) this.add(node, block);
    return block;
  }

  /** Adds the statements that one statement is lowered to. */
  private add(node: Node, block: Block): void {
    switch (node.s) {
      case "read":
        if (node.statement.s === "dotted") this.values.checkPath(node.statement.path);
        block.push(node.statement);
        break;
      case "pass":
        break;
      case "break":
      case "continue":
        block.push({ ...placeOf(node), s: node.s });
        break;
      case "assign":
        this.assign(node, block);
        break;
      case "put":
        this.put(node, block);
        break;
      case "bare":
        this.bare(node, block);
        break;
      case "out":
        block.push({ ...placeOf(node), s: "out", value: this.value(node.value, node, block), step: null });
        break;
      case "err":
        block.push({ s: "steps", steps: [failStep(node, this.value(this.message(node), node, block))] });
        break;
      case "if":
        this.ifs(node, block);
        break;
      case "each":
        block.push({ ...node, list: this.value(node.list, node, block) });
        break;
      case "for":
        this.loop(node, block);
        break;
      case "while":
        this.whiles(node, block);
        break;
      case "try": {
        const { handler } = node;
        // A missing handler was reported by the parser.
        const inner = handler === null ? [] : this.handler(handler.name, handler.word, handler.block);
        const word = handler?.word ?? node.word;
        block.push({ ...placeOf(node), s: "try", block: this.block(node.block), handler: { word, block: inner } });
      }
    }
  }

  /** `raise ValueError("x")` raises the text. */
  private message({ value }: Of<"err">): Expression | null {
    if (value === null) return null;
    const isCall = value.e === "call" && !this.calls.isGraph(value.fn);
    const name = isCall ? value.fn.text : value.e === "operand" && value.of.k === "name" ? value.of.v : "";
    if (!EXCEPTION.test(name) || this.calls.isKnown(name)) return value;
    const [first = null, ...more] = isCall ? value.args : [];
    this.calls.reportException(value.span, name, first?.span ?? null, more.length === 0);
    return first;
  }

  private value(expression: Expression | null, { word }: Place, block: Block): Operand {
    return this.values.value(expression === null ? null : this.lifted(expression, block), word);
  }

  private condition(expression: Expression | null, word: Slot, block: Block): Condition {
    return this.values.condition(expression === null ? null : this.lifted(expression, block), word);
  }

  private lifted(expression: Expression, block: Block): Expression {
    const before: Node[] = [];
    const left = this.lifting.lift(expression, before);
    for (const node of before) this.add(node, block);
    return left;
  }

  // ---- single statements ----

  private assign(node: Of<"assign">, block: Block): void {
    const { value, name } = node;
    if (value !== null && this.lifting.isStatement(value)) {
      block.push(this.call(value, node, name, block));
      return;
    }
    block.push({ s: "steps", steps: [setStep(node, name, this.value(value, node, block))] });
  }

  /** A step of an adapter, or a graph with variables of its own. */
  private call(call: Expression & { readonly e: "call" }, place: Place, out: Name, block: Block): Statement {
    if (!this.calls.isGraph(call.fn)) {
      const args = call.args.map((one) => this.values.operand(this.lifted(one, block)));
      return { s: "steps", steps: [adapterStep(place, call.fn, args, out)] };
    }
    const args = call.args.map((one) => this.values.argument(this.lifted(one, block), call.fn));
    const inputs = this.calls.inputsOf(call, args);
    return { ...placeOf(place), s: "call", target: call.fn, out, inputs };
  }

  /** `d[k].a = v`: sets `d` to a copy with the new value. */
  private put(node: Of<"put">, block: Block): void {
    const { target, fn, word } = node;
    const root = rootOf(target);
    if (root === null) {
      this.calls.reportTarget(target);
      return;
    }
    const value = node.value ?? asNode({ k: "null", span: word.span });
    const made: Expression =
      fn === null ? value : { e: "compute", fn, word, left: target, right: value, span: node.span };
    const keys = keysOf(target);
    const name: Name = { name: root, span: word.span };
    const variableOf = asNode({ k: "var", v: root, span: word.span });
    const whole =
      keys.length === 0 ? made : callNode("put_at", word, [variableOf, listNode(keys, target.span), made], node.span);
    block.push({ s: "steps", steps: [setStep(node, name, this.value(whole, node, block))] });
  }

  private bare(node: Of<"bare">, block: Block): void {
    const { value } = node;
    if (value === null) return;
    if (this.lifting.isStatement(value)) {
      block.push(this.call(value, node, { name: "_", span: node.word.span }, block));
      return;
    }
    if (!node.faulty) this.calls.reportUnused(value);
  }

  private handler(name: Name | null, word: Slot, nodes: readonly Node[]): Block {
    const block = this.block(nodes);
    if (name === null) return block;
    const place = { word, span: word.span, faulty: false };
    return [{ s: "steps", steps: [setStep(place, name, variable("_error_info", word))] }, ...block];
  }

  // ---- if, for, while ----

  /** Where a later condition needs statements of its own, they and the later branches go to the `else` of the branches before. */
  private ifs(node: IfNode, block: Block): void {
    const [first, ...others] = node.branches;
    if (first === undefined) return;
    const branches: Branch[] = [this.branch(first, block)];
    for (const [at, other] of others.entries()) {
      if (other.cond === null || !this.lifting.needs(other.cond)) {
        branches.push(this.branch(other, []));
        continue;
      }
      const { word } = other;
      const rest: IfNode = { ...node, word, span: word.span, faulty: false, branches: others.slice(at) };
      block.push({ ...placeOf(node), s: "if", branches, otherwise: { word, block: this.block([rest]) } });
      return;
    }
    const { otherwise } = node;
    const other = otherwise === null ? null : { word: otherwise.word, block: this.block(otherwise.block) };
    block.push({ ...placeOf(node), s: "if", branches, otherwise: other });
  }

  private branch({ word, cond, block }: BranchNode, before: Block): Branch {
    return { word, cond: this.condition(cond, word, before), block: this.block(block) };
  }

  private loop(node: Of<"for">, block: Block): void {
    const { items, list, word } = node;
    const [first, second] = items;
    if (first === undefined) return;
    const given: Expression = list ?? asNode(variable(first.name, word));
    if (second === undefined) {
      const value = this.value(list === null ? given : listOf(given, word), node, block);
      block.push({ ...placeOf(node), s: "for", item: first, list: value, block: this.block(node.block) });
      return;
    }
    // With two names the loop has a hidden element, from which both are set.
    const item: Name = { name: this.calls.hidden("item"), span: first.span };
    const isPairs = given.e === "list" || (given.e === "call" && PAIR_FUNCTIONS.has(given.fn.text));
    const pairs: Expression = isPairs ? given : callNode("pairs", word, [given], given.span);
    const parts = items.map((name, at): Node => {
      const of = asNode(variable(item.name, word));
      const key = asNode({ k: "num", v: at, span: name.span });
      const value: Expression = { e: "index", word, of, key, span: name.span };
      return { s: "assign", word, span: name.span, faulty: false, name, value };
    });
    const inner = this.block([...parts, ...node.block]);
    block.push({ ...placeOf(node), s: "for", item, list: this.value(pairs, node, block), block: inner });
  }

  private whiles(node: Of<"while">, block: Block): void {
    const { limit, limit_slot, cond, word } = node;
    if (cond === null || !this.lifting.needs(cond)) {
      const asked = this.values.condition(cond, word);
      block.push({ ...placeOf(node), s: "while", cond: asked, limit, limit_slot, block: this.block(node.block) });
      return;
    }
    // The condition has statements of its own: they run at the beginning of each pass, which ends where the condition is false.
    const place = { word, span: word.span, faulty: false };
    const stop: Expression = { e: "not", word, of: cond, span: cond.span };
    const leave: IfNode = {
      ...place,
      s: "if",
      branches: [{ word, cond: stop, block: [{ ...place, s: "break" }] }],
      otherwise: null,
    };
    const passes = limit === null ? null : limit + 1;
    const inner = this.block([leave, ...node.block]);
    block.push({
      ...placeOf(node),
      s: "while",
      cond: isTrue(truth(true, word)),
      limit: passes,
      limit_slot,
      block: inner,
    });
  }
}

/** The list that a loop runs over: the characters of a text, the keys of an object. A list is not changed. */
function listOf(list: Expression, word: Slot): Expression {
  if (list.e === "list" || list.e === "each") return list;
  if (list.e === "call" && LIST_FUNCTIONS.has(list.fn.text)) return list;
  return callNode("each", word, [list], list.span);
}

/** The keys from the variable to the place: `d[k].a` has `k` and `a`. */
function keysOf(target: Expression): Expression[] {
  if (target.e === "index") return [...keysOf(target.of), target.key];
  if (target.e !== "operand" || target.of.k !== "path") return [];
  const { segments, span } = target.of;
  return segments.map((segment) =>
    asNode(/^[0-9]+$/.test(segment) ? { k: "num", v: Number(segment), span } : { k: "str", v: segment, span }),
  );
}

function placeOf({ word, span, faulty }: Place): Place {
  return { word, span, faulty };
}
