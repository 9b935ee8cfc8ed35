/** A compiled program as texts of some size, so that the thread which asked for it reads it in pieces. */
import type { UnboundProgram } from "../../../compiler/compile.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { Task } from "../../../grammar/text/task.ts";

/** All members are JSON. */
export type ProgramParts = {
  /** The program without its lists, and whether its result has its IR, too. */
  readonly program: string;
  readonly isOk: boolean;
  readonly findings: readonly string[];
  readonly undeclared: readonly string[];
  /** The IR without nodes and edges; null without one. */
  readonly head: string | null;
  readonly nodes: readonly string[];
  readonly edges: readonly string[];
};

/** Members of a list that are read in some milliseconds. */
const IN_A_PART = 2000;

export function partsOf({ ir, result, findings, ...program }: UnboundProgram): ProgramParts {
  const { nodes = [], edges = [], ...head } = ir ?? {};
  return {
    program: JSON.stringify({ ...program, result: { ...result, ir: null, undeclared_reads: [] } }),
    isOk: result.ir !== null,
    findings: inParts(findings),
    undeclared: inParts(result.undeclared_reads),
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

export function* programOf(parts: ProgramParts): Task<UnboundProgram> {
  const { result, ...rest } = JSON.parse(parts.program) as Omit<UnboundProgram, "findings">;
  const findings = yield* joined<UnboundProgram["findings"][number]>(parts.findings);
  const undeclared_reads = yield* joined<(typeof result)["undeclared_reads"][number]>(parts.undeclared);
  const program = { ...rest, findings, ir: null, result: { ...result, undeclared_reads } };
  if (parts.head === null) return program;
  const nodes = yield* joined<Ir["nodes"][number]>(parts.nodes);
  const ir = { ...(JSON.parse(parts.head) as Ir), nodes, edges: yield* joined<Ir["edges"][number]>(parts.edges) };
  return { ...program, ir, result: { ...program.result, ir: parts.isOk ? ir : null } };
}

function* joined<T>(parts: readonly string[]): Task<T[]> {
  const all: T[] = [];
  for (const part of parts) {
    for (const one of JSON.parse(part) as T[]) all.push(one);
    yield;
  }
  return all;
}
