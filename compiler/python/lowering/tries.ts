/**
 * `try`: steps of a block lead by port err to where they are caught. A `finally` block stands once; what comes to it says by a number how it continues
 * after it: 0 on, 1 raise again, 2 return, 3 break, 4 continue (amendment 22: ways out of the block itself discard that, but never a cancellation).
 */
import type { Try } from "../../../grammar/python/tree.ts";
import type { IrOperand } from "../../ir/graph.ts";
import type { Around, Caught, End, Finally } from "./body.ts";
import type { Lowerer } from "./lowerer.ts";
import { call, NONE, text, variable } from "./operands.ts";

const WAYS = { on: 0, raise: 1, return: 2, break: 3, continue: 4 } as const;
type Way = "return" | "break" | "continue";

/** Leaves the blocks around: the function with a value, or a loop. */
export function leave(f: Lowerer, way: Way, value: IrOperand | null): void {
  const { body } = f;
  for (let at = body.around.length - 1; at >= 0; at--) {
    const around = body.around[at] as Around;
    if (around.kind === "handler") {
      if (value !== null && value.k !== "null") value = body.keep(value);
      f.names.forget(f, around.name);
    } else if (around.kind === "finally") {
      if (value !== null) body.add({ do: "set", name: around.value, value });
      body.add({ do: "set", name: around.way, value: { k: "num", v: WAYS[way] } });
      around.entries.push(...body.take());
      around.uses.add(way);
      return;
    } else if (around.kind === "cleanup") {
      if (value !== null) value = body.keep(value);
      body.add({ do: "recancel", name: around.caught });
    } else if (way === "break") {
      if (body.nodes.length === 0) body.add({ do: "join" });
      around.breaks.push(...body.take());
      return;
    } else if (way === "continue") {
      body.lead(around.head);
      return;
    }
  }
  body.add({ do: "return", value: value ?? NONE });
  body.take();
}

export function lowerTry(f: Lowerer, node: Try): void {
  if (node.finalbody.length === 0) exceptions(f, node);
  else
    withFinally(
      f,
      () => exceptions(f, node),
      () => f.statements(node.finalbody),
      "cleanup",
    );
}

/** Steps that are followed by others, however they are left; by a cancellation only where those are a `cleanup`. */
export function withFinally(f: Lowerer, make: () => void, afterwards: () => void, by: "catch" | "cleanup"): void {
  const { body } = f;
  const block: Finally = {
    kind: "finally",
    isCleanup: by === "cleanup",
    way: body.temporary(),
    value: body.temporary(),
    entries: [],
    uses: new Set(),
  };
  body.around.push(block);
  const raising = body.guard(make);
  body.around.pop();
  body.add({ do: "set", name: block.way, value: { k: "num", v: WAYS.on } });
  const entries = body.take();
  const caught = body.land(raising, by);
  body.add({ do: "set", name: block.way, value: { k: "num", v: WAYS.raise } });
  body.open([...entries, ...block.entries]);
  body.add({ do: "join" });
  if (by === "cleanup") finalBlock(f, afterwards, { name: caught, way: block.way });
  else afterwards();
  if (!body.isReached) return;
  goOn(f, block.way, "raise", () => {
    body.add({ do: "reraise", name: caught });
    body.take();
  });
  if (block.uses.has("return")) goOn(f, block.way, "return", () => leave(f, "return", variable(block.value)));
  if (block.uses.has("break")) goOn(f, block.way, "break", () => leave(f, "break", null));
  if (block.uses.has("continue")) goOn(f, block.way, "continue", () => leave(f, "continue", null));
}

/** The block itself: whatever else it raises, or however it is left, the cancellation that led there continues. */
function finalBlock(f: Lowerer, make: () => void, caught: Caught): void {
  const { body } = f;
  body.caught.push(caught);
  body.around.push({ kind: "cleanup", caught: caught.name });
  const raising = body.guard(make);
  body.around.pop();
  body.caught.pop();
  if (raising.length === 0) return;
  const done = body.take();
  const again = body.land(raising, "cleanup");
  body.add({ do: "recancel", name: caught.name });
  body.add({ do: "reraise", name: again });
  body.take();
  body.open(done);
}

/** `raise` alone: the exception that is handled here. A `finally` block that none led to handles the one of the blocks around it. */
export function raiseAgain(f: Lowerer, depth = f.body.caught.length - 1): void {
  const { body } = f;
  const caught = body.caught[depth];
  const again = (name: string) => {
    body.add({ do: "reraise", name });
    body.take();
  };
  if (caught === undefined) {
    const value = call("call", { k: "lib", v: "RuntimeError" }, text("No active exception to reraise"));
    body.add({ do: "raise", value, cause: null });
    body.take();
  } else if (caught.way === null) again(caught.name);
  else {
    goOn(f, caught.way, "raise", () => again(caught.name));
    raiseAgain(f, depth - 1);
  }
}

/** After a `finally`: what happens when it was entered that way. */
function goOn(f: Lowerer, way: string, by: keyof typeof WAYS, make: () => void): void {
  const { body } = f;
  const number = body.add({ do: "if", cond: call("is", variable(way), { k: "num", v: WAYS[by] }) });
  body.take();
  body.open([{ from: number, port: "then" }]);
  make();
  body.open([{ from: number, port: "else" }]);
}

/** `try` with its handlers and `else`, without `finally`. */
function exceptions(f: Lowerer, { body: block, handlers, orelse }: Try): void {
  const { body } = f;
  if (handlers.length === 0) {
    f.statements(block);
    return;
  }
  const all = handlers.some(({ type }) => type === null || (type.kind === "Name" && type.id === "BaseException"))
    ? 1
    : 0;
  body.catchAll += all;
  const raising = body.guard(() => f.statements(block));
  body.catchAll -= all;
  f.statements(orelse);
  const done: End[] = body.take();
  const caught = body.land(raising);
  for (const { type, name, body: own, line } of handlers) {
    body.at(line);
    let missed: readonly End[] = [];
    if (type !== null) {
      const number = body.add({ do: "if", cond: call("matches", variable(caught), f.expr(type)) });
      body.take();
      missed = [{ from: number, port: "else" }];
      body.open([{ from: number, port: "then" }]);
    }
    body.caught.push({ name: caught, way: null });
    if (name === null) f.statements(own);
    else named(f, name, caught, () => f.statements(own));
    body.caught.pop();
    done.push(...body.take());
    body.open(missed);
    if (type === null) break;
  }
  if (body.isReached) {
    body.add({ do: "reraise", name: caught });
    body.take();
  }
  body.open(done);
}

/** `except … as name`: the name is gone after the handler, however it is left. */
function named(f: Lowerer, name: string, caught: string, make: () => void): void {
  const { body } = f;
  const place = { start: 0, end: 0, line: 0 };
  f.names.bind(f, { kind: "Name", id: name, ...place }, variable(caught));
  body.around.push({ kind: "handler", name });
  const raising = body.guard(make);
  body.around.pop();
  if (body.isReached) f.names.forget(f, name);
  const done = body.take();
  const again = body.land(raising);
  f.names.forget(f, name);
  body.add({ do: "reraise", name: again });
  body.take();
  body.open(done);
}
