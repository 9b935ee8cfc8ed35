/** Answers as they are sent: status, headers, text. What a request prefers is applied here, so that an answer can be stored and repeated. */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import { documentText, exactJson } from "../../vm/inputs/exact-text.ts";
import type { RequestCall } from "../http/request-context.ts";
import type { Answer, TextAnswer } from "./answer.ts";
import { errorRow, faultBody, faults, problemMembers, ServiceFault } from "./errors.ts";
import { prefersFailureStatus } from "./prefer.ts";
import type { RunBody } from "./run-body.ts";

const JSON_TYPE = "application/json; charset=utf-8";
export const JSON_HEADERS = { "content-type": JSON_TYPE } as const;
const PROBLEM_TYPE = "application/problem+json; charset=utf-8";

export function jsonAnswer(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { "content-type": JSON_TYPE, ...headers }, body };
}

/** With the texts of values in it that say more than JavaScript's. */
export function exactAnswer(status: number, body: object): TextAnswer {
  return { ...jsonAnswer(status, {}), body: `${exactJson(body)}\n` };
}

/** The framework's serializer. Bodies end with a newline, so that they can be looked at in a terminal. */
export function bodyText(body: unknown): string {
  return typeof body === "string" ? body : `${documentText(body as object)}\n`;
}

export function asText(answer: Answer): TextAnswer {
  return { ...answer, body: bodyText(answer.body) };
}

export function faultAnswer(fault: ServiceFault, traceId: string, asked: IncomingHttpHeaders): Answer {
  const { status } = errorRow(fault.error);
  return failureAnswer(faultBody(fault, traceId), status, asked, fault.headers);
}

/** A run that was started: 200 whatever came of it, unless the caller prefers a status that tells. */
export function runAnswer(body: RunBody, asked: IncomingHttpHeaders): Answer {
  if (body.ok) return { status: 200, headers: JSON_HEADERS, body };
  const { preferred, status } = errorRow(body.error);
  if (preferred === undefined || !prefersFailureStatus(asked)) return jsonAnswer(status, body);
  return failureAnswer(body, preferred, asked, { "preference-applied": "failure-status" });
}

function failureAnswer(
  body: Parameters<typeof problemMembers>[0],
  status: number,
  asked: IncomingHttpHeaders,
  headers: Readonly<Record<string, string>>,
): Answer {
  if (!accepts(asked, "application/problem+json")) return jsonAnswer(status, body, headers);
  return jsonAnswer(status, { ...body, ...problemMembers(body, status) }, { "content-type": PROBLEM_TYPE, ...headers });
}

/** A reader that takes nothing of an answer for this long loses it. */
export const READ_IDLE_MS = 30_000;

/** Bytes of an answer that is sent even while others wait for their readers. */
const SMALL_ANSWER = 64 * 1024;

export function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  const { call } = reply.request;
  const text = bodyText(body);
  if (text.length > SMALL_ANSWER && !call.unsent.hasRoom(text.length)) return sendDropped(reply);
  reply.code(status).headers(headers).serializer(bodyText).send(text);
  watchReader(reply.raw, call);
  return reply;
}

function sendDropped(reply: FastifyReply): FastifyReply {
  const { call, headers } = reply.request;
  return send(reply, faultAnswer(droppedAnswer(call), call.context.trace_id, headers));
}

/** Runs that began while there was room may end together: their answers are bounded when their sizes are known. */
export function droppedAnswer({ method }: Pick<RequestCall, "method">): ServiceFault {
  const why = "answers wait for their readers";
  if (method === "GET") return faults.busy(why);
  return new ServiceFault("answer_dropped", `the request was carried out, but its response was dropped: ${why}`);
}

/** Nearly every answer is out by now. Node puts its own time in place of this one when the rest is. */
function watchReader(outgoing: ServerResponse, { unsent }: RequestCall): void {
  const { socket } = outgoing;
  if (socket === null || socket.writableLength === 0) return;
  socket.setTimeout(READ_IDLE_MS);
  unsent.watch(outgoing);
}

/** Whether a media type is named in Accept, and not as one that is not wanted. */
function accepts(asked: IncomingHttpHeaders, type: string): boolean {
  return wantedTypes(asked).includes(type);
}

/** Whether one of the types is wanted before JSON, of which a caller who says nothing gets an answer. */
export function wantsBeforeJson(asked: IncomingHttpHeaders, ...types: readonly string[]): boolean {
  const first = wantedTypes(asked).find((type) => type === "application/json" || types.includes(type));
  return first !== undefined && types.includes(first);
}

/** The media types, and ranges of them, that Accept names: those of most weight first, of equal weight in their order; without those of none. */
function wantedTypes({ accept = "" }: IncomingHttpHeaders): readonly string[] {
  const ranges = accept.split(",").map((part) => {
    const [type = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    return { type, weight: Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1) };
  });
  return ranges
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ type }) => type);
}
