/** Bodies of the routes of channels. */
import * as z from "zod";

const Key = z.union([
  z.strictObject({ header: z.string().regex(/^[A-Za-z0-9-]{1,64}$/, "must be the name of a header") }),
  z.strictObject({ query: z.string().min(1).max(128) }),
]);
const Abort = z.strictObject({
  /** It ends when more than this share … */
  failures_percent: z.number().min(0).max(99),
  /** … of its last runs failed: their number. */
  of: z.int().min(1).max(1000),
});

export const NextBody = z
  .strictObject({
    version: z.int().min(1),
    /** Percent of calls and fires. */
    weight: z.int().min(0).max(100),
    /** What makes calls alike; null: their Idempotency-Key. */
    key: Key.nullish(),
    /** null: it does not end by itself. */
    abort: Abort.nullish(),
  })
  .meta({ id: "NextRequest", examples: [{ version: 8, weight: 10, abort: { failures_percent: 5, of: 50 } }] });

export const Next = z.object({
  version: z.int(),
  weight: z.int(),
  key: Key.nullable(),
  abort: Abort.nullable(),
  since: z.string(),
});

/** What is promoted is named, so that another version which became `next` meanwhile is not. */
export const PromoteBody = z
  .strictObject({ version: z.int().min(1) })
  .meta({ id: "PromoteRequest", examples: [{ version: 8 }] });
