/**
 * The HTTP application: one Fastify instance, what holds for every request (`service/http/hooks.ts`), and the routes. It knows no environment and no
 * process; everything comes in through `Services`.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import rateLimit from "@fastify/rate-limit";
import { fastify, LogController } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import * as z from "zod";
import type { ServiceConfig } from "./config.ts";
import type { ConsoleFiles } from "./console/files.ts";
import { layoutRoutes } from "./console/layout/routes.ts";
import { checkConsole } from "./console/mode.ts";
import { consoleRoutes } from "./console/routes.ts";
import { parseBodies } from "./http/body/parsers.ts";
import { answerBrokenRequest, answerTunnel } from "./http/broken-request.ts";
import { answerError } from "./http/error-handler.ts";
import { continueWhenRead } from "./http/expect-continue.ts";
import { addHooks, begin, endWithAnswer } from "./http/hooks.ts";
import { registerOpenApi } from "./http/openapi.ts";
import { createOriginCheck, isLoopback } from "./http/origin.ts";
import { everyUnref, guardOverload, type OverloadBounds } from "./http/overload.ts";
import { isPathOffered, type PublicListener, publicListener } from "./http/public-listener.ts";
import { RouteTable } from "./http/route-table.ts";
import type { ServiceApp } from "./http/service-app.ts";
import { batchRoute } from "./routes/batch.ts";
import { capabilitiesRoute } from "./routes/capabilities.ts";
import { healthRoute } from "./routes/health.ts";
import { indexRoute } from "./routes/index.ts";
import { metricsRoute } from "./routes/metrics.ts";
import { openApiRoute } from "./routes/openapi.ts";
import { readyRoute } from "./routes/ready.ts";
import { runRoute } from "./routes/run.ts";
import { runsRoute } from "./routes/runs.ts";
import { validator } from "./run/read-request.ts";
import type { ServicePart, Services } from "./services.ts";
import { bodyText } from "./wire/answers.ts";
import { later, nothingThere, ServiceFault } from "./wire/errors.ts";

export type AppOptions = {
  /** Absent or null: without a console. */
  readonly consoleFiles?: ConsoleFiles | null;
  readonly part?: ServicePart;
  /** Lag of the event loop and use of the heap above which new work is refused; off in tests. */
  readonly overload?: OverloadBounds;
};

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_LIMITED_CLIENTS = 100_000;
const KEEP_ALIVE_MS = 5000;
const HTTP_OPTIONS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 1000,
  // Checked in a hook: Node's own answer has no body.
  requireHostHeader: false,
};
/** The query of endpoints that do something and have no parameters. */
const NO_PARAMETERS = z.strictObject({});

