/**
 * The HTTP application: one Fastify instance with what holds for every request (trace, headers, who may ask, errors) and the routes.
 * It knows no environment and no process; everything comes in through `Services`.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
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
import * as z from "zod";
import { send } from "./answers.ts";
import { answerBrokenRequest, answerTunnel } from "./broken-request.ts";
import { callHeaders, openCall, type RequestCall } from "./call.ts";
import { faults, ServiceFault } from "./errors.ts";
import { answerThrown, checkEntry, type EntryRules, exchangeEnded, exchangeOf, keepsSending } from "./exchange.ts";
import { continueWhenRead } from "./expectation.ts";
import { lingerAfterAnswer } from "./lingering.ts";
import { registerOpenApi } from "./openapi.ts";
import { createOriginCheck, isLoopback } from "./origin.ts";
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
import { Shortcuts } from "./shortcuts.ts";

declare module "fastify" {
  interface FastifyInstance {
    shortcuts: Shortcuts;
  }
}

export type ServiceApp = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>;

export type AppOptions = {
  readonly part?: ServicePart;
  /** Lag of the event loop and use of the heap above which new work is refused; off in tests. */
  readonly overload?: { readonly maxLoopLagMs: number; readonly maxHeapShare: number };
};

const MAX_HEADER_BYTES = 16 * 1024;
/** The query of endpoints that do something and have no parameters. */
const NO_PARAMETERS = z.strictObject({});

export async function createApp(services: Services, options: AppOptions = {}): Promise<ServiceApp> {
  const { config, freshId } = services;
  let isOverloaded = (): boolean => false;
  const { allowedOrigins, allowedHosts } = config;
  const rules: EntryRules = {
    checkOrigin: createOriginCheck({ loopbackOnly: isLoopback(config.host), allowedOrigins, allowedHosts }),
    isOverloaded: () => isOverloaded(),
  };
  const shortcuts = new Shortcuts(services, rules);
  const app: ServiceApp = fastify({
    logger: false,
    // Counted from our side: what stands further left in the header may be written by the client.
    trustProxy: (_address, hop) => hop < config.trustedProxies,
    forceCloseConnections: "idle",
    // While it closes, requests on open connections are answered by the routes, which know that the service drains.
    return503OnClosing: false,
    serverFactory: (framework) =>
      listenerOf((incoming, outgoing) => {
        // Sent behind one whose answer was the last.
        if (incoming.socket.writableEnded) return;
        if (!shortcuts.take(incoming, outgoing)) framework(incoming, outgoing);
      }),
    clientErrorHandler: (fault, socket) => answerBrokenRequest(fault, socket, freshId()),
    // Ids that are too long are no ids; the headers bound them.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    frameworkErrors: (_fault, request, reply) => {
      // A path that cannot be decoded: no hook has run.
      begin(services, request, reply);
      endWithAnswer(services, request, reply);
      void send(reply, answerThrown(services, nothingThere(), exchangeOf(request, reply)));
    },
  }).withTypeProvider<ZodTypeProvider>();
  app.server.maxConnections = config.maxConnections;
  // What a client expects besides 100-continue is its own affair: without this, Node answers in a shape of its own.
  app.server.on("checkContinue", (request, response) => {
    continueWhenRead(request, response);
    app.server.emit("request", request, response);
  });
  // Unheard, Node closes the connection without a word.
  app.server.on("connect", (_request, socket) => answerTunnel(socket as Socket, freshId()));
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  const table = new RouteTable(app);
  const absenceAt = (url: string): ServiceFault => {
    const allowed = table.methodsAt(url).join(", ");
    if (allowed === "") return nothingThere();
    return new ServiceFault("method_not_allowed", `this path has ${allowed}`, {}, { allow: allowed });
  };

  // Bodies and headers are read and checked in the routes, where all problems of a request are known at once.
  app.removeAllContentTypeParsers();
  // The usual type by its name: what has none of its own is parsed anew for each request.
  app.addContentTypeParser(["application/json", "*"], (_request, payload, done) => done(null, payload));
  app.setValidatorCompiler(({ schema, httpPart }) => (data: unknown) => {
    if (httpPart === "body" || httpPart === "headers") return { value: data };
    const read = (schema as unknown as z.ZodType).safeParse(data);
    if (read.success) return { value: read.data };
    throw faults.invalidRequest(schemaIssues(schema as unknown as z.ZodType, read.error, "parameter"), "query");
  });
  // A misspelt filter would be one that does nothing. What is only read, and has no parameters, is asked for by probes and pages with some.
  app.addHook("onRoute", ({ method, schema }) => {
    if (schema !== undefined && method !== "GET" && method !== "HEAD") schema.querystring ??= NO_PARAMETERS;
  });
  // Answers are text already.
  app.setSerializerCompiler(() => (data: unknown) => JSON.stringify(data));

  app.decorateRequest("call");
  app.decorate("shortcuts", shortcuts);
  if (options.overload !== undefined) isOverloaded = await overloadOf(app, options.overload);
  // Hooks call back instead of returning promises: a short run takes less time than a few turns of the microtask queue.
  app.addHook("onRequest", (request, reply, next) => {
    const call = begin(services, request, reply);
    try {
      checkEntry(services, rules, call, request.raw, () => request.ip);
      // The framework would first look at the body's type, which does not matter here.
      if (request.is404) throw absenceAt(request.url);
    } catch (cause) {
      next(cause as Error);
      return;
    }
    next();
  });
  app.addHook("onSend", (request, reply, payload, next) => {
    if (payload instanceof Readable) {
      countStreamed(request.call, payload);
      endUnlessRead(services, request, reply);
    } else endWithAnswer(services, request, reply);
    next();
  });

  app.setErrorHandler((cause, request, reply) =>
    isReaderGone(cause, reply) ? undefined : send(reply, answerThrown(services, cause, exchangeOf(request, reply))),
  );

  const optionalBodies = await registerOpenApi(app);
  runRoute(app, services);
  options.part?.routes(app, services);
  batchRoute(app, services);
  capabilitiesRoute(app, services, options.part?.features ?? []);
  healthRoute(app, services);
  readyRoute(app, services, options.part?.queue ?? "memory");
  metricsRoute(app, services);
  openApiRoute(app, optionalBodies);
  indexRoute(app, table);
  await app.ready();
  return app;
}

