/** The framework's error handler: maps a thrown value to the fault sent to the client. Unexpected errors are only logged. */
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { Services } from "../services.ts";
import { logRefusal } from "../telemetry/log-refusal.ts";
import { faultAnswer, send } from "../wire/answers.ts";
import { faults, ServiceFault } from "../wire/errors.ts";
import type { RequestCall } from "./request-context.ts";

/** Undefined when the client is gone. */
export function answerError(
  services: Services,
  cause: unknown,
  { call, headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  if (isReaderGone(cause, reply)) return undefined;
  const fault = faultOf(services, cause, call);
  const { context, receivedAt, work } = call;
  if (work) logRefusal(services, context, receivedAt, fault);
  return send(reply, faultAnswer(fault, context.trace_id, headers));
}

/** A streamed answer that has no byte yet: the framework takes a client that goes away for a failure of the stream. */
function isReaderGone(cause: unknown, { raw }: FastifyReply): boolean {
  return raw.destroyed && (cause as Partial<FastifyError>).code === "ERR_STREAM_PREMATURE_CLOSE";
}

function faultOf({ events }: Services, cause: unknown, { context }: RequestCall): ServiceFault {
  if (cause instanceof ServiceFault) return cause;
  const { statusCode, name, stack } = cause as Partial<FastifyError>;
  // The framework's own refusal of a Content-Type that is not one.
  if (statusCode === 415) return faults.notJson();
  events.note("error", "defect", { error: name ?? "unknown", stack: functionsOf(stack) }, context);
  return faults.internal();
}

/** Function names from the stack trace of an unexpected error, without file paths. */
function functionsOf(stack = ""): string[] {
  return stack
    .split("\n")
    .slice(1, 9)
    .map((line) => /at (\S+) \(/.exec(line)?.[1] ?? "anonymous");
}
