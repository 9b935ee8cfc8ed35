/**
 * Headers of answers, told in the OpenAPI document so that clients made from it can read them. Which status of which operation has which
 * follows from what the operation takes: one with a key can be repeated, one with tags is tagged.
 */

export type AnswerHeader = { readonly description: string; readonly schema: { readonly type: "string" | "integer" } };

const text = (description: string): AnswerHeader => ({ description, schema: { type: "string" } });

export const ANSWER_HEADERS = {
  "X-Trace-Id": text("Of the request, and of the run that it began: trace_id of the body"),
  traceparent: text("The span of the request, as W3C Trace Context writes it"),
  "Retry-After": { description: "Seconds after which to ask again", schema: { type: "integer" } },
  Location: text("Where the job is, when it is one"),
  ETag: text("Changes with the answer, for If-None-Match; of a deployment the number of its version, for If-Match"),
  "Idempotent-Replayed": text("true: the answer that the first request of this Idempotency-Key got"),
  "Preference-Applied": text("failure-status or rows=…, when the request preferred it"),
  "Accept-Encoding": text("What a body may be compressed with"),
  "Content-Encoding": text("gzip or zstd, when lines of the answer are compressed"),
} as const satisfies Readonly<Record<string, AnswerHeader>>;

export type AnswerHeaderName = keyof typeof ANSWER_HEADERS;

/** `takes`: names of the headers that the operation reads. */
export function answerHeaders(status: number, takes: readonly string[]): readonly AnswerHeaderName[] {
  const isKeyed = takes.includes("idempotency-key");
  const isTagged = takes.includes("if-none-match");
  const isCoded = takes.includes("accept-encoding");
  const isVersioned = takes.includes("if-match");
  const rules: readonly (readonly [AnswerHeaderName, boolean])[] = [
    ["X-Trace-Id", true],
    ["traceparent", true],
    // A job that is not over is asked for again.
    ["Retry-After", [202, 409, 429, 503].includes(status) || (status === 200 && isTagged)],
    ["Location", status === 202 && isKeyed],
    ["ETag", (isTagged || isVersioned) && (status < 300 || status === 304)],
    ["Idempotent-Replayed", isKeyed && status !== 408 && status !== 429],
    ["Preference-Applied", takes.includes("prefer") && (isCoded ? [200] : [422, 499, 504]).includes(status)],
    ["Content-Encoding", isCoded && status === 200],
    ["Accept-Encoding", isCoded && status === 415],
  ];
  return rules.filter(([, has]) => has).map(([name]) => name);
}
