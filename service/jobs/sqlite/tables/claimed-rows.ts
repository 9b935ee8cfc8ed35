/** Builds the jobs of a claim from what the database thread sends: rows, and shared values once. */

import type { ResumeReason } from "../../../../vm/durable/records.ts";
import { type AboutRow, aboutOf } from "../../../wire/about.ts";
import type { ClaimedJob, JobWork } from "../../job.ts";
import { keepsIn } from "../../retention/kept-times.ts";
import type { Row } from "./job-rows.ts";

/** A job that was claimed. */
export type ClaimedRow = readonly [
  id: string,
  submission: number,
  traceId: string,
  /** Before this claim. */
  attempt: number,
  startedMs: number | null,
  frame: string | null,
  number: number,
  resumes: number,
  endsMs: number | null,
  /** Why a durable job continues; null: it begins. */
  why: ResumeReason | null,
  parkedMs: number,
  /** Rules decide when it begins. */
  flow: number,
  /** Of its place in line. */
  rank: number,
];
export type ClaimedSubmission = Pick<
  Row,
  | "label"
  | "retry"
  | "durable"
  | "queued_ms"
  | "keep_ms"
  | "keeps"
  | "retry_of"
  | "deployment"
  | "version"
  | keyof AboutRow
> & { readonly first_job: number; readonly last_job: number } & Pick<
    JobWork,
    "request" | "traceparent" | "tracestate" | "checksum"
  >;
/** Values shared by several jobs are sent once. */
export type Claimed = {
  readonly rows: readonly ClaimedRow[];
  /** By number. */
  readonly submissions: ReadonlyMap<number, ClaimedSubmission>;
  /** By checksum. */
  readonly programs: ReadonlyMap<string, string>;
};

export function claimedJobs(
  { rows, submissions, programs }: Claimed,
  owner: string,
  now: number,
): readonly ClaimedJob[] {
  return rows.map(
    ([id, number, traceId, attempt, startedMs, frame, , resumes, endsMs, why, parkedMs, flow]): ClaimedJob => {
      const shared = submissions.get(number) as ClaimedSubmission;
      return {
        id,
        status: "running",
        traceId,
        label: shared.label,
        attempt: attempt + (why === "wake" ? 0 : 1),
        retry: shared.retry === 1,
        queuedMs: shared.queued_ms,
        startedMs: startedMs ?? now,
        finishedMs: null,
        expiresMs: null,
        retryOf: shared.retry_of,
        deployment: shared.deployment,
        version: shared.version,
        about: aboutOf(shared),
        index: shared.last_job > shared.first_job ? number - shared.first_job : null,
        error: null,
        durable: shared.durable === 1,
        resumes: resumes + (why === null ? 0 : 1),
        endsMs,
        why,
        parkedMs,
        parkedAtMs: null,
        flow: flow === 1,
        held: false,
        owner,
        keepMs: shared.keep_ms,
        keeps: keepsIn(shared.keeps),
        request: shared.request,
        frame,
        program: programs.get(shared.checksum) ?? "",
        checksum: shared.checksum,
        traceparent: shared.traceparent,
        tracestate: shared.tracestate,
      };
    },
  );
}
