/** The module graphlib. Nodes come in the order in which CPython gives them, which follows from the order in which they were added. */
import { raised, raisedLoosely, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyDict } from "../../kinds/dict.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import { PySet } from "../../kinds/set.ts";
import { notExact } from "../../not-exact.ts";
import {
  Bytes,
  type Context,
  type Key,
  type Natives,
  PyObject,
  PyType,
  type Slots,
  setType,
  typeOf,
  type Value,
} from "../../object.ts";
import { identityKey, keyOf, known, repr } from "../../operations.ts";
import { orderShown } from "../../types/set-order.ts";
import type { Part } from "../registry.ts";
import { type Elements, give, lazyType, PyLazy } from "./lazy.ts";

const CYCLE_ERROR = new PyType("CycleError", [VALUE_ERROR, ...VALUE_ERROR.bases], {}, "graphlib.CycleError");

/** In place of a number of predecessors: the node was given out, or is done. */
const OUT = -1;
const DONE = -2;

type Node = {
  readonly node: Value;
  predecessors: number;
  readonly successors: { readonly node: Value; readonly key: Key }[];
};

class PySorter extends PyObject {
  declare readonly type: PyType;
  readonly nodes = new Map<Key, Node>();
  ready: Value[] | null = null;
  #out = 0;
  #done = 0;

  #node(node: Value, key: Key, ctx: Context): Node {
    let found = this.nodes.get(key);
    if (found === undefined) {
      ctx.alloc(2 * Bytes.Object);
      found = { node, predecessors: 0, successors: [] };
      this.nodes.set(key, found);
    }
    return found;
  }

  add(node: Value, predecessors: readonly Value[], ctx: Context): void {
    if (this.ready !== null) throw raised(VALUE_ERROR, "Nodes cannot be added after a call to prepare()");
    ctx.charge(predecessors.length + 1);
    ctx.alloc(predecessors.length * Bytes.Element);
    const key = keyOf(node, ctx);
    this.#node(node, key, ctx).predecessors += predecessors.length;
    for (const one of predecessors) this.#node(one, keyOf(one, ctx), ctx).successors.push({ node, key });
  }

  /** The order of the members is seen where two of them are new. */
  members(set: PySet, node: Value, ctx: Context): readonly Value[] {
    ctx.charge(set.members.size);
    const own = keyOf(node, ctx);
    const fresh = [...set.members.keys()].filter((key) => key !== own && !this.nodes.has(key));
    if (fresh.length > 1) throw orderShown();
    return [...set.members.values()];
  }

  prepare(ctx: Context): void {
    if (this.ready !== null) throw raised(VALUE_ERROR, "cannot prepare() more than once");
    const all = [...this.nodes.values()];
    ctx.charge(all.length);
    this.ready = all.filter(({ predecessors }) => predecessors === 0).map(({ node }) => node);
    const cycle = this.#cycle(ctx);
    if (cycle !== null) throw raised(CYCLE_ERROR, "nodes are in a cycle", new PyList(cycle));
  }

  #prepared(): Value[] {
    if (this.ready === null) throw raised(VALUE_ERROR, "prepare() must be called first");
    return this.ready;
  }

  get isActive(): boolean {
    const ready = this.#prepared();
    return this.#done < this.#out || ready.length > 0;
  }

  takeReady(ctx: Context): Value[] {
    const ready = this.#prepared();
    for (const node of ready) (this.nodes.get(keyOf(node, ctx)) as Node).predecessors = OUT;
    ctx.charge(ready.length);
    ctx.alloc(Bytes.Object + ready.length * Bytes.Element);
    this.ready = [];
    this.#out += ready.length;
    return ready;
  }

  done(nodes: readonly Value[], ctx: Context): void {
    const ready = this.#prepared();
    for (const node of nodes) {
      const found = this.nodes.get(keyOf(node, ctx));
      const failed = (what: string) => raised(VALUE_ERROR, `node ${repr(node, ctx)} was ${what}`);
      if (found === undefined) throw failed("not added using add()");
      if (found.predecessors >= 0) throw failed("not passed out (still not ready)");
      if (found.predecessors === DONE) throw failed("already marked done");
      found.predecessors = DONE;
      ctx.charge(found.successors.length + 1);
      for (const successor of found.successors) {
        const next = this.nodes.get(successor.key) as Node;
        next.predecessors -= 1;
        if (next.predecessors === 0) ready.push(successor.node);
      }
      this.#done += 1;
    }
  }

  /** The first cycle that a walk along the successors meets. */
  #cycle(ctx: Context): Value[] | null {
    const seen = new Set<Key>();
    const path: { readonly node: Value; readonly key: Key; next: number }[] = [];
    const places = new Map<Key, number>();
    for (const [start, { node: first }] of this.nodes) {
      if (seen.has(start)) continue;
      for (let at: { node: Value; key: Key } | undefined = { node: first, key: start }; at !== undefined; ) {
        ctx.charge(1);
        const place = places.get(at.key);
        if (place !== undefined) return [...path.slice(place).map(({ node }) => node), at.node];
        if (!seen.has(at.key)) {
          seen.add(at.key);
          places.set(at.key, path.length);
          path.push({ ...at, next: 0 });
        }
        at = undefined;
        for (let last = path.at(-1); last !== undefined && at === undefined; last = path.at(-1)) {
          at = this.nodes.get(last.key)?.successors[last.next];
          last.next += 1;
          if (at !== undefined) continue;
          places.delete(last.key);
          path.pop();
        }
      }
    }
    return null;
  }
}

