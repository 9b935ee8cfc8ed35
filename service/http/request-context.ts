/** What belongs to one request: its trace, its log context, its caller. Made when the headers are in. */
import type { IncomingMessage } from "node:http";
import { Cancelling } from "../../vm/runs/cancellation.ts";
import type { Services } from "../services.ts";
import type { EventContext } from "../telemetry/events.ts";
import { type RequestTrace, requestTrace } from "../telemetry/tracing.ts";
import { personIn } from "./person.ts";
import type { UnsentAnswers } from "./unsent-answers.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set for every request before any other code sees it. */
    call: RequestCall;
  }
  interface FastifyContextConfig {
    /** The route starts work: refused while draining, overloaded, or above a client's rate. */
    /** `settles`: it lets something that is there come to its end, and is taken also while new work is not. */
    work?: true | "settles";
    /** The body may be left out. */
    bodyOptional?: true;
    /** The route says which pages of other origins may ask. */
    ownOrigins?: true;
  }
}

export type RequestCall = {
  readonly method: string;
  /** The pattern of its path; `*` for an unknown path. */
  readonly route: string;
  /** It starts work. */
  readonly work: boolean;
  /** Whether the route takes a body. */
  readonly body: "required" | "optional" | "none";
  readonly trace: RequestTrace;
  readonly context: EventContext;
  /** Who a trusted proxy says it is; null: not named. */
  readonly user: string | null;
  /** Milliseconds of the service's clock when the headers were in. */
  readonly receivedAt: number;
  /** Aborted when the caller goes away before its answer is sent. */
  readonly caller: Cancelling;
  /** Counts its answer until the client has read it. */
  readonly unsent: UnsentAnswers;
  /** Bytes of an answer that is sent as it is made. */
  streamed: number;
};

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

export function openCall(
  { freshId, clock, unsent, config: { approvals } }: Services,
  { method = "", headers }: Pick<IncomingMessage, "method" | "headers">,
  { route, work, body }: Pick<RequestCall, "route" | "work" | "body">,
): RequestCall {
  const caller = { parent: single(headers["traceparent"]), state: single(headers["tracestate"]) };
  const trace = requestTrace(method, route, caller, freshId());
  const given = single(headers["x-request-id"]);
  const requestId = given !== undefined && REQUEST_ID.test(given) ? given : undefined;
  const { parentTraceId } = trace;
  return {
    method,
    route,
    work,
    body,
    trace,
    user: approvals.userHeader === null ? null : personIn(approvals, headers).by,
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
    streamed: 0,
  };
}

/** Headers of every answer to a call. */
export function callHeaders({ trace, context: { request_id } }: RequestCall): Record<string, string> {
  const headers = standardHeaders(trace.traceId, trace.traceparent());
  if (request_id !== undefined) headers["x-request-id"] = request_id;
  return headers;
}

/** Spelled out, because a run takes little longer than putting such an object together from others. */
export function standardHeaders(traceId: string, traceparent: string): Record<string, string> {
  return {
    "x-trace-id": traceId,
    traceparent,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'",
    "referrer-policy": "no-referrer",
  };
}

/** A header that may stand once. */
export function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
