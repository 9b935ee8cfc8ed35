/**
 * The message of a failed run as answers carry it: the cause, and the place in the program. The error object beside it has the cause alone,
 * because its members tell the place.
 */
import { surfaceWord } from "./error-codes.ts";
import type { RunError } from "./run.ts";

/** `division by zero at label 1, line 4`. An adapter that is not there is missing from the whole program, so no place is named for it. */
export function placedMessage(error: RunError, cause = error.message): string {
  return surfaceWord(error.code, error.data) === "adapter_not_available" ? cause : `${cause}${placeOf(error)}`;
}

/** Nothing when the place is not known. */
function placeOf({ label, line, file }: RunError): string {
  if (label === null) return "";
  if (line === null) return ` at label ${label}`;
  return ` at label ${label}, line ${line}${file === undefined ? "" : ` of ${file}`}`;
}
