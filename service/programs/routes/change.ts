/** What changes a deployment that is there: rollback, PATCH, DELETE. */

import { warningKey } from "../../grant-check.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import { Program, ProgramChange, Removed, RollbackRequest } from "../../schemas/programs.ts";
import type { Answer } from "../../wire/answer.ts";
import { jsonAnswer, send } from "../../wire/answers.ts";
import { VersionedHeaders } from "../../wire/headers.ts";
import { refusalsOfBodies, responses } from "../../wire/responses.ts";
import { SIGNATURE_REFUSALS } from "../../wire/signature-refusals.ts";
import { expectChanged } from "../deploy/deploy-program.ts";
import { noProgram } from "../loaded-programs.ts";
import { checkPerson } from "../proposals/acting.ts";
import { ifMatch, nameIn, versionTag } from "./path-name.ts";
import { checkAccepted, checkDeployAllowed, type ProgramsContext, programWarnings } from "./programs-context.ts";
import { programDocument } from "./read.ts";

export const REFUSALS = [
  "program_not_found",
  "deploy_disabled",
  "proposals_only",
  "managed_by_files",
  "version_conflict",
  "draining",
  "server_busy",
  "rate_limited",
  "store_unavailable",
] as const;

export function changeRoutes(app: ServiceApp, context: ProgramsContext): void {
  rollbackRoute(app, context);
  patchRoute(app, context);
  removeRoute(app, context);
}

function rollbackRoute(app: ServiceApp, context: ProgramsContext): void {
  const { store, services } = context;
  app.route({
    method: "POST",
    url: "/programs/:name/rollback",
    config: { work: true },
    schema: {
      operationId: "rollbackProgram",
      summary: "Makes an older version current",
      headers: VersionedHeaders,
      body: RollbackRequest,
      response: responses({ 200: Program }, [
        ...refusalsOfBodies,
        ...REFUSALS,
        ...SIGNATURE_REFUSALS,
        "schedules_full",
      ]),
    },
    handler: async ({ params, headers, body, validationError, call }, reply) => {
      checkDeployAllowed(context);
      const name = nameIn(params);
      if (validationError !== undefined) throw validationError;
      const { version } = body;
      const kept = await store.version(name, version);
      if (kept === null) throw noProgram(name, version);
      checkAccepted(context, kept);
      const refusal = services.signatures.refusal(kept);
      if (refusal !== null) throw refusal;
      const { maxSchedules } = services.config.programs;
      const done = await store.rollback({ name, version, ifMatch: ifMatch(headers), source: "api", maxSchedules });
      expectChanged(name, done, version);
      services.readiness.warn(warningKey(name), null);
      services.events.note("info", "program_rolled_back", { program: name, version }, call.context);
      return send(reply, await documentOf(context, name));
    },
  });
}

function patchRoute(app: ServiceApp, context: ProgramsContext): void {
  const { store, services } = context;
  app.route({
    method: "PATCH",
    url: "/programs/:name",
    config: { work: true },
    schema: {
      operationId: "changeProgram",
      summary: "Enables or disables a deployment, or changes its tags and description",
      headers: VersionedHeaders,
      body: ProgramChange,
      response: responses({ 200: Program }, [...refusalsOfBodies, ...REFUSALS]),
    },
    handler: async ({ params, headers, body, validationError, call }, reply) => {
      checkDeployAllowed(context);
      const name = nameIn(params);
      if (validationError !== undefined) throw validationError;
      const { enabled, tags, description } = body;
      // To stop a program is always allowed.
      if (enabled !== false || tags !== undefined || description !== undefined) checkPerson(services.config, headers);
      const done = await store.change({
        name,
        enabled: enabled ?? undefined,
        tags: tags === undefined ? undefined : (tags ?? {}),
        description,
        source: "api",
        ifMatch: ifMatch(headers),
      });
      expectChanged(name, done);
      if (typeof enabled === "boolean")
        services.events.note("info", enabled ? "program_enabled" : "program_disabled", { program: name }, call.context);
      return send(reply, await documentOf(context, name));
    },
  });
}

function removeRoute(app: ServiceApp, context: ProgramsContext): void {
  const { store, services } = context;
  app.route({
    method: "DELETE",
    url: "/programs/:name",
    config: { work: "settles" },
    schema: {
      operationId: "removeProgram",
      summary: "Removes a deployment; its jobs continue",
      headers: VersionedHeaders,
      response: responses({ 200: Removed }, REFUSALS),
    },
    handler: async ({ params, headers, call }, reply) => {
      checkDeployAllowed(context);
      checkPerson(services.config, headers);
      const name = nameIn(params);
      expectChanged(name, await store.remove({ name, source: "api", ifMatch: ifMatch(headers) }));
      services.readiness.warn(warningKey(name), null);
      services.events.note("info", "program_removed", { program: name }, call.context);
      return send(reply, jsonAnswer(200, { ok: true, name }));
    },
  });
}

export async function documentOf(context: ProgramsContext, name: string): Promise<Answer> {
  const current = await context.store.current(name);
  if (current === null) throw noProgram(name);
  const body = { ...(await programDocument(context, current)), warnings: programWarnings(context, name) };
  return jsonAnswer(200, body, versionTag(current.deployment.version));
}
