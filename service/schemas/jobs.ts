/** Bodies of the job routes. */
import * as z from "zod";
import { WAIT_KINDS } from "../jobs/filter.ts";
import { flowMembers } from "../jobs/flow/members.ts";
import { JOB_STATUSES } from "../jobs/job.ts";
import { anyObject, anyValue, ErrorBody, isoTime, pageLimit, stored } from "../wire/common.ts";
import { EXAMPLES } from "../wire/examples.ts";
import { signalName } from "./durable.ts";
import { aboutMembers, programMembers, RunSuccess, runMembers } from "./run.ts";

const UNKNOWN_WAYS = z.enum(["fail", "ask", "retry"]);
const MAX_VERBS = 64;
/** Signals that a job is queued with. */
const MAX_SIGNALS = 16;

/** How a job survives its process (docs/durable.md). */
export const durableMembers = {
  durable: z.boolean().nullish(),
  /** What becomes of a call of unknown outcome: of every call, or by `adapter.Verb` and `*`. */
  on_unknown: z
    .union([
      UNKNOWN_WAYS,
      z
        .record(
          z.string().regex(/^(\*|[a-z][a-z0-9_]*\.[A-Za-z0-9_.]+)$/, "must be an adapter and verb, or *"),
          UNKNOWN_WAYS,
        )
        .refine((ways) => Object.keys(ways).length <= MAX_VERBS, `must have at most ${MAX_VERBS} members`),
    ])
    .nullish(),
  lifetime_s: z.int().min(60).max(31_536_000).nullish(),
};

/** Signals that the job has from its beginning. */
const signals = z
  .array(
    z.strictObject({
      name: signalName,
      data: anyValue.optional(),
      id: stored(z.string().min(1).max(128)).nullish(),
    }),
  )
  .max(MAX_SIGNALS);

/** How long results are kept. */
export const keepSeconds = z.int().min(60).max(604_800);

const jobMembers = {
  ...durableMembers,
  ...flowMembers,
  /** In place of delay_s. */
  run_at: isoTime.nullish(),
  signals: signals.nullish(),
  retry: z.boolean().nullish(),
  keep_s: keepSeconds.nullish(),
};

export const EnqueueRequest = z
  .strictObject({ ...runMembers, ...jobMembers })
  .meta({ id: "EnqueueRequest", examples: EXAMPLES.EnqueueRequest });
export type EnqueueRequestMembers = z.output<typeof EnqueueRequest>;

/** A job for each frame. */
export const BulkEnqueueRequest = z
  .strictObject({ ...programMembers, ...aboutMembers, ...jobMembers, frames: z.array(anyObject) })
  .meta({ id: "BulkEnqueueRequest", examples: EXAMPLES.BulkEnqueueRequest });
export type BulkEnqueueRequestMembers = z.output<typeof BulkEnqueueRequest>;

export const RetryRequest = z
  .strictObject({
    from: z
      .union([z.enum(["start", "failure"]), z.strictObject({ seq: z.int().min(0).max(Number.MAX_SAFE_INTEGER) })])
      .nullish(),
    code: z.string().nullish(),
    ir: anyObject.nullish(),
    strict: z.boolean().nullish(),
    /** The version that is current now, in place of the one that the job ran. */
    current: z.boolean().nullish(),
    dry_run: z.boolean().nullish(),
  })
  .meta({ id: "RetryRequest", examples: EXAMPLES.RetryRequest });

/** Of a dry run. `next`: the first call that would be made; null: the run would end without one. */
export const RetryRehearsed = z
  .object({
    ok: z.literal(true),
    job_id: z.string(),
    dry_run: z.literal(true),
    records: z.int(),
    next: z.object({ label: z.string(), node: z.string(), adapter: z.string(), verb: z.string() }).nullable(),
    warnings: z.array(z.string()),
  })
  .meta({ id: "RetryRehearsed", examples: EXAMPLES.RetryRehearsed });

const Status = z.enum(JOB_STATUSES);
const MAX_WAIT_S = 60;

export const JobAccepted = z
  .object({
    ok: z.literal(true),
    job_id: z.string(),
    id: z.string(),
    status: Status,
    trace_id: z.string(),
    position: z.int().optional(),
    /** The job was there: a rule answers with it, and the request queued none. */
    existing: z.literal(true).optional(),
    queued_at: z.string(),
    retry_of: z.string().optional(),
    warnings: z.array(z.string()),
  })
  .meta({ id: "JobAccepted", examples: EXAMPLES.JobAccepted });

