/** Says what to write for a change that nothing reads (WF9034): back into the list of the loop, or to the caller of the graph. */
import type { Edit, Fix } from "../../diagnostic.ts";
import type { Reporter } from "../../reporter.ts";
import { type Source, spanOnLine } from "../../text/source.ts";
import type { Span } from "../../text/span.ts";
import { likelyVariables } from "../lexing/variables.ts";
import type { Expression, GraphNode, Node } from "../tree.ts";

type Loop = Node & { readonly s: "for" };

/** A statement that changes a variable, which nothing reads afterwards; `loops` are around it, the innermost last. */
export type Lost = {
  readonly name: string;
  readonly node: Node & { readonly s: "put" | "assign" };
  readonly loops: readonly Loop[];
};
type Advice = { readonly suggestion: string; readonly fix: Fix | null; readonly isCertain: boolean };

/** One finding for each variable and loop, at its first change. */
export function reportLost(all: readonly Lost[], graph: GraphNode, reporter: Reporter): void {
  const groups = new Map<string, Lost[]>();
  for (const lost of all) {
    const key = `${lost.name} ${lost.loops.findLast(hasItem(lost.name))?.span.start ?? -1}`;
    groups.set(key, [...(groups.get(key) ?? []), lost]);
  }
  for (const group of groups.values()) {
    const ordered = group.toSorted((a, b) => a.node.span.start - b.node.span.start);
    const [first] = ordered;
    if (first === undefined) continue;
    const { isCertain, ...advice } = adviceFor(first, ordered, graph, reporter.source);
    const severity = isCertain ? {} : { severity: "warning" as const };
    reporter.report({ code: "WF9034", span: first.node.span, words: { name: first.name }, ...severity, ...advice });
  }
}

const hasItem =
  (name: string) =>
  ({ items }: Loop): boolean =>
    items.some((item) => item.name === name);

function adviceFor({ name, loops, node }: Lost, all: readonly Lost[], graph: GraphNode, source: Source): Advice {
  const loop = loops.findLast(hasItem(name));
  if (loop !== undefined) return inLoop(name, loop, all, source);
  if (graph.parameters.some((parameter) => parameter.name.name === name)) {
    return {
      suggestion: `a call has variables of its own: return ${name}, and store what the call gives`,
      fix: null,
      isCertain: true,
    };
  }
  // A counter that nothing reads is idle; an element or member is set to be found where it came from.
  const isWhole =
    node.s === "put" ? node.target.e !== "operand" || node.target.of.k === "path" : node.value?.e === "call";
  return {
    suggestion: `a variable holds a value of its own: read ${name} below, or write the value back to where it came from`,
    fix: null,
    isCertain: isWhole,
  };
}

/** `rows[i] = row` after each change of `row`. */
function inLoop(name: string, loop: Loop, all: readonly Lost[], source: Source): Advice {
  const place = placeOf(name, loop, source);
  if (place === null)
    return { suggestion: "a loop gives copies: add the changed value to a new list", fix: null, isCertain: true };
  const edits = [...place.header, ...all.map(({ node }) => lineAfter(node.span, `${place.target} = ${name}`, source))];
  const suggestion = `a loop gives copies: write the change back, ${place.target} = ${name}`;
  return { suggestion, fix: { title: `write ${place.target} = ${name}`.slice(0, 100), edits }, isCertain: true };
}

/** Functions that pass each place with its element. */
const PLACES: ReadonlySet<string> = new Set(["enumerate", "entries", "items", "pairs"]);

type ElementPlace = { readonly target: string; readonly header: readonly Edit[] };

/** Where the element of a pass stands, and what the header of the loop needs for that. */
function placeOf(name: string, { items, list }: Loop, source: Source): ElementPlace | null {
  if (list === null) return null;
  const [first, second] = items;
  const text = (one: Expression): string => source.text.slice(one.span.start, one.span.end);
  const isPlace = (one: Expression | undefined): boolean =>
    one?.e === "index" || (one?.e === "operand" && ["name", "var", "path"].includes(one.of.k));
  if (first !== undefined && second !== undefined) {
    if (second.name !== name) return null;
    if (isPlace(list)) return { target: `${text(list)}[${first.name}]`, header: [] };
    const [of, ...more] = list.e === "call" && PLACES.has(list.fn.text) ? list.args : [];
    return of !== undefined && isPlace(of) && more.length === 0
      ? { target: `${text(of)}[${first.name}]`, header: [] }
      : null;
  }
  if (first === undefined || !isPlace(list)) return null;
  const taken = likelyVariables(source.text);
  const index = ["i", `${name}_at`].find((one) => !taken.has(one)) ?? `${name}_place`;
  return {
    target: `${text(list)}[${index}]`,
    header: [
      { span: first.span, new_text: `${index}, ${first.name}` },
      { span: list.span, new_text: `enumerate(${text(list)})` },
    ],
  };
}

/** A line below the statement, at its indentation. */
function lineAfter({ start, end, end_line }: Span, line: string, source: Source): Edit {
  const begin = source.text.lastIndexOf("\n", start - 1) + 1;
  const indent = /^[ \t]*/.exec(source.text.slice(begin, start))?.[0] ?? "";
  const found = source.text.indexOf("\n", end);
  const at = found === -1 ? source.text.length : found;
  return { span: spanOnLine(source, end_line - 1, at, at), new_text: `\n${indent}${line}` };
}
