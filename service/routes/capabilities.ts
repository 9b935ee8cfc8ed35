/** GET /capabilities: what adapters offer and what this server grants. Made once. */
import { serverCapabilities } from "../../vm/admission/capabilities.ts";
import type { ServiceApp } from "../http/service-app.ts";
import { Capabilities } from "../schemas/service.ts";
import type { Services } from "../services.ts";
import { asText, jsonAnswer, send } from "../wire/answers.ts";
import { TaggedHeaders } from "../wire/headers.ts";
import { responses } from "../wire/responses.ts";
import { entityTag, FEATURES, matchesTag } from "./capabilities-etag.ts";

export function capabilitiesRoute(app: ServiceApp, { gateway, provided }: Services, features: readonly string[]): void {
  const own = { time_zone_data: process.versions["tz"] ?? null };
  const document = { ...serverCapabilities(gateway, provided, [...features, ...FEATURES]), ...own };
  const answer = asText(jsonAnswer(200, document));
  const etag = entityTag(answer.body);
  app.route({
    method: "GET",
    url: "/capabilities",
    schema: {
      operationId: "getCapabilities",
      summary: "Adapters, verbs, tiers, limits",
      headers: TaggedHeaders,
      response: responses({ 200: Capabilities, 304: null }, []),
    },
    handler: async (request, reply) => {
      if (matchesTag(request.headers["if-none-match"], etag)) return reply.code(304).header("etag", etag).send();
      return send(reply, { ...answer, headers: { ...answer.headers, etag } });
    },
  });
}
