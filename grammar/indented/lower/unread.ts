/**
 * Changes that nothing reads, and items of loops that are read after their loop: where values are objects that many names share, as in Python, both
 * mean something. Here a variable holds a value of its own (docs/language.md), so the change is lost, and the item has its former value again.
 * Goes through the blocks of each graph from the end, with the names that are read later.
 */
import type { Reporter } from "../../reporter.ts";
import type { Span } from "../../text/span.ts";
import { blocksIn, namesSetBy, nodesIn, rootOf } from "../names.ts";
import type { Statement } from "../program.ts";
import { type Expression, type FileTree, type GraphNode, type Node, partsOf } from "../tree.ts";
import { type Lost, reportLost } from "./lost-changes.ts";

type Of<S extends Node["s"]> = Node & { readonly s: S };
type Loop = Of<"for">;
/** The names that are read later, each with one place where that is. */
type Later = ReadonlyMap<string, Span>;
/** What is read later where a statement is left. */
type Around = { readonly atBreak: Later; readonly atContinue: Later; readonly atFailure: Later };

const NOTHING: Later = new Map();
/** Names in statements that are looked at, again and again in loops. A larger file gets no findings of this kind. */
const MAX_WORK = 200_000;

export function reportUnread({ graphs: all, declarations }: FileTree, reporter: Reporter): void {
  const isModule = all.some(({ name }) => name.text === "ENTRY");
  if (isModule || declarations.some(({ kind }) => kind === "include")) return;
  const graphs = all.filter(({ repeated }) => !repeated);
  const { text } = reporter.source;
  // Graphs that share their variables may read what another one sets, and one that is called may run within itself.
  const words = graphs.some(({ block }) => sharesVariables(block))
    ? graphs.map(({ name }, at) => new Set(wordsIn(text.slice(name.span.start, graphs[at + 1]?.name.span.start))))
    : [];
  const called = new Set(words.length === 0 ? [] : (text.match(/(?:\bcall|->)[^\n]*/g) ?? []).flatMap(wordsIn));
  const budget = { work: MAX_WORK };
  for (const [at, graph] of graphs.entries()) {
    if (called.has(graph.name.text)) continue;
    const tracked = trackedNames(graph.block);
    for (const name of tracked)
      if (words.some((others, other) => other !== at && others.has(name))) tracked.delete(name);
    if (tracked.size > 0) new GraphEnds(graph, tracked, text, budget).report(reporter);
  }
}

export function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{L}_][\p{L}\p{Nd}_]*/gu) ?? [];
}

/** Whether a block runs graphs with the same variables, or steps of the opcode form that may. */
function sharesVariables(block: readonly Node[]): boolean {
  return block.some((node) => {
    if (node.s !== "read") return node.s === "each" || blocksIn(node).some(sharesVariables);
    const { statement } = node;
    return !(
      statement.s === "steps" ||
      statement.s === "dotted" ||
      (statement.s === "call" && statement.inputs !== null)
    );
  });
}

/** Functions whose value is their first argument, changed. */
const CHANGING: ReadonlySet<string> = new Set(["push", "append", "put", "set", "put_at", "merge", "omit"]);

/** The variable that a statement changes: `d[k] = v`, `n += 1`, `xs = push(xs, 1)`. */
function changedBy(node: Node): string | null {
  if (node.s === "put") return rootOf(node.target);
  if (node.s !== "assign" || node.value === null) return null;
  const { value } = node;
  const first =
    value.e === "compute" ? value.left : value.e === "call" && CHANGING.has(value.fn.text) ? value.args[0] : undefined;
  const isItself = first?.e === "operand" && first.of.k !== "path" && rootOf(first) === node.name.name;
  return isItself ? node.name.name : null;
}

/** The names that findings can be about: those that are changed, and items of loops. */
function trackedNames(block: readonly Node[]): Set<string> {
  const tracked = new Set<string>();
  for (const node of nodesIn(block)) {
    const changed = changedBy(node);
    if (changed !== null) tracked.add(changed);
    if (node.s === "for") for (const { name } of node.items) tracked.add(name);
  }
  return tracked;
}

class GraphEnds {
  private readonly graph: GraphNode;
  private readonly tracked: ReadonlySet<string>;
  private readonly source: string;
  private readonly budget: { work: number };
  private readonly lost = new Map<Node, Lost>();
  private readonly restored = new Map<string, { readonly loop: Loop; readonly read: Span }>();
  private readonly loops: Loop[] = [];

  constructor(graph: GraphNode, tracked: ReadonlySet<string>, source: string, budget: { work: number }) {
    this.graph = graph;
    this.tracked = tracked;
    this.source = source;
    this.budget = budget;
  }

  report(reporter: Reporter): void {
    this.before(this.graph.block, NOTHING, { atBreak: NOTHING, atContinue: NOTHING, atFailure: NOTHING });
    if (this.budget.work < 0) return;
    reportLost([...this.lost.values()], this.graph, reporter);
    const set = new Set(this.graph.parameters.map(({ name }) => name.name));
    for (const node of nodesIn(this.graph.block))
      if (node.s !== "for") for (const name of namesSetBy(node)) set.add(name);
    for (const [name, { loop, read }] of this.restored) {
      const related = [{ message: "this loop", span: loop.word.span }];
      const suggestion = `store it in the loop: last_${name} = ${name}`;
      reporter.report({
        code: set.has(name) ? "WF9035" : "WF4001",
        span: read,
        words: { name },
        related,
        suggestion,
        fix: null,
      });
    }
  }

