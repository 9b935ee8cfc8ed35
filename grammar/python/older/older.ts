/**
 * Weft's older spellings (python.md F-7): words, headers and calls that its programs had before they were Python. A file that Python parses is never
 * looked at. Else the lines that Python does not parse are written as Python, and the file that comes of it is what is compiled and what the
 * formatter prints; places in it are places of the source. What has no such line is refused with the edit.
 */
import { findOp } from "../../ops.ts";
import { tokenize } from "../lexing/lexer.ts";
import type { Token } from "../lexing/tokens.ts";
import * as T from "../lexing/tokens.ts";
import { faultIn, parsePython } from "../parse.ts";
import { type Edit, Refusal } from "../refusal.ts";
import type { ParsedPython, SyntaxFault } from "../tree.ts";
import { checkChanges } from "./copies.ts";
import { definition, type Graph, graphOf, inputsOf } from "./headers.ts";
import { beginsValue, boundBy, comprehended, is, type Line, linesOf, walk } from "./lines.ts";
import { MappedText } from "./mapped-text.ts";
import { checkLoopVariables, handled, isHandlerLine, sharedGraphs, sharedLines } from "./sharing.ts";
import { ambiguousWords, calledBy, nestedCalls, respell } from "./spellings.ts";

/** A program in Python, older spellings included. `text` is what was parsed: the source, or the Python that it stands for. */
export type ParsedProgram = ParsedPython & { readonly text: string };

/** Programs of the older form are small; a larger file is Python, or not read. */
const MAX_UNITS = 65_536;

export function parseProgram(source: string): ParsedProgram {
  const parsed = parsePython(source);
  const [fault] = parsed.faults;
  if (fault === undefined || source.length > MAX_UNITS) return { ...parsed, text: source };
  const refused = (found: SyntaxFault): ParsedProgram => ({
    module: null,
    comments: [],
    faults: [found],
    text: source,
  });
  let made: MappedText | null;
  try {
    made = translated(source);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refused(faultIn(source, error));
  }
  if (made === null) return refused(fault);
  const text = made.toString();
  const python = parsePython(text);
  const [remaining] = python.faults;
  if (remaining !== undefined) return refused(faultOfSource(remaining, made, source));
  return { module: placed(python.module, made, lineStarts(source)), comments: parsed.comments, faults: [], text };
}

function translated(source: string): MappedText | null {
  const { tokens, comments, refusal } = tokenize(source, source.startsWith("\ufeff") ? 1 : 0);
  const lines = linesOf(source, tokens, comments);
  if (refusal !== null) {
    if (lines.some((line) => graphOf(line)?.isOlder === true)) throw markRefusal(source, refusal) ?? refusal;
    return null;
  }
  const translation = new Translation(source, lines);
  return translation.run() ? translation.write(lines, comments) : null;
}

/** Marks that no token of Python has: `$x`, and `x?` for a variable that is set. */
function markRefusal(source: string, { fault: { start } }: Refusal): Refusal | null {
  const mark = source.charAt(start);
  const place = { start, end: start + 1 };
  if (mark === "$" && /\w/.test(source.charAt(start + 1)))
    return new Refusal("older_dollar", place, { fix: { title: "remove the $", edits: [{ ...place, text: "" }] } });
  if (mark !== "?" || !/[\w\])]/.test(source.charAt(start - 1))) return null;
  const edits = [{ ...place, text: " is not None" }];
  return new Refusal("older_question", place, { fix: { title: "write is not None", edits } });
}

class Translation {
  private readonly source: string;
  private readonly top: Line[];
  private readonly graphs = new Map<string, Graph>();

  constructor(source: string, top: Line[]) {
    this.source = source;
    this.top = top;
    for (const line of top) {
      const graph = graphOf(line);
      if (graph !== null) this.graphs.set(graph.name, graph);
    }
  }

