/** GET /: name, version, endpoints. */
import { RUNTIME_VERSION } from "../../vm/version.ts";
import { jsonAnswer, send } from "../answers.ts";
import type { ServiceApp } from "../app.ts";
import type { RouteTable } from "../route-table.ts";
import { responses } from "../schemas/responses.ts";
import { Index } from "../schemas/service.ts";

export function indexRoute(app: ServiceApp, table: RouteTable): void {
  app.route({
    method: "GET",
    url: "/",
    schema: { operationId: "index", summary: "Name, version, endpoints", response: responses({ 200: Index }, []) },
    handler: async (_request, reply) =>
      send(reply, jsonAnswer(200, { name: "weft", runtime_version: RUNTIME_VERSION, endpoints: table.endpoints() })),
  });
}
