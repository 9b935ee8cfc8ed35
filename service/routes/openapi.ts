import { type OpenApiDocument, tidied, withAnswerHeaders, withOptionalBodies } from "../http/openapi.ts";
import type { ServiceApp } from "../http/service-app.ts";
import { OpenApi } from "../schemas/service.ts";
import { jsonAnswer, send } from "../wire/answers.ts";
import { responses } from "../wire/responses.ts";

export function openApiRoute(app: ServiceApp, optionalBodies: ReadonlySet<string>): void {
  let made: ReturnType<typeof jsonAnswer> | null = null;
  app.route({
    method: "GET",
    url: "/openapi.json",
    schema: { operationId: "getOpenApi", summary: "This document", response: responses({ 200: OpenApi }, []) },
    handler: async (_request, reply) => {
      if (made === null) {
        const document = app.swagger() as unknown as OpenApiDocument;
        made = jsonAnswer(200, tidied(withAnswerHeaders(withOptionalBodies(document, optionalBodies))));
      }
      return send(reply, made);
    },
  });
}
