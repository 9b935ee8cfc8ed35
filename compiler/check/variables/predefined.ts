/**
 * Names that are there without being set, and words of other languages for the constants of this one: what an unset name
 * may have been meant as. Knows spelling only.
 */
import { nearest } from "../../../grammar/text/nearest.ts";

/** Set by the runtime, or by the host that authenticated a caller. */
export const PREDEFINED: readonly string[] = [
  "_auth_present",
  "_role",
  "_error",
  "_error_info",
  "_call_result",
  "_loop_last",
  "_while_last",
  "_txid",
];

const CONSTANTS: ReadonlyMap<string, string> = new Map([
  ["True", "true"],
  ["TRUE", "true"],
  ["False", "false"],
  ["FALSE", "false"],
  ["None", "null"],
  ["nil", "null"],
  ["Null", "null"],
  ["NULL", "null"],
  ["undefined", "null"],
]);

/** `true`, `false` or `null` for what other languages call it. */
export function constantFor(name: string): string | null {
  return CONSTANTS.get(name) ?? null;
}

/** Shorter beginnings are the beginning of too much. */
const SHORTEST_BEGINNING = 4;

/** The predefined name that a misspelt or shortened one means: `_err`, `_erorr`, `error`. */
export function nearPredefined(name: string): string | null {
  if (!name.startsWith("_")) return PREDEFINED.includes(`_${name}`) && name !== "role" ? `_${name}` : null;
  const near = nearest(name, PREDEFINED);
  if (near !== null || name.length < SHORTEST_BEGINNING) return near;
  return PREDEFINED.find((candidate) => candidate.startsWith(name)) ?? null;
}
