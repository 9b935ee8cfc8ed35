/** Parses JSON that a store wrote; invalid JSON means that it was damaged. */
import type { Json, JsonObject } from "../../compiler/json.ts";
import { adapterError } from "../errors.ts";

/** Throws ADAPTER_BAD_DATA. */
export function storedJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged();
  }
}

/** As `storedJson`, for what is always an object. */
export function storedObject(text: string): JsonObject {
  const value = storedJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw damaged();
  return value as JsonObject;
}

function damaged() {
  return adapterError("ADAPTER_BAD_DATA", "a stored value is damaged");
}
