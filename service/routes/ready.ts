import type { ServiceApp } from "../http/service-app.ts";
import { NotReady, Ready } from "../schemas/service.ts";
import type { QueueKind, Services } from "../services.ts";
import { jsonAnswer, send } from "../wire/answers.ts";
import { responses } from "../wire/responses.ts";

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
          ? jsonAnswer(200, { status: "ready", queue, workers: workers.live, ...warningsIn(readiness.warnings) })
          : jsonAnswer(503, state, { "retry-after": "1" }),
      );
    },
  });
}

/** Shown of each answer: probes read it all day. */
const MAX_WARNINGS = 20;

function warningsIn(warnings: readonly string[]): { readonly warnings?: readonly string[] } {
  return warnings.length === 0 ? {} : { warnings: warnings.slice(0, MAX_WARNINGS) };
}
