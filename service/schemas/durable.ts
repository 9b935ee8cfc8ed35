/** Bodies of the routes of durable jobs. */
import * as z from "zod";
import { NOT_LOOKED, NOT_SHOWN } from "../jobs/rehearsals/not-shown.ts";
import { anyValue, stored } from "../wire/common.ts";

const JOB_ID = "01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d";
const whole = (least: number, most: number, fallback: number) =>
  z
    .string()
    .regex(/^[0-9]{1,9}$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be a whole number from ${least} to ${most}`)
    .default(fallback);
const SIGNAL_NAME = /^[A-Za-z0-9._-]{1,64}$/;
export const signalName = z.string().regex(SIGNAL_NAME, "must be 1 to 64 characters of A-Z, a-z, 0-9, . _ and -");

export const JournalQuery = z.strictObject({
  after: whole(0, 999_999_999, 0),
  limit: whole(1, 1000, 200),
  values: z.enum(["0", "1"]).optional(),
});

const record = {
  seq: 2,
  kind: "call",
  at: "2030-01-01T00:00:00.000Z",
  active_ms: 4.1,
  label: "1",
  node: "n1",
  visit: 1,
  attempt: 1,
  adapter: "http",
  verb: "GET",
  ok: true,
  ms: 3.2,
};
const JournalRecord = z.looseObject({
  seq: z.int(),
  kind: z.string(),
  at: z.string(),
  active_ms: z.number(),
  /** Absent outside of branches. */
  branch: z.string().optional(),
  label: z.string().optional(),
  node: z.string().optional(),
  visit: z.int().optional(),
  attempt: z.int().optional(),
  adapter: z.string().optional(),
  verb: z.string().optional(),
  ok: z.boolean().optional(),
  ms: z.number().optional(),
  /** Milliseconds since 1970. */
  until: z.number().nullable().optional(),
  why: z.string().optional(),
  wait: z.string().optional(),
  wait_kind: z.string().optional(),
  /** Number of the record that a decision is about. */
  of: z.int().optional(),
  decision: z.string().optional(),
  error_code: z.string().optional(),
});
export const JournalPage = z
  .object({
    job_id: z.string(),
    records: z.array(JournalRecord),
    /** Pass it as `after` for the next page; null: that was the last. */
    next_after: z.int().nullable(),
    /** Number of the last record, which is how many there are: the newest 200 come after `last_seq - 200`. */
    last_seq: z.int(),
  })
  .meta({ id: "JournalPage", examples: [{ job_id: JOB_ID, records: [record], next_after: null, last_seq: 2 }] });

export const ValuesQuery = z.strictObject({ values: z.enum(["0", "1"]).optional() });
export const JobFrame = z
  .object({
    job_id: z.string(),
    /** Of the variables as JSON. */
    bytes: z.int(),
    /** `shapes` without `values`, and of variables above 64 KiB. */
    shown: z.enum(["values", "shapes"]),
    /** Values, or the shape of each: `text, 120`, `{3 members}`. */
    frame: z.record(z.string(), anyValue),
  })
  .meta({
    id: "JobFrame",
    examples: [{ job_id: JOB_ID, bytes: 18, shown: "shapes", frame: { customer: "text, 4" } }],
  });

export const JobState = z
  .object({
    job_id: z.string(),
    /** When it was shown last; null: the job has shown nothing. */
    at: z.string().nullable(),
    shown: z.enum(["values", "shapes"]),
    /** What the program gave to progress(value, text) last: a number from 0 to 1. Without `values`, the shape of each. */
    progress: z.object({ value: anyValue, text: z.string().nullable() }).nullable(),
    /** By the names that set_state(name, value) was called with: values, or the shape of each. */
    state: z.record(z.string(), anyValue),
  })
  .meta({
    id: "JobState",
    examples: [
      {
        job_id: JOB_ID,
        at: "2030-01-01T00:00:00.000Z",
        shown: "values",
        progress: { value: 0.4, text: "4 of 10" },
        state: { customer: "c-7" },
      },
    ],
  });

const placeMembers = {
  /** Name of the function; null: of a run in the opcode form. */
  function: z.string().nullable(),
  /** Of the program, or of `file`, where the call under way stands. */
  line: z.int().nullable(),
  file: z.string().optional(),
  /** By name: values, or with `values` absent the shape of each: `text, 120`, `{3 members}`. What has no form in JSON is `{"$python": "{1, 2}"}`. */
  variables: z.record(z.string(), anyValue),
};

export const JobVariables = z
  .object({
    job_id: z.string(),
    /** Number of the last record of the journal that the state contains; null: no state can be shown, and `why` says why. */
    seq: z.int().nullable(),
    why: z.enum(NOT_SHOWN).optional(),
    ...placeMembers,
    /** The functions that called it, outermost first. */
    callers: z.array(z.object(placeMembers)),
  })
  .meta({
    id: "JobVariables",
    examples: [
      {
        job_id: JOB_ID,
        seq: 12,
        ...{ function: "pay", line: 7, variables: { order: "{3 members}" } },
        callers: [{ function: "main", line: 12, variables: { rows: "[3 elements]" } }],
      },
    ],
  });

export const JobCalls = z
  .object({
    job_id: z.string(),
    /** Number of the last record of the journal that was read; null: nothing can be shown, and `why` says why. */
    seq: z.int().nullable(),
    why: z.enum(NOT_LOOKED).optional(),
    /**
     * By the numbers of their records: the newest 5,000. `arguments`: at most 60 characters, `"north", 3, [2 elements]`, or with `values` absent the shape
     * of each.
     */
    calls: z.array(z.object({ seq: z.int(), arguments: z.string() })),
    /** Those that call something: the outermost function that each runs, and what its parameters hold at its first call. */
    branches: z.array(z.object({ branch: z.string(), function: z.string(), arguments: z.string() })),
  })
  .meta({
    id: "JobCalls",
    examples: [
      {
        job_id: JOB_ID,
        seq: 12,
        calls: [{ seq: 3, arguments: '"https://shop.example/north"' }],
        branches: [{ branch: "main/n3/1#0", function: "probe", arguments: '"north"' }],
      },
    ],
  });

const wait = {
  wait: "w-3",
  kind: "signal",
  names: ["delivered"],
  keyed: false,
  label: "1",
  node: "n2",
  since: "2030-01-01T00:00:00.000Z",
  until: null,
  ended_at: null,
};
const Wait = z.object({
  wait: z.string(),
  kind: z.enum(["timer", "signal", "approval", "outcome", "job", "event"]),
  names: z.array(z.string()).optional(),
  keyed: z.boolean().optional(),
  /** Id of the question that was put before people. */
  approval: z.string().optional(),
  /** Ids of jobs, the first of which that is over ends the wait. */
  jobs: z.array(z.string()).optional(),
  /** Number of the record of the call of unknown outcome. */
  of: z.int().optional(),
  label: z.string().optional(),
  node: z.string().optional(),
  /** Of the branch that waits. */
  branch: z.string().optional(),
  since: z.string(),
  until: z.string().nullable(),
  ended_at: z.string().nullable(),
});
export const JobWaits = z
  .object({ job_id: z.string(), status: z.string(), waits: z.array(Wait), unread: z.record(z.string(), z.int()) })
  .meta({ id: "JobWaits", examples: [{ job_id: JOB_ID, status: "waiting", waits: [wait], unread: {} }] });

const member = {
  job_id: JOB_ID,
  parent: null,
  depth: 0,
  detached: false,
  status: "waiting",
  program: "monthly",
  version: 3,
  error: null,
  queued_at: "2030-01-01T00:00:00.000Z",
};
const FamilyMember = z.object({
  job_id: z.string(),
  /** Id of the job that started it; null: it began the family. */
  parent: z.string().nullable(),
  /** How many jobs are above it. */
  depth: z.int(),
  /** It continues when the job that started it is cancelled. */
  detached: z.boolean(),
  /** What it uses is charged to the job that started it. Absent: it has a budget of its own. */
  share: z.literal("budget").optional(),
  status: z.string(),
  program: z.string().nullable(),
  version: z.int().nullable(),
  error: z.string().nullable(),
  /** Of a job that began again (`job.again`): the round that it is in, from 1. */
  round: z.int().optional(),
  queued_at: z.string().optional(),
  finished_at: z.string().optional(),
});
export const FamilyTree = z
  .object({
    job_id: z.string(),
    /** The job that began the family first, then the others in the order in which they were started. */
    jobs: z.array(FamilyMember),
    /** There are more. */
    truncated: z.boolean(),
  })
  .meta({ id: "FamilyTree", examples: [{ job_id: JOB_ID, jobs: [member], truncated: false }] });

export const OutcomeRequest = z
  .strictObject({
    seq: z.int().min(1),
    decision: z.enum(["done", "make", "fail"]),
    /** What the call answered, of `done`. */
    result: anyValue.optional(),
    by: stored(z.string().min(1).max(128)).nullish(),
  })
  .meta({ id: "OutcomeRequest", examples: [{ seq: 4, decision: "done", result: { id: "r-1" } }] });
export const OutcomeDecided = z
  .object({ ok: z.literal(true), job_id: z.string(), status: z.string() })
  .meta({ id: "OutcomeDecided", examples: [{ ok: true, job_id: JOB_ID, status: "queued" }] });

const signal = { data: anyValue.optional(), id: stored(z.string().min(1).max(128)).nullish() };
const EXAMPLE = { data: { door: true }, id: "delivery-7" };
export const JobSignalRequest = z.strictObject(signal).meta({ id: "JobSignalRequest", examples: [EXAMPLE] });
export const SignalRequest = z
  .strictObject({ ...signal, key: stored(z.string().min(1).max(256)), keep_s: z.int().min(1).max(604_800).nullish() })
  .meta({ id: "SignalRequest", examples: [{ key: "4711", ...EXAMPLE }] });
export const SignalAccepted = z
  .object({
    ok: z.literal(true),
    id: z.string(),
    /** A job waited for it, or it is kept until one does. */
    delivered: z.enum(["now", "kept"]),
    /** How many jobs it woke. */
    jobs: z.int(),
    /** Whole numbers of the data that lost digits. */
    warnings: z.array(z.string()).optional(),
  })
  .meta({ id: "SignalAccepted", examples: [{ ok: true, id: "delivery-7", delivered: "now", jobs: 1 }] });
export const SignalParams = z.object({ id: z.string(), name: signalName });
export const KeyedSignalParams = z.object({ name: signalName });
