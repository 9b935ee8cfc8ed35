/** Jobs as they are, of many in one statement: those who wait for jobs look for them at the same moment. */
import { type FoundJob, MAX_INLINE_BYTES } from "../../../state/store.ts";
import type { Statements } from "../database.ts";
import { COLUMNS, jobOf } from "../job-rows.ts";
import { Gathering } from "./gathering.ts";

const FIND = `SELECT ${COLUMNS}, checksum, CASE WHEN octet_length(result) <= ${MAX_INLINE_BYTES} THEN result END AS result,
  coalesce(octet_length(result) > ${MAX_INLINE_BYTES}, false) AS large, CASE status WHEN 'queued' THEN (
    SELECT count(*) FROM weft.jobs o WHERE o.status = 'queued' AND NOT o.held
    AND (coalesce(o.rank, o.queued_ms), o.id) < (coalesce(j.rank, j.queued_ms), j.id)
  ) END AS position FROM weft.jobs j WHERE id = ANY ($1)`;

/** Null: no job has this id. */
export function finds(on: Statements): Gathering<string, FoundJob | null> {
  return new Gathering({
    async perform(ids) {
      const found = new Map<string, FoundJob>();
      for (const row of await on.query(FIND, [[...new Set(ids)]])) {
        const { position, checksum, result, large } = row;
        const job = jobOf(row);
        found.set(job.id, { position, checksum, result, isResultLarge: large, heldBy: null, ...job });
      }
      return ids.map((id) => found.get(id) ?? null);
    },
    bytesOf: (id) => id.length,
  });
}