export async function createApp(services: Services, options: AppOptions = {}): Promise<ServiceApp> {
  const { config, events, freshId } = services;
  const app: ServiceApp = fastify({
    loggerInstance: events.server,
    // Requests are logged as the contract says (`service/http/hooks.ts`).
    logController: new LogController({ disableRequestLogging: true }),
    // Counted from our side: what stands further left in the header may be written by the client.
    trustProxy: (_address, hop) => hop < config.trustedProxies,
    forceCloseConnections: "idle",
    // While it closes, requests on open connections are answered by the routes, which know that the service drains.
    return503OnClosing: false,
    http: HTTP_OPTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    clientErrorHandler: (fault, socket) => answerBrokenRequest(fault, socket, freshId()),
    // Ids that are too long are not ids; the headers bound them.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    // A path that cannot be decoded: no hook has run.
    frameworkErrors: (_fault, request, reply) => {
      begin(services, request, reply);
      endWithAnswer(services, request, reply);
      void answerError(services, nothingThere(), request, reply);
    },
  }).withTypeProvider<ZodTypeProvider>();
  configureServer(app.server, config, freshId);
  const hasPublic = config.publicPort !== null;
  app.decorate("publicListener", hasPublic ? publicListenerOf(app, services) : null);
  const table = new RouteTable(app);

  app.setValidatorCompiler(validator);
  app.setSerializerCompiler(() => bodyText);
  app.addHook("onRoute", (route) => {
    const { schema, method, config: settings } = route;
    // A misspelt filter would be one that does nothing. Probes and pages add parameters to what is only read and has none.
    if (schema !== undefined && method !== "GET" && method !== "HEAD") schema.querystring ??= NO_PARAMETERS;
    if (settings?.work === true) settings.rateLimit ??= {};
  });
  const { overload } = options;
  const isOverloaded = overload === undefined ? () => false : overloadOf(app, services, overload);
  if (config.rateLimit !== null) await limitRate(app, config.rateLimit);
  const { allowedOrigins, allowedHosts } = config;
  const checkOrigin = createOriginCheck({ loopbackOnly: isLoopback(config.host), allowedOrigins, allowedHosts });
  const namesPeople = config.approvals.userHeader !== null;
  const consoleFiles = config.console.mode === "off" ? null : (options.consoleFiles ?? null);
  addHooks(app, services, {
    checkSender: (request, ownOrigins) => {
      const { headers, url = "" } = request;
      checkOrigin(headers, url, ownOrigins);
      if (consoleFiles !== null && headers.origin !== undefined) checkConsole(config.console, request, namesPeople);
    },
    isOverloaded,
    isOffered: (request) => isPathOffered(request, hasPublic),
    absenceAt: (url) => {
      const allowed = table.methodsAt(url).join(", ");
      if (allowed === "") return nothingThere();
      return new ServiceFault("method_not_allowed", `this path has ${allowed}`, {}, { allow: allowed });
    },
  });
  parseBodies(app, services);
  app.setErrorHandler((cause, request, reply) => answerError(services, cause, request, reply));

  const optionalBodies = await registerOpenApi(app);
  runRoute(app, services);
  if (services.config.jobs.list && services.config.recentRuns > 0) runsRoute(app, services);
  options.part?.routes(app, services);
  batchRoute(app, services);
  capabilitiesRoute(app, services, options.part?.features ?? []);
  healthRoute(app, services);
  readyRoute(app, services, options.part?.queue ?? "memory");
  metricsRoute(app, services);
  openApiRoute(app, optionalBodies);
  if (consoleFiles !== null) {
    consoleRoutes(app, consoleFiles, config.console, {
      namesPeople,
      lists: config.jobs.list,
      journalValues: config.jobs.journalValues,
    });
    layoutRoutes(app, services, options.part);
  }
  indexRoute(app, table);
  await app.ready();
  return app;
}

function publicListenerOf(app: ServiceApp, { config, clock, freshId }: Services): PublicListener {
  const options = { ...HTTP_OPTIONS, keepAliveTimeout: KEEP_ALIVE_MS };
  return publicListener(app, clock, options, (server) => {
    configureServer(server, config, freshId);
    server.on("clientError", (fault, socket) => answerBrokenRequest(fault, socket as Socket, freshId()));
  });
}

/** What Node's server decides before a request reaches the framework. */
function configureServer(server: Server, { maxConnections }: ServiceConfig, freshId: () => string): void {
  server.maxConnections = maxConnections;
  // The service bounds the headers in bytes. Those beyond a number would be dropped unseen: a key, an origin.
  server.maxHeadersCount = 0;
  // What a client expects besides 100-continue is its own affair: without this, Node answers in a shape of its own.
  server.on("checkContinue", (request, response) => {
    continueWhenRead(request, response);
    server.emit("request", request, response);
  });
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  // Without a listener, Node closes the connection without an answer.
  server.on("connect", (_request, socket) => answerTunnel(socket as Socket, freshId()));
}

function overloadOf(app: ServiceApp, { clock }: Services, bounds: OverloadBounds): () => boolean {
  const guard = guardOverload(bounds, { clock, every: everyUnref, heapUsed: () => process.memoryUsage().heapUsed });
  app.addHook("onClose", async () => guard.stop());
  return guard.isOverloaded;
}

/** Rate limit of routes that start work: requests per client address in a time window. */
async function limitRate(
  app: ServiceApp,
  { requests, seconds }: NonNullable<ServiceConfig["rateLimit"]>,
): Promise<void> {
  const headers = { "x-ratelimit-limit": false, "x-ratelimit-remaining": false, "x-ratelimit-reset": false };
  await app.register(rateLimit, {
    global: false,
    max: requests,
    timeWindow: seconds * 1000,
    cache: MAX_LIMITED_CLIENTS,
    keyGenerator: ({ ip }) => ip,
    addHeaders: { ...headers, "retry-after": false },
    addHeadersOnExceeding: headers,
    errorResponseBuilder: (_request, { ttl }) =>
      later("rate_limited", "too many requests of this client", Math.max(1, Math.ceil(ttl / 1000))),
  });
}
