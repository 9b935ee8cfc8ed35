/** What the header Prefer asks for (RFC 7240). Preferences that are not known here are ignored, as the RFC says. */
import type { IncomingHttpHeaders } from "node:http";
import { ROWS, type Rows } from "../../vm/batch/rows/rows-part.ts";
import { faults } from "./errors.ts";

/** The value of a preference, "" for one without; undefined: it is not stated. Of several, the first one holds. */
function preference({ prefer }: IncomingHttpHeaders, name: string): string | undefined {
  const text = Array.isArray(prefer) ? prefer.join(",") : (prefer ?? "");
  for (const part of text.split(",")) {
    const [word = "", value = ""] = (part.split(";")[0] ?? "").split("=").map((piece) => piece.trim());
    if (word.toLowerCase() === name) return value.replace(/^"(.*)"$/, "$1");
  }
  return undefined;
}

export function prefersFailureStatus(headers: IncomingHttpHeaders): boolean {
  return headers.prefer !== undefined && preference(headers, "failure-status") !== undefined;
}

/** What the rows of a batch have; null: nothing is preferred. Throws ServiceFault invalid_request: a reader of other rows would misread them. */
export function preferredRows(headers: IncomingHttpHeaders): Rows | null {
  if (headers.prefer === undefined) return null;
  const rows = preference(headers, "rows");
  if (rows === undefined) return null;
  const known = ROWS.find((word) => word === rows);
  if (known !== undefined) return known;
  throw faults.invalidRequest(
    [{ path: "", code: "value", message: "Prefer: rows must be lean, out or full" }],
    "headers",
  );
}
