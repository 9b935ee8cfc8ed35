/** The batched answers agree with a plain search through the flow graph, and stay fast on long chains of labels. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adjacencyOf, connectedComponents } from "../../../compiler/check/variables/components.ts";
import type { FlowGraph } from "../../../compiler/check/variables/flow-graph.ts";
import { possiblySet } from "../../../compiler/check/variables/possibly-set.ts";

type Edge = readonly [from: number, to: number];
type Write = readonly [name: string, vertex: number];

function graphOf(vertexCount: number, edges: readonly Edge[], writes: readonly Write[]): FlowGraph {
  return {
    vertexCount,
    adjacency: adjacencyOf(
      vertexCount,
      edges.map(([from]) => from),
      edges.map(([, to]) => to),
    ),
    places: [],
    settersOf(names) {
      const setters = new Map<string, number[]>();
      for (const [name, vertex] of writes)
        if (names.has(name)) setters.set(name, [...(setters.get(name) ?? []), vertex]);
      return setters;
    },
  };
}

function searched(edges: readonly Edge[], writes: readonly Write[], name: string, goal: number): boolean {
  const seen = new Set(writes.filter(([written]) => written === name).map(([, vertex]) => vertex));
  const waiting = [...seen];
  for (let vertex = waiting.pop(); vertex !== undefined; vertex = waiting.pop()) {
    for (const [from, to] of edges) {
      if (from === vertex && !seen.has(to)) {
        seen.add(to);
        waiting.push(to);
      }
    }
  }
  return seen.has(goal);
}

describe("possiblySet", () => {
  it("agrees with a search for every question", () => {
    const vertex = fc.nat({ max: 11 });
    const name = fc.nat({ max: 70 }).map((n) => `v${n}`);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(vertex, vertex), { maxLength: 30 }),
        fc.array(fc.tuple(name, vertex), { maxLength: 90 }),
        fc.array(fc.record({ name, vertex }), { maxLength: 40 }),
        (edges, writes, questions) => {
          const expected = questions.map((question) => searched(edges, writes, question.name, question.vertex));
          expect(possiblySet(graphOf(12, edges, writes), questions)).toEqual(expected);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("carries 20 000 names through a chain of 20 000 vertices without a quadratic table", () => {
    const size = 20_000;
    const edges = Array.from({ length: size - 1 }, (_, index): Edge => [index, index + 1]);
    const writes = Array.from({ length: size }, (_, index): Write => [`v${index}`, index]);
    const table = new Map(writes.map(([name, vertex]) => [name, [vertex]]));
    const graph: FlowGraph = { ...graphOf(size, edges, []), settersOf: () => table };
    const questions = writes.map(([name], index) => ({ name, vertex: index % 2 === 0 ? size - 1 : 0 }));
    const answers = possiblySet(graph, questions);
    expect(answers.filter(Boolean).length).toBe(size / 2);
  });
});

describe("connectedComponents", () => {
  it("numbers components against the direction of edges", () => {
    const vertex = fc.nat({ max: 9 });
    fc.assert(
      fc.property(fc.array(fc.tuple(vertex, vertex), { maxLength: 25 }), (edges: readonly Edge[]) => {
        const { adjacency } = graphOf(10, edges, []);
        const { componentOf } = connectedComponents(adjacency);
        const together = (a: number, b: number) => componentOf[a] === componentOf[b];
        const leads = (a: number, b: number) => a === b || searched(edges, [["v", a]], "v", b);
        for (const [from, to] of edges) expect(componentOf[from]).toBeGreaterThanOrEqual(componentOf[to] ?? 0);
        for (let a = 0; a < 10; a++) {
          for (let b = 0; b < 10; b++) expect(together(a, b)).toBe(leads(a, b) && leads(b, a));
        }
      }),
      { numRuns: 100 },
    );
  });

  it("does not recurse", () => {
    const size = 200_000;
    const from = Array.from({ length: size - 1 }, (_, index) => index);
    const graph = adjacencyOf(
      size,
      from,
      from.map((index) => index + 1),
    );
    expect(connectedComponents(graph).count).toBe(size);
  });
});
