/** Bodies of the job routes. */
import * as z from "zod";
import { JOB_STATUSES, type JobStatus } from "../jobs/job.ts";
import { anyObject, ErrorBody } from "./common.ts";
import { EXAMPLES } from "./examples.ts";
import { programMembers, RunSuccess, runMembers } from "./run.ts";

const jobMembers = {
  retry: z.boolean().nullish(),
  keep_s: z.int().min(60).max(604_800).nullish(),
};

export const EnqueueRequest = z
  .strictObject({ ...runMembers, ...jobMembers })
  .meta({ id: "EnqueueRequest", examples: EXAMPLES.EnqueueRequest });
export type EnqueueRequestMembers = z.output<typeof EnqueueRequest>;

/** A job for each frame. */
export const BulkEnqueueRequest = z
  .strictObject({ ...programMembers, ...jobMembers, frames: z.array(anyObject) })
  .meta({ id: "BulkEnqueueRequest", examples: EXAMPLES.BulkEnqueueRequest });
export type BulkEnqueueRequestMembers = z.output<typeof BulkEnqueueRequest>;

export const RetryRequest = z
  .strictObject({ from: z.enum(["start", "failure"]).nullish() })
  .meta({ id: "RetryRequest", examples: EXAMPLES.RetryRequest });

const Status = z.enum(JOB_STATUSES);

export const JobAccepted = z
  .object({
    ok: z.literal(true),
    job_id: z.string(),
    id: z.string(),
    status: z.literal("queued"),
    trace_id: z.string(),
    position: z.int(),
    queued_at: z.string(),
    retry_of: z.string().optional(),
    warnings: z.array(z.string()),
  })
  .meta({ id: "JobAccepted", examples: EXAMPLES.JobAccepted });

export const JobsAccepted = z
  .object({
    ok: z.literal(true),
    count: z.int(),
    job_ids: z.array(z.string()),
    status: z.literal("queued"),
    trace_id: z.string(),
    position: z.int(),
    queued_at: z.string(),
    warnings: z.array(z.string()),
  })
  .meta({ id: "JobsAccepted", examples: EXAMPLES.JobsAccepted });

const listed = {
  job_id: z.string(),
  status: Status,
  trace_id: z.string(),
  label: z.string(),
  attempt: z.int(),
  queued_at: z.string(),
  started_at: z.string().optional(),
  finished_at: z.string().optional(),
};

/** The envelope that says in a line what came of a run, and what a person should look at. */
const ResultSummaryDocument = z
  .object({
    task_id: z.string().nullable(),
    status: z.enum(["ok", "policy_violation", "validation_error", "runtime_error"]),
    summary: z.string(),
    result: z.union([RunSuccess, ErrorBody]),
    trace_id: z.string().nullable(),
    policy_errors: z.array(z.unknown()),
    artifacts: z.array(z.object({ kind: z.string(), uri: z.string() })),
    review_hint: z.string().nullable(),
  })
  .meta({ id: "ResultSummary", examples: EXAMPLES.ResultSummary });

export const JobDocument = z
  .object({
    ...listed,
    expires_at: z.string().optional(),
    position: z.int().optional(),
    retry_of: z.string().optional(),
    result: z.union([RunSuccess, ErrorBody]).optional(),
    /** On request, in place of the result, which it holds. */
    summary: ResultSummaryDocument.optional(),
  })
  .meta({ id: "Job", examples: EXAMPLES.Job });

export const JobChanged = z
  .object({ job_id: z.string(), status: Status })
  .meta({ id: "JobChanged", examples: EXAMPLES.JobChanged });

export const JobList = z
  .object({ jobs: z.array(z.object(listed)), next_cursor: z.string().nullable() })
  .meta({ id: "JobList", examples: EXAMPLES.JobList });

/** Server-sent events. */
export const JobEvents = z.string().meta({ examples: EXAMPLES.events });

const MOST_WAIT_S = 60;
const DECIMAL = /^[0-9]{1,3}(\.[0-9]{1,6})?$/;

export const ResultQuery = z.strictObject({
  wait: z
    .string()
    .regex(DECIMAL, `must be a number of seconds from 0 to ${MOST_WAIT_S}`)
    .transform(Number)
    .refine((seconds) => seconds <= MOST_WAIT_S, `must be a number of seconds from 0 to ${MOST_WAIT_S}`)
    .optional(),
  summary: z.enum(["0", "1"]).optional(),
});

const isStatus = (word: string): word is JobStatus => JOB_STATUSES.some((status) => status === word);

export const ListQuery = z.strictObject({
  status: z
    .string()
    .transform((text) => text.split(",").map((word) => word.trim()))
    .refine((words) => words.every(isStatus), `must be states of jobs: ${JOB_STATUSES.join(", ")}`)
    .transform((words) => words.filter(isStatus))
    .optional(),
  limit: z
    .string()
    .regex(/^[0-9]{1,3}$/, "must be a whole number from 1 to 200")
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= 200, "must be a whole number from 1 to 200")
    .default(50),
  cursor: z.string().max(200).optional(),
});
