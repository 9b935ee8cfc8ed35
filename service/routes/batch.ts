/** POST /batch: one program, many frames, as one JSON document or as lines that are answered while they arrive (docs/http.md, POST /batch). */
import type { FastifyReply, FastifyRequest } from "fastify";
import { documentOf, NDJSON, sendLines } from "../batch/answers.ts";
import { beginFrames, beginLines } from "../batch/begin.ts";
import { takeBatches } from "../http/body/parsers.ts";
import { bodyKind } from "../http/body/stream.ts";
import type { ServiceApp } from "../http/service-app.ts";
import { BatchAnswer, BatchRequest, BatchStreamLine } from "../schemas/batch.ts";
import type { Services } from "../services.ts";
import { send, wantsBeforeJson } from "../wire/answers.ts";
import { faults } from "../wire/errors.ts";
import { BatchHeaders } from "../wire/headers.ts";
import { preferredRows } from "../wire/prefer.ts";
import { refusalsOfPrograms, responses } from "../wire/responses.ts";

export function batchRoute(app: ServiceApp, services: Services): void {
  // A scope of its own: only here may a body be lines, and compressed.
  app.register(async (scope: ServiceApp) => {
    takeBatches(scope, services);
    scope.route({
      method: "POST",
      url: "/batch",
      config: { work: true },
      schema: {
        operationId: "batch",
        summary: "Runs one program with many frames",
        headers: BatchHeaders,
        body: BatchRequest,
        response: responses({ 200: { "application/json": BatchAnswer, [NDJSON]: BatchStreamLine } }, [
          ...refusalsOfPrograms,
          "program_not_found",
          "store_unavailable",
        ]),
      },
      onRequest: refuseKey,
      handler: async (request, reply) => {
        const { headers, body, validationError: fault, call, raw } = request;
        const rows = preferredRows(headers);
        if (bodyKind(headers, true) === "ndjson")
          return sendLines(services, reply, await beginLines(services, raw, call, rows), headers);
        const started = await beginFrames(services, { body, fault }, call, rows);
        if (wantsBeforeJson(headers, NDJSON)) return sendLines(services, reply, started, headers);
        return send(reply, await documentOf(services, started));
      },
    });
  });
}

/** A batch is resumed by its caller, who knows which lines it has. */
function refuseKey({ headers }: FastifyRequest, _reply: FastifyReply, next: () => void): void {
  if (headers["idempotency-key"] !== undefined) {
    const message = "batches have no Idempotency-Key";
    throw faults.invalidRequest([{ path: "", code: "idempotency_key", message }], "headers");
  }
  next();
}
