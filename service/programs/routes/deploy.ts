/** PUT /programs/{name}: deploys a program, or says what deploying it would change. */
import type { RequestCall } from "../../http/request-context.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import type { ValidatedBody } from "../../run/read-request.ts";
import { VersionedHeaders } from "../../schemas/headers.ts";
import { Deployed, type DeployMembers, DeployQuery, DeployRequest } from "../../schemas/programs.ts";
import { refusalsOfPrograms, responses } from "../../schemas/responses.ts";
import type { Answer } from "../../wire/answer.ts";
import { JSON_HEADERS, send } from "../../wire/answers.ts";
import { deployProgram } from "../deploy/deploy-program.ts";
import { endpointDocuments, jsonWith } from "../deploy/documents.ts";
import { noteNeeds } from "../deploy/needs.ts";
import { planDeployment } from "../deploy/plan-deployment.ts";
import { warningKey } from "../grant-check.ts";
import { ifMatch, newNameIn, versionTag } from "./path-name.ts";
import { checkDeployAllowed, durabilityWarnings, type ProgramsContext } from "./programs-context.ts";

export function deployRoute(app: ServiceApp, context: ProgramsContext): void {
  app.route({
    method: "PUT",
    url: "/programs/:name",
    config: { work: true },
    schema: {
      operationId: "deployProgram",
      summary: "Deploys a program under a name, as its next version",
      querystring: DeployQuery,
      headers: VersionedHeaders,
      body: DeployRequest,
      response: responses({ 200: Deployed, 201: Deployed }, [
        ...refusalsOfPrograms,
        "endpoint_invalid",
        "schedule_invalid",
        "flow_invalid",
        "deploy_disabled",
        "program_cannot_run",
        "managed_by_files",
        "programs_full",
        "schedules_full",
        "version_conflict",
        "store_unavailable",
      ]),
    },
    handler: async (request, reply) => {
      const { body, validationError: fault, params, query, headers, call } = request;
      checkDeployAllowed(context);
      const name = newNameIn(params);
      const asked = { name, ifMatch: ifMatch(headers), dryRun: query.dry_run === "1" };
      return send(reply, await deploy(context, asked, { body, fault }, call));
    },
  });
}

type Asked = { readonly name: string; readonly ifMatch: number | undefined; readonly dryRun: boolean };

async function deploy(
  context: ProgramsContext,
  { name, ifMatch: expected, dryRun }: Asked,
  asked: ValidatedBody<DeployMembers>,
  call: RequestCall,
): Promise<Answer> {
  const { services, store, now } = context;
  const { host } = services.gateway;
  const planned = await planDeployment(services, name, asked, now());
  const { maxDeployments, versionsKept, maxSchedules } = services.config.programs;
  const { tags, description } = asked.body;
  const done = await deployProgram(store, planned, {
    source: "api",
    ifMatch: expected,
    dryRun,
    tags: tags === undefined ? undefined : (tags ?? {}),
    description,
    maxDeployments,
    versionsKept,
    maxSchedules,
    host,
    reviews: services.reviews,
  });
  const { version, created, unchanged, difference, report } = done;
  if (!dryRun) noteNeeds(services, name, planned.needs);
  if (!dryRun && !unchanged) {
    services.readiness.warn(warningKey(name), null);
    const fields = { program: name, version, checksum: planned.version.checksum, source: "api" };
    services.events.note("info", "program_deployed", fields, call.context);
  }
  const head = {
    ok: true,
    trace_id: call.context.trace_id,
    name,
    version,
    checksum: planned.version.checksum,
    unchanged,
    dry_run: dryRun,
  };
  const places = {
    endpoints: endpointDocuments(name, planned.ir, planned.endpoints),
    schedules: planned.schedules.shown,
  };
  const warnings = [...planned.warnings, ...planned.needs, ...durabilityWarnings(context)];
  const body = jsonWith(
    head,
    `{"difference":${difference}}`,
    JSON.stringify(places),
    `{"report":${report}}`,
    JSON.stringify({ warnings }),
  );
  return { status: created && !dryRun ? 201 : 200, headers: { ...JSON_HEADERS, ...versionTag(version) }, body };
}
