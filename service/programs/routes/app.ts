/** /app/{program}: the endpoints of a deployment, and its OpenAPI document. */
import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import type { JsonObject } from "../../../compiler/json.ts";
import { isForeignOrigin } from "../../http/origin.ts";
import type { RequestCall } from "../../http/request-context.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Services } from "../../services.ts";
import type { Answer } from "../../wire/answer.ts";
import { jsonAnswer, send } from "../../wire/answers.ts";
import { nothingThere, ServiceFault } from "../../wire/errors.ts";
import type { Channels } from "../channels/channels.ts";
import { answerEndpoint } from "../endpoints/answer-endpoint.ts";
import { metaAnswer } from "../endpoints/challenges.ts";
import { type CorsHeaders, corsHeaders, forbiddenOrigin, preflightHeaders } from "../endpoints/cors.ts";
import type { ChallengeSettings, CorsSettings } from "../endpoints/endpoint-settings.ts";
import { segmentsOf } from "../endpoints/path-template.ts";
import { type ReadyEndpoint, servedProgram } from "../endpoints/program-api.ts";
import { type LoadedProgram, noProgram } from "../loaded-programs.ts";
import { PROGRAM_NAME } from "../program-name.ts";

/** No endpoint has the last one: it is answered with the methods that there are. HEAD is what GET is, without the body. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Programs read what they declare. */
const ANY_QUERY = z.looseObject({});
const DOCUMENT = "/openapi.json";

export type AppContext = { readonly services: Services; readonly jobs: Jobs; readonly channels: Channels };

export function appRoutes(app: ServiceApp, context: AppContext): void {
  for (const url of ["/app/:program", "/app/:program/*"])
    app.route({
      method: METHODS,
      url,
      config: { work: true, ownOrigins: true },
      exposeHeadRoute: false,
      // What follows depends on the deployment, which has its own document.
      schema: { hide: true, querystring: ANY_QUERY },
      handler: async (request, reply) => send(reply, await answer(context, request, reply)),
    });
}

async function answer(context: AppContext, request: FastifyRequest, reply: FastifyReply): Promise<Answer> {
  const { services, jobs, channels } = context;
  const { raw, headers, call, method } = request;
  const { name, path, query } = placeIn(raw.url ?? "");
  // A page of another origin learns nothing of what is here, unless the endpoint lets it ask.
  const isForeign = isForeignOrigin(headers, services.config.allowedOrigins);
  const search = new URLSearchParams(query);
  const given = { headers, query: search };
  const asks = method === "OPTIONS" ? askedMethod(headers) : method;
  const found = await endpointAt(context, name, path, asks, given).catch((cause) => {
    throw isForeign ? forbiddenOrigin() : cause;
  });
  const cors = found.endpoint?.settings.cors;
  const allowed = corsHeaders(cors, headers);
  if (isForeign && allowed === null) throw forbiddenOrigin();
  if (method === "OPTIONS") return optionsAnswer(found, cors, allowed);
  if (allowed !== null) reply.headers(allowed);
  const { program, endpoint, parameters } = found;
  if (endpoint === null) {
    if (found.document !== null) return jsonAnswer(200, found.document);
    throw absence(found.methods);
  }
  if (!found.enabled) throw new ServiceFault("program_disabled", `the deployment '${name}' is disabled`);
  const { method: by, path: written } = endpoint.endpoint;
  // The events of its refusal name it as well.
  Object.assign(call.context, { program: name, version: program.version, endpoint: `${by} ${written}` });
  const { challenge } = endpoint.settings;
  if (challenge?.kind === "meta" && method === "GET") return metaChallenge(services, challenge, search, call);
  const asked = { method, path, query: search, written: query, parameters };
  const ended = (failed: boolean): void => channels.ended(program, failed);
  return answerEndpoint({ services, jobs, program, endpoint, asked, headers, raw, call, ended });
}

type Place = {
  readonly program: LoadedProgram;
  readonly enabled: boolean;
  /** Null: nothing of the program is at the path, for this method. */
  readonly endpoint: ReadyEndpoint | null;
  readonly parameters: ReadonlyMap<string, string>;
  /** The program's own, where the path is that of it. */
  readonly document: JsonObject | null;
  /** Methods of the path; empty where there is nothing. */
  readonly methods: readonly string[];
};

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

