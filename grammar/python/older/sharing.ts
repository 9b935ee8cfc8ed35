/**
 * What has a scope of its own in the older form: `call g` and `Err ->g` run a function that shares the variables of the one that calls it. It
 * becomes a function inside that one, which names what it sets as `nonlocal`, so that each run of the outer function has variables of its own, as before.
 */
import type { Token } from "../lexing/tokens.ts";
import * as T from "../lexing/tokens.ts";
import { Refusal } from "../refusal.ts";
import type { Graph } from "./headers.ts";
import { addedLine, boundBy, is, isWord, type Line, walk } from "./lines.ts";
import { calledBy } from "./spellings.ts";

/** The handler that a line names as `Err ->g`. */
function handlerOf({ tokens }: Line): string | null {
  const [first, arrow, name, more] = tokens;
  const isHandler = isWord(first, "Err") && is(arrow, T.Arrow) && is(name, T.Name) && more === undefined;
  return isHandler ? (name?.image ?? null) : null;
}

const targetOf = (line: Line): string | null => calledBy(line) ?? handlerOf(line);

/** Whether a line is one that Python does not parse. */
export const isHandlerLine = (line: Line): boolean => handlerOf(line) !== null;

/** Functions that run with the variables of another one, under the name of that one. */
export function sharedGraphs(graphs: ReadonlyMap<string, Graph>): ReadonlyMap<string, readonly Graph[]> {
  const calls = new Map<string, Set<string>>();
  const targets = new Set<string>();
  for (const { name, line } of graphs.values())
    for (const inner of walk(line.children)) {
      const target = targetOf(inner);
      if (target === null) continue;
      if (!graphs.has(target)) throw new Refusal("older_unknown", placeOf(inner), { words: { name: target } });
      calls.set(name, (calls.get(name) ?? new Set()).add(target));
      targets.add(target);
    }
  const shared = new Map<string, Graph[]>();
  const owner = new Map<string, string>();
  for (const root of graphs.keys()) {
    if (targets.has(root)) continue;
    const found = new Set<string>();
    const open = [...(calls.get(root) ?? [])];
    for (let target = open.pop(); target !== undefined; target = open.pop()) {
      if (found.has(target)) continue;
      found.add(target);
      open.push(...(calls.get(target) ?? []));
      const graph = graphs.get(target) as Graph;
      if (owner.has(target) || graph.parameters.length > 0 || isCalledWithBrackets(graph, graphs))
        throw new Refusal("older_shared", headOf(graph), { words: { name: target } });
      owner.set(target, root);
    }
    if (found.size > 0)
      shared.set(
        root,
        [...graphs.values()].filter(({ name }) => found.has(name)),
      );
  }
  for (const target of targets)
    if (!owner.has(target))
      throw new Refusal("older_shared", headOf(graphs.get(target) as Graph), { words: { name: target } });
  return shared;
}

function headOf({ line }: Graph): Token {
  return line.tokens[0] as Token;
}

function placeOf({ tokens }: Line): { start: number; end: number } {
  return { start: (tokens[0] as Token).start, end: (tokens.at(-1) as Token).end };
}

function isCalledWithBrackets({ name }: Graph, graphs: ReadonlyMap<string, Graph>): boolean {
  for (const { line } of graphs.values())
    for (const { tokens } of walk(line.children))
      if (tokens.some((token, at) => isWord(token, name) && is(tokens[at + 1], T.LParen) && !is(tokens[at - 1], T.Dot)))
        return true;
  return false;
}

/** Lines that stand at the beginning of a function that others share: what they set, and they themselves. */
export function sharedLines(root: Graph, inner: readonly Graph[]): Line[] {
  const own = new Set([...root.parameters, ...root.inputs, ...boundIn(root)]);
  const missing = new Set(
    inner.flatMap((graph) => [...boundIn(graph), ...graph.inputs]).filter((name) => !own.has(name)),
  );
  const functions = inner.map((graph): Line => {
    const sets = [...boundIn(graph)];
    if (sets.length > 0) graph.line.children.unshift(addedLine(`nonlocal ${sets.join(", ")}`));
    return graph.line;
  });
  return [...(missing.size === 0 ? [] : [addedLine(`${[...missing].join(" = ")} = None`)]), ...functions];
}

