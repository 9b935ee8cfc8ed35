/** GET /openapi.json. Made at the first request, once. */
import { jsonAnswer, send } from "../answers.ts";
import type { ServiceApp } from "../app.ts";
import { type OpenApiDocument, tidied } from "../openapi.ts";
import { responses } from "../schemas/responses.ts";
import { OpenApi } from "../schemas/service.ts";

export function openApiRoute(app: ServiceApp): void {
  let made: ReturnType<typeof jsonAnswer> | null = null;
  app.route({
    method: "GET",
    url: "/openapi.json",
    schema: { operationId: "getOpenApi", summary: "This document", response: responses({ 200: OpenApi }, []) },
    handler: async (_request, reply) => {
      made ??= jsonAnswer(200, tidied(app.swagger() as unknown as OpenApiDocument));
      return send(reply, made);
    },
  });
}
