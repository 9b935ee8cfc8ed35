/**
 * The HTTP application: one Fastify instance with what holds for every request (trace, headers, who may ask, errors) and the routes.
 * It knows no environment and no process; everything comes in through `Services`.
 */
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import { getHeapStatistics } from "node:v8";
import underPressure from "@fastify/under-pressure";
import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
} from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type * as z from "zod";
import { faultAnswer, send } from "./answers.ts";
import { answerBrokenRequest } from "./broken-request.ts";
import { openCall } from "./call.ts";
import { faults, ServiceFault } from "./errors.ts";
import { thousandths } from "./events.ts";
import { registerOpenApi } from "./openapi.ts";
import { checkOrigin, isLoopback } from "./origin.ts";
import { logRefusal } from "./refusals.ts";
import { RouteTable } from "./route-table.ts";
import { batchRoute } from "./routes/batch.ts";
import { capabilitiesRoute } from "./routes/capabilities.ts";
import { healthRoute } from "./routes/health.ts";
import { indexRoute } from "./routes/index.ts";
import { metricsRoute } from "./routes/metrics.ts";
import { openApiRoute } from "./routes/openapi.ts";
import { readyRoute } from "./routes/ready.ts";
import { runRoute } from "./routes/run.ts";
import { schemaIssues } from "./run-request.ts";
import type { ServicePart, Services } from "./services.ts";

export type ServiceApp = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>;

export type AppOptions = {
  readonly part?: ServicePart;
  /** Lag of the event loop and use of the heap above which new work is refused; off in tests. */
  readonly overload?: { readonly maxLoopLagMs: number; readonly maxHeapShare: number };
};

const MAX_HEADER_BYTES = 16 * 1024;

export async function createApp(services: Services, options: AppOptions = {}): Promise<ServiceApp> {
  const { config, freshId } = services;
  const app: ServiceApp = fastify({
    logger: false,
    trustProxy: config.trustProxy,
    // Bodies are read by the routes, which have bounds and timeouts of their own.
    requestTimeout: 0,
    keepAliveTimeout: 5000,
    maxRequestsPerSocket: 1000,
    forceCloseConnections: "idle",
    // While it closes, requests on open connections are answered by the routes, which know that the service drains.
    return503OnClosing: false,
    http: { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: 10_000, connectionsCheckingInterval: 1000 },
    clientErrorHandler: (fault, socket) => answerBrokenRequest(fault, socket, freshId()),
    frameworkErrors: (_fault, request, reply) => {
      // A path that cannot be decoded: no hook has run.
      request.call = openCall(services, request, reply);
      reply.raw.on("close", () => conclude(services, request, reply));
      const fault = new ServiceFault("not_found", "there is nothing at this path");
      void send(reply, faultAnswer(fault, request.call.context.trace_id, request.headers));
    },
  }).withTypeProvider<ZodTypeProvider>();
  app.server.maxConnections = config.maxConnections;
  // What a client expects besides 100-continue is its own affair: without this, Node answers in a shape of its own.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  const table = new RouteTable(app);

  // Bodies are read and checked in the routes, where all problems of a request are known at once.
  app.removeAllContentTypeParsers();
  // The usual type by its name: what has none of its own is parsed anew for each request.
  app.addContentTypeParser(["application/json", "*"], (_request, payload, done) => done(null, payload));
  app.setValidatorCompiler(({ schema, httpPart }) => (data: unknown) => {
    if (httpPart === "body") return { value: data };
    const read = (schema as unknown as z.ZodType).safeParse(data);
    if (read.success) return { value: read.data };
    throw faults.invalidRequest(schemaIssues(schema as unknown as z.ZodType, read.error), "query");
  });
  // Answers are text already.
  app.setSerializerCompiler(() => (data: unknown) => JSON.stringify(data));

  const rules = {
    loopbackOnly: isLoopback(config.host),
    allowedOrigins: config.allowedOrigins,
    allowedHosts: config.allowedHosts,
  };
  app.decorateRequest("call");
  const isOverloaded = options.overload === undefined ? () => false : await overloadOf(app, options.overload);
  // Hooks call back instead of returning promises: a short run takes less time than a few turns of the microtask queue.
  app.addHook("onRequest", (request, reply, next) => {
    const call = openCall(services, request, reply);
    request.call = call;
    // Also when the client went away, which Fastify's own hook does not tell.
    reply.raw.on("close", () => conclude(services, request, reply));
    try {
      checkOrigin(request.headers, rules);
      if (call.work) {
        if (services.readiness.draining) throw faults.draining();
        services.limitRate?.(request.ip);
        if (isOverloaded()) throw faults.busy("it is overloaded");
        services.unsent.checkRoom();
      }
    } catch (cause) {
      next(cause as Error);
      return;
    }
    next();
  });
  app.addHook("onSend", (request, reply, _payload, next) => {
    // A body that nobody reads would keep the connection for as long as its sender likes.
    if (!request.raw.complete && hasBody(request.headers)) reply.header("connection", "close");
    next();
  });

  app.setErrorHandler((cause: FastifyError, request, reply) => {
    const fault = faultOf(services, cause, request);
    const { context, receivedAt, work } = request.call;
    if (work) logRefusal(services, context, receivedAt, fault);
    return send(reply, faultAnswer(fault, context.trace_id, request.headers));
  });
  app.setNotFoundHandler((request, reply) => {
    const allowed = table.methodsAt(request.url);
    const fault =
      allowed.length === 0
        ? new ServiceFault("not_found", "there is nothing at this path; GET / lists the endpoints")
        : new ServiceFault(
            "method_not_allowed",
            `this path has ${allowed.join(", ")}`,
            {},
            { allow: allowed.join(", ") },
          );
    return send(reply, faultAnswer(fault, request.call.context.trace_id, request.headers));
  });

  await registerOpenApi(app);
  runRoute(app, services);
  options.part?.routes(app, services);
  batchRoute(app, services);
  capabilitiesRoute(app, services, options.part?.features ?? []);
  healthRoute(app, services);
  readyRoute(app, services, options.part?.queue ?? "memory");
  metricsRoute(app, services);
  openApiRoute(app);
  indexRoute(app, table);
  await app.ready();
  return app;
}

