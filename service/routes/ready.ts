/** GET /ready: whether the service wants requests. The state was found in the background. */
import { jsonAnswer, send } from "../answers.ts";
import type { ServiceApp } from "../app.ts";
import { responses } from "../schemas/responses.ts";
import { NotReady, Ready } from "../schemas/service.ts";
import type { QueueKind, Services } from "../services.ts";

export function readyRoute(app: ServiceApp, { readiness, workers }: Services, queue: QueueKind): void {
  app.route({
    method: "GET",
    url: "/ready",
    schema: {
      operationId: "ready",
      summary: "Readiness",
      response: responses({ 200: Ready, 503: NotReady }, []),
    },
    handler: async (_request, reply) => {
      const state = readiness.state();
      return send(
        reply,
        state.status === "ready"
          ? jsonAnswer(200, { status: "ready", queue, workers: workers.live })
          : jsonAnswer(503, state, { "retry-after": "1" }),
      );
    },
  });
}
