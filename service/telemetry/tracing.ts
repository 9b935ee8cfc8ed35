/**
 * Spans of requests, runs and adapter calls through the OpenTelemetry API. Without an SDK in the process all of it does nothing but
 * hand the caller's trace context on. Attributes hold names and figures, never values.
 */
import {
  type Context,
  createTraceState,
  isSpanContextValid,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  trace,
} from "@opentelemetry/api";
import type { CallEvent } from "../../vm/run.ts";
import { actWithin, beginSpan, type GuardedSpan } from "./guarded-spans.ts";
import type { LabelVisit } from "./label-visits.ts";

/** Only later versions than the first may have more members. */
const TRACEPARENT = /^(?!00-.{52}-)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

export type TraceParent = { readonly traceId: string; readonly spanId: string; readonly flags: number };

/** The caller's place in its trace (W3C trace context); null when it is missing or invalid. */
export function readTraceparent(header: string | undefined): TraceParent | null {
  const match = TRACEPARENT.exec((header ?? "").trim());
  const [, traceId = "", spanId = "", flags = ""] = match ?? [];
  if (match === null || header?.startsWith("ff") === true || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** What of a trace state is handed on at most, and what is dropped of a longer one before anything else (W3C trace context, 3.3.1.5). */
const MAX_STATE = 512;
const LONG_MEMBER = 128;

/** A trace state without the members that make it too long: the long ones first, then the last. */
export function boundedState(state: string): string {
  if (state.length <= MAX_STATE) return state;
  const members = state.split(",");
  let length = state.length;
  for (let at = members.length - 1; at >= 0 && length > MAX_STATE; at -= 1) {
    const { length: dropped } = members[at] ?? "";
    if (dropped > LONG_MEMBER) {
      members[at] = "";
      length -= dropped + 1;
    }
  }
  const kept = members.filter((member) => member.trim() !== "");
  let rest = kept.reduce((sum, member) => sum + member.length + 1, -1);
  while (rest > MAX_STATE) rest -= (kept.pop() ?? "").length + 1;
  return kept.join(",");
}

function spanContextOf({ traceId, spanId, flags }: TraceParent, state?: string): SpanContext {
  const place = { traceId, spanId, traceFlags: flags, isRemote: true };
  return state === undefined ? place : { ...place, traceState: createTraceState(state) };
}

/** The names and attributes of the spans of a request, or a job, and its runs. */
export interface RequestTrace {
  /** Id of the run. */
  readonly traceId: string;
  /** Id of the caller's trace; null: it has none. */
  readonly parentTraceId: string | null;
  /** The header of the answer. */
  traceparent(): string;
  /** What collectors added to the trace so far, within bounds; null: nothing. */
  tracestate(): string | null;
  /** `status`: the HTTP status; null without an answer. */
  ended(status: number | null): void;
  /** Runs `act` inside a span of a run. */
  run<T>(facts: RunFacts, act: (run: RunTrace) => Promise<T>): Promise<T>;
}
export interface RunTrace {
  /** Somebody takes the spans. */
  readonly isKept: boolean;
  /** A call that is over, `wall` milliseconds since 1970. */
  adapterCall(call: CallEvent, wall: number): void;
  /** The labels of a run that began at `wall`, which is over. */
  labels(visits: readonly LabelVisit[], wall: number, nameOf: NameOf): void;
  ended(outcome: string, steps: number): void;
}
/** A label as people know it. */
type NameOf = (label: string) => string;
type RunFacts = { readonly label: string; readonly checksum: string };

/** What stands in for a provider while none is registered. */
const NO_PROVIDER = new ProxyTracerProvider().getDelegate();

/** Used when no SDK is registered in the process. */
function isUntraced(): boolean {
  const provider = trace.getTracerProvider();
  return provider instanceof ProxyTracerProvider && provider.getDelegate() === NO_PROVIDER;
}

/** Only hands the trace context on. */
class Untraced implements RequestTrace {
  readonly traceId: string;
  readonly #parent: TraceParent | null;
  readonly #state: string | undefined;

  constructor(traceId: string, parent: TraceParent | null, state?: string) {
    this.traceId = traceId;
    this.#parent = parent;
    this.#state = state;
  }

  get parentTraceId(): string | null {
    return this.#parent?.traceId ?? null;
  }

  traceparent(): string {
    if (this.#parent === null) return unsampled(this.traceId);
    const { traceId, spanId, flags } = this.#parent;
    return `00-${traceId}-${spanId}-${hex2(flags)}`;
  }

  tracestate(): string | null {
    return this.#parent === null ? null : stateOf(this.#state);
  }

  ended(): void {}

  run<T>(_facts: RunFacts, act: (run: RunTrace) => Promise<T>): Promise<T> {
    return act(UNTRACED_RUN);
  }
}

function stateOf(state: string | undefined): string | null {
  return boundedState(state ?? "") || null;
}

const UNTRACED_RUN: RunTrace = { isKept: false, adapterCall: () => {}, labels: () => {}, ended: () => {} };

/** A trace context that is not recorded. */
export function unsampled(traceId: string): string {
  return `00-${traceId}-${traceId.slice(0, 15)}1-00`;
}

function hex2(flags: number): string {
  return flags.toString(16).padStart(2, "0");
}

/** The span around a run: of a request, from its headers to the last byte of its answer, or of a job. */
class SpanTrace implements RequestTrace {
  readonly #span: GuardedSpan;
  readonly #context: Context;
  readonly traceId: string;
  readonly parentTraceId: string | null;

  constructor(span: GuardedSpan, parent: Context, traceId: string, parentTraceId: string | null) {
    this.#span = span;
    this.#context = span.within(parent);
    this.traceId = traceId;
    this.parentTraceId = parentTraceId;
    span.tell({ "weft.trace_id": traceId });
  }

  traceparent(): string {
    const own = this.#span.place();
    if (!isSpanContextValid(own)) return unsampled(this.traceId);
    return `00-${own.traceId}-${own.spanId}-${hex2(own.traceFlags)}`;
  }

  tracestate(): string | null {
    return stateOf(this.#span.place().traceState?.serialize());
  }

  ended(status: number | null): void {
    if (status !== null) this.#span.tell({ "http.response.status_code": status });
    if (status !== null && status >= 500) this.#span.fail();
    this.#span.end();
  }

  async run<T>(facts: RunFacts, act: (run: RunTrace) => Promise<T>): Promise<T> {
    const span = beginSpan("weft.run", {}, this.#context);
    span.tell({
      "weft.trace_id": this.traceId,
      "weft.label": facts.label,
      "weft.ir_checksum": facts.checksum,
    });
    const within = span.within(this.#context);
    try {
      return await actWithin(within, () => act(new RunSpan(span, within)));
    } finally {
      span.end();
    }
  }
}

/** The caller's place in its trace, as its headers say it. `state`: what the collectors on the way added. */
export type TraceHeaders = { readonly parent: string | undefined; readonly state: string | undefined };

/** `freshId`: 32 hexadecimal digits, used unless the spans of a new trace have an id already. */
export function requestTrace(
  method: string,
  route: string,
  { parent: traceparent, state: added }: TraceHeaders,
  freshId: string,
): RequestTrace {
  const caller = traceparent === undefined ? null : readTraceparent(traceparent);
  if (isUntraced()) return new Untraced(freshId, caller, added);
  const state = added === undefined ? undefined : boundedState(added);
  const parent = caller === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(caller, state));
  const span = beginSpan(`${method} ${route}`, { kind: SpanKind.SERVER }, parent);
  const own = span.place();
  const traceId = caller === null && isSpanContextValid(own) ? own.traceId : freshId;
  return new SpanTrace(span, parent, traceId, caller?.traceId ?? null);
}

/** The run of a job has a trace of its own, linked to the request that queued it. */
export function jobTrace(
  traceId: string,
  { traceparent, tracestate }: { readonly traceparent: string | null; readonly tracestate: string | null },
): RequestTrace {
  if (isUntraced()) return new Untraced(traceId, null);
  const queuedBy = readTraceparent(traceparent ?? undefined);
  const links = queuedBy === null ? [] : [{ context: spanContextOf(queuedBy, tracestate ?? undefined) }];
  const span = beginSpan("weft.job", { kind: SpanKind.CONSUMER, links }, ROOT_CONTEXT);
  return new SpanTrace(span, ROOT_CONTEXT, traceId, queuedBy?.traceId ?? null);
}

class RunSpan implements RunTrace {
  readonly isKept = true;
  readonly #span: GuardedSpan;
  readonly #context: Context;

  constructor(span: GuardedSpan, within: Context) {
    this.#span = span;
    this.#context = within;
  }

  adapterCall({ adapter, verb, status, duration_ms }: CallEvent, wall: number): void {
    const call = beginSpan("weft.adapter_call", { startTime: wall - duration_ms }, this.#context);
    call.tell({ "weft.adapter": adapter, "weft.verb": verb, "weft.status": status });
    if (status === "error" || status === "denied") call.fail();
    call.end(wall);
  }

  labels(visits: readonly LabelVisit[], wall: number, nameOf: NameOf): void {
    for (const visit of visits) labelSpan(visit, wall, nameOf, this.#context);
  }

  ended(outcome: string, steps: number): void {
    this.#span.tell({ "weft.outcome": outcome, "weft.steps": steps });
    if (outcome !== "ok") this.#span.fail();
  }
}

/** A span with those of the labels that were entered from it. */
function labelSpan(visit: LabelVisit, wall: number, nameOf: NameOf, within: Context): void {
  const { label, start, end, failed, entered } = visit;
  const span = beginSpan("weft.label", { startTime: wall + start }, within);
  span.tell({ "weft.label": nameOf(label) });
  if (failed) span.fail();
  const inside = span.within(within);
  for (const inner of entered) labelSpan(inner, wall, nameOf, inside);
  span.end(wall + end);
}