export const JobsAccepted = z
  .object({
    ok: z.literal(true),
    count: z.int(),
    /** One for each frame; null: rules queued none for it. */
    job_ids: z.array(z.string().nullable()),
    /** Those of them that were there before. */
    existing: z.array(z.string()).optional(),
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
  /** Of a job of a deployment. */
  program: z.string().optional(),
  version: z.int().nullish(),
  name: z.string().optional(),
  tags: z.record(z.string(), z.string()).optional(),
  /** Of a job that a schedule queued, with the time it was due at. */
  schedule: z.string().optional(),
  /** Id of the job that started it. */
  parent: z.string().optional(),
  due_at: z.string().optional(),
  /** Place of its frame among those of one request. */
  index: z.int().optional(),
  attempt: z.int(),
  queued_at: z.string(),
  started_at: z.string().optional(),
  finished_at: z.string().optional(),
  duration_ms: z.int().optional(),
  error: z.string().optional(),
  /** Rules hold it back. */
  held: z.boolean().optional(),
  /** Of a durable job: it survives its process. */
  durable: z.boolean().optional(),
  /** How often it continued. */
  resumes: z.int().optional(),
  /** Of a durable job that is over or waits: how long it did not wait since it was started. */
  running_ms: z.int().optional(),
  /** Of a durable job that was started: how long it waited for something, without the wait under way. */
  waiting_ms: z.int().optional(),
  lifetime_ends_at: z.string().optional(),
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
    /** Of its program. */
    checksum: z.string(),
    expires_at: z.string().optional(),
    position: z.int().optional(),
    held_by: z
      .object({ kind: z.enum(["time", "unique", "concurrency", "rate"]), until: z.string().optional() })
      .optional(),
    retry_of: z.string().optional(),
    /** Of a job that began again (`job.again`): the round that it is in, from 1. */
    round: z.int().optional(),
    /** Rounds that are over, the last one first; 100 are kept. `waited`: the job waited in it. */
    rounds: z
      .array(
        z.object({
          round: z.int(),
          trace_id: z.string(),
          began_at: z.string(),
          ended_at: z.string(),
          waited: z.boolean(),
        }),
      )
      .optional(),
    result: z.union([RunSuccess, ErrorBody]).optional(),
    /** On request, in place of the result, which it holds. */
    summary: ResultSummaryDocument.optional(),
  })
  .meta({ id: "Job", examples: EXAMPLES.Job });

/** Jobs that are asked about together. */
const MAX_RESULT_IDS = 1000;

export const ResultsRequest = z
  .strictObject({
    /** In the order in which their results are wanted. */
    job_ids: z.array(z.string().max(64)).min(1).max(MAX_RESULT_IDS),
    /** Seconds that the answer may wait for jobs that are not over. */
    wait_s: z.number().min(0).max(MAX_WAIT_S).nullish(),
  })
  .meta({ id: "ResultsRequest", examples: EXAMPLES.ResultsRequest });

/** Of the jobs that were asked about, those at the beginning that are over. */
export const JobResults = z
  .object({
    results: z.array(
      z.union([
        z.object({
          job_id: z.string(),
          status: Status,
          duration_ms: z.int().optional(),
          result: z.union([RunSuccess, ErrorBody]),
        }),
        /** One without a result: it does not exist, or its retention has passed. */
        z.object({
          job_id: z.string(),
          error: z.enum(["job_not_found", "job_expired"]),
          message: z.string(),
        }),
      ]),
    ),
  })
  .meta({ id: "JobResults", examples: EXAMPLES.JobResults });

export const JobChanged = z
  .object({ job_id: z.string(), status: Status })
  .meta({ id: "JobChanged", examples: EXAMPLES.JobChanged });

export const JobList = z
  .object({
    jobs: z.array(
      z.object({
        ...listed,
        /** The first line of what it failed with, where values are shown. */
        message: z.string().optional(),
        /** What it waits for; of several waits, the one that began first. `names`: of signals. */
        waits_for: z.object({ kind: z.enum(WAIT_KINDS), names: z.array(z.string()).optional() }).optional(),
      }),
    ),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: "JobList", examples: EXAMPLES.JobList });

/** Server-sent events `job` and `skipped`. */
export const JobsFeed = z.string().meta({ examples: EXAMPLES.feed });
/** Server-sent events. */
export const JobEvents = z.string().meta({ examples: EXAMPLES.events });