  /** False where no line has an older spelling. */
  run(): boolean {
    const graphs = [...this.graphs.values()];
    const isOlder = graphs.some((graph) => graph.isOlder);
    const all = [...walk(this.top)];
    const values = new Set([
      ...graphs.flatMap(inputs),
      ...all.flatMap(({ tokens }) => [...boundBy(tokens), ...comprehended(tokens)]),
    ]);
    const imported = all.filter(({ tokens }) => is(tokens[0], T.Import) || is(tokens[0], T.From));
    const taken = new Set([...values, ...this.graphs.keys(), ...imported.flatMap(({ tokens }) => tokens.map(imageOf))]);
    const caught = new Set(
      all.flatMap(({ tokens }) => tokens.filter((_, at) => is(tokens[at - 1], T.As)).map(imageOf)),
    );
    const known = {
      source: this.source,
      taken,
      values: new Set((imported.length > 0 ? graphs.flatMap(inputs) : [...values]).filter((name) => !caught.has(name))),
      isOlder,
    };
    for (const line of all) refuseStep(line, taken, this.source);
    const ambiguous = nestedCalls(all) ?? (isOlder ? ambiguousWords(all, known) : null);
    if (ambiguous !== null) throw ambiguous;
    const heads = new Set(graphs.map(({ line }) => line));
    const found = all.filter((line) => !heads.has(line) && (respell(line, known) || isHandlerLine(line)));
    if (isOlder) {
      checkChanges(all, new Set(graphs.flatMap(inputs)));
      this.define(graphs);
    }
    return isOlder || found.some((line) => calledBy(line) === null && !isHandlerLine(line));
  }

  private define(graphs: readonly Graph[]): void {
    const second = graphs.findIndex(({ name }) => name === "main");
    if (second > 0)
      throw new Refusal("older_entry", headOf(graphs[second] as Graph), { words: { name: nameOf(graphs) } });
    const shared = sharedGraphs(this.graphs);
    const inner = new Set([...shared.values()].flat());
    for (const graph of graphs) {
      for (const { tokens } of graph.isOlder ? walk(graph.line.children) : [])
        if (is(tokens[0], T.Return) && tokens.length === 1) throw new Refusal("older_return", tokens[0] as Token);
      if (graph.isOlder && !inner.has(graph)) checkLoopVariables(graph, shared.get(graph.name) ?? []);
    }
    for (const graph of graphs) {
      const { line } = graph;
      const declared = line.children.flatMap((child) => inputsOf(child) ?? []);
      if (graph.isOlder) {
        line.children = line.children.filter((child) => inputsOf(child) === null);
        const head = definition(graph, this.source, inner.has(graph) ? [] : declared);
        const [first, last] = [line.tokens[0] as Token, line.tokens.at(-1) as Token];
        line.edits.push({ start: first.start, end: last.end, text: head.join("\n") });
      }
      line.children = handled(line.children, "function");
    }
    for (const [name, others] of shared) {
      const { line } = this.graphs.get(name) as Graph;
      line.children = [...sharedLines(this.graphs.get(name) as Graph, others), ...line.children];
      for (const { line: other } of others) this.top.splice(this.top.indexOf(other), 1);
    }
  }

  write(lines: readonly Line[], comments: readonly { readonly start: number; readonly end: number }[]): MappedText {
    const made = new MappedText();
    for (const line of lines) this.writeLine(line, "", made);
    const last = Math.max(0, ...[...walk(lines)].map(({ tokens }) => tokens.at(-1)?.end ?? 0));
    for (const { start, end } of comments)
      if (start > last && this.source.slice(last, start).includes("\n")) {
        made.copy(this.source, start, end);
        made.add("\n");
      }
    return made;
  }

  private writeLine(line: Line, indent: string, made: MappedText): void {
    const { source } = this;
    made.add("\n".repeat(line.empty));
    for (const { start, end } of line.comments) {
      made.add(indent);
      made.copy(source, start, end);
      made.add("\n");
    }
    const start = line.tokens[0]?.start;
    made.add(indent, start);
    if (line.text !== null) made.add(line.text);
    else this.writeTokens(line, indent, made);
    if (line.trailing !== null) {
      made.add("  ");
      made.copy(source, line.trailing.start, line.trailing.end);
    }
    made.add("\n");
    if (line.children.length === 0 && line.text === null && is(line.tokens.at(-1), T.Colon))
      made.add(`${indent}    pass\n`);
    for (const child of line.children) this.writeLine(child, `${indent}    `, made);
  }

