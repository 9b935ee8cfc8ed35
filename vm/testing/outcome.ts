/** Whether a run ended as a test expects: with this result, or this failure. */
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import { surfaceWord } from "../errors/error-codes.ts";
import type { RunError } from "../run.ts";
import { equal } from "../values/compare.ts";

export type Mismatch = { readonly what: string; readonly expected: Json; readonly actual: Json };

/** `ok`, `result` and `error` as a test states them. */
export type ExpectedOutcome = {
  readonly ok?: boolean | undefined;
  readonly result?: Json | undefined;
  readonly error?: string | JsonObject | null | undefined;
};

export type ObservedOutcome = {
  readonly ok: boolean;
  readonly result: Json;
  /** Of a run; null when it succeeded or never began. */
  readonly error: RunError | null;
  /** Why nothing was run, in the word that every surface uses. */
  readonly refused: string | null;
};

/** Success is expected unless some failure is. `refusalExpected`: the test expects findings or refusals; `shown`: why a run failed, for people. */
export function outcomeMismatch(
  { error = null, ok, result }: ExpectedOutcome,
  observed: ObservedOutcome,
  refusalExpected: boolean,
  shown: Json,
): Mismatch[] {
  if (error !== null) return failureMismatch(error, observed, shown);
  if (ok === false || (ok === undefined && refusalExpected))
    return observed.ok ? [{ what: "outcome", expected: "a failure", actual: observed.result }] : [];
  if (!observed.ok) return [{ what: "outcome", expected: result === undefined ? "success" : result, actual: shown }];
  if (result === undefined || equal(result, observed.result)) return [];
  return [{ what: "result", expected: result, actual: observed.result }];
}

/** Code, message and place of a failure. */
export function shownFailure({ refused, error }: Pick<ObservedOutcome, "refused" | "error">): Json {
  if (error === null) return { error: refused };
  const { code, message, label, node, line } = error;
  return { error: code, message, label, node, line };
}

function failureMismatch(expected: string | JsonObject, observed: ObservedOutcome, shown: Json): Mismatch[] {
  const actual = observed.ok ? observed.result : shown;
  const matches =
    typeof expected === "string" ? isCalled(expected, observed) : contains(errorObject(observed), expected);
  return matches ? [] : [{ what: "error", expected, actual }];
}

/** An error goes by its code, the word of surfaces, the code of its adapter, or the limit that was reached. */
function isCalled(name: string, { refused, error }: ObservedOutcome): boolean {
  if (error === null) return refused === name;
  const { code, data } = error;
  return [code, surfaceWord(code, data), data["adapter_code"], data["meter"]].includes(name);
}

function errorObject({ error, refused }: ObservedOutcome): JsonObject {
  if (error === null) return { code: refused };
  const { code, message, label, node, op, line, stack, data } = error;
  return { code, message, label, node, op, line, stack, data };
}

/** Every member of `part` is in `whole`, and equal; of objects inside, the same. */
export function contains(whole: Json, part: Json): boolean {
  if (!isObject(part) || !isObject(whole)) return equal(whole, part);
  return Object.entries(part).every(([key, value]) => Object.hasOwn(whole, key) && contains(whole[key] ?? null, value));
}
