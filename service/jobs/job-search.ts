/**
 * Inputs by which jobs are found: members of the frame that a deployment names in `search`. They are kept in plain text, next to the tags, for as
 * long as the frame.
 */
import { isObject, type Json } from "../../compiler/json.ts";

export const MAX_SEARCH_MEMBERS = 8;
/** Of a longer value the beginning counts. */
export const MAX_SEARCH_LENGTH = 128;
/** `customer`, or `order.id`. */
export const SEARCH_MEMBER = /^[A-Za-z_][A-Za-z0-9_]{0,63}(?:\.[A-Za-z_][A-Za-z0-9_]{0,63}){0,7}$/;

/** `at`: place of the job in its submission. */
export type Searched = { readonly at: number; readonly member: string; readonly value: string };

/** Of the frames of one submission, in order. A member that is missing, null, a list or an object is not found. */
export function searchedIn(frames: readonly (string | null)[], members: readonly string[]): readonly Searched[] {
  if (members.length === 0) return [];
  return frames.flatMap((text, at) => {
    const frame = text === null ? null : (JSON.parse(text) as Json);
    return members.flatMap((member): readonly Searched[] => {
      const value = wordOf(memberAt(frame, member.split(".")));
      return value === null ? [] : [{ at, member, value }];
    });
  });
}

function memberAt(frame: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = frame;
  for (const name of path) {
    if (!isObject(found) || !Object.hasOwn(found, name)) return undefined;
    found = (found as { readonly [name: string]: Json })[name];
  }
  return found;
}

function wordOf(value: Json | undefined): string | null {
  if (typeof value === "string") return value === "" ? null : value.slice(0, MAX_SEARCH_LENGTH);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}
