/**
 * What a grant adds to the failure of a run: whose limit was exceeded, and which side forbids an adapter. Computed for
 * failures only, outside the run; it changes no outcome.
 */
import type { GrantExplanation } from "../grant/explain.ts";
import { LIMIT_KEYS, type Limits, type RunError } from "../run.ts";

/** What is known of the grant that a run had. */
export type GrantFacts = {
  readonly limits: Limits;
  readonly explanation: Pick<GrantExplanation, "limit" | "allowlist" | "requested">;
};

export function explainFailure(error: RunError, admission: GrantFacts): RunError {
  const { adapter, meter } = error.data;
  if (typeof meter === "string") return withLimitSource(error, meter, admission);
  if (error.code !== "RUNTIME_ADAPTER_NOT_ALLOWED" || typeof adapter !== "string") return error;
  return withRule(error, adapter, admission);
}

/** A built-in ceiling belongs to no side: it stays `default`. */
function withLimitSource(error: RunError, meter: string, { limits, explanation }: GrantFacts): RunError {
  const key = LIMIT_KEYS.find((one) => one === meter);
  if (key === undefined || limits[key] !== error.data["limit"]) return error;
  const [source] = explanation.limit(key);
  return source === undefined ? error : { ...error, data: { ...error.data, source } };
}

function withRule(error: RunError, adapter: string, { explanation }: Pick<GrantFacts, "explanation">): RunError {
  const sources = explanation.allowlist(adapter);
  const [source] = sources;
  if (source === undefined) return error;
  const rule = {
    member: "allowed_adapters",
    // The caller knows its own list; the list of the operator is not disclosed.
    ...(source === "request" && explanation.requested !== null ? { value: [...explanation.requested] } : {}),
    source,
    ...(sources.length > 1 ? { sources: [...sources] } : {}),
  };
  return { ...error, data: { ...error.data, rule } };
}
