/** Keys of rules: values of inputs, which no store sees. Reading one is a walk along a short path, whatever the inputs hold. */
import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { type RequestIssue, ServiceFault } from "../../wire/errors.ts";
import type { KeyPath } from "./members.ts";

/** UTF-16 units of a text that may be a key. */
const MAX_LENGTH = 512;

/** Throws ServiceFault flow_key_invalid. `member`: the one that has the path. */
export function keyOf(paths: KeyPath, frame: JsonObject, member: string): string {
  const list = typeof paths === "string" ? [paths] : paths;
  return JSON.stringify(list.map((path) => keyPart(path, frame, member)));
}

function keyPart(path: string, frame: JsonObject, member: string): string | number | boolean {
  const value = valueAt(path, frame);
  if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return value;
  if (value === undefined) throw refused(path, "key_missing", `${member} needs the input ${path}, which is not there`);
  if (value === null) throw refused(path, "key_null", `${member} needs the input ${path}, which is null`);
  if (typeof value !== "string")
    throw refused(path, "key_kind", `${member} needs a text, a number or true or false in the input ${path}`);
  if (value.length > MAX_LENGTH)
    throw refused(
      path,
      "key_too_long",
      `${member}: the text in the input ${path} is longer than ${MAX_LENGTH} characters`,
    );
  return value;
}

/** A whole number from -100 to 100. Throws ServiceFault flow_key_invalid. */
export function priorityAt(path: string, frame: JsonObject): number {
  const value = valueAt(path, frame);
  if (typeof value === "number" && Number.isInteger(value) && value >= -100 && value <= 100) return value;
  throw refused(path, "priority", `priority needs a whole number from -100 to 100 in the input ${path}`);
}

function valueAt(path: string, frame: JsonObject): Json | undefined {
  let at: Json | undefined = frame;
  for (const name of path.split(".")) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as JsonObject)[name];
  }
  return at;
}

function refused(path: string, code: string, message: string): ServiceFault {
  const issues: RequestIssue[] = [{ path: `/frame/${path.replaceAll(".", "/")}`, code, message }];
  return new ServiceFault("flow_key_invalid", message, { issues });
}

/** A name that is the same for the same parts, and tells nothing about them. */
export function nameOf(...parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
