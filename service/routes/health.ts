import { thousandths } from "../../vm/values/durations.ts";
import type { ServiceApp } from "../http/service-app.ts";
import { Health } from "../schemas/service.ts";
import type { Services } from "../services.ts";
import { jsonAnswer, send } from "../wire/answers.ts";
import { responses } from "../wire/responses.ts";

export function healthRoute(app: ServiceApp, { clock }: Services): void {
  const startedAt = clock.now();
  app.route({
    method: "GET",
    url: "/health",
    schema: { operationId: "health", summary: "Liveness", response: responses({ 200: Health }, []) },
    handler: async (_request, reply) =>
      send(reply, jsonAnswer(200, { status: "ok", uptime_s: thousandths((clock.now() - startedAt) / 1000) })),
  });
}
