/**
 * Spans that can never fail a request: what the SDK of the process, or a processor registered with it, throws is reported through the diagnostics of the
 * OpenTelemetry API, and the work continues without the span.
 */
import {
  type Attributes,
  type Context,
  context,
  diag,
  INVALID_SPAN_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { RUNTIME_VERSION } from "../../vm/version.ts";

/** One span, told by what our spans need of it. */
export class GuardedSpan {
  readonly #span: Span;

  constructor(span: Span) {
    this.#span = span;
  }

  /** Its place in its trace; an invalid one when it has none. */
  place(): SpanContext {
    return guarded(() => this.#span.spanContext(), INVALID_SPAN_CONTEXT);
  }

  /** The context of whatever happens inside of it. */
  within(parent: Context): Context {
    return trace.setSpan(parent, this.#span);
  }

  tell(attributes: Attributes): void {
    guarded(() => this.#span.setAttributes(attributes), null);
  }

  fail(): void {
    guarded(() => this.#span.setStatus({ code: SpanStatusCode.ERROR }), null);
  }

  /** `wall`: milliseconds since 1970; default: now. */
  end(wall?: number): void {
    guarded(() => this.#span.end(wall), undefined);
  }
}

/** The tracer is asked for each time: an SDK may be registered, or replaced, after this module was loaded. */
export function beginSpan(name: string, options: SpanOptions, parent: Context): GuardedSpan {
  const begin = (): Span => trace.getTracer("weft", RUNTIME_VERSION).startSpan(name, options, parent);
  return new GuardedSpan(guarded<Span | null>(begin, null) ?? trace.wrapSpanContext(INVALID_SPAN_CONTEXT));
}

/** Acts with `within` as the context of the process; once, also where that cannot be had. */
export function actWithin<T>(within: Context, act: () => T): T {
  const made: { outcome: (() => T) | null } = { outcome: null };
  const begin = (): void => {
    made.outcome = outcomeOf(act);
  };
  guarded(() => context.with(within, begin), undefined);
  return made.outcome === null ? act() : made.outcome();
}

/** The result of a function, or what it threw, to be passed on later. */
function outcomeOf<T>(act: () => T): () => T {
  try {
    const value = act();
    return () => value;
  } catch (cause) {
    return () => {
      throw cause;
    };
  }
}

function guarded<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch (cause) {
    tellOperator(cause);
    return otherwise;
  }
}

/** The logger is the operator's, too. */
function tellOperator(cause: unknown): void {
  try {
    diag.error("weft: the SDK failed, and a span is lost", cause);
  } catch {
    // No diagnostics remain to report to.
  }
}
