/** /proposals: versions that wait for a person, and the person's word on them. */
import type { IncomingHttpHeaders } from "node:http";
import type { Attestation } from "../../../vm/attestation/attestation.ts";
import { warningKey } from "../../grant-check.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import type { Answer } from "../../wire/answer.ts";
import { JSON_HEADERS, jsonAnswer, send } from "../../wire/answers.ts";
import { ServiceFault } from "../../wire/errors.ts";
import { refusalsOfBodies, responses } from "../../wire/responses.ts";
import { SIGNATURE_REFUSALS } from "../../wire/signature-refusals.ts";
import { managedByFiles, noCurrent, programsFull, schedulesFull } from "../deploy/deploy-program.ts";
import { askedBy, type DeploymentSettings } from "../deployment-settings.ts";
import { actorIn, checkDecider } from "../proposals/acting.ts";
import { emittedIn, proposalFacts, proposalText, reviewedContent } from "../proposals/documents.ts";
import type { Actor, Proposal, ProposalDecided } from "../proposals/proposal.ts";
import {
  AcceptRequest,
  DeclineRequest,
  ProposalDocument,
  ProposalList,
  ProposalParams,
  ProposalsQuery,
} from "../proposals/schemas.ts";
import { checkDeployAllowed, durabilityWarnings, type ProgramsContext } from "./programs-context.ts";

const REFUSALS = [
  ...refusalsOfBodies,
  "deploy_disabled",
  "proposal_not_found",
  "proposal_not_yours",
  "proposal_not_open",
  "draining",
  "server_busy",
  "rate_limited",
  "store_unavailable",
] as const;

export function proposalRoutes(app: ServiceApp, context: ProgramsContext): void {
  const { store, services } = context;
  app.route({
    method: "GET",
    url: "/proposals",
    schema: {
      operationId: "listProposals",
      summary: "Versions that wait for a person, and those that were decided, newest first",
      querystring: ProposalsQuery,
      response: responses({ 200: ProposalList }, ["store_unavailable"]),
    },
    handler: async ({ query }, reply) => {
      const { state, program = null, limit, cursor } = query;
      const [createdMs = "", id = ""] = cursor?.split("-") ?? [];
      const before = cursor === undefined ? null : { createdMs: Number(createdMs), id };
      const listing = { state: state === "all" ? null : state, name: program, limit: limit + 1, before };
      const found = await store.proposals(listing);
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      const next_cursor = last === undefined ? null : `${last.createdMs}-${last.id}`;
      return send(
        reply,
        jsonAnswer(200, { proposals: page.map((one) => proposalFacts(one, services.signatures)), next_cursor }),
      );
    },
  });
  app.route({
    method: "GET",
    url: "/proposals/:id",
    schema: {
      operationId: "getProposal",
      summary: "A proposed version with what it newly reaches, its difference, its report and its tests",
      params: ProposalParams,
      response: responses({ 200: ProposalDocument }, ["proposal_not_found", "store_unavailable"]),
    },
    handler: async ({ params }, reply) => send(reply, await proposalAnswer(context, params.id, 200)),
  });
  acceptRoute(app, context);
  declineRoute(app, context);
}

function acceptRoute(app: ServiceApp, context: ProgramsContext): void {
  const { store, services } = context;
  app.route({
    method: "POST",
    url: "/proposals/:id/accept",
    config: { work: true },
    schema: {
      operationId: "acceptProposal",
      summary: "Makes a proposed version current",
      params: ProposalParams,
      body: AcceptRequest,
      response: responses({ 200: ProposalDocument }, [
        ...REFUSALS,
        "proposal_stale",
        ...SIGNATURE_REFUSALS,
        "attestation_differs",
        "next_invalid",
        "managed_by_files",
        "programs_full",
        "schedules_full",
      ]),
    },
    handler: async ({ params, headers, body, validationError, call }, reply) => {
      checkDeployAllowed(context);
      if (validationError !== undefined) throw validationError;
      const { decider, found } = await decided(context, params.id, headers, true);
      const { checksum, base, comment } = body;
      const { maxDeployments, versionsKept, maxSchedules } = services.config.programs;
      const bounds = { maxDeployments, versionsKept, maxSchedules };
      const attestation = admitted(context, found, body.attestation ?? null);
      const done = await store.accept({
        id: found.id,
        decider,
        checksum,
        base,
        comment,
        attestation,
        asNext: body.next === true,
        ...bounds,
      });
      if (done.state !== "accepted") throw refusal(services.config.programs.maxDeployments, done);
      if (body.next !== true) services.readiness.warn(warningKey(done.name), null);
      const who = { via: decider.via, by_hash: decider.by === null ? null : services.events.hash(decider.by) };
      const signed_key = services.signatures.signer(attestation)?.key ?? null;
      const fields = { program: done.name, version: done.version, proposal: found.id, ...who, signed_key };
      services.events.note("info", "proposal_accepted", fields, call.context);
      return send(reply, await proposalAnswer(context, found.id, 200));
    },
  });
}

