/** The body of POST /run and its success. The schema is what validates, what documents, and what the type is made of. */
import * as z from "zod";
import { LIMIT_KEYS } from "../../vm/run.ts";
import {
  anyObject,
  anyValue,
  askedMembers,
  Limits,
  Policy,
  pageLimit,
  ranMembers,
  Stats,
  stored,
  Usage,
} from "../wire/common.ts";
import { EXAMPLES } from "../wire/examples.ts";

/**
 * Members that the gateway reads, because their faults depend on the server's grant and catalog: the schema documents them and lets
 * every value pass.
 */
function readByGateway(documented: object) {
  const anything = z.unknown().optional();
  return anything.meta({ ...documented });
}

function referenceTo(component: z.ZodType) {
  return { $ref: `#/components/schemas/${component.meta()?.id}` };
}

const OR_NULL = { type: "null" } as const;
const names = { type: "array", items: { type: "string" } } as const;
const askedLimits = {
  type: "object",
  properties: Object.fromEntries(LIMIT_KEYS.map((key) => [key, { type: "integer" }])),
  additionalProperties: false,
} as const;
const askedAdapters = {
  type: "object",
  properties: { enable: names },
  additionalProperties: { type: "object" },
} as const;

const TAG_KEY = /^[a-z0-9_.-]{1,32}$/;

/** For lists and searches. */
export const aboutMembers = {
  name: stored(z.string().min(1).max(128)).nullish(),
  tags: z
    .record(
      z.string().regex(TAG_KEY, "must be 1 to 32 characters of a-z, 0-9, _, . and -"),
      stored(z.string().max(128)),
    )
    .refine((tags) => Object.keys(tags).length <= 8, "must have at most 8 tags")
    .nullish(),
};

/** Members that any request for a run may have. */
export const programMembers = {
  code: z.string().regex(/\S/, "must not be blank").nullish(),
  ir: anyObject.nullish(),
  /** Texts of files that `code` imports or includes, by path. */
  files: z.record(z.string(), z.string()).nullish(),
  /** A deployment by name, or a version of it: `digest@7`. */
  program: stored(z.string().min(1, "must not be empty").max(128)).nullish(),
  strict: z.boolean().nullish(),
  label: z.string().min(1, "must not be empty").nullish(),
  limits: readByGateway({ anyOf: [askedLimits, OR_NULL] }),
  allowed_adapters: readByGateway({ anyOf: [names, OR_NULL] }),
  adapters: readByGateway({ anyOf: [askedAdapters, OR_NULL] }),
  policy: readByGateway({ anyOf: [referenceTo(Policy), OR_NULL] }),
  trace: z.boolean().nullish(),
  trace_options: z
    .strictObject({
      max_events: z.int().min(1).max(10_000).nullish(),
      max_value_bytes: z.int().min(0).max(8192).nullish(),
      frame_keys: z.boolean().nullish(),
      variables: z.boolean().nullish(),
    })
    .nullish(),
  record_calls: z.boolean().nullish(),
  /** Accepted and ignored with a warning. */
  execution_mode: anyValue.optional(),
  step_fallback: anyValue.optional(),
  unknown_op_policy: anyValue.optional(),
};

export const LEGACY_MEMBERS = ["execution_mode", "step_fallback", "unknown_op_policy"] as const;

/** Members of a request that runs once. */
export const runMembers = {
  ...programMembers,
  ...aboutMembers,
  frame: anyObject.nullish(),
  replay_log: z.union([z.array(anyValue), anyObject]).nullish(),
  replay_artifact_id: z.string().max(128).nullish(),
};

export const RunRequest = z.strictObject(runMembers).meta({
  id: "RunRequest",
  examples: EXAMPLES.RunRequest,
});

export const RunSuccess = z
  .object({
    ok: z.literal(true),
    trace_id: z.string(),
    label: ranMembers.label,
    out: anyValue,
    runtime_version: ranMembers.runtime_version,
    ir_version: ranMembers.ir_version,
    duration_ms: ranMembers.duration_ms,
    adapter_p95_ms: ranMembers.adapter_p95_ms,
    usage: Usage,
    limits: Limits,
    stats: Stats,
    warnings: z.array(z.string()),
    ...askedMembers,
  })
  .meta({ id: "RunSuccess", examples: EXAMPLES.RunSuccess });

/** Figures of a run that is over; no values. */
const RecentRun = z.object({
  trace_id: z.string(),
  ok: z.boolean(),
  error: z.string().optional(),
  program: z.string().optional(),
  version: z.int().optional(),
  name: z.string().optional(),
  tags: z.record(z.string(), z.string()).optional(),
  label: z.string(),
  checksum: z.string(),
  ended_at: z.string(),
  duration_ms: z.number(),
  usage: Usage,
});

export const RecentRunList = z
  .object({ runs: z.array(RecentRun) })
  .meta({ id: "RecentRunList", examples: EXAMPLES.RecentRunList });

export const RecentRunsQuery = z.strictObject({
  limit: pageLimit,
  status: z.enum(["ok", "failed"]).optional(),
  program: z.string().max(63).optional(),
  name: z.string().max(128).optional(),
});
