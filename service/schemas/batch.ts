/** Bodies of POST /batch: one program, many frames, as one document or line by line. */
import * as z from "zod";
import { anyObject, anyValue, askedMembers, ErrorStructured, Usage } from "./common.ts";
import { EXAMPLES } from "./examples.ts";
import { aboutMembers, programMembers } from "./run.ts";

const batchMembers = {
  ...programMembers,
  ...aboutMembers,
  concurrency: z.int().min(1).nullish(),
  on_error: z.enum(["continue", "stop"]).nullish(),
  order: z.enum(["completion", "input"]).nullish(),
};

/** First line of a stream. */
export const BatchHead = z.strictObject(batchMembers).meta({ id: "BatchHead", examples: EXAMPLES.BatchHead });
export const BatchRequest = z
  .strictObject({ ...batchMembers, frames: z.array(anyObject) })
  .meta({ id: "BatchRequest", examples: EXAMPLES.BatchRequest });

const BatchLine = z
  .object({
    index: z.int(),
    ok: z.boolean(),
    out: anyValue.optional(),
    error: z.string().optional(),
    message: z.string().optional(),
    error_structured: ErrorStructured.optional(),
    usage: Usage.optional(),
    duration_ms: z.number().optional(),
    warnings: z.array(z.string()).optional(),
    ...askedMembers,
  })
  .meta({ id: "BatchLine", examples: EXAMPLES.BatchLine });

export const BatchAnswer = z
  .object({
    ok: z.boolean(),
    trace_id: z.string(),
    count: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    results: z.array(BatchLine),
    warnings: z.array(z.string()).optional(),
    error: z.string().optional(),
    message: z.string().optional(),
  })
  .meta({ id: "BatchAnswer", examples: EXAMPLES.BatchAnswer });

/** One line of a streamed answer. */
export const BatchStreamLine = z.union([
  BatchLine,
  z
    .object({
      summary: z.literal(true),
      ok: z.boolean(),
      trace_id: z.string(),
      count: z.int(),
      succeeded: z.int(),
      failed: z.int(),
      duration_ms: z.number(),
      adapter_p95_ms: z.record(z.string(), z.number()),
      warnings: z.array(z.string()).optional(),
      error: z.string().optional(),
      message: z.string().optional(),
    })
    .meta({ examples: EXAMPLES.batchSummary }),
]);
