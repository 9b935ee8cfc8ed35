/** What is known of the blocks that are queued on a service, as it is kept next to the results until their rows are written. */
import * as z from "zod/mini";

const RowFault = z.object({ error: z.string(), message: z.string(), line: z.optional(z.number()) });

/** `at`: milliseconds since 1970, when the block was first sent. `rows`: ids of its jobs, or why a row is not a job; absent: the answer of the service is missing. */
const QueuedBlock = z.object({
  from: z.number(),
  count: z.number(),
  at: z.number(),
  rows: z.optional(z.array(z.union([z.string(), RowFault]))),
});

export const ViaRecord = z.object({
  server: z.string(),
  /** Names its jobs, and begins the keys of its requests. */
  batch: z.string(),
  /** In their order. */
  blocks: z.array(QueuedBlock),
});
export type ViaRecord = z.output<typeof ViaRecord>;
export type QueuedBlock = z.output<typeof QueuedBlock>;
