/** What belongs to one request: its trace, its log context, its caller. Made when the headers are in. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { Cancelling } from "./cancelling.ts";
import type { EventContext } from "./events.ts";
import type { Services } from "./services.ts";
import { type RequestTrace, requestTrace } from "./tracing.ts";
import type { UnsentAnswers } from "./unsent.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set for every request before any other code sees it. */
    call: RequestCall;
  }
  interface FastifyContextConfig {
    /** The route starts work: refused while draining, overloaded, or above a client's rate. */
    work?: true;
  }
}

export type RequestCall = {
  /** The pattern of its path; `*`: there is no such path. */
  readonly route: string;
  /** It starts work. */
  readonly work: boolean;
  readonly trace: RequestTrace;
  readonly context: EventContext;
  /** Milliseconds of the service's clock when the headers were in. */
  readonly receivedAt: number;
  /** Aborted when the caller goes away before its answer is sent. */
  readonly caller: Cancelling;
  /** Where its answer is counted while nobody takes it. */
  readonly unsent: UnsentAnswers;
};

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Headers of every answer. */
const FIXED_HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'",
  "referrer-policy": "no-referrer",
} as const;

export function openCall(
  { freshId, clock, unsent }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): RequestCall {
  // Asked for once: the framework makes these options anew each time.
  const { url: route = "*", config } = request.routeOptions;
  const trace = requestTrace(`${request.method} ${route}`, single(request.headers["traceparent"]), freshId());
  const given = single(request.headers["x-request-id"]);
  const requestId = given !== undefined && REQUEST_ID.test(given) ? given : undefined;
  const { parentTraceId } = trace;
  reply.headers(standardHeaders(trace.traceId)).header("traceparent", trace.traceparent());
  if (requestId !== undefined) reply.header("x-request-id", requestId);
  return {
    route,
    work: config?.work === true,
    trace,
    context:
      requestId === undefined && parentTraceId === null
        ? { trace_id: trace.traceId }
        : {
            trace_id: trace.traceId,
            ...(requestId === undefined ? {} : { request_id: requestId }),
            ...(parentTraceId === null ? {} : { parent_trace_id: parentTraceId }),
          },
    receivedAt: clock.now(),
    caller: new Cancelling(),
    unsent,
  };
}

export function standardHeaders(traceId: string): Readonly<Record<string, string>> {
  return { "x-trace-id": traceId, ...FIXED_HEADERS };
}

/** A header that may stand once. */
export function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
