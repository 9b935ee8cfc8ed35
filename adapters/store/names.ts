/**
 * Argument schemas that the stores' adapters share. Names become parts of keys in databases: they are bounded, and hold nothing that a
 * database would change or refuse (U+0000, halves of surrogate pairs).
 */
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import { id, z } from "../definition/define.ts";
import { adapterError } from "../errors.ts";

const MAX_NAME_BYTES = 512;

function isName(text: string): boolean {
  return text !== "" && text.isWellFormed() && !text.includes("\0") && Buffer.byteLength(text) <= MAX_NAME_BYTES;
}
const NAME = `1 to ${MAX_NAME_BYTES} bytes of text without U+0000`;

/** Non-empty text of at most 512 bytes. */
export function name() {
  return z.string().refine(isName, NAME);
}

/** As `name`; a whole number becomes its text. */
export function idName() {
  return id().refine(isName, NAME);
}

/** Any JSON value, required: null is accepted, undefined is not. */
export function givenValue() {
  return z.custom<Json>((value) => value !== undefined, "a value");
}

/** An object, taken as it is: zod's own objects would lose members named `__proto__`. */
export function givenObject() {
  return z.custom<JsonObject>(isObject, "an object").meta({ type: "object" });
}

/** Seconds from now as whole milliseconds. */
export function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** Throws ADAPTER_NOT_ALLOWED when there is a list and `name` is not on it. */
export function refuseUnlisted(list: readonly string[] | undefined, name: string, setting: string): void {
  if (list !== undefined && !list.includes(name)) {
    throw adapterError("ADAPTER_NOT_ALLOWED", `the name is not on ${setting}`);
  }
}

/** Throws ADAPTER_WRITE_FORBIDDEN. */
export function refuseReadOnly(allowWrite: boolean): void {
  if (!allowWrite) throw adapterError("ADAPTER_WRITE_FORBIDDEN", "writing is not allowed");
}
