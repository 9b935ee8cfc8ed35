/**
 * Strongly connected components of a directed graph (Tarjan, without recursion: programs may chain 100 000 labels).
 * Components are numbered so that every edge between two of them goes from the higher to the lower number.
 */
import { WordSpace } from "../../word-space.ts";

export type Adjacency = {
  /** Successors of vertex v are `targets[starts[v]]` up to `targets[starts[v + 1] - 1]`. */
  readonly starts: Int32Array;
  readonly targets: Int32Array;
};

export function adjacencyOf(vertexCount: number, from: readonly number[], to: readonly number[]): Adjacency {
  const space = new WordSpace(2 * (vertexCount + 1) + from.length);
  const starts = space.take(vertexCount + 1);
  for (const vertex of from) starts[vertex + 1] = at(starts, vertex + 1) + 1;
  for (let vertex = 0; vertex < vertexCount; vertex++) starts[vertex + 1] = at(starts, vertex + 1) + at(starts, vertex);
  const next = space.of(starts);
  const targets = space.take(from.length);
  for (let edge = 0; edge < from.length; edge++) {
    const vertex = from[edge] ?? 0;
    const place = at(next, vertex);
    targets[place] = to[edge] ?? 0;
    next[vertex] = place + 1;
  }
  return { starts, targets };
}

export function connectedComponents(graph: Adjacency): { readonly componentOf: Int32Array; readonly count: number } {
  const vertexCount = graph.starts.length - 1;
  const space = new WordSpace(4 * vertexCount + 1);
  const componentOf = space.take(vertexCount).fill(-1);
  const order = space.take(vertexCount).fill(-1);
  const low = space.take(vertexCount);
  const nextEdge = space.of(graph.starts);
  const open: number[] = [];
  const path: number[] = [];
  let visited = 0;
  let count = 0;

  const enter = (vertex: number): void => {
    order[vertex] = visited;
    low[vertex] = visited++;
    open.push(vertex);
    path.push(vertex);
  };
  const leave = (vertex: number): void => {
    path.pop();
    const parent = path.at(-1);
    if (parent !== undefined && at(low, vertex) < at(low, parent)) low[parent] = at(low, vertex);
    if (at(low, vertex) !== at(order, vertex)) return;
    let member: number | undefined;
    do {
      member = open.pop();
      if (member !== undefined) componentOf[member] = count;
    } while (member !== undefined && member !== vertex);
    count++;
  };

  for (let root = 0; root < vertexCount; root++) {
    if (order[root] !== -1) continue;
    enter(root);
    while (path.length > 0) {
      const vertex = path.at(-1) ?? 0;
      const edge = at(nextEdge, vertex);
      if (edge === at(graph.starts, vertex + 1)) {
        leave(vertex);
        continue;
      }
      nextEdge[vertex] = edge + 1;
      const target = at(graph.targets, edge);
      if (order[target] === -1) enter(target);
      else if (componentOf[target] === -1 && at(order, target) < at(low, vertex)) low[vertex] = at(order, target);
    }
  }
  return { componentOf, count };
}

/** The element of a typed array whose index is known to be inside. */
export function at(array: Int32Array, index: number): number {
  return array[index] as number;
}
