/** /app/{program}: the endpoints of a deployment, and its OpenAPI document. */
import type { FastifyRequest } from "fastify";
import * as z from "zod";
import type { ServiceApp } from "../../http/service-app.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Services } from "../../services.ts";
import type { Answer } from "../../wire/answer.ts";
import { jsonAnswer, send } from "../../wire/answers.ts";
import { nothingThere, ServiceFault } from "../../wire/errors.ts";
import { answerEndpoint } from "../endpoints/answer-endpoint.ts";
import { segmentsOf } from "../endpoints/path-template.ts";
import { servedProgram } from "../endpoints/program-api.ts";
import { noProgram } from "../loaded-programs.ts";
import { PROGRAM_NAME } from "./path-name.ts";

/** No endpoint has the last one: it gets the methods that there are. HEAD is what GET is, without the body. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Programs read what they declare. */
const ANY_QUERY = z.looseObject({});
const DOCUMENT = "/openapi.json";

export function appRoutes(app: ServiceApp, services: Services, jobs: Jobs): void {
  for (const url of ["/app/:program", "/app/:program/*"])
    app.route({
      method: METHODS,
      url,
      config: { work: true },
      exposeHeadRoute: false,
      // What follows depends on the deployment, which has its own document.
      schema: { hide: true, querystring: ANY_QUERY },
      handler: async (request, reply) => send(reply, await answer(services, jobs, request)),
    });
}

async function answer(services: Services, jobs: Jobs, request: FastifyRequest): Promise<Answer> {
  const { raw, headers, call, method } = request;
  const { name, path, query } = placeIn(raw.url ?? "");
  if (!PROGRAM_NAME.test(name) || services.programs === null) throw noProgram(name);
  const { enabled, program } = await services.programs.current(name);
  const { table, document } = servedProgram(program);
  if (path === DOCUMENT && (method === "GET" || method === "HEAD")) return jsonAnswer(200, document);
  if (!enabled) throw new ServiceFault("program_disabled", `the deployment '${name}' is disabled`);
  const segments = segmentsOf(path);
  const match = segments === null ? { allowed: [] } : table.match(method, segments);
  if (!("found" in match)) throw absence(match.allowed, path);
  const { found: endpoint, parameters } = match;
  const { method: by, path: written } = endpoint.endpoint;
  // The events of its refusal name it as well.
  Object.assign(call.context, { program: name, version: program.version, endpoint: `${by} ${written}` });
  const asked = { method, path, query: new URLSearchParams(query), parameters };
  return answerEndpoint({ services, jobs, program, endpoint, asked, headers, raw, call });
}

function absence(allowed: readonly string[], path: string): ServiceFault {
  const methods = path === DOCUMENT ? [...allowed, "GET", "HEAD"] : allowed;
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
