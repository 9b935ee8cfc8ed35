/**
 * Which names of a file hold variables: names that its graphs assign or take as input. All graphs share one frame, so the names of all
 * graphs count. Also which blocks can end their graph.
 */
import type { Block, Statement } from "./program.ts";
import type { Expression, FileTree, Node } from "./tree.ts";

export function knownNames({ graphs, inputs, items }: FileTree): ReadonlySet<string> {
  const names = new Set([...inputs.map(({ name }) => name), ...items]);
  for (const { parameters, block } of graphs) {
    for (const { name } of parameters) names.add(name.name);
    for (const node of nodesIn(block)) for (const name of namesSetBy(node)) names.add(name);
  }
  return names;
}

/** Variables that are lists wherever the file sets them. */
export function listNames({ graphs }: FileTree): ReadonlySet<string> {
  const lists = new Set<string>();
  const others = new Set<string>();
  for (const node of graphs.flatMap(({ block }) => [...nodesIn(block)])) {
    const isList = node.s === "assign" && node.value !== null && isWrittenList(node.value);
    for (const name of node.s === "put" ? [] : namesSetBy(node)) (isList ? lists : others).add(name);
  }
  for (const name of others) lists.delete(name);
  return lists;
}

function isWrittenList(value: Expression): boolean {
  return value.e === "list" || (value.e === "each" && value.key === null);
}

/** The variables that a statement sets, those in its blocks left out. */
export function namesSetBy(node: Node): readonly string[] {
  switch (node.s) {
    case "read":
      return namesWritten(node.statement);
    case "assign":
      return [node.name.name];
    case "err":
      return ["_"];
    case "put": {
      const root = rootOf(node.target);
      return root === null ? [] : [root];
    }
    case "try":
      return node.handler?.name == null ? [] : [node.handler.name.name];
    case "for":
      return node.items.map(({ name }) => name);
    case "each":
      return [node.item.name, node.out.name];
    default:
      return [];
  }
}

function namesWritten(statement: Statement): readonly string[] {
  switch (statement.s) {
    case "steps":
      return statement.steps.flatMap(({ writes }) => writes);
    case "dotted":
      return [statement.name.name];
    case "par":
      return [statement.out.name];
    case "call":
      return statement.out === null ? [] : [statement.out.name];
    case "end":
    case "guard":
      return statement.step.writes;
    default:
      return [];
  }
}

/** The variable that `d[k].a` is part of. */
export function rootOf(target: Expression): string | null {
  if (target.e === "index") return rootOf(target.of);
  if (target.e !== "operand") return null;
  const { of } = target;
  return of.k === "name" || of.k === "var" ? of.v : of.k === "path" ? of.root : null;
}

/** All statements of a block, those in its blocks included, in no order. */
export function* nodesIn(block: readonly Node[]): Generator<Node> {
  const waiting = [...block];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    for (const inner of blocksIn(node)) for (const one of inner) waiting.push(one);
  }
}

/** The blocks of a statement. */
export function blocksIn(statement: Node): readonly (readonly Node[])[];
export function blocksIn(statement: Statement): readonly Block[];
export function blocksIn(statement: Node | Statement): readonly (readonly Node[] | Block)[] {
  switch (statement.s) {
    case "if": {
      const blocks = statement.branches.map(({ block }) => block);
      return statement.otherwise === null ? blocks : [...blocks, statement.otherwise.block];
    }
    case "for":
    case "while":
      return [statement.block];
    case "try":
      return statement.handler === null ? [statement.block] : [statement.block, statement.handler.block];
    default:
      return [];
  }
}

/** Whether a statement contains `out`. Blocks are nested at most as deeply as brackets; each is searched once. */
export class Outs {
  private readonly known = new Map<Block, boolean>();

  in(statement: Statement): boolean {
    return statement.s === "out" || blocksIn(statement).some((block) => this.inBlock(block));
  }

  private inBlock(block: Block): boolean {
    const known = this.known.get(block) ?? block.some((statement) => this.in(statement));
    this.known.set(block, known);
    return known;
  }
}

/** Whether a block leaves the pass of the loop around it, by `break` or by `continue`; loops inside have passes of their own. */
export function leavesPass(block: Block, word: "break" | "continue"): boolean {
  return block.some((statement) => {
    if (statement.s === word) return true;
    if (statement.s === "for" || statement.s === "while") return false;
    return blocksIn(statement).some((inner) => leavesPass(inner, word));
  });
}
