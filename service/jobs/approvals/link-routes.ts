/**
 * The public addresses: `/a/{token}`, where one person decides once, and `/s/{token}`, which takes a signal once. Reading decides nothing, so
 * that scanners which open links before their reader does change nothing (docs/approvals.md).
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { MAX_COMMENT } from "../../../vm/durable/approvals.ts";
import { exactEntries, exactJson, exactResult } from "../../../vm/inputs/exact-text.ts";
import { readAs, readJsonValue } from "../../http/body/json.ts";
import type { Person } from "../../http/person.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import type { Services } from "../../services.ts";
import { jsonAnswer, send } from "../../wire/answers.ts";
import { errorRow, later, nothingThere, ServiceFault } from "../../wire/errors.ts";
import type { DurableJobs } from "../durable/durable-store.ts";
import { NEVER } from "../durable/waits.ts";
import type { Jobs } from "../jobs.ts";
import type { Approval, StoredLink } from "./approvals.ts";
import { askerOf, type DecidingDeps, decide } from "./deciding.ts";
import { askingPage, messagePage, PAGE_HEADERS, postedData } from "./page.ts";
import { detailsOf, time } from "./shown.ts";
import { Guesses, hashOfToken, isPageNonce, pageNonce } from "./tokens.ts";

/** A form of the largest number of fields fits. */
const MAX_FORM_BYTES = 256 * 1024;
/** A link shows what became of it for so long. */
const TOLD_MS = 3_600_000;
const NO_QUERY = z.looseObject({});

export function linkRoutes(app: ServiceApp, services: Services, jobs: Jobs): void {
  const { durable } = jobs.store;
  const guesses = new Guesses();
  const found = async (request: FastifyRequest, kind: "approval" | "signal"): Promise<Found> => {
    const now = jobs.now();
    const blocked = guesses.blockedFor(request.ip, now);
    if (blocked > 0) throw later("rate_limited", "too many unknown links", blocked);
    const { token } = request.params as { readonly token: string };
    const hash = hashOfToken(token);
    const link = hash === null ? null : ((await durable?.links.find(hash)) ?? null);
    if (link === null || link.target.kind !== kind || durable === null) {
      guesses.unknown(request.ip, now);
      throw nothingThere();
    }
    return { token, link, durable, now };
  };
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: MAX_FORM_BYTES },
      (_request, body, done) => done(null, body),
    );
    scope.setErrorHandler((cause, _request, reply) => faultPage(services, cause, reply));
    const schema = { hide: true, params: z.object({ token: z.string() }), querystring: NO_QUERY };
    scope.route({
      method: "GET",
      url: "/a/:token",
      schema,
      handler: async (request, reply) => {
        const asked = await askedBy(await found(request, "approval"));
        if (asked.approval.state !== "open" || asked.link.usedMs !== null) return html(reply, 200, outcomePage(asked));
        return html(reply, 200, await questionPage(jobs, asked));
      },
    });
    scope.route({
      method: "POST",
      url: "/a/:token",
      config: { work: "settles" },
      schema,
      handler: async (request, reply) => {
        const asked = await askedBy(await found(request, "approval"));
        if (asked.approval.state !== "open" || asked.link.usedMs !== null) return html(reply, 409, outcomePage(asked));
        const posted = new URLSearchParams(typeof request.body === "string" ? request.body : "");
        const problems = await answered({ services, jobs, approvals: asked.approvals }, asked, posted);
        if (problems.length === 0)
          return reply.headers(PAGE_HEADERS).code(303).header("location", asked.token).send("");
        return html(reply, 422, await questionPage(jobs, asked, problems, posted.get("comment") ?? ""));
      },
    });
  });
  app.route({
    method: "POST",
    url: "/s/:token",
    config: { work: "settles" },
    schema: { hide: true, params: z.object({ token: z.string() }) },
    handler: async (request, reply) => {
      const { link, durable } = await found(request, "signal");
      const sent = (await readAs(services, request.raw, (bytes) => readJsonValue(bytes, services.clock))) ?? null;
      const { signalMaxBytes } = services.config.jobs;
      const data = exactJson(sent);
      if (Buffer.byteLength(data) > signalMaxBytes)
        throw new ServiceFault("payload_too_large", `the data of a signal may have ${signalMaxBytes} bytes`);
      const { name } = link.target as Extract<StoredLink["target"], { kind: "signal" }>;
      const kept = await durable.links.send(link.hash, {
        // The link is used once, so it is the signal.
        id: `link-${link.hash.slice(0, 32)}`,
        name,
        target: { job: link.job.id },
        data,
        expiresMs: NEVER,
      });
      if (kept === null || kept.state === "no_job")
        throw new ServiceFault("link_expired", "the link was used, or its time is over");
      if (kept.state === "ended") throw new ServiceFault("signal_not_wanted", `the job is over: ${kept.job.status}`);
      if (kept.state === "full") throw new ServiceFault("signals_full", "too many signals are kept that are unread");
      services.events.note("info", "signal_received", { name, jobs: kept.woken.length });
      for (const one of kept.woken) jobs.log.woken(one, "signal");
      const delivered = kept.woken.length > 0 ? "now" : "kept";
      return send(reply, jsonAnswer(202, { ok: true, delivered }, { "referrer-policy": "no-referrer" }));
    },
  });
}

