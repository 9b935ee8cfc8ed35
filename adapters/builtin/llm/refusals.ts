/**
 * What providers say instead of an answer, in the codes of adapters: as a status, as an error in the body of a good status, or inside a
 * choice. No word of theirs reaches a program or the log, because some repeat parts of the key: only statuses, and names that were sent.
 */
import { isObject, type Json, type JsonObject } from "../../../compiler/json.ts";
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { type AdapterCode, adapterError } from "../../errors.ts";
import type { HttpResponse } from "../../guard/http/http.ts";
import { askedWaitMs } from "../../guard/http/retry-after.ts";
import { badAnswer, type ReportedTokens } from "./apis/api.ts";

/** Larger bodies of refusals are not read. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** The provider answered that it did not do the work, so only the tokens that it counted are paid for. */
export class Refused extends Error {
  readonly error: AdapterError;
  readonly status: number;
  /** The part of the request that the provider does not accept; null: it did not say. */
  readonly parameter: string | null;
  readonly counted: ReportedTokens;

  constructor(
    error: AdapterError,
    facts: Pick<Refused, "status" | "parameter"> & { readonly counted?: ReportedTokens },
  ) {
    super(error.message);
    this.error = error;
    this.status = facts.status;
    this.parameter = facts.parameter;
    this.counted = facts.counted ?? { input: null, output: null };
  }
}

/** An error as a provider wrote it; nothing in it is certain. */
type ProviderError = Readonly<Record<string, unknown>>;

/** Statuses by the names that providers use for kinds of errors, in lower case. */
const STATUS_OF_NAME: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  invalid_argument: 400,
  unsupported_parameter: 400,
  unsupported_value: 400,
  authentication_error: 401,
  invalid_api_key: 401,
  unauthenticated: 401,
  insufficient_quota: 402,
  billing_error: 402,
  billing_not_active: 402,
  billing_hard_limit_reached: 402,
  permission_error: 403,
  permission_denied: 403,
  not_found: 404,
  not_found_error: 404,
  model_not_found: 404,
  request_too_large: 413,
  context_length_exceeded: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  resource_exhausted: 429,
  api_error: 500,
  server_error: 500,
  internal: 500,
  internal_server_error: 500,
  unavailable: 503,
  deadline_exceeded: 504,
  timeout_error: 504,
  overloaded_error: 529,
};
/** Statuses that are too general to hold where the body names one of these instead. */
const PRECISE = new Set([402, 413]);
/** Refusals that have no name of their own with some providers. */
const SENTENCES: readonly (readonly [RegExp, number])[] = [
  [/\bcontext (?:length|window)\b|\bprompt is too long\b/i, 413],
  [/\bcredit balance is too low\b/i, 402],
];

/** As the operator declared it. `secret`: the name of its key; undefined: it has none. */
type AskedProvider = { readonly name: string; readonly secret: string | undefined };
/** `body`: what was sent, to whom and when. */
type Asked = { readonly body: JsonObject; readonly provider: AskedProvider; readonly now: number };

/** A response whose status is an error. */
export function refusalOf(response: HttpResponse, { body, provider, now }: Asked): Refused {
  const { status, headers } = response;
  const error = errorIn(parsed(response.body));
  const named = error === null ? null : namedStatus(error);
  const wait = Math.max(askedWaitMs(headers, now) ?? -1, (error === null ? null : retryInfoMs(error)) ?? -1);
  return refused({ status, kind: kindOf(status, named), error, wait: wait < 0 ? null : wait, body, provider });
}

/** The error that a response with a good status holds; null: it holds none, so it is an answer. */
export function refusalIn(
  answer: Json,
  { body, provider }: Omit<Asked, "now">,
  counted: ReportedTokens,
): Refused | null {
  const error = errorIn(answer) ?? choiceError(answer);
  if (error === null) return null;
  const named = namedStatus(error);
  const status = codeOf(error) ?? named;
  // A server that only says a sentence does not say whether another try would help.
  if (status === null) return new Refused(badAnswer("is an error", { status: 200 }), { status: 200, parameter: null });
  return refused({ status, kind: kindOf(status, named), error, wait: retryInfoMs(error), body, provider, counted });
}

type Facts = {
  /** What the program and the log show. */
  readonly status: number;
  /** What decides the code. */
  readonly kind: number;
  readonly error: ProviderError | null;
  readonly wait: number | null;
  readonly body: JsonObject;
  readonly provider: AskedProvider;
  readonly counted?: ReportedTokens;
};

function refused({ status, kind, error, wait, body, provider, counted }: Facts): Refused {
  const parameter = kind === 400 || kind === 422 ? parameterIn(error, body) : null;
  const [code, message] = meaningOf(kind, parameter, provider);
  const isLater = code === "ADAPTER_RATE_LIMITED" || code === "ADAPTER_UNAVAILABLE";
  const facts = {
    data: { status, ...(parameter === null ? {} : { parameter }) },
    ...(isLater && wait !== null ? { retryAfterMs: wait } : {}),
  };
  return new Refused(adapterError(code, message, facts), { status, parameter, ...(counted ? { counted } : {}) });
}

