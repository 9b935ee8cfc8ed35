/** GET /programs and below: deployments, one of them, and its versions. */

import { inTurns } from "../../../vm/tasks/task.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import {
  Program,
  ProgramList,
  ProgramListQuery,
  Version,
  VersionList,
  VersionListQuery,
} from "../../schemas/programs.ts";
import { JSON_HEADERS, jsonAnswer, send } from "../../wire/answers.ts";
import { faults } from "../../wire/errors.ts";
import { VersionedHeaders } from "../../wire/headers.ts";
import { responses } from "../../wire/responses.ts";
import { activityFacts, deploymentFacts, endpointDocuments, versionFacts, versionText } from "../deploy/documents.ts";
import { shownSchedules } from "../deploy/schedules.ts";
import { askedBy, type DeploymentSettings } from "../deployment-settings.ts";
import { servedEndpoints } from "../endpoints/served-endpoints.ts";
import { noProgram } from "../loaded-programs.ts";
import { parsedIr } from "../parsed-ir.ts";
import { PROGRAM_NAME } from "../program-name.ts";
import type { CurrentProgram } from "../store.ts";
import { nameIn, versionIn, versionTag } from "./path-name.ts";
import { type ProgramsContext, programWarnings } from "./programs-context.ts";

export function readRoutes(app: ServiceApp, context: ProgramsContext): void {
  listRoute(app, context);
  oneRoute(app, context);
  versionsRoute(app, context);
  versionRoute(app, context);
}

function listRoute(app: ServiceApp, { store, services }: ProgramsContext): void {
  app.route({
    method: "GET",
    url: "/programs",
    schema: {
      operationId: "listPrograms",
      summary: "Deployments, by name",
      querystring: ProgramListQuery,
      response: responses({ 200: ProgramList }, ["store_unavailable"]),
    },
    handler: async ({ query }, reply) => {
      const { limit, cursor, tag, q = null } = query;
      const after = cursor === undefined ? null : decoded(cursor, PROGRAM_NAME);
      const found = await store.list({ limit: limit + 1, after, tag: tagOf(tag), q });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      const next_cursor = last === undefined ? null : encoded(last.name);
      const activity = new Map((await store.activity(page.map(({ name }) => name))).map((one) => [one.name, one]));
      const programs: object[] = [];
      for (const one of page) {
        const facts = activityFacts(activity.get(one.name), services.config.jobs.list);
        const active = await inTurns(facts, services.clock, setImmediate);
        programs.push({ ...deploymentFacts(one, services.signatures), ...active });
      }
      return send(reply, jsonAnswer(200, { programs, next_cursor }));
    },
  });
}

function oneRoute(app: ServiceApp, context: ProgramsContext): void {
  app.route({
    method: "GET",
    url: "/programs/:name",
    schema: {
      operationId: "getProgram",
      summary: "One deployment with its endpoints and schedules",
      headers: VersionedHeaders,
      response: responses({ 200: Program }, ["program_not_found", "store_unavailable"]),
    },
    handler: async ({ params }, reply) => {
      const name = nameIn(params);
      const current = await context.store.current(name);
      if (current === null) throw noProgram(name);
      const body = { ...(await programDocument(context, current)), warnings: programWarnings(context, name) };
      return send(reply, jsonAnswer(200, body, versionTag(current.deployment.version)));
    },
  });
}

function versionsRoute(app: ServiceApp, { store, services }: ProgramsContext): void {
  app.route({
    method: "GET",
    url: "/programs/:name/versions",
    schema: {
      operationId: "listProgramVersions",
      summary: "Versions of a deployment, newest first",
      querystring: VersionListQuery,
      response: responses({ 200: VersionList }, ["program_not_found", "store_unavailable"]),
    },
    handler: async ({ params, query }, reply) => {
      const name = nameIn(params);
      const { limit, cursor } = query;
      const before = cursor === undefined ? null : Number(decoded(cursor, /^[0-9]{1,9}$/));
      const deployment = await store.find(name);
      if (deployment === null) throw noProgram(name);
      const found = await store.versions({ name, limit: limit + 1, before });
      const versions = found.slice(0, limit);
      const last = found.length > limit ? versions.at(-1) : undefined;
      const next_cursor = last === undefined ? null : encoded(String(last.version));
      const shown = versions.map((version) => versionFacts(version, deployment.version, services.signatures));
      return send(reply, jsonAnswer(200, { name, versions: shown, next_cursor }));
    },
  });
}

function versionRoute(app: ServiceApp, { store, services }: ProgramsContext): void {
  app.route({
    method: "GET",
    url: "/programs/:name/versions/:version",
    schema: {
      operationId: "getProgramVersion",
      summary: "One version with its source, settings and IR",
      response: responses({ 200: Version }, ["program_not_found", "store_unavailable"]),
    },
    handler: async ({ params }, reply) => {
      const name = nameIn(params);
      const number = versionIn(params, name);
      const version = await store.version(name, number);
      if (version === null) throw noProgram(name, number);
      const current = (await store.find(name))?.version ?? null;
      return send(reply, {
        status: 200,
        headers: JSON_HEADERS,
        body: versionText(version, current, services.signatures),
      });
    },
  });
}

/** A deployment with the endpoints and schedules of its current version. */
export async function programDocument(
  { services: { clock, signatures }, now, emitters }: ProgramsContext,
  { deployment, version }: CurrentProgram,
) {
  const settings = JSON.parse(version.settings) as DeploymentSettings;
  const ir = await parsedIr(version.ir, clock);
  const { endpoints } = servedEndpoints(ir, settings);
  return {
    ...deploymentFacts(deployment, signatures),
    endpoints: endpointDocuments(deployment.name, ir, endpoints),
    schedules: await inTurns(shownSchedules(version.schedules, now()), clock, setImmediate),
    emits: await emitters.emittedBy(ir, askedBy(settings)),
  };
}

function tagOf(text: string | undefined): { readonly key: string; readonly value: string | null } | null {
  if (text === undefined) return null;
  const colon = text.indexOf(":");
  return colon < 0 ? { key: text, value: null } : { key: text.slice(0, colon), value: text.slice(colon + 1) };
}

function encoded(text: string): string {
  return Buffer.from(text, "utf8").toString("base64url");
}

/** Throws ServiceFault invalid_request. */
function decoded(cursor: string, form: RegExp): string {
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  if (form.test(text)) return text;
  const issue = { path: "/cursor", code: "format", message: "must be the next_cursor of an answer" };
  throw faults.invalidRequest([issue], "query");
}
