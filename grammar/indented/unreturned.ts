/**
 * Values that are stored in the last line of a graph and read by nothing (WF9037): `result = 3` is meant as `return 3` there. Only graphs without
 * an `out` of their own, and whose variables are its own: the first one, and those that are called with brackets.
 */
import type { Reporter } from "../reporter.ts";
import { spanUpTo } from "../text/span.ts";
import { wordsIn } from "./lower/unread.ts";
import { blocksIn } from "./names.ts";
import { type Expression, type FileTree, type GraphNode, type Node, partsOf } from "./tree.ts";

type Assign = Node & { readonly s: "assign" };

export function reportUnreturned({ graphs: all, declarations }: FileTree, reporter: Reporter): void {
  const graphs = all.filter(({ repeated }) => !repeated);
  const isModule = graphs.some(({ name }) => name.text === "ENTRY");
  if (isModule || declarations.some(({ kind }) => kind === "include")) return;
  // A line at fault may be the one that returns the value.
  if (reporter.findings.some(({ code }) => code.startsWith("WF1"))) return;
  const found = graphs.flatMap((graph) => {
    const ends = hasResult(graph.block) ? null : endsOf(graph.block);
    return ends === null ? [] : [{ graph, ends }];
  });
  if (found.length === 0) return;
  const { text } = reporter.source;
  // Graphs that share their variables with others.
  const shared = new Set((text.match(/(?:\bcall|->)[^\n]*/g) ?? []).flatMap(wordsIn));
  const counts = new Map<string, number>();
  for (const word of wordsIn(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const { graph, ends } of found) {
    const name = ends[0]?.name.name;
    if (name === undefined || shared.has(graph.name.text) || ends.some((one) => one.name.name !== name)) continue;
    if (counts.get(name) === ends.length) report(ends, graph, reporter);
  }
}

function report(ends: readonly Assign[], graph: GraphNode, reporter: Reporter): void {
  const { text } = reporter.source;
  const edits = ends.flatMap(({ name, value }) =>
    value === null ? [] : [{ span: spanUpTo(name.span, value.span), new_text: "return " }],
  );
  const [first] = ends;
  if (first === undefined || edits.length !== ends.length) return;
  const { span } = first.value ?? first;
  const value = text.slice(span.start, span.end);
  const suggestion = `write return ${value.length > MAX_SHOWN || value.includes("\n") ? "…" : value}`;
  reporter.report({
    code: "WF9037",
    span: first.name.span,
    words: { name: first.name.name, graph: graph.name.text },
    suggestion,
    fix: { title: suggestion, edits },
  });
}

const MAX_SHOWN = 60;

function hasResult(block: readonly Node[]): boolean {
  return block.some((node) => {
    if (node.s === "read") return node.statement.s === "steps";
    return node.s === "out" || node.s === "err" || blocksIn(node).some(hasResult);
  });
}

/** The assignments that a block ends with, on all its ways; null where one ends with something else, or with what an adapter answers. */
function endsOf(block: readonly Node[]): readonly Assign[] | null {
  const last = block.at(-1);
  if (last?.s === "assign") return last.faulty || last.value === null || callsAdapter(last.value) ? null : [last];
  if (last?.s === "try") return both([last.block, ...(last.handler === null ? [] : [last.handler.block])]);
  if (last?.s !== "if" || last.otherwise === null) return null;
  return both([...last.branches.map((branch) => branch.block), last.otherwise.block]);
}

function both(blocks: readonly (readonly Node[])[]): readonly Assign[] | null {
  const all = blocks.map(endsOf);
  return all.some((ends) => ends === null) ? null : all.flatMap((ends) => ends ?? []);
}

function callsAdapter(expression: Expression): boolean {
  return (expression.e === "call" && expression.fn.text.includes(".")) || partsOf(expression).some(callsAdapter);
}