type Found = {
  readonly token: string;
  readonly link: StoredLink;
  readonly durable: DurableJobs;
  readonly now: number;
};
type Asked = Found & Pick<DecidingDeps, "approvals"> & { readonly approval: Approval; readonly person: Person };

/** Throws ServiceFault link_expired for what is not told any more. */
async function askedBy(of: Found): Promise<Asked> {
  const { link, durable, now } = of;
  const { approval: id, person } = link.target as Extract<StoredLink["target"], { kind: "approval" }>;
  const approval = await durable.approvals.find(id);
  const isTold = (sinceMs: number | null): boolean => sinceMs === null || now - sinceMs < TOLD_MS;
  const isFresh = link.usedMs !== null || link.expiresMs > now || approval?.endedMs != null;
  if (approval === null || !isFresh || !isTold(link.usedMs ?? approval.endedMs))
    throw new ServiceFault("link_expired", "the link was used, or its time is over");
  const by = person.replace(/^user:/, "");
  return { ...of, approvals: durable.approvals, approval, person: { by, groups: [], via: "link" } };
}

/** What is wrong with the answer; empty: it counts. */
async function answered(deps: DecidingDeps, asked: Asked, posted: URLSearchParams): Promise<readonly string[]> {
  const { token, link, approval, person, now } = asked;
  if (!isPageNonce(token, posted.get("page") ?? "", now)) return ["This page was open for too long: answer again."];
  const choice = posted.get("choice") ?? "";
  if (choice === "") return ["Nothing was chosen."];
  const comment = (posted.get("comment") ?? "").trim();
  if (comment.length > MAX_COMMENT) return [`A comment may have ${MAX_COMMENT} characters.`];
  const data = postedData(approval.asked.form, posted);
  try {
    await decide(deps, approval, person, { choice, comment: comment === "" ? null : comment, data, link: link.hash });
    return [];
  } catch (cause) {
    if (!(cause instanceof ServiceFault) || cause.error !== "invalid_request") throw cause;
    return (cause.members.issues ?? []).map(({ path, message }) => `${path.split("/").at(-1) ?? ""} ${message}.`);
  }
}

async function questionPage(
  jobs: Jobs,
  { token, approval, person, now }: Asked,
  problems: readonly string[] = [],
  comment = "",
): Promise<string> {
  const { title, choices, form, expiresMs } = approval.asked;
  const asker = await askerOf(jobs, approval);
  const work = await jobs.store.work(approval.job.id);
  const facts: (readonly [string, string])[] = [
    ["Program", programName(approval)],
    ["Checksum", work?.checksum ?? "unknown"],
    ["Queued by", asker ?? "not known"],
    ["You are", person.by ?? ""],
    ["Asked at", time(approval.openedMs)],
    ...(expiresMs === null ? [] : [["Open until", time(expiresMs)] as const]),
  ];
  return askingPage({
    title,
    details: detailsOf(approval.asked),
    facts,
    choices,
    form,
    nonce: pageNonce(token, now),
    problems,
    comment,
  });
}

function programName({ job: { deployment, version, about } }: Approval): string {
  return deployment === null ? (about.name ?? "a program without a name") : `${deployment}@${version ?? "?"}`;
}

const OUTCOMES = {
  open: "Your answer is kept. More people have to agree.",
  decided: "It is decided.",
  expired: "No decision was made in time.",
  cancelled: "The question was taken back, or its job is over.",
} as const;

function outcomePage({ approval, link }: Asked): string {
  const { state, answers, endedMs } = approval;
  const last = answers.at(-1);
  const facts: (readonly [string, string])[] = [
    ...(state === "decided" && last !== undefined
      ? ([
          ["Decision", last.choice],
          ["By", last.by ?? "not known"],
          ...exactEntries(dataOf(last)).map(([name, value]) => [name, textOf(value)] as const),
        ] as const)
      : []),
    ...(endedMs === null ? [] : [["At", time(endedMs)] as const]),
  ];
  const used = link.usedMs === null ? "This link can decide nothing any more." : "You answered by this link.";
  return messagePage(approval.asked.title, [OUTCOMES[state], used], facts);
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : exactJson(value);
}

function dataOf({ data, data_text }: Approval["answers"][number]): JsonObject {
  return (exactResult({ result: data, result_text: data_text }) ?? {}) as JsonObject;
}

function faultPage(services: Services, cause: unknown, reply: FastifyReply): FastifyReply {
  const fault = cause instanceof ServiceFault ? cause : faultOf(services, cause);
  const { status, title } = errorRow(fault.error);
  reply.headers(fault.headers);
  return html(reply, status, messagePage(title, [`${fault.message}.`]));
}

/** What the framework refuses by itself, and defects. */
function faultOf({ events }: Services, cause: unknown): ServiceFault {
  const { statusCode, name = "unknown" } = cause as { readonly statusCode?: number; readonly name?: string };
  if (statusCode === 413) return new ServiceFault("payload_too_large", "the form is too large");
  if (statusCode === 415) return new ServiceFault("unsupported_media_type", "the page sends its form by itself");
  events.note("error", "defect", { error: name });
  return new ServiceFault("internal_error", "the service has a defect");
}

function html(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).headers(PAGE_HEADERS).serializer(String).send(text);
}
