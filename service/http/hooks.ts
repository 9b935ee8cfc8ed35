/**
 * What holds for every request, as hooks of the framework: its trace and headers, who may ask, whether work can begin now, what the log and
 * the metrics learn of its end, and what becomes of a connection whose sender has not finished.
 */

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { thousandths } from "../../vm/values/durations.ts";
import type { Services } from "../services.ts";
import { faults, nothingThere, type ServiceFault } from "../wire/errors.ts";
import { receivedOf } from "./body/stream.ts";
import { lingerAfterAnswer } from "./lingering.ts";
import { checkHeaderLines } from "./origin.ts";
import { callHeaders, openCall, type RequestCall } from "./request-context.ts";
import type { ServiceApp } from "./service-app.ts";

export type EntryRules = {
  /** Throws ServiceFault. `ownOrigins`: the route looks at the origin itself. */
  readonly checkSender: (request: IncomingMessage, ownOrigins: boolean) => void;
  readonly isOverloaded: () => boolean;
  /** Whether the path is there for a request, by the listener that it came through. */
  readonly isOffered: (request: IncomingMessage) => boolean;
  /** Why no route serves this URL. */
  readonly absenceAt: (url: string) => ServiceFault;
};

/** Hooks call back instead of returning promises: a short run takes less time than a few turns of the microtask queue. */
export function addHooks(app: ServiceApp, services: Services, rules: EntryRules): void {
  app.decorateRequest("call");
  app.addHook("onRequest", (request, reply, next) => {
    const { raw } = request;
    // Sent after one whose answer was the last on this connection.
    if (raw.socket.writableEnded) {
      reply.hijack();
      return;
    }
    const call = begin(services, request, reply);
    checkHeaderLines(raw);
    rules.checkSender(raw, request.routeOptions.config?.ownOrigins === true);
    // The framework would first look at the body's type, which does not matter here.
    if (!rules.isOffered(raw)) throw nothingThere();
    if (request.is404) throw rules.absenceAt(request.url);
    if (call.work) checkRoom(services, rules, request.routeOptions.config?.work === "settles");
    next();
  });
  app.addHook("onSend", (request, reply, payload, next) => {
    if (payload instanceof Readable) {
      countStreamed(request.call, payload);
      endUnlessRead(services, request, reply);
    } else endWithAnswer(services, request, reply);
    next();
  });
}

/** Throws ServiceFault for work that cannot begin now. */
function checkRoom({ readiness, unsent }: Services, { isOverloaded }: EntryRules, settles: boolean): void {
  if (readiness.draining) throw faults.draining();
  if (!settles && isOverloaded()) throw faults.busy("it is overloaded");
  unsent.checkRoom();
}

/** Opens the call of a request. */
export function begin(services: Services, request: FastifyRequest, reply: FastifyReply): RequestCall {
  // Read once: the framework makes these options anew each time.
  const { url: route = "*", config, schema } = request.routeOptions;
  const taken = config?.bodyOptional === true ? "optional" : "required";
  const body = schema?.body === undefined ? "none" : taken;
  const call = openCall(services, request.raw, { route, work: config?.work !== undefined, body });
  request.call = call;
  reply.headers(callHeaders(call));
  // Also when the client went away, which the framework's own hook does not report.
  reply.raw.on("close", () => ended(services, request, reply));
  return call;
}

/** The client disconnected before its answer: the status that proxies log for it. */
const CLIENT_GONE = 499;

function ended({ clock, events, metrics }: Services, { call, raw }: FastifyRequest, reply: FastifyReply): void {
  const { route, method } = call;
  const answered = reply.raw.writableFinished;
  if (!answered) call.caller.abort("the client disconnected");
  const status = answered ? reply.raw.statusCode : CLIENT_GONE;
  call.trace.ended(status);
  metrics.httpRequest(method, route, status);
  events.httpRequest(call.context, {
    method,
    route,
    status,
    duration_ms: thousandths(clock.now() - call.receivedAt),
    bytes_in: Number(raw.headers["content-length"] ?? receivedOf(raw)),
    bytes_out: bytesOf(call, reply),
  });
}

/** Bytes of the body of an answer. An answer to HEAD has the length of a body, and no body. */
function bytesOf({ method, streamed }: RequestCall, reply: FastifyReply): number {
  return method === "HEAD" ? 0 : Number(reply.getHeader("content-length") ?? streamed);
}

/** Its length is known only at its end. The pipe that begins in this turn still decides when it is read. */
function countStreamed(call: RequestCall, payload: Readable): void {
  payload.on("data", (chunk: string | Buffer) => {
    call.streamed += Buffer.byteLength(chunk);
  });
}

/** A body that is not read to its end takes the connection with it. */
export function endWithAnswer({ clock }: Services, { raw }: FastifyRequest, reply: FastifyReply): void {
  if (!keepsSending(raw)) return;
  reply.header("connection", "close");
  lingerAfterAnswer(raw, clock);
}

/** An answer that is written while the body is read: only at its end it is known whether that was read whole. */
function endUnlessRead({ clock }: Services, { raw }: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once("finish", () => {
    if (!keepsSending(raw)) return;
    lingerAfterAnswer(raw, clock);
    raw.socket.destroySoon();
  });
}

/** A body that nothing reads would keep the connection for as long as its sender likes. */
function keepsSending({ complete, headers }: IncomingMessage): boolean {
  return !complete && hasBody(headers);
}

/** A request without one is complete, also where it is answered before its parser has said so. */
function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
