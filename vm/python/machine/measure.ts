/** How many bytes a run holds: what is reachable from its variables, each cell once (amendment 26). */
import { PyException } from "../exceptions.ts";
import { PyBoundMethod, type PyCell, PyFunction } from "../kinds/callable.ts";
import { PyDict } from "../kinds/dict.ts";
import { PyFloat } from "../kinds/float.ts";
import { PyList, PyTuple } from "../kinds/list.ts";
import { PySet } from "../kinds/set.ts";
import { Bytes, PyObject, type Value } from "../object.ts";
import { type Frame, FunctionFrame, PyGenerator } from "./frames.ts";

export function reachableBytes(s: {
  readonly globals: readonly (Value | undefined)[];
  readonly frame: Frame | null;
}): number {
  const walk = new Walk();
  walk.all(s.globals);
  for (let { frame } = s; frame !== null; frame = frame.parent) if (frame instanceof FunctionFrame) walk.frame(frame);
  return walk.run();
}

class Walk {
  bytes = 0;
  private readonly seen = new Set<PyObject | PyCell>();
  private readonly left: PyObject[] = [];

  frame({ registers, cells }: FunctionFrame): void {
    this.all(registers);
    for (const cell of cells) if (cell !== undefined) this.cell(cell);
  }

  private cell(cell: PyCell): void {
    if (this.seen.has(cell)) return;
    this.seen.add(cell);
    this.bytes += Bytes.Object;
    this.add(cell.value);
  }

  all(values: Iterable<Value | undefined>): void {
    for (const value of values) this.add(value);
  }

  add(value: Value | undefined): void {
    this.bytes += Bytes.Element;
    if (typeof value === "string") this.bytes += value.length * Bytes.Unit;
    else if (typeof value === "bigint") this.bytes += Bytes.Object;
    else if (value instanceof PyObject && !this.seen.has(value)) {
      this.seen.add(value);
      this.left.push(value);
    }
  }

  run(): number {
    for (let value = this.left.pop(); value !== undefined; value = this.left.pop()) {
      this.bytes += Bytes.Object;
      if (value instanceof PyFloat) continue;
      if (value instanceof PyList || value instanceof PyTuple) this.all(value.items);
      else if (value instanceof PyDict) this.dict(value);
      else if (value instanceof PySet) this.all(value.members.values());
      else if (value instanceof PyException) {
        this.add(value.args);
        this.add(value.cause);
        if (value.members !== null) this.all(value.members.values());
      } else if (value instanceof PyFunction) {
        for (const cell of value.cells) this.cell(cell);
        this.all(value.defaults);
      } else if (value instanceof PyBoundMethod) this.add(value.self);
      else if (value instanceof PyGenerator) {
        this.add(value.returned);
        if (value.frame !== null) this.frame(value.frame);
      } else if (value.type.slots.holds !== undefined) this.all(value.type.slots.holds(value));
    }
    return this.bytes;
  }

  private dict(dict: PyDict): void {
    this.bytes += dict.size * Bytes.Entry;
    for (const key of dict.keys()) {
      if (typeof key === "string") this.bytes += key.length * Bytes.Unit;
      this.add(dict.get(key));
    }
  }
}
