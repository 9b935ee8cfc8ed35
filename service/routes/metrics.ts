/** GET /metrics: what the service counted, as JSON, or as Prometheus text for those that ask for text. */
import type { IncomingHttpHeaders } from "node:http";
import * as z from "zod";
import { jsonAnswer, send } from "../answers.ts";
import type { ServiceApp } from "../app.ts";
import { responses } from "../schemas/responses.ts";
import { MetricsDocument, MetricsText } from "../schemas/service.ts";
import type { Services } from "../services.ts";

const PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

export function metricsRoute(app: ServiceApp, { metrics }: Services): void {
  app.route({
    method: "GET",
    url: "/metrics",
    schema: {
      operationId: "metrics",
      summary: "Figures of the service",
      querystring: z.object({ format: z.enum(["json", "prometheus"]).optional() }),
      response: responses({ 200: { "application/json": MetricsDocument, "text/plain": MetricsText } }, [
        "invalid_request",
      ]),
    },
    handler: async ({ query, headers }, reply) => {
      const text = query.format === undefined ? prefersText(headers) : query.format === "prometheus";
      if (!text) return send(reply, jsonAnswer(200, metrics.document()));
      return send(reply, { status: 200, headers: { "content-type": PROMETHEUS }, body: await metrics.text() });
    },
  });
}

/** Text types weigh more in Accept than JSON does; of equal weight, the first named. */
function prefersText({ accept = "" }: IncomingHttpHeaders): boolean {
  const ranges = accept.split(",").map((part, at) => {
    const [type = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const weight = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1);
    return { type, weight: Number.isFinite(weight) ? weight : 0, at };
  });
  ranges.sort((a, b) => b.weight - a.weight || a.at - b.at);
  const first = ranges.find(({ type }) =>
    ["application/json", "text/plain", "application/openmetrics-text"].includes(type),
  );
  return first !== undefined && first.type !== "application/json";
}