function boundIn({ line }: Graph): ReadonlySet<string> {
  return new Set([...walk(line.children)].flatMap(({ tokens }) => boundBy(tokens)));
}

/** `Err ->g` covers the statement above it and all that follows in its block, and ends the function, or the pass of a loop, with what `g` gives. */
export function handled(lines: readonly Line[], ends: "function" | "loop" | null): Line[] {
  const made: Line[] = [];
  let open: Line[] | null = null;
  for (const line of lines) {
    const own = is(line.tokens[0], T.For) || is(line.tokens[0], T.While) ? "loop" : null;
    if (line.text === null) line.children = handled(line.children, own);
    const handler = handlerOf(line);
    if (handler === null) {
      (open ?? made).push(line);
      continue;
    }
    const covered = statementAbove(open ?? made);
    if (covered === null || ends === null || (open !== null && open.length === 0))
      throw new Refusal("older_handler", placeOf(line), { words: { name: handler } });
    open = covered;
    const leaves =
      ends === "function" ? [addedLine(`return ${handler}()`)] : [addedLine(`${handler}()`), addedLine("continue")];
    made.push(addedLine("try:", open), addedLine("except Exception:", leaves));
  }
  return made;
}

const CONTINUES = T.setOf([T.Elif, T.Else, T.Except, T.Finally]);

/** Takes the last statement away, with all of its blocks. */
function statementAbove(lines: Line[]): Line[] | null {
  let at = lines.length - 1;
  while (at > 0 && CONTINUES[lines[at]?.tokens[0]?.tokenTypeIdx ?? 0] === 1) at--;
  const found = lines.splice(Math.max(0, at));
  return found.length === 0 || found[0]?.text !== null ? null : found;
}

/** After a `for` its variable had its former value again. A file where that can be seen is refused. */
export function checkLoopVariables(root: Graph, inner: readonly Graph[]): void {
  const all = [root, ...inner].flatMap(({ line }) => [...walk(line.children)]);
  const loops = all.filter(({ tokens }) => is(tokens[0], T.For));
  for (const loop of loops)
    for (const name of boundBy(loop.tokens)) {
      const within = new Set(
        loops.filter(({ tokens }) => boundBy(tokens).includes(name)).flatMap((one) => [one, ...walk(one.children)]),
      );
      addFunctionsCalledIn(within, root, inner);
      const isInput = [root, ...inner].some(({ parameters, inputs }) => [...parameters, ...inputs].includes(name));
      if (isInput || all.some((line) => !within.has(line) && mentions(line, name)))
        throw new Refusal("older_loop", placeOf(loop), { words: { name } });
    }
}

/** Functions that are called only where the variable of the loop is that of the loop. */
function addFunctionsCalledIn(within: Set<Line>, root: Graph, inner: readonly Graph[]): void {
  const open = new Set(inner);
  for (let size = -1; size !== open.size; ) {
    size = open.size;
    for (const graph of open) {
      const elsewhere = [root, ...open].flatMap((one) => (one === graph ? [] : [...walk(one.line.children)]));
      const isCalledElsewhere = elsewhere.some((line) => !within.has(line) && targetOf(line) === graph.name);
      if (isCalledElsewhere) continue;
      open.delete(graph);
      for (const line of walk(graph.line.children)) within.add(line);
    }
  }
}

function mentions({ tokens }: Line, name: string): boolean {
  return tokens.some((token, at) => isWord(token, name) && !is(tokens[at - 1], T.Dot) && !isOwn(tokens, at));
}

/** Names of arguments and of comprehensions' variables are other names. */
function isOwn(tokens: readonly Token[], at: number): boolean {
  const name = tokens[at]?.image;
  if (at > 1 && is(tokens[at + 1], T.Equal) && (is(tokens[at - 1], T.Comma) || is(tokens[at - 1], T.LParen)))
    return true;
  return tokens.some((token, index) => index > 0 && is(token, T.For) && isWord(tokens[index + 1], name ?? ""));
}
