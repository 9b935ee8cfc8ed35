/**
 * Which namespace, key, value and lifetime the positional arguments of cache verbs mean. The namespace comes first and may be left out, so
 * the number and kind of arguments decide.
 */
import type { Json } from "../../../compiler/json.ts";
import { badArguments } from "../../definition/bind.ts";
import { z } from "../../definition/define.ts";
import type { EntryKey } from "../../store/key-value.ts";
import { idName } from "../../store/names.ts";

export const DEFAULT_NAMESPACE = "default";

/** More than three hundred years. */
const MAX_LIFETIME_S = 10_000_000_000;

/** Whole seconds; 0: no expiry. */
export function lifetime() {
  return z.number().int().min(0).max(MAX_LIFETIME_S);
}

/** `key`, or `namespace, key`. */
export function keyPlace([first, second]: readonly [string, (string | undefined)?]): EntryKey {
  return second === undefined ? { namespace: DEFAULT_NAMESPACE, key: first } : { namespace: first, key: second };
}

export type SetPlace = EntryKey & {
  readonly value: Json;
  /** undefined: not given; null: no expiry. */
  readonly ttlSeconds: number | null | undefined;
};
type SetArgs = readonly [string, Json, (Json | undefined)?, (number | undefined)?];

/**
 * `key, value`; `namespace, key, value`; `namespace, key, value, lifetime`; and `key, value, lifetime` when the second is not a string and the
 * third a whole number above 0.
 */
export function setPlace([first, second, third, seconds]: SetArgs): SetPlace {
  if (third === undefined) return { namespace: DEFAULT_NAMESPACE, key: first, value: second, ttlSeconds: undefined };
  if (seconds === undefined && typeof second !== "string" && isLifetime(third)) {
    return { namespace: DEFAULT_NAMESPACE, key: first, value: second, ttlSeconds: third };
  }
  const key = idName().safeParse(second);
  if (!key.success) throw badArguments([{ path: "/1", expected: "a key", got: "another value" }]);
  return {
    namespace: first,
    key: key.data,
    value: third,
    ttlSeconds: seconds === undefined ? undefined : seconds || null,
  };
}

function isLifetime(value: Json): value is number {
  return value !== 0 && lifetime().safeParse(value).success;
}
