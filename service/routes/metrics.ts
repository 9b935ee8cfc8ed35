/** GET /metrics: what the service counted, as JSON, or as Prometheus text for those that ask for text. */
import * as z from "zod";
import type { ServiceApp } from "../http/service-app.ts";
import { MetricsDocument, MetricsText } from "../schemas/service.ts";
import type { Services } from "../services.ts";
import { jsonAnswer, send, wantsBeforeJson } from "../wire/answers.ts";
import { responses } from "../wire/responses.ts";

const PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

export function metricsRoute(app: ServiceApp, { metrics }: Services): void {
  app.route({
    method: "GET",
    url: "/metrics",
    schema: {
      operationId: "metrics",
      summary: "Figures of the service",
      querystring: z.strictObject({ format: z.enum(["json", "prometheus"]).optional() }),
      response: responses({ 200: { "application/json": MetricsDocument, "text/plain": MetricsText } }, []),
    },
    handler: async ({ query, headers }, reply) => {
      const text = query.format === undefined ? wantsBeforeJson(headers, ...TEXTS) : query.format === "prometheus";
      if (!text) return send(reply, jsonAnswer(200, metrics.document()));
      return send(reply, { status: 200, headers: { "content-type": PROMETHEUS }, body: await metrics.text() });
    },
  });
}

const TEXTS = ["text/plain", "application/openmetrics-text"] as const;
