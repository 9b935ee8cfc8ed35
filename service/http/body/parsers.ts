/**
 * How the framework gets the body of a request: content-type parsers with the service's own strict reader of JSON, after everything that
 * can refuse the request without its body. Faults of what the body says are attached to the request, so that the route can keep its refusal
 * under an Idempotency-Key.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Services } from "../../services.ts";
import type { ServiceApp } from "../service-app.ts";
import { readCodedJsonBody, readJsonBody, readJsonObject, readOptionalJsonBody } from "./json.ts";
import { bodyKind } from "./stream.ts";

export function parseBodies(app: ServiceApp, services: Services): void {
  app.removeAllContentTypeParsers();
  // The usual type by its name: the framework parses every other one anew for each request.
  app.addContentTypeParser(["application/json", "*"], async (request: FastifyRequest) => {
    const { body } = request.call;
    // A body that the route does not take is not read.
    if (body === "none") return undefined;
    return body === "optional" ? readOptionalJsonBody(services, request.raw) : readJsonBody(services, request.raw);
  });
  app.addHook("onRoute", (route) => {
    if (route.schema?.body === undefined) return;
    route.attachValidation = true;
    route.preParsing = checkQuery;
    route.preValidation = emptyBody(route.config?.bodyOptional === true);
  });
}

/** JSON, and lines of JSON, which the route reads by itself while it answers; both may have a Content-Encoding. */
export function takeBatches(app: ServiceApp, services: Services): void {
  app.removeContentTypeParser(["application/json", "*"]);
  app.addContentTypeParser(["application/json", "*"], async (request: FastifyRequest) =>
    readCodedJsonBody(services, request.raw),
  );
  app.addContentTypeParser(["application/x-ndjson", "application/ndjson"], (request, _payload, done) => {
    bodyKind(request.headers, true);
    done(null, undefined);
  });
}

/** The framework would check it after the body. */
function checkQuery(request: FastifyRequest, _reply: FastifyReply, _payload: unknown, next: () => void): void {
  if (request.url.includes("?")) {
    const { error } = request.validateInput(request.query, "querystring") as unknown as { readonly error?: Error };
    if (error !== undefined) throw error;
  }
  next();
}

/** The framework parses no body where neither its type nor a length is given. */
function emptyBody(isOptional: boolean) {
  return (request: FastifyRequest, _reply: FastifyReply, next: () => void): void => {
    if (request.body === undefined && bodyKind(request.headers, true) === "json")
      request.body = isOptional ? {} : readJsonObject(NO_BYTES);
    next();
  };
}

const NO_BYTES = Buffer.alloc(0);