function kindOf(status: number, named: number | null): number {
  return named !== null && PRECISE.has(named) ? named : status;
}

function meaningOf(status: number, parameter: string | null, provider: AskedProvider): readonly [AdapterCode, string] {
  const who = `the model provider ${provider.name}`;
  if (status === 401 || status === 403) return ["ADAPTER_NOT_CONFIGURED", keyRefused(who, provider)];
  if (status === 402) return ["ADAPTER_QUOTA", `the operator's quota with ${who} is used up`];
  if (status === 404) return ["ADAPTER_NOT_CONFIGURED", `${who} has no such model or address`];
  if (status === 413) return ["ADAPTER_TOO_LARGE", `the prompt is too long for ${who}`];
  if (status === 429) return ["ADAPTER_RATE_LIMITED", `${who} asks to wait`];
  if (status >= 500 || NOT_READY.has(status)) return ["ADAPTER_UNAVAILABLE", `${who} is not ready`];
  if (status === 400 || status === 422)
    return parameter === null
      ? ["ADAPTER_FAILED", `${who} does not accept the request`]
      : ["ADAPTER_FAILED", `${who} does not accept ${parameter}${REMEDIES[parameter] ?? ""}`];
  return ["ADAPTER_HTTP_STATUS", `${who} answered ${status}`];
}

function keyRefused(who: string, { secret }: AskedProvider): string {
  if (secret === undefined) return `${who} wants a key: set its key_secret to the name of a secret`;
  return `${who} refused the key in the secret ${secret} (WF_SECRET_${secret})`;
}

/** Statuses below 500 with which a server says that it is not ready. */
const NOT_READY = new Set([408, 409, 425]);

/** What helps when a provider does not know a part of the request. */
const REMEDIES: Readonly<Record<string, string>> = {
  max_tokens: "; the operator can set max_tokens_field to max_completion_tokens",
  max_completion_tokens: "; the operator can set max_tokens_field to max_tokens",
  temperature: " of this value or at all; leave it out",
  response_format: "; the operator can set structured to prompt",
  format: "; the operator can set structured to prompt",
  tools: "; the operator can set structured to prompt",
};

/** The error of a body: `{"error": …}`, the same in a list, or a sentence in place of an object. */
function errorIn(answer: Json): ProviderError | null {
  const [only] = Array.isArray(answer) ? answer : [answer];
  return isObject(only) ? asError(only["error"]) : null;
}

function choiceError(answer: Json): ProviderError | null {
  const choices = isObject(answer) ? answer["choices"] : null;
  const first = Array.isArray(choices) ? choices[0] : null;
  if (!isObject(first)) return null;
  return asError(first["error"]) ?? (first["finish_reason"] === "error" ? { type: "server_error" } : null);
}

function asError(error: unknown): ProviderError | null {
  if (typeof error === "string") return error.trim() === "" ? null : { message: error };
  return isObject(error) && Object.keys(error).length > 0 ? error : null;
}

/** A status that an error has as its code. */
function codeOf({ code }: ProviderError): number | null {
  const number = typeof code === "string" && /^\d{3}$/.test(code) ? Number(code) : code;
  return typeof number === "number" && Number.isInteger(number) && number >= 400 && number < 600 ? number : null;
}

function namedStatus(error: ProviderError): number | null {
  for (const member of ["code", "type", "status"]) {
    const name = error[member];
    if (typeof name !== "string") continue;
    const folded = name.toLowerCase();
    if (folded !== "invalid_request_error" && Object.hasOwn(STATUS_OF_NAME, folded))
      return STATUS_OF_NAME[folded] ?? null;
  }
  const { message } = error;
  const said = typeof message === "string" ? SENTENCES.find(([sentence]) => sentence.test(message)) : undefined;
  return said?.[1] ?? (error["type"] === "invalid_request_error" ? 400 : null);
}

/** What the error names of the request: its `param`, else the first name in its sentence of a member that may be left out. */
function parameterIn(error: ProviderError | null, body: JsonObject): string | null {
  const { param = null, message = null } = error ?? {};
  // Some name a place: response_format.json_schema.
  const [head = ""] = typeof param === "string" ? param.split(/[.[]/) : [];
  if (Object.hasOwn(body, head)) return head;
  if (typeof message !== "string") return null;
  const words = new Set(message.slice(0, 2000).match(/\w+/g));
  return Object.keys(body).find((name) => Object.hasOwn(REMEDIES, name) && words.has(name)) ?? null;
}

/** Google's RetryInfo: `{"@type": "…RetryInfo", "retryDelay": "17s"}` in `details`. */
function retryInfoMs({ details }: ProviderError): number | null {
  for (const one of Array.isArray(details) ? details : []) {
    if (!isObject(one) || !String(one["@type"]).endsWith(".RetryInfo")) continue;
    const [, seconds] = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(String(one["retryDelay"])) ?? [];
    if (seconds !== undefined) return Math.ceil(Number(seconds) * 1000);
  }
  return null;
}

function parsed(body: Buffer | null): Json {
  if (body === null || body.length > MAX_REFUSAL_BYTES) return null;
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}