function declineRoute(app: ServiceApp, context: ProgramsContext): void {
  const { store, services } = context;
  app.route({
    method: "POST",
    url: "/proposals/:id/decline",
    config: { work: true },
    schema: {
      operationId: "declineProposal",
      summary: "Declines a proposed version",
      params: ProposalParams,
      body: DeclineRequest,
      response: responses({ 200: ProposalDocument }, REFUSALS),
    },
    handler: async ({ params, headers, body, validationError, call }, reply) => {
      checkDeployAllowed(context);
      if (validationError !== undefined) throw validationError;
      const { decider, found } = await decided(context, params.id, headers, false);
      const done = await store.decline({ id: found.id, decider, comment: body.comment });
      if (done.state !== "declined") throw refusal(services.config.programs.maxDeployments, done);
      const fields = { program: done.name, proposal: found.id, via: decider.via };
      services.events.note("info", "proposal_declined", fields, call.context);
      return send(reply, await proposalAnswer(context, found.id, 200));
    },
  });
}

/** The signature of the person who accepts, or else the one that the proposal has. Throws ServiceFault. */
function admitted({ services, now }: ProgramsContext, found: Proposal, given: Attestation | null): string | null {
  const attestation = given === null ? found.attestation : JSON.stringify(given);
  // Of one that is decided, the store says so.
  if (found.state !== "open") return attestation;
  const { name, code: source, checksum, settings, compiler } = found;
  const content = { name, source, checksum, settings, compiler, ...reviewedContent(found) };
  services.signatures.admit({ ...content, attestation }, now());
  return attestation;
}

/** Who decides which proposal. Throws ServiceFault. */
async function decided(
  context: ProgramsContext,
  id: string,
  headers: IncomingHttpHeaders,
  accepts: boolean,
): Promise<{ readonly decider: Actor; readonly found: Proposal }> {
  const { config } = context.services;
  const found = await proposalNamed(context, id);
  const decider = actorIn(config, headers);
  checkDecider(config, decider, accepts ? found.proposer : null);
  return { decider, found };
}

async function proposalNamed({ store }: ProgramsContext, id: string): Promise<Proposal> {
  const found = /^[0-9a-f]{32}$/.test(id) ? await store.proposal(id) : null;
  if (found === null) throw notFound();
  return found;
}

export async function proposalAnswer(context: ProgramsContext, id: string, status: number): Promise<Answer> {
  const found = await proposalNamed(context, id);
  const within = askedBy(JSON.parse(found.settings) as DeploymentSettings);
  const emits = await context.emitters.emitted(emittedIn(found), within);
  const body = proposalText(found, emits, durabilityWarnings(context), context.services.signatures);
  return { status, headers: JSON_HEADERS, body };
}

function refusal(maxDeployments: number, done: ProposalDecided): ServiceFault {
  switch (done.state) {
    case "not_open":
      return new ServiceFault("proposal_not_open", `the proposal is not open any more: it is ${done.now}`);
    case "stale": {
      const { base, current } = done;
      const made = base === null ? "before there was a version" : `against version ${base}`;
      const now = current === null ? "none is current now" : `version ${current} is current now`;
      return new ServiceFault("proposal_stale", `the proposal was made ${made}, and ${now}; propose it again`);
    }
    case "other_content":
      return new ServiceFault("proposal_stale", "the checksum is not that of the proposal; look at it again");
    case "managed":
      return managedByFiles(done.name);
    case "full":
      return programsFull(maxDeployments);
    case "no_current":
      return noCurrent(done.name);
    case "schedules_full":
      return schedulesFull();
    default:
      return notFound();
  }
}

function notFound(): ServiceFault {
  return new ServiceFault("proposal_not_found", "no proposal of this id is known");
}
