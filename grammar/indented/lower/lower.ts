/**
 * Graphs → labels and steps of the syntax tree (docs/language.md, the indented form): which label each graph is, what its decorators declare, what
 * `call` and the references of steps mean. The statements of one graph are lowered in `graph-labels.ts`.
 */
import type { DeclarationLine, Line, Slot } from "../../ast.ts";
import { findOp, type Op } from "../../ops.ts";
import type { Reporter } from "../../reporter.ts";
import { readDeclaration, reportNoEffect } from "../../steps/slot-lines.ts";
import { nearest } from "../../text/nearest.ts";
import { type Source, spanOnLine } from "../../text/source.ts";
import type { Span } from "../../text/span.ts";
import { Pieces, type Task } from "../../text/task.ts";
import { knownNames, listNames } from "../names.ts";
import type { Decorator, Graph, IndentedProgram } from "../program.ts";
import type { FileTree } from "../tree.ts";
import { reportUnreturned } from "../unreturned.ts";
import { Blocks } from "./blocks.ts";
import { GraphCalls } from "./graph-calls.ts";
import { GraphLabels } from "./graph-labels.ts";
import type { GraphNames } from "./graph-names.ts";
import { reportUnread } from "./unread.ts";
import { Values } from "./values.ts";

/** With more graphs than this, no similar name is searched for. */
const MAX_CANDIDATES = 2000;
const ENDPOINT = findOp("E") as Op;
const SCHEDULE = findOp("Cr") as Op;
const SERVICE = findOp("S") as Op;

/** How many steps are lowered in one piece. */
const STEPS_OF_A_PIECE = 500;

/** `statements`: maximum number of steps of the file. A loop that contains `out` is about ten steps. */
type Limits = { readonly statements: number; readonly nesting: number };

export function* lowerIndented(
  tree: FileTree,
  reporter: Reporter,
  { statements, nesting }: Limits,
): Task<readonly Line[]> {
  const variables = knownNames(tree);
  const calls = new GraphCalls(tree.graphs, variables, reporter);
  const blocks = new Blocks(new Values(variables, listNames(tree), reporter, nesting), calls);
  const lowered: Graph[] = [];
  for (const graph of tree.graphs) {
    lowered.push(blocks.graph(graph));
    yield;
  }
  const program: IndentedProgram = { ...tree, graphs: lowered };
  const graphs = program.graphs.filter(({ repeated }) => !repeated);
  const labels = labelsOf(graphs, reporter);
  const names = namesOf(variables, labels, reporter);
  const bodies: Line[] = [];
  let steps = 0;
  const pieces = new Pieces(STEPS_OF_A_PIECE);
  for (const graph of graphs) {
    const label = labels.get(graph.name.text);
    if (label === undefined) continue;
    for (const line of new GraphLabels(graph, label, names, reporter).lines()) {
      if (line.kind !== "label") steps += 1;
      bodies.push(line);
      if (pieces.add()) yield;
    }
    if (steps <= statements) continue;
    const words = { what: "number of steps that the blocks become", limit: String(statements) };
    reporter.report({ code: "WF1011", span: graph.name.span, words });
    return [];
  }
  reportMain(graphs, reporter);
  yield;
  reportUnread(tree, reporter);
  yield;
  reportUnreturned(tree, reporter);
  yield;
  const declared = graphs.flatMap((graph) => declarationsOf(graph, labels.get(graph.name.text) ?? "", reporter));
  return [...service(program, graphs[0], reporter), ...program.declarations, ...declared, ...bodies];
}

/** The label of each graph. The entry and the exits of a module have fixed names; otherwise the first graph is the entry. */
function labelsOf(graphs: readonly Graph[], reporter: Reporter): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  const taken = new Map<string, Slot>();
  for (const [index, { name }] of graphs.entries()) {
    const { text } = name;
    const label = text === "ENTRY" || text.startsWith("EXIT_") ? text : index === 0 ? "_entry" : `_${text}`;
    const first = taken.get(label);
    if (first === undefined) {
      taken.set(label, name);
      labels.set(text, label);
      continue;
    }
    const related = [{ message: "the first graph is the entry", span: first.span }];
    const suggestion = "give it another name: the first graph is the entry";
    reporter.report({ code: "WF1108", span: name.span, words: { name: text }, suggestion, related });
  }
  return labels;
}

