/** /approvals: the questions that jobs put before people, who decided them, and links for those who cannot reach the service otherwise. */
import type { IncomingHttpHeaders } from "node:http";
import type { JsonObject } from "../../../compiler/json.ts";
import { keepMemberText } from "../../../vm/inputs/exact-text.ts";
import { type Person, personIn } from "../../http/person.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import { answerWork } from "../../run/answer-work.ts";
import type { Services } from "../../services.ts";
import { exactAnswer, jsonAnswer, send } from "../../wire/answers.ts";
import { ServiceFault } from "../../wire/errors.ts";
import { KeyedHeaders } from "../../wire/headers.ts";
import { refusalsOfBodies, responses } from "../../wire/responses.ts";
import type { Jobs } from "../jobs.ts";
import type { Approval, ApprovalStore } from "./approvals.ts";
import { askerOf, decide, unknownApproval } from "./deciding.ts";
import { isAddressed, isDirect, namesOf, notYours } from "./people.ts";
import {
  ApprovalDocument,
  ApprovalPage,
  ApprovalParams,
  ApprovalsQuery,
  DecisionRequest,
  LinkMade,
  LinkRequest,
  ME,
} from "./schemas.ts";
import { shownApproval, time } from "./shown.ts";
import { hashOfToken, newToken } from "./tokens.ts";

const LINK_S = 604_800;

export function approvalRoutes(app: ServiceApp, services: Services, jobs: Jobs): void {
  const { config } = services;
  const { durable } = jobs.store;

  const shown = async (approval: Approval, headers: IncomingHttpHeaders) => {
    const person = personIn(config.approvals, headers);
    const withValues = config.console.values || (person.by !== null && isAddressed(approval.asked, person));
    return shownApproval(approval, await askerOf(jobs, approval), withValues);
  };
  const found = async (id: string): Promise<{ readonly approvals: ApprovalStore; readonly approval: Approval }> => {
    const approval = durable === null || !/^[0-9a-f]{32}$/.test(id) ? null : await durable.approvals.find(id);
    if (durable === null || approval === null) throw unknownApproval();
    return { approvals: durable.approvals, approval };
  };

  app.route({
    method: "GET",
    url: "/approvals",
    schema: {
      operationId: "listApprovals",
      summary: "Lists the questions that jobs put before people, the newest first",
      querystring: ApprovalsQuery,
      response: responses({ 200: ApprovalPage }, ["store_unavailable"]),
    },
    handler: async ({ query, headers }, reply) => {
      const { state, job = null, limit, cursor } = query;
      const own = namesOf(personIn(config.approvals, headers));
      const to = query.to?.flatMap((name) => (name === ME ? own : [name])) ?? null;
      const [openedMs = "", id = ""] = cursor?.split("-") ?? [];
      const before = cursor === undefined ? null : { openedMs: Number(openedMs), id };
      const filter = { state: state === "all" ? null : state, to, job, before, most: limit + 1 };
      // As with jobs, what is not to be listed is not there.
      const rows = config.jobs.list ? ((await durable?.approvals.list(filter)) ?? []) : [];
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      const approvals = await Promise.all(page.map((approval) => shown(approval, headers)));
      const next_cursor = last === undefined ? null : `${last.openedMs}-${last.id}`;
      return send(reply, exactAnswer(200, { approvals, next_cursor }));
    },
  });

  app.route({
    method: "GET",
    url: "/approvals/:id",
    schema: {
      operationId: "getApproval",
      summary: "A question that a job put before people, and who decided it",
      params: ApprovalParams,
      response: responses({ 200: ApprovalDocument }, ["approval_not_found", "store_unavailable"]),
    },
    handler: async ({ params, headers }, reply) => {
      const { approval } = await found(params.id);
      return send(reply, exactAnswer(200, await shown(approval, headers)));
    },
  });

  app.route({
    method: "POST",
    url: "/approvals/:id",
    config: { work: "settles" },
    schema: {
      operationId: "decideApproval",
      summary: "Decides a question",
      params: ApprovalParams,
      headers: KeyedHeaders,
      body: DecisionRequest,
      response: responses({ 200: ApprovalDocument }, [
        ...refusalsOfBodies,
        "approval_not_found",
        "approval_not_open",
        "approval_not_yours",
        "idempotency_in_progress",
        "idempotency_key_reused",
        "store_unavailable",
      ]),
    },
    handler: async (request, reply) => {
      const { params, headers, body, validationError, call } = request;
      const make = async () => {
        if (validationError !== undefined) throw validationError;
        const { approvals, approval } = await found(params.id);
        const { decision, comment = null, data = null, via } = body;
        keepMemberText(body, "data", data);
        const person = decider(personIn(config.approvals, headers), via);
        const decided = await decide({ services, jobs, approvals }, approval, person, {
          choice: decision,
          comment,
          data: data as JsonObject | null,
          link: null,
        });
        return exactAnswer(200, await shown(decided, headers));
      };
      return send(reply, await answerWork(services, request, make, call.route.replace(":id", params.id)));
    },
  });

  app.route({
    method: "POST",
    url: "/approvals/:id/links",
    config: { work: true },
    schema: {
      operationId: "linkApproval",
      summary: "Makes an address under which one person decides once",
      params: ApprovalParams,
      body: LinkRequest,
      response: responses({ 201: LinkMade }, [
        ...refusalsOfBodies,
        "approval_not_found",
        "approval_not_open",
        "approval_not_yours",
        "links_not_configured",
        "store_unavailable",
      ]),
    },
    handler: async ({ params, headers, body, validationError }, reply) => {
      if (validationError !== undefined) throw validationError;
      if (!isDirect(config.approvals, headers)) throw notYours("links are made by the operator, not through the proxy");
      const { approval } = await found(params.id);
      if (approval.state !== "open")
        throw new ServiceFault("approval_not_open", `the question is not open any more: it is ${approval.state}`);
      const link = await approvalLink(services, jobs, approval, body.for, (body.expires_s ?? LINK_S) * 1000);
      const expires_at = time(link.expiresMs);
      return send(reply, jsonAnswer(201, { ok: true, url: link.url, for: body.for, expires_at }));
    },
  });
}

function decider(person: Person, via: "cli" | "elicitation" | undefined): Person {
  return via === undefined || person.via !== "api" ? person : { ...person, via };
}

/** For one person, for `ms` at most and not longer than the question is open. Throws ServiceFault links_not_configured. */
export async function approvalLink(
  { config }: Pick<Services, "config">,
  { store, now }: Pick<Jobs, "store" | "now">,
  { id, job, asked }: Approval,
  person: string,
  ms: number,
): Promise<{ readonly url: string; readonly expiresMs: number }> {
  const links = store.durable?.links;
  if (config.publicUrl === null || links === undefined)
    throw new ServiceFault("links_not_configured", "links need the address of the service: set WF_PUBLIC_URL");
  const token = newToken();
  const expiresMs = Math.min(now() + ms, asked.expiresMs ?? Number.POSITIVE_INFINITY);
  const target = { kind: "approval", approval: id, person } as const;
  await links.add(job.id, { hash: hashOfToken(token) ?? "", target, expiresMs });
  return { url: `${config.publicUrl}/a/${token}`, expiresMs };
}