const slots: Slots<PySorter> = {
  key: identityKey,
  truth: (self) => self.isActive,
  holds: (self) => [...self.nodes.values()].map(({ node }) => node),
};
const SORTER_TYPE = setType(PySorter, new PyType("TopologicalSorter", [], slots, "graphlib.TopologicalSorter"));

function sorterOf(value: Value): PySorter {
  if (value instanceof PySorter) return value;
  throw raisedLoosely(TYPE_ERROR, `a method of TopologicalSorter was called on a ${typeOf(value).name}`);
}

function sorterFrom(ctx: Context, graph: Value): PySorter {
  const sorter = new PySorter();
  ctx.alloc(2 * Bytes.Object);
  if (graph === null) return sorter;
  if (!(graph instanceof PyDict)) throw notExact("TopologicalSorter takes a dict of nodes and their predecessors here");
  for (const key of [...graph.keys()]) {
    const node = graph.spelling(key);
    const predecessors = graph.get(key) as Value;
    if (predecessors instanceof PySet) sorter.add(node, sorter.members(predecessors, node, ctx), ctx);
    else {
      if (typeOf(predecessors).slots.iterate === undefined)
        throw raisedLoosely(TYPE_ERROR, "the predecessors of a node are not iterable");
      sorter.add(node, known(predecessors, ctx), ctx);
    }
  }
  return sorter;
}

function* ordered(sorter: PySorter, ctx: Context): Elements {
  sorter.prepare(ctx);
  while (sorter.isActive) {
    const group = sorter.takeReady(ctx);
    for (const node of group) yield give(node);
    sorter.done(group, ctx);
  }
}

const GENERATOR = lazyType("generator");

const natives: Natives = {
  "graphlib.TopologicalSorter": sorterFrom,
  "graphlib.TopologicalSorter.add"(ctx, self, node, { items }: PyTuple) {
    sorterOf(self).add(node, items, ctx);
    return null;
  },
  "graphlib.TopologicalSorter.prepare"(ctx, self) {
    sorterOf(self).prepare(ctx);
    return null;
  },
  "graphlib.TopologicalSorter.get_ready": (ctx, self) => new PyTuple(sorterOf(self).takeReady(ctx)),
  "graphlib.TopologicalSorter.is_active": (_ctx, self) => sorterOf(self).isActive,
  "graphlib.TopologicalSorter.done"(ctx, self, { items }: PyTuple) {
    sorterOf(self).done(items, ctx);
    return null;
  },
  "graphlib.TopologicalSorter.static_order": (ctx, self) => new PyLazy(GENERATOR, ordered(sorterOf(self), ctx), true),
};

export const GRAPHLIB: Part = {
  natives,
  types: { "graphlib.TopologicalSorter": SORTER_TYPE, "graphlib.CycleError": CYCLE_ERROR },
};