const DECIMAL = /^[0-9]{1,3}(\.[0-9]{1,6})?$/;

export const ResultQuery = z.strictObject({
  wait: z
    .string()
    .regex(DECIMAL, `must be a number of seconds from 0 to ${MAX_WAIT_S}`)
    .transform(Number)
    .refine((seconds) => seconds <= MAX_WAIT_S, `must be a number of seconds from 0 to ${MAX_WAIT_S}`)
    .optional(),
  until: z.enum(["over", "parked"]).optional(),
  summary: z.enum(["0", "1"]).optional(),
});

/** Words of a list with commas, each one of `known`. */
const oneOrMore = <Word extends string>(known: readonly Word[], what: string) => {
  const isKnown = (word: string): word is Word => known.some((one) => one === word);
  return z
    .string()
    .transform((text) => text.split(",").map((word) => word.trim()))
    .refine((words) => words.every(isKnown), `must be ${what}: ${known.join(", ")}`)
    .transform((words) => words.filter(isKnown));
};

const time = isoTime.transform((text) => Date.parse(text));
const word = stored(z.string().min(1).max(300));

/** As `program`: the program came with the request of the job. */
export const NO_DEPLOYMENT = "-";

/** Which jobs are meant. */
export const JobFilters = {
  status: oneOrMore(JOB_STATUSES, "states of jobs").optional(),
  waits: oneOrMore(WAIT_KINDS, "kinds of waits").optional(),
  program: z
    .string()
    .regex(
      /^(-|[a-z0-9][a-z0-9-]{0,62}(@[1-9][0-9]{0,8})?)$/,
      `must be the name of a deployment, name@version, or ${NO_DEPLOYMENT} for jobs of no deployment`,
    )
    .optional(),
  name: word.optional(),
  tag: stored(z.string().regex(/^[a-z0-9_.-]{1,32}:.{0,128}$/s, "must be a tag such as team:sales")).optional(),
  label: word.optional(),
  checksum: word.optional(),
  schedule: word.optional(),
  parent: word.optional(),
  queued_after: time.optional(),
  queued_before: time.optional(),
  ended_after: time.optional(),
  ended_before: time.optional(),
  search: stored(
    z.string().regex(/^[A-Za-z0-9_.]{1,600}:.{1,1000}$/s, "must be an input and its value, such as customer:c-17"),
  ).optional(),
  error: z
    .string()
    .regex(/^[a-z_]{1,64}$/, "must be the error of a result, such as runtime_error")
    .optional(),
  dead: z.enum(["0", "1"]).optional(),
  message: stored(z.string().min(1).max(200)).optional(),
  q: stored(z.string().min(1).max(128)).optional(),
};

export const ListQuery = z.strictObject({
  ...JobFilters,
  limit: pageLimit,
  order: z.enum(["newest", "oldest"]).default("newest"),
  cursor: z.string().max(200).optional(),
});

/** Of jobs in bulk: the same filters, and how many at most. Read once more as `BulkMeaning`. */
export const BulkAction = z
  .strictObject({
    ...Object.fromEntries(Object.keys(JobFilters).map((name) => [name, z.string().optional()])),
    limit: z.int().min(1).max(1000).optional(),
    dry_run: z.boolean().optional(),
  })
  .meta({ id: "BulkAction", examples: EXAMPLES.BulkAction });
export const BulkRetry = z
  .strictObject({ ...BulkAction.shape, current: z.boolean().optional() })
  .meta({ id: "BulkRetry", examples: EXAMPLES.BulkRetry });
export const BulkMeaning = z.strictObject({
  ...JobFilters,
  limit: z.int().default(100),
  dry_run: z.boolean().default(false),
  /** Of a retry: the versions that are current now. */
  current: z.boolean().default(false),
});
export type BulkActionMembers = z.output<typeof BulkMeaning>;

export const BulkDone = z
  .object({
    ok: z.literal(true),
    /** Jobs that the action was for. */
    count: z.int(),
    job_ids: z.array(z.string()),
    /** Ids of the new jobs of a retry, in the same order. */
    new_job_ids: z.array(z.string()).optional(),
    /** Jobs that were found and left as they are, with the reason. */
    left: z.array(z.object({ job_id: z.string(), error: z.string(), message: z.string() })),
    /** More jobs are there than `limit`. */
    more: z.boolean(),
    dry_run: z.boolean(),
  })
  .meta({ id: "BulkDone", examples: EXAMPLES.BulkDone });
