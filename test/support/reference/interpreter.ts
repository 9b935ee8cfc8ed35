/**
 * The reference interpreter: walks the IR one node at a time, with a map as frame and an explicit list of activations. Slow and
 * obvious on purpose: tests compare the machine with it. It shares with the machine only the function table, the error tables
 * and the trace sink. Meaning of everything here: docs/runtime.md.
 */
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import type { Adapter } from "../../../vm/adapter.ts";
import { endedWith } from "../../../vm/errors/ended-with.ts";
import { openJournal } from "../../../vm/recording/journal.ts";
import { createTrace } from "../../../vm/recording/trace.ts";
import type { Clock, HostFacts, Limits, Outcome, RunError, TraceOptions } from "../../../vm/run.ts";
import { loadError } from "../../../vm/runs/load-checks.ts";
import { checkedJson } from "../../../vm/values/values.ts";
import { beginning } from "./branches.ts";
import { Caller } from "./calls.ts";
import { Frame } from "./frame.ts";
import { Graph } from "./graph.ts";
import { Meters } from "./meters.ts";
import { act, resume } from "./ops.ts";
import { route } from "./routing.ts";
import { RunClock } from "./run-clock.ts";
import { approach, describe, enter, leaveLabel, RunFailed, type RunState, reportFailure, top } from "./state.ts";

export type ReferenceRequest = {
  /** Resolved label id; absent: the program's default entry. */
  readonly label?: string;
  readonly frame?: JsonObject;
  readonly limits?: Limits;
  /** null or absent: every adapter. */
  readonly allowedAdapters?: readonly string[] | null;
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly clock: Clock;
  readonly facts: HostFacts;
  readonly trace?: boolean | TraceOptions;
  readonly finalFrame?: boolean;
  readonly signal?: AbortSignal;
  readonly traceId?: string;
  readonly frameCeilingBytes?: number;
  readonly record?: boolean;
  /** A replay log in any accepted form. Throws ReplayLogInvalid when it is not valid. */
  readonly replay?: unknown;
  /** Calls after the end of the log are made. */
  readonly replayContinues?: boolean;
};

export async function interpret(ir: Ir, request: ReferenceRequest): Promise<Outcome> {
  const label = request.label ?? ir.entry;
  const limits = request.limits ?? {};
  const { record = false, replay, replayContinues: continues = false } = request;
  const journal = openJournal({ record, replay, continues });
  const state: RunState = {
    branch: "",
    nesting: 0,
    depth: 0,
    graph: new Graph(ir),
    frame: new Frame(request.frame ?? {}),
    callers: [],
    meters: new Meters(limits, request.frameCeilingBytes),
    clock: new RunClock(request.clock, limits.max_time_ms, request.signal, () => journal?.replaying !== true),
    trace: request.trace ? createTrace(request.trace === true ? {} : request.trace) : null,
    stack: [],
    ended: null,
    refusedLabel: null,
  };
  const refused = loadError(ir, label);
  if (refused !== null || label === null) {
    if (refused === null) throw new Error("a program without entry was loaded");
    const outcome = outcomeOf(state, label ?? "", request, { error: refused });
    return journal === null ? outcome : journal.conclude(outcome, ir.checksum);
  }
  const caller = new Caller(state, {
    adapters: request.adapters,
    allowed: request.allowedAdapters ?? null,
    facts: request.facts,
    traceId: request.traceId ?? "reference",
    journal,
  });
  const report = (end: End): Outcome => {
    const outcome = outcomeOf(state, label, request, end);
    return journal === null ? outcome : journal.conclude(outcome, ir.checksum);
  };
  try {
    const value = await run(state, caller, () => {
      enter(state, label, "root");
      state.meters.frame(state.frame.bytes(), null);
    });
    return report({ out: lastWords(state, value) });
  } catch (failure) {
    if (!(failure instanceof RunFailed)) throw failure;
    reportUnfinished(state, failure.error);
    return report({ error: failure.error });
  } finally {
    await caller.close();
  }
}

/** A run, or a branch of one. */
async function run(state: RunState, caller: Caller, begin: () => void): Promise<Json> {
  beginning(state, begin);
  try {
    for (;;) {
      if (state.ended !== null && state.stack.length === 1) return state.ended.value;
      try {
        await advance(state, caller);
      } catch (failure) {
        await route(state, failure);
      }
    }
  } catch (failure) {
    if (failure instanceof RunFailed && state.branch !== "") reportUnfinished(state, failure.error);
    throw failure;
  }
}

/** One step of the run: an ended label hands its value to the node that entered it, else the next node is visited. */
async function advance(state: RunState, caller: Caller): Promise<void> {
  if (state.ended !== null) {
    const { value } = state.ended;
    state.ended = null;
    const child = leaveLabel(state);
    if (child === undefined) throw new Error("nothing to end");
    resume(state, child, value);
    return;
  }
  const activation = top(state);
  if (activation.next === null) {
    state.ended = { value: null };
    return;
  }
  const node = state.graph.node(activation.label, activation.next);
  const visit = approach(state, node);
  state.meters.step();
  state.clock.check();
  activation.visits += 1;
  visit.reported = false;
  await act(state, caller, node, run);
}

/** The checks after the last step; no handler catches what fails here. */
function lastWords(state: RunState, value: Json): Json {
  try {
    state.clock.check();
    return checkedJson(value);
  } catch (failure) {
    throw new RunFailed(describe(state, failure));
  }
}

/** Every visited node has its event, also when the run ends in the middle of it: innermost first. */
function reportUnfinished(state: RunState, error: RunError): void {
  for (const activation of state.stack.toReversed()) {
    if (activation.visit !== null) reportFailure(state, activation.visit, error, null);
  }
}

type End = { readonly out: Json } | { readonly error: RunError };

function outcomeOf(state: RunState, label: string, request: ReferenceRequest, end: End): Outcome {
  const more = {
    label,
    usage: state.meters.usage(state.clock.elapsedMs()),
    ...(state.trace === null ? {} : { trace: state.trace.finish() }),
    ...(request.finalFrame ? { frame: (state.callers[0] ?? state.frame).copy() } : {}),
  };
  return "out" in end ? { ok: true, out: end.out, ...more } : { ok: false, error: endedWith(end.error), ...more };
}
