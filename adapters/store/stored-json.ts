/** Reads JSON that a store wrote; invalid JSON means that it was damaged. Texts of values that say more than JavaScript's go to helper processes and back next to them. */
import type { Json, JsonObject } from "../../compiler/json.ts";
import { exactJson, keepText, readExactly, saysMore } from "../../vm/inputs/exact-text.ts";
import { adapterError } from "../errors.ts";

/** With its text where that says more. Throws ADAPTER_BAD_DATA. */
export function storedJson(text: string): Json {
  try {
    return readExactly(text);
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

const PARTS = ["payload", "metadata", "entry", "patch"] as const;

type Parts = { readonly [part in (typeof PARTS)[number]]?: JsonObject | null };
/** By the name of the part. */
export type Texts = { readonly [part: string]: string };

export function textsOf(request: Parts): Texts {
  const texts: { [part: string]: string } = {};
  for (const part of PARTS) if (saysMore(request[part])) texts[part] = exactJson(request[part]);
  return texts;
}

export function takeTexts(request: Parts, texts: Texts): void {
  for (const part of PARTS) {
    const text = texts[part];
    if (text !== undefined) keepText(request[part], text);
  }
}
