/**
 * Runs of programs that wait: jobs of the service, followed until they are over. A question that names no people is put before the user of the
 * client; whatever else a job waits for is answered with its id, by which it is looked at again.
 */
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import { type ApprovalForm, secretField } from "../../vm/durable/approvals.ts";
import { answerIn, questionOf } from "../programs/asking.ts";
import type { AskService, ServiceAnswer } from "../service/ask.ts";
import { failed, succeeded, type ToolResult } from "../tool/results.ts";
import type { Elicit } from "../tool/sdk.ts";

export type Following = {
  readonly ask: AskService;
  readonly signal: AbortSignal;
  /** null: the client cannot ask its user. */
  readonly elicit: Elicit | null;
};

/** Seconds of one look at a job. */
const WAIT_S = 20;
const PARKED = "waiting";
const OVER: ReadonlySet<string> = new Set([
  ...["succeeded", "failed", "timed_out", "cancelled", "interrupted", "rejected", "expired"],
]);

/** Until it is over, or waits for what the user of the client cannot give. `most`: looks; a job that runs for longer is answered as it is. */
export async function followed(id: string, following: Following, most = Number.POSITIVE_INFINITY): Promise<ToolResult> {
  const { ask, signal } = following;
  for (let look = 1; ; look++) {
    const answer = await ask("GET", `/result/${id}?wait=${WAIT_S}&until=parked`, { signal });
    if (answer.status !== 200) return refused(answer);
    const { status, result } = answer.body;
    if (typeof status === "string" && OVER.has(status)) return concluded(id, status, result ?? null);
    if (status === PARKED) {
      const isAnswered = await askedUser(id, following);
      if (!isAnswered) return waiting(id, following);
    } else if (look >= most) {
      return succeeded({ state: status, job_id: id, message: "it still runs; look again with job_result" });
    }
  }
}

/** A refusal of the service, with what says how to do it right. */
export function refused({ status, body }: ServiceAnswer): ToolResult {
  const { error, message, issues } = body;
  return failed(typeof error === "string" ? error : "bad_answer", {
    message: typeof message === "string" ? message : `the service answered ${status}`,
    ...(Array.isArray(issues) ? { issues } : {}),
  });
}

/** The answer of a run, or of a job that is over. */
export function ended(result: JsonObject, about: object = {}): ToolResult {
  if (result["ok"] === true) return succeeded({ out: result["out"], ...about });
  const { error, message, error_structured } = result;
  return failed(typeof error === "string" ? error : "bad_answer", {
    message: typeof message === "string" ? message : "the program failed",
    ...(error_structured === undefined ? {} : { error_structured }),
    ...about,
  });
}

function concluded(id: string, status: string, result: Json): ToolResult {
  if (isObject(result)) return ended(result, { job_id: id });
  return failed(status, { message: `the job has no result: it is ${status}`, job_id: id });
}

async function waiting(id: string, { ask, signal }: Following): Promise<ToolResult> {
  const { body } = await ask("GET", `/result/${id}/waits`, { signal });
  const waits = (Array.isArray(body["waits"]) ? body["waits"] : []).filter(isObject);
  const open = waits.filter(({ ended_at }) => ended_at === null);
  return succeeded({
    state: PARKED,
    job_id: id,
    waits_for: open.map(({ kind, names, until }) => ({ kind, ...(names === undefined ? {} : { names }), until })),
    message: "it waits; look again with job_result when that came",
  });
}

/** Whether the user answered what the job asks. Questions for people by name are not the user's to answer. */
async function askedUser(id: string, { ask, signal, elicit }: Following): Promise<boolean> {
  if (elicit === null) return false;
  const { body } = await ask("GET", `/approvals?job=${id}&state=open`, { signal });
  const open = (Array.isArray(body["approvals"]) ? body["approvals"] : []).filter(isObject);
  const question = open.find(({ to, need }) => Array.isArray(to) && to.length === 0 && need === 1);
  if (question === undefined || typeof question["title"] !== "string") return false;
  const { approval_id, title, details = null, choices, form } = question;
  const asked = {
    title,
    details: details as Json,
    choices: (Array.isArray(choices) ? choices : []).map(String),
    form: (isObject(form) ? form : null) as ApprovalForm | null,
  };
  if (secretField(asked.form ?? {}) !== undefined) return false;
  const answered = await elicit(questionOf(asked), signal).catch(() => null);
  signal.throwIfAborted();
  if (answered?.action !== "accept") return false;
  const { choice, data } = answerIn(answered.content, asked);
  const sent = { decision: choice, ...(data === null ? {} : { data }), via: "elicitation" };
  const { status } = await ask("POST", `/approvals/${String(approval_id)}`, { body: sent, signal });
  // Somebody else may have decided it meanwhile.
  return status === 200 || status === 409;
}
