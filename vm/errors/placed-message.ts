/**
 * The message of a failed run as answers carry it: the cause, and the place in the program. The error object next to it has the cause alone,
 * because its members contain the place.
 */

import { shownLabel } from "../../grammar/text/written-label.ts";
import type { RunError } from "../run.ts";
import { surfaceWord } from "./error-codes.ts";

/** `division by zero at L1, line 4`. An adapter that is not there is missing from the whole program, so no place is named for it. */
export function placedMessage(error: RunError, cause = error.message): string {
  return surfaceWord(error.code, error.data) === "adapter_not_available" ? cause : `${cause}${placeOf(error)}`;
}

/** A function of Python has a name, and its steps have no ops. */
export function isOfFunction({ exception, node, op }: Pick<RunError, "exception" | "node" | "op">): boolean {
  return exception !== undefined || (node !== null && op === null);
}

/** Nothing when the place is not known. */
function placeOf(error: RunError): string {
  const { label, line, file } = error;
  if (label === null) return "";
  const written = isOfFunction(error) ? label : shownLabel(label);
  if (line === null) return ` at ${written}`;
  return ` at ${written}, line ${line}${file === undefined ? "" : ` of ${file}`}`;
}
