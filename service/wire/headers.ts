/**
 * Headers that requests may bear, told in the OpenAPI document so that clients made from it can send them. They are read, and refused,
 * where they are used.
 */
import * as z from "zod";

const text = (description: string) => z.string().meta({ description }).optional();

const key = {
  "idempotency-key": text(
    "1 to 255 printable ASCII characters. A repeated request with the same key and body gets the first answer",
  ),
};

export const KeyedHeaders = z.looseObject(key);
export const RunHeaders = z.looseObject({
  ...key,
  prefer: text("failure-status: a run that fails answers with a status of its own, not with 200"),
  "wf-on-disconnect": text("what happens to the run when the client disconnects: cancel (the default) or continue"),
});
export const BatchHeaders = z.looseObject({
  prefer: text("rows=lean, rows=out or rows=full: what each row of the answer has"),
  "content-encoding": text("gzip, or zstd where the service has it: how the body is compressed"),
  "accept-encoding": text("gzip, or zstd where the service has it: how lines of the answer may be compressed"),
});
export const VersionedHeaders = z.looseObject({
  "if-match": text("Number of the version that must be current; 412 when another one is"),
});
export const TaggedHeaders = z.looseObject({
  "if-none-match": text("Entity tags of answers that the caller has; 304 when it is still one of them"),
});
export const ResumingHeaders = z.looseObject({
  "last-event-id": text("Number of the last event that the caller has; those after it follow"),
});
