/**
 * The two executors under one signature, and the form in which their outcomes are compared: everything but times.
 */
import type { AdapterCatalog } from "../../compiler/catalog.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import type { Adapter } from "../../vm/adapter.ts";
import { createHost } from "../../vm/host.ts";
import type { Clock, HostFacts, Limits, Outcome, TraceOptions } from "../../vm/run.ts";
import { interpret } from "./reference/interpreter.ts";

export type ExecutorRequest = {
  readonly label?: string;
  readonly frame?: JsonObject;
  readonly limits?: Limits;
  readonly allowedAdapters?: readonly string[] | null;
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly clock: Clock;
  readonly facts: HostFacts;
  readonly trace?: boolean | TraceOptions;
  readonly finalFrame?: boolean;
  readonly signal?: AbortSignal;
  readonly frameCeilingBytes?: number;
  readonly record?: boolean;
  readonly replay?: unknown;
  readonly replayContinues?: boolean;
  /** Steps between two pauses of the machine; the reference has none. */
  readonly quantum?: number;
};

export type Executor = (ir: Ir, request: ExecutorRequest) => Promise<Outcome>;
export type ExecutorName = "reference" | "machine";

export function executor(name: ExecutorName, catalog: AdapterCatalog): Executor {
  return name === "reference" ? (ir, request) => interpret(ir, request) : machine(catalog);
}

function machine(catalog: AdapterCatalog): Executor {
  return async (ir, request) => {
    const { adapters, clock, facts, frameCeilingBytes, quantum, ...run } = request;
    const deps = {
      clock,
      facts,
      catalog,
      adapters,
      traceId: () => "reference",
      ...(frameCeilingBytes === undefined ? {} : { frameCeilingBytes }),
      ...(quantum === undefined ? {} : { quantum }),
    };
    return createHost(deps).run({ ir, ...run });
  };
}

/** What two executors must agree on, as text: everything but times. Values keep the order of their keys. */
export function comparable(outcome: Outcome): string {
  const { time_ms: _time, ...usage } = outcome.usage;
  const lines = [
    ["label", outcome.label],
    outcome.ok
      ? ["out", outcome.out]
      : ["error", sorted({ ...outcome.error, data: withoutSource(outcome.error.data) })],
    ["usage", sorted(usage)],
    ["frame", sorted(settledFrame(outcome))],
    ...(outcome.record === undefined ? [] : [["record", outcome.record]]),
    ...(outcome.replay === undefined ? [] : [["replay", outcome.replay]]),
    ...(outcome.trace ?? []).map((event) => ["event", withoutTimes(event)]),
  ];
  return lines.map((line) => JSON.stringify(line, showMinusZero)).join("\n");
}

/** A variable whose write broke the frame limit may hold its old or its new value: no later step sees it. */
function settledFrame(outcome: Outcome): JsonObject {
  const frame = outcome.frame ?? {};
  if (outcome.ok || outcome.error.code !== "RUNTIME_MAX_FRAME_BYTES") return frame;
  return Object.fromEntries(Object.entries(frame).filter(([name]) => name !== outcome.error.data["variable"]));
}

function showMinusZero(_key: string, value: unknown): unknown {
  return Object.is(value, -0) ? "minus zero" : value;
}

function sorted(object: { readonly [key: string]: unknown }): readonly (readonly [string, unknown])[] {
  return Object.keys(object)
    .sort()
    .map((key) => [key, object[key]]);
}

function withoutTimes(event: { readonly [member: string]: Json }): unknown {
  const { start_ms: _start, duration_ms: _duration, ...rest } = event;
  return sorted(rest);
}

/** Hosts add where a limit came from, and which operand was wrong. */
function withoutSource(data: { readonly [key: string]: Json }): unknown {
  const { source: _source, operand: _operand, operand_type: _type, graph: _graph, ...rest } = data;
  return sorted(rest);
}
