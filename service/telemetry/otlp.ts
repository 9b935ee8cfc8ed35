/**
 * Traces and metrics sent to an OpenTelemetry collector over OTLP/HTTP (`WF_OTEL_EXPORTER=otlp`). The SDK consists of optional packages
 * that are loaded here and nowhere else. Where to send and as whom is OpenTelemetry's own configuration: `OTEL_EXPORTER_OTLP_ENDPOINT`,
 * `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER`, `OTEL_METRIC_EXPORT_INTERVAL`.
 */
import { DiagLogLevel, diag, trace } from "@opentelemetry/api";
import type { DataPoint, DataPointType, MetricData, ScopeMetrics } from "@opentelemetry/sdk-metrics";
import type { MetricObjectWithValues, MetricValue } from "prom-client";
import { StartFault } from "../../adapters/operator/start-fault.ts";
import { installCommand, OTLP_PACKAGES } from "../../adapters/packages.ts";

/** The metrics as the registry of prom-client describes them. */
type RegisteredMetrics = () => Promise<readonly MetricObjectWithValues<MetricValue<string>>[]>;

export type OtlpOptions = {
  readonly variables: { readonly [name: string]: string | undefined };
  readonly version: string;
  readonly metrics: RegisteredMetrics;
  /** Milliseconds since 1970. */
  readonly wall: () => number;
  /** What the SDK complains about: a collector that does not answer, for example. */
  readonly complain: (message: string) => void;
};

export type OtlpExporter = {
  /** Sends what has not been sent, for as long as the exporter's own time limit, and stops. */
  close(): Promise<void>;
};

const EXPORT_EVERY_MS = 60_000;
const MAX_EXPORT_MS = 30_000;

/** Registers the exporter for the whole process. Throws StartFault when the packages are not installed. */
export async function openOtlp({ variables, version, metrics, wall, complain }: OtlpOptions): Promise<OtlpExporter> {
  const { resources, tracing, metering, OTLPTraceExporter, OTLPMetricExporter } = await loadSdk();
  const logger = (message: string) => complain(message);
  const silent = () => {};
  diag.setLogger(
    { error: logger, warn: logger, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const own = resources.resourceFromAttributes({ "service.name": "weft", "service.version": version });
  const detected = resources.detectResources({ detectors: [resources.envDetector] });
  const resource = own.merge(detected);
  const tracer = new tracing.BasicTracerProvider({
    resource,
    spanProcessors: [new tracing.BatchSpanProcessor(new OTLPTraceExporter())],
  });
  trace.setGlobalTracerProvider(tracer);
  const startedAt = wall();
  const everyMs = Number(variables["OTEL_METRIC_EXPORT_INTERVAL"]) || EXPORT_EVERY_MS;
  const reader = new metering.PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: Math.min(everyMs, MAX_EXPORT_MS),
    metricProducers: [
      {
        collect: async () => {
          const span = { startTime: timeOf(startedAt), endTime: timeOf(wall()) };
          const scopeMetrics = [scopeOf(await metrics(), span, version, metering)];
          return { resourceMetrics: { resource, scopeMetrics }, errors: [] };
        },
      },
    ],
  });
  const meters = new metering.MeterProvider({ resource, readers: [reader] });
  return {
    close: async () => {
      await Promise.allSettled([tracer.shutdown(), meters.shutdown()]);
      trace.disable();
      diag.disable();
    },
  };
}

async function loadSdk() {
  try {
    const [resources, tracing, metering, { OTLPTraceExporter }, { OTLPMetricExporter }] = await Promise.all([
      import("@opentelemetry/resources"),
      import("@opentelemetry/sdk-trace-base"),
      import("@opentelemetry/sdk-metrics"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/exporter-metrics-otlp-http"),
    ]);
    return { resources, tracing, metering, OTLPTraceExporter, OTLPMetricExporter };
  } catch {
    throw new StartFault(
      `WF_OTEL_EXPORTER=otlp needs packages that are not installed: ${installCommand(OTLP_PACKAGES)}`,
    );
  }
}

type Time = [seconds: number, nanoseconds: number];
type Span = { readonly startTime: Time; readonly endTime: Time };
type Metering = {
  readonly DataPointType: typeof DataPointType;
  readonly AggregationTemporality: { readonly CUMULATIVE: MetricData["aggregationTemporality"] };
};

function timeOf(milliseconds: number): Time {
  return [Math.trunc(milliseconds / 1000), (milliseconds % 1000) * 1_000_000];
}

/** The registry's metrics as OpenTelemetry has them. Summaries and metrics without values are left out. */
function scopeOf(
  metrics: readonly MetricObjectWithValues<MetricValue<string>>[],
  span: Span,
  version: string,
  metering: Metering,
): ScopeMetrics {
  const converted = metrics.flatMap((metric): MetricData[] => {
    const base = {
      descriptor: { name: metric.name, description: metric.help, unit: unitOf(metric.name), valueType: 1 },
      aggregationTemporality: metering.AggregationTemporality.CUMULATIVE,
    };
    const type = String(metric.type);
    if (type === "counter") {
      const dataPoints = metric.values.map((value) => pointOf(value, span));
      return [{ ...base, dataPointType: metering.DataPointType.SUM, isMonotonic: true, dataPoints }];
    }
    if (type === "gauge") {
      const dataPoints = metric.values.map((value) => pointOf(value, span));
      return [{ ...base, dataPointType: metering.DataPointType.GAUGE, dataPoints }];
    }
    if (type !== "histogram") return [];
    return [
      { ...base, dataPointType: metering.DataPointType.HISTOGRAM, dataPoints: histogramPoints(metric.values, span) },
    ];
  });
  return { scope: { name: "weft", version }, metrics: converted };
}

function pointOf({ value, labels }: MetricValue<string>, span: Span): DataPoint<number> {
  return { ...span, attributes: attributesOf(labels), value };
}

/** One point for each set of labels: Prometheus counts values up to each bound, OpenTelemetry those between two bounds. */
function histogramPoints(values: readonly MetricValue<string>[], span: Span) {
  const series = new Map<
    string,
    { attributes: Record<string, string>; bounds: [bound: number, total: number][]; sum: number; count: number }
  >();
  for (const { value, labels, ...rest } of values) {
    const { le, ...others } = attributesOf(labels);
    const key = JSON.stringify(others);
    const point = series.get(key) ?? { attributes: others, bounds: [], sum: 0, count: 0 };
    series.set(key, point);
    const name = "metricName" in rest ? String(rest.metricName) : "";
    if (name.endsWith("_sum")) point.sum = value;
    else if (name.endsWith("_count")) point.count = value;
    else if (le !== undefined && le !== "+Inf") point.bounds.push([Number(le), value]);
  }
  return [...series.values()].map(({ attributes, bounds, sum, count }): DataPoint<HistogramValue> => {
    bounds.sort(([a], [b]) => a - b);
    const totals = [...bounds.map(([, total]) => total), count];
    const counts = totals.map((total, at) => total - (totals[at - 1] ?? 0));
    return {
      ...span,
      attributes,
      value: { buckets: { boundaries: bounds.map(([bound]) => bound), counts }, sum, count },
    };
  });
}

type HistogramValue = { buckets: { boundaries: number[]; counts: number[] }; sum: number; count: number };

function attributesOf(labels: Partial<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}

/** UCUM, from the suffix of the name. */
function unitOf(name: string): string {
  if (name.endsWith("_seconds")) return "s";
  return name.endsWith("_bytes") ? "By" : "1";
}
