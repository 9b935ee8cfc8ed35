/** What the verbs of `job` may do in the store that their run belongs to. */
import { isObject, type Json, type JsonObject } from "../../../compiler/json.ts";
import type { FamilyDesk, MemberEnd, MemberFailure } from "../../../vm/durable/families.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { memberJson, readExactly } from "../../../vm/inputs/exact-text.ts";
import type { BudgetUse } from "../../../vm/usage.ts";
import type { Services } from "../../services.ts";
import type { JobStore } from "../../state/store.ts";
import { failed, stored } from "../durable/desk-answers.ts";
import { type ClaimedJob, isTerminal, type Job } from "../job.ts";
import type { JobLog } from "../run/job-log.ts";
import type { FamilyAsking } from "../run/run-durable.ts";
import { untilDone } from "../run/until-done.ts";
import { childJob, refusalOf } from "./child-job.ts";
import type { ChildStarted, KnownJob, Member, NewChild } from "./families.ts";
import { roundOf } from "./round-of.ts";
import { paidFor, wholeOf } from "./shared-budget.ts";

export type FamilyDeskDeps = {
  readonly services: Services;
  readonly store: Pick<JobStore, "families" | "cancel" | "result" | "now">;
  readonly log: Pick<JobLog, "queued" | "ended">;
};

export function familyDesk(
  { services, store, log }: FamilyDeskDeps,
  job: ClaimedJob,
  { read, plan, begins }: FamilyAsking,
): FamilyDesk {
  const { families } = store;
  const sure = <T>(act: () => Promise<T>, givenUp: AbortSignal): Promise<T> =>
    untilDone(act, (ms, then) => services.clock.wait(ms, then), givenUp);
  const membersOf = async (ids: readonly string[]): Promise<ReadonlyMap<string, Member>> => {
    const found = await stored(families.members(job.id, ids));
    for (const id of ids) if (!found.has(id)) throw failed("ADAPTER_NOT_FOUND", NO_MEMBER);
    return found;
  };
  const memberOf = async (id: string): Promise<Member> => (await membersOf([id])).get(id) as Member;
  return {
    async start({ program, inputs, key, detach, maxJobs, maxDepth, share }) {
      // A program that is gone meanwhile does not matter to a job that was started before.
      const known = await stored(families.known(job.id, key));
      if (known !== null) return sharing(known, share !== undefined);
      const wanted = { program, inputs, parent: job.id, read, plan, share };
      const submission = await childJob(services, wanted, store.now()).catch((thrown: unknown) => {
        const { code, message, later } = refusalOf(thrown);
        throw new AdapterError(code, message, { retryable: later });
      });
      const maxQueued = services.config.jobs.queueMax;
      const child = { key, detached: detach, shares: share !== undefined, maxJobs, maxDepth, maxQueued, submission };
      const begin = () => families.start(job, child);
      // Who pays for a job knows that there is one.
      const started = await stored(share === undefined ? begin() : sure(begin, share.givenUp));
      if (started.state !== "started") throw notStarted(started.state, { maxJobs, maxDepth });
      if (started.isNew) log.queued(submission);
      return started.id;
    },
    async firstOver(ids) {
      const members = await membersOf(ids);
      for (const { relation } of members.values())
        if (relation !== "other")
          throw failed("ADAPTER_CONFLICT", "a job cannot wait for itself, or for one that started it");
      return ids.find((id) => isTerminal(members.get(id)?.job.status ?? "queued")) ?? null;
    },
    async endOf(id) {
      const member = await memberOf(id);
      return endOf(member.job, await stored(store.result(id)));
    },
    paidFor(id, givenUp) {
      const paid = async (): Promise<BudgetUse> => {
        const member = (await families.members(job.id, [id])).get(id)?.job;
        const share = await families.shareOf(id);
        if (member === undefined || share === null) throw failed("ADAPTER_NOT_FOUND", NO_MEMBER);
        const text = isTerminal(member.status) ? await store.result(id) : null;
        return text === null
          ? wholeOf(share.given, share.used)
          : paidFor(share, member, readExactly(text) as JsonObject);
      };
      return stored(sure(paid, givenUp));
    },
    async status(id) {
      const { job: found } = await memberOf(id);
      return {
        ...{ id, program: found.deployment, version: found.version, status: found.status },
        ...{ over: isTerminal(found.status), error: found.error },
        queued_at: new Date(found.queuedMs).toISOString(),
        finished_at: found.finishedMs === null ? null : new Date(found.finishedMs).toISOString(),
      };
    },
    async cancel(id) {
      const { job: found, relation } = await memberOf(id);
      if (relation === "self") throw failed("ADAPTER_CONFLICT", "a job cannot cancel itself: let its function return");
      if (isTerminal(found.status)) return false;
      const cancelled = await stored(store.cancel(id));
      if (cancelled === null) return false;
      if (cancelled.moved && isTerminal(cancelled.job.status)) log.ended(cancelled.job);
      return cancelled.moved || cancelled.job.status === "cancelling";
    },
    async again(inputs, used) {
      if (await stored(families.isTooFast(job.id))) throw failed("ADAPTER_TOO_FAST", TOO_FAST);
      const next = await roundOf(services, { job, read, plan }, inputs, used).catch((thrown: unknown) => {
        const { code, message, later } = refusalOf(thrown, "the next round was not begun");
        throw new AdapterError(code, message, { retryable: later });
      });
      begins(next);
      return new Promise<never>(() => {});
    },
  };
}

