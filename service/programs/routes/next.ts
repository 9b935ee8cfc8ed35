/** /programs/{name}/next: the version next to the current one, with a share of calls and fires. */

import { warningKey } from "../../grant-check.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import { Program } from "../../schemas/programs.ts";
import { send } from "../../wire/answers.ts";
import { ServiceFault } from "../../wire/errors.ts";
import { VersionedHeaders } from "../../wire/headers.ts";
import { refusalsOfBodies, responses } from "../../wire/responses.ts";
import { SIGNATURE_REFUSALS } from "../../wire/signature-refusals.ts";
import { nextKey } from "../channels/channels.ts";
import { NextBody, PromoteBody } from "../channels/schemas.ts";
import { expectChanged } from "../deploy/deploy-program.ts";
import { noProgram } from "../loaded-programs.ts";
import { checkPerson } from "../proposals/acting.ts";
import { documentOf, REFUSALS } from "./change.ts";
import { ifMatch, nameIn } from "./path-name.ts";
import { checkAccepted, checkDeployAllowed, type ProgramsContext } from "./programs-context.ts";

const URL = "/programs/:name/next";

export function nextRoutes(app: ServiceApp, context: ProgramsContext): void {
  setRoute(app, context);
  promoteRoute(app, context);
  abortRoute(app, context);
}

/** A version that is to be served is accepted and signed like one that becomes current. Rejects with ServiceFault. */
async function checkServed(context: ProgramsContext, name: string, version: number): Promise<void> {
  const kept = await context.store.version(name, version);
  if (kept === null) throw noProgram(name, version);
  checkAccepted(context, kept);
  const refusal = context.services.signatures.refusal(kept);
  if (refusal !== null) throw refusal;
}

function setRoute(app: ServiceApp, context: ProgramsContext): void {
  const { store, services } = context;
  app.route({
    method: "PUT",
    url: URL,
    config: { work: true },
    schema: {
      operationId: "setNextProgram",
      summary: "Gives a version next to the current one a share of calls and fires",
      headers: VersionedHeaders,
      body: NextBody,
      response: responses({ 200: Program }, [...refusalsOfBodies, ...REFUSALS, ...SIGNATURE_REFUSALS, "next_invalid"]),
    },
    handler: async ({ params, headers, body, validationError, call }, reply) => {
      checkDeployAllowed(context);
      const name = nameIn(params);
      if (validationError !== undefined) throw validationError;
      checkPerson(services.config, headers);
      const { version, weight, key = null, abort = null } = body;
      await checkServed(context, name, version);
      const done = await store.setNext({ name, version, weight, key, abort, source: "api", ifMatch: ifMatch(headers) });
      if (done.state === "is_current") throw new ServiceFault("next_invalid", `version ${version} is current already`);
      expectChanged(name, done, version);
      services.readiness.warn(nextKey(name), null);
      services.events.note("info", "program_next_set", { program: name, version, weight }, call.context);
      return send(reply, await documentOf(context, name));
    },
  });
}

function promoteRoute(app: ServiceApp, context: ProgramsContext): void {
  const { store, services } = context;
  app.route({
    method: "POST",
    url: `${URL}/promote`,
    config: { work: true },
    schema: {
      operationId: "promoteNextProgram",
      summary: "Makes the version next to the current one the current one",
      headers: VersionedHeaders,
      body: PromoteBody,
      response: responses({ 200: Program }, [
        ...refusalsOfBodies,
        ...REFUSALS,
        ...SIGNATURE_REFUSALS,
        "next_invalid",
        "schedules_full",
      ]),
    },
    handler: async ({ params, headers, body, validationError, call }, reply) => {
      checkDeployAllowed(context);
      const name = nameIn(params);
      if (validationError !== undefined) throw validationError;
      checkPerson(services.config, headers);
      const { version } = body;
      await checkServed(context, name, version);
      const { maxSchedules } = services.config.programs;
      const done = await store.promoteNext({ name, version, ifMatch: ifMatch(headers), source: "api", maxSchedules });
      if (done.state === "no_next") throw notNext(version);
      expectChanged(name, done, version);
      for (const key of [nextKey(name), warningKey(name)]) services.readiness.warn(key, null);
      services.events.note("info", "program_next_promoted", { program: name, version }, call.context);
      return send(reply, await documentOf(context, name));
    },
  });
}

function abortRoute(app: ServiceApp, context: ProgramsContext): void {
  const { store, services } = context;
  app.route({
    method: "DELETE",
    url: URL,
    config: { work: "settles" },
    schema: {
      operationId: "abortNextProgram",
      summary: "Ends the version next to the current one: all calls reach the current one",
      headers: VersionedHeaders,
      response: responses({ 200: Program }, [...REFUSALS, "next_invalid"]),
    },
    handler: async ({ params, headers, call }, reply) => {
      // To end it is always allowed, like disabling a program.
      checkDeployAllowed(context);
      const name = nameIn(params);
      const done = await store.abortNext({ name, source: "api", ifMatch: ifMatch(headers) });
      if (done.state === "no_next")
        throw new ServiceFault("next_invalid", `'${name}' has no version next to the current one`);
      if (done.state !== "ended") expectChanged(name, done);
      else {
        services.readiness.warn(nextKey(name), null);
        services.events.note("info", "program_next_ended", { program: name, version: done.version }, call.context);
      }
      return send(reply, await documentOf(context, name));
    },
  });
}

function notNext(version: number): ServiceFault {
  return new ServiceFault("next_invalid", `version ${version} is not the one next to the current one`);
}