/** A graph `main` that is not the first: the program begins elsewhere than its author means. */
function reportMain(graphs: readonly Graph[], reporter: Reporter): void {
  const [first] = graphs;
  const at = graphs.findIndex(({ name }) => name.text === "main");
  const main = graphs[at];
  if (first === undefined || main === undefined || at <= 0 || first.decorators.length > 0) return;
  if (graphs.some(({ name }) => name.text === "ENTRY")) return;
  const { source } = reporter;
  const from = lineStart(source, main.name.span);
  const next = graphs[at + 1];
  // A call of main below it goes by an edit of its own.
  const below = reporter.findings.find(({ code, span }) => code === "WF1105" && (span?.start ?? 0) > from.start)?.span;
  const after = [next?.name.span.line, below?.line].filter((line) => line !== undefined);
  const end_line = after.length === 0 ? source.starts.length : Math.min(...after);
  const end = after.length === 0 ? source.text.length : (source.starts[end_line - 1] ?? source.text.length);
  const text = source.text.slice(from.start, end);
  const gone = { ...from, end, end_line, end_column: 1 };
  const edits = [
    { span: lineStart(source, first.name.span), new_text: `${text.trimEnd()}\n\n` },
    { span: gone, new_text: "" },
  ];
  reporter.report({
    code: "WF1112",
    span: main.name.span,
    words: { name: first.name.text.slice(0, 100) },
    fix: { title: "move main to the top", edits },
  });
}

function lineStart(source: Source, { line }: Span): Span {
  const start = source.starts[line - 1] ?? 0;
  return spanOnLine(source, line - 1, start, start);
}

function namesOf(variables: ReadonlySet<string>, labels: ReadonlyMap<string, string>, reporter: Reporter): GraphNames {
  const ids = new Set(labels.values());
  const graphNames = [...labels.keys()];
  let hidden = 0;
  const isTaken = (): boolean =>
    ["out", "while", "break", "continue"].some((kind) => variables.has(`_${kind}${hidden}`)) ||
    variables.has(`_out${hidden}_value`);
  return {
    nextHidden: () => {
      do hidden++;
      while (isTaken());
      return hidden;
    },
    variables,
    labelOf: (target) => {
      const label = target.text.includes("/") ? target.text : labels.get(target.text);
      if (label === undefined) reportUnknownGraph(target, graphNames, reporter);
      return label ?? null;
    },
    reference: (ref) => {
      const id = ref.text.startsWith("L") ? ref.text.slice(1) : ref.text;
      const meant = ids.has(id) ? undefined : (labels.get(ref.text) ?? labels.get(id.replace(/^_/, "")));
      return meant === undefined ? ref : { ...ref, text: `L${meant}` };
    },
  };
}

function reportUnknownGraph(target: Slot, graphs: readonly string[], reporter: Reporter): void {
  const { span, text } = target;
  if (reporter.isFull("WF3001")) return;
  const near = graphs.length > MAX_CANDIDATES ? null : nearest(text, graphs);
  reporter.report({
    code: "WF3001",
    span,
    words: { id: `L_${text}` },
    expected: graphs.slice(0, 20),
    suggestion: near === null ? `add a graph: ${text}:` : `did you mean ${near}?`,
    fix: near === null ? null : { title: `write ${near}`, edits: [{ span, new_text: near }] },
  });
}

// ---- declarations ----

/** Names the service after the first graph, unless the file declares a service or is a module. */
function service({ declarations }: IndentedProgram, graph: Graph | undefined, reporter: Reporter): DeclarationLine[] {
  const hasOwn = declarations.some((line) => line.kind === "declaration" && line.op === "S");
  if (graph === undefined || hasOwn || reporter.source.file !== null) return [];
  const { name } = graph;
  const slots = [name, { ...name, text: "core" }, { ...name, text: "noop" }];
  return [readDeclaration(SERVICE, { ...name, text: "S" }, slots, reporter)];
}

function declarationsOf({ decorators }: Graph, label: string, reporter: Reporter): DeclarationLine[] {
  return decorators.flatMap((decorator) => {
    const declared = declarationOf(decorator, label, reporter);
    return declared === null ? [] : [declared];
  });
}

function declarationOf({ word, args }: Decorator, label: string, reporter: Reporter): DeclarationLine | null {
  const [first, ...rest] = args;
  if (word.text !== "@api" && word.text !== "@cron") {
    reportNoEffect(word.text, word.span, reporter, "leave it out: @api and @cron are the only decorators");
    return null;
  }
  if (first === undefined) {
    const suggestion = word.text === "@api" ? 'write @api "/path" GET' : 'write @cron "*/15 * * * *"';
    reporter.report({ code: "WF1105", span: word.span, suggestion });
    return null;
  }
  const target = { ...word, text: word.text === "@api" ? `->L${label}` : `L${label}` };
  if (word.text === "@cron") return readDeclaration(SCHEDULE, { ...word, text: "Cr" }, [target, ...args], reporter);
  const [method = { ...word, text: "POST" }, ...more] = rest;
  return readDeclaration(ENDPOINT, { ...word, text: "E" }, [first, method, target, ...more], reporter);
}
