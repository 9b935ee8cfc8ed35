/** What an Arrow file can be refused for. Every refusal ends the batch: rows that ran before keep their results. */
import { type CliFault, inputFault } from "../../session/faults.ts";

/** The largest message, in bytes: a record batch, and all dictionaries together. */
export const MAX_BODY_BYTES = 256 * 1024 * 1024;

/** The bytes are not what an Arrow file may contain. */
export function damaged(what: string): CliFault {
  return inputFault("arrow_damaged", `the Arrow file cannot be read: ${what}`);
}

/** The file may be whole and contains what a frame cannot be made of. `hint`: how to write it instead. */
export function unsupported(what: string, hint: string): CliFault {
  return inputFault("arrow_unsupported", `${what}; ${hint}`);
}

export function tooLarge(what: string): CliFault {
  const mib = MAX_BODY_BYTES / 1024 / 1024;
  return inputFault("source_too_large", `${what} is larger than ${mib} MiB; write the file in smaller record batches`, {
    limit_bytes: MAX_BODY_BYTES,
  });
}
