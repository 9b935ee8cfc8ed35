/** A compiled program as texts of some size, so that the thread which asked for it reads it in pieces. */
import type { UnboundProgram } from "../../../compiler/compile.ts";
import type { Ir, IrEdge, IrNode } from "../../../compiler/ir/graph.ts";
import type { Task } from "../../../grammar/text/task.ts";

/** All members are JSON. */
export type ProgramParts = {
  /** The program without its IR, and whether its result has it too. */
  readonly program: string;
  readonly isOk: boolean;
  /** The IR without nodes and edges; null without one. */
  readonly head: string | null;
  readonly nodes: readonly string[];
  readonly edges: readonly string[];
};

/** Nodes or edges that are read in some milliseconds. */
const IN_A_PART = 2000;

export function partsOf({ ir, result, ...program }: UnboundProgram): ProgramParts {
  const { nodes = [], edges = [], ...head } = ir ?? {};
  return {
    program: JSON.stringify({ ...program, result: { ...result, ir: null } }),
    isOk: result.ir !== null,
    head: ir === null ? null : JSON.stringify(head),
    nodes: inParts(nodes),
    edges: inParts(edges),
  };
}

function inParts(all: readonly unknown[]): string[] {
  const parts: string[] = [];
  for (let at = 0; at < all.length; at += IN_A_PART) parts.push(JSON.stringify(all.slice(at, at + IN_A_PART)));
  return parts;
}

export function* programOf({ program, isOk, head, nodes, edges }: ProgramParts): Task<UnboundProgram> {
  const { result, ...rest } = JSON.parse(program) as UnboundProgram;
  if (head === null) return { ...rest, ir: null, result };
  const ir = { ...(JSON.parse(head) as Ir), nodes: yield* joined<IrNode>(nodes), edges: yield* joined<IrEdge>(edges) };
  return { ...rest, ir, result: { ...result, ir: isOk ? ir : null } };
}

function* joined<T>(parts: readonly string[]): Task<T[]> {
  const all: T[] = [];
  for (const part of parts) {
    for (const one of JSON.parse(part) as T[]) all.push(one);
    yield;
  }
  return all;
}