  private before(block: readonly Node[], after: Later, around: Around): Later {
    let later = after;
    for (const node of block.toReversed()) {
      this.budget.work -= 1 + later.size;
      if (this.budget.work < 0) return NOTHING;
      later = this.beforeNode(node, later, around);
    }
    return later;
  }

  private beforeNode(node: Node, after: Later, around: Around): Later {
    switch (node.s) {
      case "pass":
        return after;
      case "break":
        return around.atBreak;
      case "continue":
        return around.atContinue;
      case "out":
      case "err":
        return this.reading(around.atFailure, node.value);
      case "assign":
      case "put":
        return this.beforeSet(node, both(after, around.atFailure));
      case "bare":
        return this.reading(both(after, around.atFailure), node.value);
      case "read":
        return this.readingWords(both(after, around.atFailure), node.statement);
      case "each":
        return this.reading(both(without(after, [node.out.name]), around.atFailure), node.list);
      case "if":
        return this.beforeIf(node, after, around);
      case "try": {
        const handler = node.handler === null ? NOTHING : this.before(node.handler.block, after, around);
        const caught = without(handler, node.handler?.name == null ? [] : [node.handler.name.name]);
        return this.before(node.block, after, { ...around, atFailure: both(around.atFailure, caught) });
      }
      case "for":
        return this.beforeFor(node, after, around);
      case "while":
        return this.looped(after, around, (head, inner) =>
          this.reading(both(after, this.before(node.block, head, inner)), node.cond),
        );
    }
  }

  private beforeIf(node: Of<"if">, after: Later, around: Around): Later {
    let later = node.otherwise === null ? after : this.before(node.otherwise.block, after, around);
    for (const { cond, block } of node.branches.toReversed()) {
      later = this.reading(both(later, this.before(block, after, around)), cond);
    }
    return later;
  }

  private beforeFor(node: Loop, after: Later, around: Around): Later {
    const items = node.items.map(({ name }) => name);
    for (const name of items) {
      const read = after.get(name);
      // After the loop inside one with the same name, that one's item is meant, and there.
      const isOuter = this.loops.some((outer) => outer.items.some((item) => item.name === name));
      if (read !== undefined && !isOuter && !this.restored.has(name)) this.restored.set(name, { loop: node, read });
    }
    this.loops.push(node);
    const head = this.looped(after, around, (next, inner) =>
      both(after, without(this.before(node.block, next, inner), items)),
    );
    this.loops.pop();
    return this.reading(head, node.list);
  }

  /** Until no further name is read at the head of the loop. */
  private looped(after: Later, around: Around, body: (head: Later, inner: Around) => Later): Later {
    let head = after;
    for (;;) {
      const next = body(head, { ...around, atBreak: after, atContinue: head });
      if (next.size <= head.size || this.budget.work < 0) return next;
      head = next;
    }
  }

  /** A change reads the variable only for itself: of one that nothing reads, what it changes is not read either. */
  private beforeSet(node: Of<"assign" | "put">, after: Later): Later {
    const name = changedBy(node);
    if (node.s === "assign" && name === null) return this.reading(without(after, [node.name.name]), node.value);
    if (name === null) return after;
    const place = after.get(name);
    if (place !== undefined) this.lost.delete(node);
    else if (!node.faulty) this.lost.set(node, { name, node, loops: [...this.loops] });
    const later = new Map(this.reading(this.reading(after, node.s === "put" ? node.target : null), node.value));
    if (place === undefined) later.delete(name);
    else later.set(name, place);
    return later;
  }

  private reading(later: Later, expression: Expression | null): Later {
    if (expression === null) return later;
    const read = new Map<string, Span>();
    this.names(expression, read);
    return both(later, read);
  }

  private readingWords(later: Later, statement: Statement): Later {
    const spans =
      "steps" in statement ? statement.steps.map(({ span }) => span) : "span" in statement ? [statement.span] : [];
    const read = new Map<string, Span>();
    for (const span of spans) this.words(span, read);
    return both(later, read);
  }

  private words(span: Span, into: Map<string, Span>): void {
    for (const word of wordsIn(this.source.slice(span.start, span.end)))
      if (this.tracked.has(word)) into.set(word, span);
  }

  private names(expression: Expression, into: Map<string, Span>): void {
    this.budget.work -= 1;
    if (expression.e === "operand") {
      const { of, span } = expression;
      if (of.k !== "str" && of.k !== "num") this.words(span, into);
      return;
    }
    if (expression.e !== "each") {
      for (const part of partsOf(expression)) this.names(part, into);
      return;
    }
    const inner = new Map<string, Span>();
    for (const part of partsOf(expression)) if (part !== expression.list) this.names(part, inner);
    for (const { name } of expression.items) inner.delete(name);
    for (const [name, place] of inner) into.set(name, place);
    this.names(expression.list, into);
  }
}

function both(a: Later, b: Later): Later {
  if (a.size === 0 || a === b) return b;
  return b.size === 0 ? a : new Map([...a, ...b]);
}

function without(later: Later, names: readonly string[]): Later {
  if (!names.some((name) => later.has(name))) return later;
  return new Map([...later].filter(([name]) => !names.includes(name)));
}
