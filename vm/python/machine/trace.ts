/**
 * Trace events of Python functions. Code of traced runs says where a step begins (`Py.Visit`): the one before it in the same frame has ended then, and went
 * along the edge between the two. Other runs have no such instruction.
 */
import type { PySite } from "../../../compiler/bytecode/python/code.ts";
import type { IrNode } from "../../../compiler/ir/graph.ts";
import type { IrIndex } from "../../../compiler/ir/ir-index.ts";
import type { Json } from "../../../compiler/json.ts";
import type { TraceSink } from "../../recording/trace.ts";
import type { RunError } from "../../run.ts";
import { thousandths } from "../../values/durations.ts";
import type { PyException } from "../exceptions.ts";
import type { Value } from "../object.ts";
import { causeOfException } from "./errors.ts";
import { FunctionFrame } from "./frames.ts";
import { variablesOf } from "./places.ts";
import { isWritten, shown } from "./shown.ts";
import type { PyState, Tracing } from "./state.ts";

type Visit = { readonly site: PySite; readonly step: number; readonly start: number };

export class PyTrace implements Tracing {
  readonly #s: PyState;
  readonly #graph: IrIndex;
  readonly #sink: TraceSink;
  /** The step under way in each frame. */
  readonly #visits = new Map<FunctionFrame, Visit>();
  /** Steps that each frame has begun: they grow within a call, and begin anew in the next one, which is how readers tell calls apart. */
  readonly #counts = new WeakMap<FunctionFrame, number>();

  constructor(s: PyState, graph: IrIndex, sink: TraceSink) {
    this.#s = s;
    this.#graph = graph;
    this.#sink = sink;
  }

  visit(frame: FunctionFrame, number: number): void {
    const { m, program } = this.#s;
    const site = program.code.sites[number] as PySite;
    this.leave(frame, site.node, undefined);
    const step = (this.#counts.get(frame) ?? 0) + 1;
    this.#counts.set(frame, step);
    this.#visits.set(frame, { site, step, start: m.elapsed() });
  }

  /** `next`: the step that follows; null: the function ends. `value`: what the step gave; undefined: what it set. */
  leave(frame: FunctionFrame, next: string | null, value: Value | undefined): void {
    const visit = this.#taken(frame);
    if (visit === undefined) return;
    const { label, node: id } = visit.site;
    const event = this.#place(visit);
    const edge = this.#graph.edgesFrom(label, id).find(({ to, to_kind }) => to_kind === "node" && to === next);
    // The end of a loop sets nothing.
    const isSet = edge?.port !== "after";
    event["depth"] = this.#s.depth;
    event["out"] = shown(value ?? (isSet ? setBy(frame, this.#graph.node(label, id), this.#s) : null));
    if (this.#sink.wantsFrameKeys)
      event["frame_keys"] = frame.routine.variables.filter(
        (name, at) => frame.registers[at] !== undefined && isWritten(name),
      );
    if (this.#sink.wantsVariables) event["variables"] = variablesOf(frame);
    if (edge !== undefined) {
      event["port_taken"] = edge.port;
      event["edge_taken"] = { port: edge.port, to_kind: edge.to_kind, to: edge.to };
    }
    this.#sink.push("step", event);
  }

  /** What the step under way raised continues at a handler of its function, or leaves the function. */
  failed(frame: FunctionFrame, exception: PyException, isHandled: boolean): void {
    const visit = this.#taken(frame);
    if (visit === undefined) return;
    const { code, message } = causeOfException(this.#s, exception);
    const variables = this.#sink.wantsVariables ? { variables: variablesOf(frame) } : {};
    const handler = isHandled ? visit.site.label : null;
    this.#sink.push("error", { ...this.#place(visit), code, message, handler, ...variables });
  }

  repeated(label: string, node: string, attempt: number, count: number, delay: number): void {
    const { op = "Py", line = null } = this.#graph.node(label, node) ?? {};
    this.#sink.push("retry", { label, node_id: node, op, lineno: line, attempt, count, delay_ms: delay });
  }

  /** The run ends in the middle: every step under way has its error event, innermost first. */
  ended({ code, message }: RunError): void {
    for (let { frame } = this.#s; frame !== null; frame = frame.parent) {
      const visit = frame instanceof FunctionFrame ? this.#taken(frame) : undefined;
      if (visit !== undefined) this.#sink.push("error", { ...this.#place(visit), code, message, handler: null });
    }
  }

  #taken(frame: FunctionFrame): Visit | undefined {
    const visit = this.#visits.get(frame);
    this.#visits.delete(frame);
    return visit;
  }

  #place({ site: { label, node, line }, step, start }: Visit): { [member: string]: Json } {
    return {
      label,
      node_id: node,
      op: this.#graph.node(label, node)?.op ?? "Py",
      lineno: line,
      step,
      start_ms: thousandths(start),
      duration_ms: thousandths(this.#s.m.elapsed() - start),
    };
  }
}

/** The value of the variable that a step sets. */
function setBy({ routine, registers, cells }: FunctionFrame, node: IrNode | undefined, s: PyState): Value {
  const name = nameSetBy(node);
  if (name === null) return null;
  if (node?.op === "Py" && node.data.do === "set_global")
    return s.globals[s.program.code.globals.indexOf(name)] ?? null;
  const cell = [...routine.cells, ...routine.free].indexOf(name);
  return (cell >= 0 ? cells[cell]?.value : registers[routine.variables.indexOf(name)]) ?? null;
}

function nameSetBy(node: IrNode | undefined): string | null {
  if (node?.op === "R") return node.data.out;
  if (node?.op !== "Py") return null;
  const { data } = node;
  return data.do === "set" || data.do === "next" || data.do === "set_global" ? data.name : null;
}
