/** Bodies of POST /batch: one program, many frames, as one document or line by line. */
import * as z from "zod";
import { anyObject, anyValue, askedMembers, ErrorStructured, Usage } from "../wire/common.ts";
import { EXAMPLES } from "../wire/examples.ts";
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

/** What the rows of an answer are under `Prefer: rows=…`, but for those of frames that failed. */
const BatchRow = z
  .object({ ok: z.literal(true), out: anyValue })
  .meta({ id: "BatchRow", description: "With Prefer: rows=lean", examples: EXAMPLES.BatchRow });
const BatchOut = anyValue.meta({ description: "With Prefer: rows=out: the result alone", examples: [14] });

export const BatchAnswer = z
  .object({
    ok: z.boolean(),
    trace_id: z.string(),
    count: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    results: z.array(z.union([BatchLine, BatchRow, BatchOut])),
    warnings: z.array(z.string()).optional(),
    error: z.string().optional(),
    message: z.string().optional(),
  })
  .meta({ id: "BatchAnswer", examples: EXAMPLES.BatchAnswer });

/** One line of a streamed answer. */
export const BatchStreamLine = z.union([
  BatchLine,
  BatchRow,
  BatchOut,
  z
    .object({
      summary: z.literal(true),
      ok: z.boolean(),
      trace_id: z.string(),
      count: z.int(),
      succeeded: z.int(),
      failed: z.int(),
      usage: Usage.optional(),
      duration_ms: z.number(),
      adapter_p95_ms: z.record(z.string(), z.number()),
      warnings: z.array(z.string()).optional(),
      error: z.string().optional(),
      message: z.string().optional(),
    })
    .meta({ examples: EXAMPLES.batchSummary }),
]);
