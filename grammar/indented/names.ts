/**
 * Which names of a file hold variables: what its graphs assign and take in. The frame is one, so the names of all
 * graphs count. Also which blocks can end their graph.
 */
import type { Block, IndentedProgram, Statement } from "./program.ts";

export function knownNames({ graphs, inputs }: IndentedProgram): ReadonlySet<string> {
  const names = new Set(inputs.map(({ name }) => name));
  const waiting: Statement[] = graphs.flatMap(({ block }) => block);
  for (let statement = waiting.pop(); statement !== undefined; statement = waiting.pop()) {
    if (statement.s === "steps") for (const step of statement.steps) for (const name of step.writes) names.add(name);
    if (statement.s === "for") names.add(statement.item.name);
    if (statement.s === "dotted") names.add(statement.name.name);
    if (statement.s === "call" && statement.out !== null) names.add(statement.out.name);
    if (statement.s === "end" || statement.s === "guard") for (const name of statement.step.writes) names.add(name);
    for (const block of blocksOf(statement)) for (const inner of block) waiting.push(inner);
  }
  return names;
}

function blocksOf(statement: Statement): readonly Block[] {
  switch (statement.s) {
    case "if": {
      const blocks = statement.branches.map(({ block }) => block);
      return statement.otherwise === null ? blocks : [...blocks, statement.otherwise.block];
    }
    case "for":
    case "while":
      return [statement.block];
    default:
      return [];
  }
}

/** Whether `out` stands anywhere in a statement. Blocks are at most as deep as brackets; each is looked through once. */
export class Outs {
  private readonly known = new Map<Block, boolean>();

  in(statement: Statement): boolean {
    return statement.s === "out" || blocksOf(statement).some((block) => this.inBlock(block));
  }

  private inBlock(block: Block): boolean {
    const known = this.known.get(block) ?? block.some((statement) => this.in(statement));
    this.known.set(block, known);
    return known;
  }
}