/** Rejects with ServiceFault program_not_found. */
async function endpointAt(
  { services, channels }: AppContext,
  name: string,
  path: string,
  method: string,
  given: Parameters<Channels["forCall"]>[1],
): Promise<Place> {
  if (!PROGRAM_NAME.test(name) || services.programs === null) throw noProgram(name);
  const current = await services.programs.current(name);
  const { enabled } = current;
  // Its document is that of the current version, for every caller.
  const program = path === DOCUMENT ? current.program : await channels.forCall(current, given);
  const { table, document } = servedProgram(program);
  const of = { program, enabled, parameters: NO_PARAMETERS, endpoint: null };
  if (path === DOCUMENT && (method === "GET" || method === "HEAD"))
    return { ...of, document, methods: ["GET", "HEAD"] };
  const segments = segmentsOf(path);
  const match = segments === null ? { allowed: [] } : table.match(method, segments);
  if ("found" in match)
    return { ...of, document: null, endpoint: match.found, parameters: match.parameters, methods: [] };
  const methods = path === DOCUMENT ? [...match.allowed, "GET", "HEAD"] : match.allowed;
  // Meta asks by GET whether the address of its deliveries is right.
  const post = segments !== null && methods.includes("POST") ? table.match("POST", segments) : null;
  if (post === null || !("found" in post) || post.found.settings.challenge?.kind !== "meta")
    return { ...of, document: null, methods };
  if (method !== "GET") return { ...of, document: null, methods: [...methods, "GET"] };
  return { ...of, document: null, endpoint: post.found, parameters: post.parameters, methods: [] };
}

/** The method that a browser asks about before it sends; else no method, so that all of the path are found. */
function askedMethod(headers: FastifyRequest["headers"]): string {
  const asked = headers["access-control-request-method"];
  return headers.origin !== undefined && typeof asked === "string" ? asked : "OPTIONS";
}

/** Throws ServiceFault not_found. */
function optionsAnswer(
  { endpoint, methods }: Place,
  cors: CorsSettings | undefined,
  allowed: CorsHeaders | null,
): Answer {
  if (endpoint !== null) {
    const { method } = endpoint.endpoint;
    const headers = cors === undefined || allowed === null ? {} : preflightHeaders(cors, allowed, method);
    return { status: 204, headers: { allow: shownMethods([method]), ...headers }, body: "" };
  }
  if (methods.length === 0) throw nothingThere();
  return { status: 204, headers: { allow: shownMethods(methods) }, body: "" };
}

/** HEAD goes wherever GET does. */
function shownMethods(methods: readonly string[]): string {
  const all = new Set([...methods, "OPTIONS", ...(methods.includes("GET") ? ["HEAD"] : [])]);
  return [...all].sort().join(", ");
}

async function metaChallenge(
  { secrets, events }: Services,
  challenge: Extract<ChallengeSettings, { kind: "meta" }>,
  query: URLSearchParams,
  { context }: RequestCall,
): Promise<Answer> {
  const found = await metaAnswer(challenge, query, (name) => secrets.get(name));
  if (found === "wrong") {
    events.note("warn", "signature_invalid", { reason: "mismatch", kind: "meta" }, context);
    throw new ServiceFault("signature_invalid", "the verify token is not valid");
  }
  events.note("info", "challenge_answered", { kind: "meta" }, context);
  return found;
}

function absence(methods: readonly string[]): ServiceFault {
  if (methods.length === 0) return nothingThere();
  const shown = [...new Set(methods)].sort().join(", ");
  return new ServiceFault("method_not_allowed", `this path has ${shown}`, {}, { allow: shown });
}

/** The deployment, the path below it as it was sent, and the query. */
function placeIn(url: string): { readonly name: string; readonly path: string; readonly query: string } {
  const target = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").split("#")[0] ?? "";
  const mark = target.indexOf("?");
  const whole = mark < 0 ? target : target.slice(0, mark);
  const [, , name = "", ...rest] = whole.split("/");
  return { name, path: `/${rest.join("/")}`, query: mark < 0 ? "" : target.slice(mark + 1) };
}
