/** Traces and metrics arrive at an OpenTelemetry collector. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Counter, Histogram, Registry } from "prom-client";
import { afterEach, describe, expect, it } from "vitest";
import { openOtlp } from "../../../service/telemetry/otlp.ts";
import { requestTrace } from "../../../service/telemetry/tracing.ts";

/** A collector that keeps what it is sent, by path. */
async function collector(status = 200) {
  const received: { path: string; body: Document; authorization: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    const { authorization } = request.headers;
    received.push({ path: request.url ?? "", body: JSON.parse(text) as Document, authorization });
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  servers.push(server);
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
// biome-ignore lint/suspicious/noExplicitAny: OTLP documents, read by path
type Document = any;
const servers: Server[] = [];
const before = { ...process.env };

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  process.env = { ...before };
});

function registry() {
  const register = new Registry();
  const runs = new Counter({ name: "wf_runs_total", help: "Runs", labelNames: ["outcome"], registers: [register] });
  const times = new Histogram({ name: "wf_run_seconds", help: "Time", buckets: [0.1, 1], registers: [register] });
  runs.inc({ outcome: "ok" }, 3);
  for (const seconds of [0.05, 0.5, 0.5, 7]) times.observe(seconds);
  return register;
}

const OPTIONS = {
  variables: {},
  version: "1.0.0",
  metrics: () => registry().getMetricsAsJSON(),
  wall: () => 1_700_000_000_500,
  complain: () => {},
};

describe("OTLP exporter", () => {
  it("sends spans and metrics with OpenTelemetry's own configuration", async () => {
    const { url, received } = await collector();
    process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = url;
    process.env["OTEL_EXPORTER_OTLP_HEADERS"] = "authorization=Bearer t0ken";
    process.env["OTEL_RESOURCE_ATTRIBUTES"] = "deployment.environment.name=test";
    const otlp = await openOtlp(OPTIONS);
    const request = requestTrace("POST", "/run", { parent: undefined, state: undefined }, "0".repeat(31).concat("1"));
    await request.run({ label: "main", checksum: "sha256:0" }, async (run) => run.ended("ok", 4));
    request.ended(200);
    await otlp.close();

    const traces = received.find(({ path }) => path === "/v1/traces");
    expect(traces?.authorization).toBe("Bearer t0ken");
    const resourceSpans = traces?.body.resourceSpans[0];
    expect(resourceSpans.scopeSpans[0].spans.map(({ name }: { name: string }) => name)).toEqual([
      "weft.run",
      "POST /run",
    ]);
    const attributes = Object.fromEntries(
      resourceSpans.resource.attributes.map(({ key, value }: Document) => [key, value.stringValue]),
    );
    expect(attributes).toMatchObject({ "service.version": "1.0.0", "deployment.environment.name": "test" });

    const sent = received.find(({ path }) => path === "/v1/metrics")?.body.resourceMetrics[0].scopeMetrics;
    const metrics = sent.flatMap((scope: Document) => scope.metrics);
    const named = (name: string) => metrics.find((metric: Document) => metric.name === name);
    expect(named("wf_runs_total").sum).toMatchObject({
      isMonotonic: true,
      dataPoints: [{ asDouble: 3, attributes: [{ key: "outcome", value: { stringValue: "ok" } }] }],
    });
    expect(named("wf_run_seconds")).toMatchObject({
      unit: "s",
      histogram: { dataPoints: [{ count: 4, sum: 8.05, explicitBounds: [0.1, 1], bucketCounts: [1, 2, 1] }] },
    });
  });

  it("says that the collector does not take what it is sent, and ends all the same", async () => {
    const { url } = await collector(400);
    process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = url;
    const complaints: string[] = [];
    const otlp = await openOtlp({ ...OPTIONS, complain: (message) => complaints.push(message) });
    requestTrace("POST", "/run", { parent: undefined, state: undefined }, "0".repeat(31).concat("1")).ended(200);
    await otlp.close();
    expect(complaints.join("\n")).toMatch(/400|Bad Request/u);
  });
});