/** The job that a key started before: with the budget that the call says. */
function sharing({ id, shares }: KnownJob, wanted: boolean): string {
  if (shares !== wanted) throw failed("ADAPTER_CONFLICT", shares ? SHARED_BUDGET : OWN_BUDGET);
  return id;
}

const NO_MEMBER = "no job of this family has that id";
const OWN_BUDGET = "the key started a job with a budget of its own: call it without share, or with another key";
const SHARED_BUDGET = 'the key started a job that shares the budget: call it with share="budget", or with another key';
const TOO_FAST = "a job may end 10 rounds a minute without a wait in between (job.again)";

function notStarted(
  state: Exclude<ChildStarted["state"], "started">,
  { maxJobs, maxDepth }: Pick<NewChild, "maxJobs" | "maxDepth">,
): AdapterError {
  switch (state) {
    case "too_many":
      return failed("ADAPTER_QUOTA", `the family has ${maxJobs} jobs, and no more may be started (job.max_child_jobs)`);
    case "too_deep":
      return failed("ADAPTER_QUOTA", `jobs that start each other may be ${maxDepth} deep (job.max_child_depth)`);
    case "full":
      return new AdapterError("ADAPTER_QUOTA", "the queue of jobs is full", { retryable: true });
    case "dropped":
      return failed("ADAPTER_CONFLICT", "a rule of the program dropped the job (on_full)");
    case "taken":
      return failed(
        "ADAPTER_CONFLICT",
        "a rule of the program gives the place of the job to another one (unique, batch)",
      );
    default:
      return failed("ADAPTER_CANCELLED", "the run is about to end");
  }
}

function endOf({ status, error, id }: Job, text: string | null): MemberEnd {
  if (text === null) {
    const message = `the result of ${id} has expired`;
    return { status, result: null, failure: { error: error ?? "job_expired", code: null, message, isUnknown: false } };
  }
  const body = readExactly(text) as JsonObject;
  if (body["ok"] === true) return { status, result: readExactly(memberJson(body, "out")), failure: null };
  return { status, result: null, failure: failureOf(body, error) };
}

function failureOf(body: JsonObject, error: string | null): MemberFailure {
  const structured = isObject(body["error_structured"]) ? (body["error_structured"] as JsonObject) : {};
  return {
    error: textOf(body["error"]) ?? error ?? "failed",
    code: textOf(structured["code"]),
    message: textOf(structured["message"]) ?? textOf(body["message"]) ?? "",
    isUnknown: isUnknown(structured["data"]),
  };
}

/** A call of the job may have acted: its process ended meanwhile. */
function isUnknown(data: Json | undefined): boolean {
  if (!isObject(data)) return false;
  const { details } = data as JsonObject;
  return isObject(details) && (details as JsonObject)["outcome"] === "unknown";
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}
