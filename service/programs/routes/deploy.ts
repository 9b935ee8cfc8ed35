/** PUT /programs/{name}: deploys a program, or says what deploying it would change. */

import { warningKey } from "../../grant-check.ts";
import type { RequestCall } from "../../http/request-context.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import type { ValidatedBody } from "../../run/read-request.ts";
import { Deployed, type DeployMembers, DeployQuery, DeployRequest } from "../../schemas/programs.ts";
import type { Answer } from "../../wire/answer.ts";
import { JSON_HEADERS, send } from "../../wire/answers.ts";
import { faults } from "../../wire/errors.ts";
import { VersionedHeaders } from "../../wire/headers.ts";
import { refusalsOfPrograms, responses } from "../../wire/responses.ts";
import { deployProgram } from "../deploy/deploy-program.ts";
import { endpointDocuments, jsonWith } from "../deploy/documents.ts";
import { noteNeeds } from "../deploy/needs.ts";
import { planDeployment } from "../deploy/plan-deployment.ts";
import { askedBy } from "../deployment-settings.ts";
import { actorIn } from "../proposals/acting.ts";
import type { Actor } from "../proposals/proposal.ts";
import { testsOf } from "../proposals/proposal-tests.ts";
import { propose } from "../proposals/propose.ts";
import { ProposalDocument } from "../proposals/schemas.ts";
import { ifMatch, newNameIn, versionTag } from "./path-name.ts";
import {
  checkDeployAllowed,
  checkDirectAllowed,
  durabilityWarnings,
  type ProgramsContext,
} from "./programs-context.ts";
import { proposalAnswer } from "./proposals.ts";

export function deployRoute(app: ServiceApp, context: ProgramsContext): void {
  app.route({
    method: "PUT",
    url: "/programs/:name",
    config: { work: true },
    schema: {
      operationId: "deployProgram",
      summary: "Deploys a program under a name as its next version, or proposes it",
      querystring: DeployQuery,
      headers: VersionedHeaders,
      body: DeployRequest,
      response: responses({ 200: Deployed, 201: Deployed, 202: ProposalDocument }, [
        ...refusalsOfPrograms,
        "endpoint_invalid",
        "event_invalid",
        "schedule_invalid",
        "flow_invalid",
        "deploy_disabled",
        "proposals_only",
        "proposals_full",
        "program_cannot_run",
        "managed_by_files",
        "programs_full",
        "schedules_full",
        "version_conflict",
        "attestation_differs",
        "next_invalid",
        "store_unavailable",
      ]),
    },
    handler: async (request, reply) => {
      const { body, validationError: fault, params, query, headers, call } = request;
      const { services } = context;
      const isProposal = query.propose === "1";
      // What it would change may always be asked.
      if (isProposal || query.dry_run === "1") checkDeployAllowed(context);
      else checkDirectAllowed(context);
      const name = newNameIn(params);
      if (isProposal) {
        if (query.dry_run === "1") throw faults.invalidRequest([ONE_OF_BOTH], "query");
        if (query.next === "1") throw faults.invalidRequest([BY_ACCEPTANCE], "query");
        const by = { name, ifMatch: ifMatch(headers), proposer: actorIn(services.config, headers) };
        return send(reply, await proposed(context, by, { body, fault }, call));
      }
      refuseProposalMembers(body);
      const asked = { name, ifMatch: ifMatch(headers), dryRun: query.dry_run === "1", asNext: query.next === "1" };
      return send(reply, await deploy(context, asked, { body, fault }, call));
    },
  });
}

const ONE_OF_BOTH = {
  path: "/dry_run",
  code: "exclusive",
  message: "a proposal changes nothing that runs: leave out dry_run",
};

const BY_ACCEPTANCE = {
  path: "/next",
  code: "exclusive",
  message: "who accepts a proposal decides whether it becomes next: leave out next",
};

/** Throws ServiceFault invalid_request. */
function refuseProposalMembers({ comment, tests }: DeployMembers): void {
  const given = [...(comment == null ? [] : ["comment"]), ...(tests == null ? [] : ["tests"])];
  if (given.length === 0) return;
  throw faults.invalidRequest(
    given.map((name) => ({ path: `/${name}`, code: "exclusive", message: "belongs to a proposal: add ?propose=1" })),
  );
}

async function proposed(
  context: ProgramsContext,
  { name, ...by }: { readonly name: string; readonly ifMatch: number | undefined; readonly proposer: Actor },
  asked: ValidatedBody<DeployMembers>,
  call: RequestCall,
): Promise<Answer> {
  const { services, store, now } = context;
  const { comment = null, tests, tags, description, ...deployment } = asked.body;
  const planned = await planDeployment(
    services,
    name,
    { body: { ...deployment, tags, description }, fault: asked.fault },
    now(),
  );
  const { reviews, signatures, proposalTests, config, gateway, freshId } = services;
  const { id, repeated } = await propose(store, planned, {
    ...by,
    id: freshId(),
    source: "api",
    comment,
    tests: testsOf(JSON.parse(planned.version.source), tests),
    tags: tags === undefined ? undefined : (tags ?? {}),
    description,
    catalog: gateway.host.catalog,
    ...{ reviews, signatures, proposalTests, programs: config.programs, now: now() },
  });
  const fields = { program: name, proposal: id, checksum: planned.version.checksum, via: by.proposer.via };
  if (!repeated) services.events.note("info", "program_proposed", fields, call.context);
  return proposalAnswer(context, id, 202);
}

const UNSIGNED = "version_unsigned: the service admits signed versions only (WF_TRUSTED_KEYS)";

type Asked = {
  readonly name: string;
  readonly ifMatch: number | undefined;
  readonly dryRun: boolean;
  readonly asNext: boolean;
};

async function deploy(
  context: ProgramsContext,
  { name, ifMatch: expected, dryRun, asNext }: Asked,
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
    asNext,
    tags: tags === undefined ? undefined : (tags ?? {}),
    description,
    maxDeployments,
    versionsKept,
    maxSchedules,
    host,
    reviews: services.reviews,
    signatures: services.signatures,
  });
  const { version, created, unchanged, difference, report } = done;
  if (!dryRun && !asNext) noteNeeds(services, name, planned.needs);
  if (!dryRun && !asNext) services.readiness.warn(warningKey(name), null);
  if (!dryRun && !unchanged) {
    const signed_key = services.signatures.signer(planned.version.attestation)?.key ?? null;
    const channel = asNext ? "next" : "current";
    const fields = { program: name, version, checksum: planned.version.checksum, source: "api", channel, signed_key };
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
    emits: await context.emitters.emittedBy(planned.ir, askedBy(planned.settings)),
  };
  const unsigned = dryRun && services.signatures.isRequired && planned.version.attestation === null ? [UNSIGNED] : [];
  const warnings = [...planned.warnings, ...planned.needs, ...unsigned, ...durabilityWarnings(context)];
  const body = jsonWith(
    head,
    `{"difference":${difference}}`,
    JSON.stringify(places),
    `{"report":${report}}`,
    JSON.stringify({ warnings }),
  );
  return { status: created && !dryRun ? 201 : 200, headers: { ...JSON_HEADERS, ...versionTag(version) }, body };
}
