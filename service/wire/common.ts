/** The parts that several bodies share, as schemas. Components of the OpenAPI document have an id. */
import * as z from "zod";
import { isObject } from "../../compiler/json.ts";
import { LIMIT_KEYS } from "../../vm/run.ts";
import { isStorable, STORABLE } from "../../vm/values/storable-text.ts";
import { ERRORS, type ErrorCode } from "./errors.ts";
import { EXAMPLES } from "./examples.ts";

/** Any JSON value. */
export const anyValue = z.unknown();
/** Passed on as it is: `z.record` would copy each frame of a batch. */
export const anyObject = z
  .unknown()
  .check((read) => {
    const { value: input, issues } = read;
    if (!isObject(input)) issues.push({ code: "invalid_type", expected: "record", input });
  })
  .meta({ type: "object", propertyNames: { type: "string" }, additionalProperties: {} }) as unknown as z.ZodType<
  Record<string, unknown>
>;

/** Text that a store keeps, or looks for, as it is. */
export const stored = (text: z.ZodString) => text.refine(isStorable, STORABLE);

const ISO_TIME = /^(\d{4})-(\d\d)-(\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** A moment as text. Without a zone it would be another moment on every machine, and dates that do not exist are not read as later ones. */
export const isoTime = z
  .string()
  .max(40)
  .refine((text) => {
    const [, year, month, day] = ISO_TIME.exec(text) ?? [];
    if (day === undefined || Number.isNaN(Date.parse(text))) return false;
    return new Date(`${year}-${month}-01`).getUTCMonth() === new Date(`${year}-${month}-${day}`).getUTCMonth();
  }, "must be a date, or a time with Z or an offset, in ISO 8601: 2026-03-01 or 2026-03-01T07:00:00Z");

/** A whole number of a query, as `low` to `high` of at most as many digits as `high` has. */
export function wholeNumber(low: number, high: number) {
  const must = `must be a whole number from ${low} to ${high}`;
  return z
    .string()
    .regex(new RegExp(`^[0-9]{1,${String(high).length}}$`), must)
    .transform(Number)
    .refine((value) => value >= low && value <= high, must);
}

/** How many rows a page has. */
export const pageLimit = wholeNumber(1, 200).default(50);

/** `next_cursor` of pages whose rows are in order of time and id. */
export const timeCursor = z
  .string()
  .regex(/^[0-9]{1,15}-[0-9a-f]{32}$/, "must be next_cursor of the page before")
  .optional();

/** Effective limits of a run. */
export const Limits = z
  .object(Object.fromEntries(LIMIT_KEYS.map((key) => [key, z.int().min(0).optional()])))
  .meta({ id: "Limits" });

const modelFigures = {
  calls: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cost: z.number(),
};

const modelUsage = z.object({ ...modelFigures, models: z.record(z.string(), z.object(modelFigures)) });
const budgetUse = z.object({ steps: z.int(), adapter_calls: z.int(), llm: modelUsage.optional() });

export const Usage = z
  .object({
    steps: z.int(),
    depth: z.int(),
    adapter_calls: z.int(),
    time_ms: z.number(),
    frame_bytes: z.int().nullable(),
    loop_iters: z.int(),
    /** Of durable jobs: how long they were parked, and how often they continued. */
    parked_ms: z.int().optional(),
    resumes: z.int().optional(),
    llm: modelUsage.optional(),
    /** Part of it that jobs used which shared the budget of the run. */
    shared: budgetUse.optional(),
    /** Of a job that shares the budget of the one that started it: what that one pays, for all rounds. */
    charged: budgetUse.optional(),
  })
  .meta({ id: "Usage" });

const Names = z.array(z.string());
export const Policy = z
  .object({
    forbidden_adapters: Names.optional(),
    forbidden_effects: Names.optional(),
    forbidden_effect_tiers: Names.optional(),
    forbidden_privilege_tiers: Names.optional(),
    forbidden_destructive: z.boolean().optional(),
  })
  .meta({ id: "Policy" });

const Violation = z
  .object({
    code: z.string(),
    message: z.string(),
    data: z.object({
      label_id: z.string(),
      node_id: z.string(),
      adapter: z.string().optional(),
      verb: z.string().optional(),
      effect: z.string().optional(),
      effect_tier: z.string().optional(),
      privilege_tier: z.string().optional(),
      matched: Names.optional(),
      lineno: z.int().optional(),
      file: z.string().optional(),
      rule: z
        .object({
          member: z.string(),
          value: z.union([z.string(), z.boolean()]),
          source: z.string(),
          sources: Names.optional(),
        })
        .optional(),
    }),
  })
  .meta({ id: "Violation" });

const Span = z.object({
  file: z.string().nullable(),
  line: z.int(),
  column: z.int(),
  end_line: z.int(),
  end_column: z.int(),
  start: z.int(),
  end: z.int(),
});

const Diagnostic = z
  .object({
    code: z.string(),
    name: z.string(),
    severity: z.enum(["error", "warning", "hint"]),
    message: z.string(),
    line: z.int().nullable(),
    column: z.int().nullable(),
    span: Span.nullable(),
    label_id: z.string().nullable(),
    node_id: z.string().nullable(),
    expected: Names,
    suggestion: z.string().nullable(),
    fix: z.object({ title: z.string(), edits: z.array(z.object({ span: Span, new_text: z.string() })) }).nullable(),
    related: z.array(z.object({ message: z.string(), span: Span })),
  })
  .meta({ id: "Diagnostic" });

export const ErrorStructured = z.object({
  code: z.string(),
  exception: z.string().optional(),
  message: z.string(),
  label: z.string().nullable(),
  node: z.string().nullable(),
  op: z.string().nullable(),
  line: z.int().nullable(),
  file: z.string().optional(),
  step_index: z.int().nullable(),
  stack: Names,
  data: anyObject,
});

const TraceEvent = z.looseObject({ seq: z.int(), kind: z.enum(["step", "retry", "error", "end"]) });

const RecordedCall = z.looseObject({
  seq: z.int(),
  label_id: z.string(),
  node_id: z.string(),
  attempt: z.int(),
  adapter: z.string(),
  verb: z.string(),
  ok: z.boolean(),
});
const RecordLog = z
  .object({
    format: z.literal("weft-record"),
    version: z.literal(1),
    program_checksum: z.string(),
    label: z.string(),
    complete: z.boolean(),
    sensitive: z.literal(true).optional(),
    dropped: z.int().optional(),
    calls: z.array(RecordedCall),
  })
  .meta({ id: "RecordLog" });

const P95 = z.record(z.string(), z.number());

/** Members of a run that was started, whatever came of it. */
export const ranMembers = {
  label: z.string(),
  runtime_version: z.string(),
  ir_version: z.string(),
  duration_ms: z.number(),
  adapter_p95_ms: P95,
};
/** On request. */
export const askedMembers = {
  /** What the program printed. */
  printed: z.string().optional(),
  /** Characters after the first 65,536, which are left out. */
  printed_dropped: z.int().optional(),
  trace: z.array(TraceEvent).optional(),
  record: RecordLog.optional(),
  adapter_calls: z.array(RecordedCall).optional(),
  replay: z.object({ matched: z.int(), remaining: z.int() }).optional(),
  replay_artifact_id: z.string().optional(),
};
export const Stats = z.object({
  compile_ms: z.number(),
  run_ms: z.number(),
  cache_hit: z.boolean(),
  checksum: z.string(),
});

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];
export const ErrorBody = z
  .object({
    ok: z.literal(false),
    trace_id: z.string(),
    error: z.enum(codes),
    message: z.string(),
    /** Why a durable job does not continue. */
    reason: z.string().optional(),
    /** Of a job that rules ended: the one that they queued in its place. */
    replaced_by: z.string().optional(),
    /** Parts of the job ran before it was refused. */
    ran: z.boolean().optional(),
    issues: z
      .array(
        z.object({
          path: z.string(),
          code: z.string(),
          message: z.string(),
          /** Of an issue in IR. */
          label_id: z.string().optional(),
          node_id: z.string().optional(),
        }),
      )
      .optional(),
    diagnostics: z.array(Diagnostic).optional(),
    policy_errors: z.array(Violation).optional(),
    error_structured: ErrorStructured.optional(),
    label: ranMembers.label.optional(),
    runtime_version: ranMembers.runtime_version.optional(),
    ir_version: ranMembers.ir_version.optional(),
    duration_ms: ranMembers.duration_ms.optional(),
    adapter_p95_ms: P95.optional(),
    usage: Usage.optional(),
    limits: Limits.optional(),
    stats: Stats.optional(),
    warnings: Names.optional(),
    ...askedMembers,
    retry_after_s: z.int().optional(),
    job_id: z.string().optional(),
  })
  .meta({
    id: "ErrorBody",
    examples: EXAMPLES.ErrorBody,
  });

/** The same body as `application/problem+json` (RFC 9457). */
export const ProblemBody = z
  .looseObject({
    ok: z.literal(false),
    trace_id: z.string(),
    error: z.enum(codes),
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
  })
  .meta({ id: "ProblemBody", examples: EXAMPLES.ProblemBody });
