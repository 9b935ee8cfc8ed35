/** GET /: name, version, endpoints. */
import { RUNTIME_VERSION } from "../../vm/version.ts";
import type { RouteTable } from "../http/route-table.ts";
import type { ServiceApp } from "../http/service-app.ts";
import { Index } from "../schemas/service.ts";
import { jsonAnswer, send } from "../wire/answers.ts";
import { responses } from "../wire/responses.ts";

export function indexRoute(app: ServiceApp, table: RouteTable): void {
  app.route({
    method: "GET",
    url: "/",
    schema: { operationId: "index", summary: "Name, version, endpoints", response: responses({ 200: Index }, []) },
    handler: async (_request, reply) =>
      send(reply, jsonAnswer(200, { name: "weft", runtime_version: RUNTIME_VERSION, endpoints: table.endpoints() })),
  });
}