function nothingThere(): ServiceFault {
  return new ServiceFault("not_found", "there is nothing at this path; GET / lists the endpoints");
}

/** The server with its bounds in time and size. Bodies are read by the routes, which have bounds of their own. */
function listenerOf(listener: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1000,
      // Looked at in `checkEntry`: Node's own answer has no body.
      requireHostHeader: false,
    },
    listener,
  );
  server.requestTimeout = 0;
  // Bounded in bytes. Those beyond a number would be dropped unseen: a key, an origin.
  server.maxHeadersCount = 0;
  server.keepAliveTimeout = 5000;
  server.maxRequestsPerSocket = 1000;
  return server;
}

/** Opens the call of a request that the framework routes. */
function begin(services: Services, request: FastifyRequest, reply: FastifyReply): RequestCall {
  // Asked for once: the framework makes these options anew each time.
  const { url = "*", config } = request.routeOptions;
  const call = openCall(services, request.raw, url, config?.work === true);
  request.call = call;
  reply.headers(callHeaders(call));
  const exchange = exchangeOf(request, reply);
  // Also when the client went away, which the framework's own hook does not tell.
  reply.raw.on("close", () => exchangeEnded(services, exchange, bytesOf(call, reply)));
  return call;
}

/** Bytes of the body of an answer: what is asked for with HEAD has the length of a body, and none. */
function bytesOf({ method, streamed }: RequestCall, reply: FastifyReply): number {
  return method === "HEAD" ? 0 : Number(reply.getHeader("content-length") ?? streamed);
}

/** Its length is known only at its end. The pipe that begins in this turn still decides when it is read. */
function countStreamed(call: RequestCall, payload: Readable): void {
  payload.on("data", (chunk: string | Buffer) => {
    call.streamed += Buffer.byteLength(chunk);
  });
}

/** A body that is not read to its end takes the connection with it. */
function endWithAnswer({ clock }: Services, { raw }: FastifyRequest, reply: FastifyReply): void {
  if (!keepsSending(raw)) return;
  reply.header("connection", "close");
  lingerAfterAnswer(raw, clock);
}

/** Of an answer that is sent as it is made and has no byte yet: the framework takes it for a failure of its making. */
function isReaderGone(cause: unknown, { raw }: FastifyReply): boolean {
  return raw.destroyed && (cause as Partial<FastifyError>).code === "ERR_STREAM_PREMATURE_CLOSE";
}

/** An answer that is written while the body is read: only at its end it is known whether that was read whole. */
function endUnlessRead({ clock }: Services, { raw }: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once("finish", () => {
    if (!keepsSending(raw)) return;
    lingerAfterAnswer(raw, clock);
    raw.socket.destroySoon();
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
