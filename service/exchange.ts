/**
 * One request for work with its answer, apart from the framework that may have routed it: what is checked before its route, how its
 * answer is written when it goes straight to the socket, and what is told when it is over.
 */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { type Answer, faultAnswer, watchReader } from "./answers.ts";
import { receivedOf } from "./body-stream.ts";
import { callHeaders, type RequestCall } from "./call.ts";
import { faults, ServiceFault } from "./errors.ts";
import { thousandths } from "./events.ts";
import { lingerAfterAnswer } from "./lingering.ts";
import { checkHeaderLines } from "./origin.ts";
import { logRefusal } from "./refusals.ts";
import type { Services } from "./services.ts";

export type Exchange = {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly call: RequestCall;
};

export function exchangeOf({ raw, call }: FastifyRequest, reply: FastifyReply): Exchange {
  return { incoming: raw, outgoing: reply.raw, call };
}

export type EntryRules = {
  /** Throws ServiceFault. */
  readonly checkOrigin: (headers: IncomingHttpHeaders) => void;
  readonly isOverloaded: () => boolean;
};

/** Throws ServiceFault for a caller that may not ask, and for work that cannot be begun now. `client`: its address. */
export function checkEntry(
  { readiness, limitRate, unsent }: Services,
  rules: EntryRules,
  { work }: RequestCall,
  incoming: IncomingMessage,
  client: () => string,
): void {
  checkHeaderLines(incoming);
  rules.checkOrigin(incoming.headers);
  if (!work) return;
  if (readiness.draining) throw faults.draining();
  limitRate?.(client());
  if (rules.isOverloaded()) throw faults.busy("it is overloaded");
  unsent.checkRoom();
}

/** Writes an answer past the framework; gives the bytes of its body. */
export function writeAnswer(
  { clock }: Pick<Services, "clock">,
  { incoming, outgoing, call }: Exchange,
  { status, headers, body }: Answer,
): number {
  const length = Buffer.byteLength(body);
  const head: OutgoingHttpHeaders = callHeaders(call);
  for (const name in headers) head[name] = headers[name];
  head["content-length"] = length;
  if (keepsSending(incoming)) {
    head["connection"] = "close";
    lingerAfterAnswer(incoming, clock);
  }
  outgoing.writeHead(status, head).end(body);
  watchReader(outgoing, call);
  return length;
}

/** A body that nobody reads would keep the connection for as long as its sender likes. */
export function keepsSending({ complete, headers }: IncomingMessage): boolean {
  return !complete && hasBody(headers);
}

/** A request without one is complete, also where it is answered before its parser has said so. */
function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** The answer to a request whose route threw, told to the log. */
export function answerThrown(services: Services, cause: unknown, { incoming, call }: Exchange): Answer {
  const fault = faultOf(services, cause, call);
  const { context, receivedAt, work } = call;
  if (work) logRefusal(services, context, receivedAt, fault);
  return faultAnswer(fault, context.trace_id, incoming.headers);
}

/** What a thrown thing means for the caller. Defects are told to the operator only. */
function faultOf({ events }: Services, cause: unknown, { context }: RequestCall): ServiceFault {
  if (cause instanceof ServiceFault) return cause;
  const { statusCode, name, stack } = cause as Partial<FastifyError>;
  if (statusCode === 415) return faults.notJson();
  if (statusCode === 413)
    return new ServiceFault("payload_too_large", "the body is too large", {}, { connection: "close" });
  if (statusCode === 400) return new ServiceFault("invalid_json", "the body cannot be read");
  events.note("error", "defect", { error: name ?? "unknown", stack: functionsOf(stack) }, context);
  return faults.internal();
}

/** Function names of a defect, without paths. */
function functionsOf(stack = ""): readonly string[] {
  return stack
    .split("\n")
    .slice(1, 9)
    .map((line) => /at (\S+) \(/.exec(line)?.[1] ?? "anonymous");
}

/** Nobody read the answer: the status that proxies log for it. */
const CLIENT_GONE = 499;

/** Called when the connection is done with an answer, also where the client went away before it. `bytesOut`: of its body. */
export function exchangeEnded(
  { clock, events, metrics }: Services,
  { incoming, outgoing, call }: Exchange,
  bytesOut: number,
): void {
  const { route, method } = call;
  const answered = outgoing.writableFinished;
  if (!answered) call.caller.abort("the client disconnected");
  const status = answered ? outgoing.statusCode : CLIENT_GONE;
  call.trace.ended(status);
  metrics.httpRequest(method, route, status);
  events.httpRequest(call.context, {
    method,
    route,
    status,
    duration_ms: thousandths(clock.now() - call.receivedAt),
    bytes_in: Number(incoming.headers["content-length"] ?? receivedOf(incoming)),
    bytes_out: bytesOut,
  });
}