/** A request without one is complete, also where it is answered before its parser has said so. */
function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Nobody read the answer: the status that proxies log for it. */
const CLIENT_GONE = 499;

function conclude({ clock, events, metrics }: Services, request: FastifyRequest, reply: FastifyReply): void {
  const { call, method, headers } = request;
  const { route } = call;
  const answered = reply.raw.writableFinished;
  if (!answered) call.caller.abort("the client disconnected");
  const status = answered ? reply.statusCode : CLIENT_GONE;
  call.trace.ended(status);
  metrics.httpRequest(method, route, status);
  events.httpRequest(call.context, {
    method,
    route,
    status,
    duration_ms: thousandths(clock.now() - call.receivedAt),
    bytes_in: Number(headers["content-length"] ?? 0),
    bytes_out: Number(reply.getHeader("content-length") ?? 0),
  });
}

/** Only the plugin's reading is wanted: it lives beside the routes, because its own hook would cost every request a copy of its options. */
async function overloadOf(
  app: ServiceApp,
  { maxLoopLagMs, maxHeapShare }: NonNullable<AppOptions["overload"]>,
): Promise<() => boolean> {
  let isOverloaded = (): boolean => false;
  await app.register(async (beside) => {
    await beside.register(underPressure, {
      maxEventLoopDelay: maxLoopLagMs,
      maxHeapUsedBytes: Math.floor(getHeapStatistics().heap_size_limit * maxHeapShare),
    });
    isOverloaded = () => beside.isUnderPressure();
  });
  return () => isOverloaded();
}

/** What a thrown thing means for the caller. Defects are told to the operator only. */
function faultOf({ events }: Services, cause: FastifyError, request: FastifyRequest): ServiceFault {
  if (cause instanceof ServiceFault) return cause;
  if (cause.statusCode === 415) return new ServiceFault("unsupported_media_type", "send the body as application/json");
  if (cause.statusCode === 413)
    return new ServiceFault("payload_too_large", "the body is too large", {}, { connection: "close" });
  if (cause.statusCode === 400) return new ServiceFault("invalid_json", "the body cannot be read");
  events.note("error", "defect", { error: cause.name, stack: stackOf(cause) }, request.call.context);
  return faults.internal();
}

/** Function names of a defect, without paths. */
function stackOf({ stack = "" }: Error): readonly string[] {
  return stack
    .split("\n")
    .slice(1, 9)
    .map((line) => /at (\S+) \(/.exec(line)?.[1] ?? "anonymous");
}