  private writeTokens({ tokens, edits }: Line, indent: string, made: MappedText): void {
    let from = (tokens[0] as Token).start;
    for (const { start, end, text } of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
      made.copy(this.source, from, start);
      made.add(text.replaceAll("\n", `\n${indent}`), start);
      from = end;
    }
    made.copy(this.source, from, (tokens.at(-1) as Token).end);
  }
}

const imageOf = ({ image }: Token): string => image;
const headOf = ({ line }: Graph): Token => line.tokens[0] as Token;
const nameOf = (graphs: readonly Graph[]): string => graphs[0]?.name ?? "";
const inputs = (graph: Graph): readonly string[] => [...graph.parameters, ...graph.inputs];

/** What serves in place of steps that have no single statement of Python. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["Retry", "with retry(n): around the statement above"],
  ["Filt", "[row for row in rows if …]"],
  ["Sort", 'sorted(rows, key=lambda row: row["n"])'],
  ["If", "if"],
  ["Loop", "for"],
  ["While", "while"],
  ["include", "import of a file next to this one"],
]);

/** Steps of the opcode form. Where one statement of Python is the same, that is the edit. */
function refuseStep({ tokens }: Line, taken: ReadonlySet<string>, source: string): void {
  const [first, second] = tokens;
  if (!is(first, T.Name) || first === undefined || taken.has(first.image) || !beginsValue(second)) return;
  if (findOp(first.image) === undefined) return;
  const { end } = tokens.at(-1) as Token;
  const rest = source.slice(second?.start, end);
  const [, result] = /->\s*(\w+)$/.exec(rest) ?? [];
  let python: string | null = null;
  if (first.image === "J") python = `return ${rest}`;
  else if (first.image === "Set") python = rest.replace(/^(\w+)\s+/, "$1 = ");
  else if (first.image === "R")
    python = `${result === undefined ? "" : `${result} = `}${rest.replace(/\s*->\s*\w+$/, "")}`;
  const edits: Edit[] = python === null ? [] : [{ start: first.start, end, text: python }];
  throw new Refusal("older_step", first, {
    words: { word: first.image, python: python ?? INSTEAD.get(first.image) ?? "statements of Python" },
    ...(python === null ? {} : { fix: { title: `write ${python}`, edits } }),
  });
}

// ---- places ----

function lineStarts(source: string): number[] {
  return [0, ...[...source.matchAll(/\r\n?|\n/g)].map(({ index, 0: end }) => index + end.length)];
}

function faultOfSource(fault: SyntaxFault, made: MappedText, source: string): SyntaxFault {
  const start = made.placeOf(fault.start);
  const end = Math.max(start, made.endOf(fault.end));
  const fix = fault.fix?.edits.every((edit) => made.isCopied(edit.start, edit.end)) === true ? fault.fix : null;
  const edits = (fix?.edits ?? []).map((edit) => ({
    ...edit,
    start: made.placeOf(edit.start),
    end: made.endOf(edit.end),
  }));
  const line = source.slice(0, start).split(/\r\n?|\n/).length;
  return { ...fault, start, end, line, fix: fix === null ? null : { ...fix, edits } };
}

/** The tree with the places of the source. */
function placed<N>(tree: N, made: MappedText, starts: readonly number[]): N {
  const lineOf = (at: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= at) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
  const move = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(move);
    if (typeof node !== "object" || node === null) return node;
    const copy: { [member: string]: unknown } = {};
    for (const [name, value] of Object.entries(node)) copy[name] = move(value);
    if (typeof copy["start"] === "number" && typeof copy["end"] === "number" && typeof copy["line"] === "number") {
      const start = made.placeOf(copy["start"]);
      Object.assign(copy, { start, end: Math.max(start, made.endOf(copy["end"])), line: lineOf(start) });
    }
    return copy;
  };
  return move(tree) as N;
}
