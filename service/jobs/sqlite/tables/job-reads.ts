/** What is asked about jobs, each as one call inside the transaction of its batch (`service/jobs/sqlite/calls.ts`). Nothing is changed here. */

import { type FoundJob, type HourCount, type JobNote, LAST_JOBS, MAX_INLINE_BYTES } from "../../../state/store.ts";
import { RAN_MS, STATUS_AT_END } from "../../../wire/about.ts";
import { IS_DEAD } from "../../answers/dead-letters.ts";
import { filterSql, type JobListing } from "../../filter.ts";
import { type Job, type JobWork, MAX_EVENTS, type StoredJobEvent } from "../../job.ts";
import { firstId } from "../../job-id.ts";
import type { Tally } from "./counts.ts";
import { eventsOfMoves, JOBS, jobAt, jobsOf, type Row, type Sql } from "./job-rows.ts";
import { frameName, requestName } from "./submission-rows.ts";
import type { PlacedText, TextFiles } from "./text-files.ts";

const SPELLED = {
  hasTag: (key: string, value: string) =>
    `EXISTS (SELECT 1 FROM json_each(tags) t WHERE t.key = ${key} AND t.value = ${value})`,
  hasWait: (condition: string) =>
    `EXISTS (SELECT 1 FROM waits WHERE waits.job = jobs.number AND ended_ms IS NULL AND ${condition})`,
  hasInput: (member: string, value: string) =>
    `jobs.number IN (SELECT job FROM job_search WHERE member = ${member} AND value = ${value})`,
  hasMessage: (text: string) =>
    `instr((SELECT weft_message(text) FROM results WHERE results.job = jobs.number), ${text}) > 0`,
  isOneOf: (column: string, values: readonly string[], add: (value: unknown) => string) =>
    `${column} IN (${values.map(add).join(", ")})`,
};

const STORE_BYTES = `SELECT page_count * page_size AS "all", freelist_count * page_size AS free
  FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`;

export function jobReads(sql: Sql, files: TextFiles, tally: Tally) {
  return {
    cancelling({ ids }: { readonly ids: readonly string[] }): readonly string[] {
      return ids.filter((id) => jobAt(sql, id)?.status === "cancelling");
    },

    find({ id }: { readonly id: string }): FoundJob | null {
      const job = jobAt(sql, id);
      if (job === null) return null;
      const ahead = sql(
        `SELECT count(*) FROM jobs WHERE status = 'queued' AND held = 0
         AND (rank, number) < (SELECT rank, number FROM jobs WHERE id = ?)`,
      );
      const position = job.status === "queued" ? (ahead.pluck().get(id) as number) : null;
      const stored = sql(
        `SELECT CASE WHEN octet_length(text) <= ${MAX_INLINE_BYTES} THEN text END FROM results WHERE job = (SELECT number FROM jobs WHERE id = ?)`,
      );
      const result = stored.pluck().get(id) as string | null | undefined;
      const checksum = sql("SELECT checksum FROM submissions s JOIN jobs j ON s.number = j.submission WHERE j.id = ?")
        .pluck()
        .get(id) as string;
      return {
        position,
        checksum,
        result: result == null ? null : files.open(result, id),
        isResultLarge: result === null,
        heldBy: null,
        ...job,
      };
    },

    result({ id }: { readonly id: string }): string | null {
      const stored = sql("SELECT text, file FROM results WHERE job = (SELECT number FROM jobs WHERE id = ?)").get(id);
      return stored === undefined ? null : files.read(id, stored as PlacedText);
    },

    /** Later ids are newer. */
    list({ limit, order = "newest", after, ...filter }: JobListing): readonly Job[] {
      const { condition, values } = filterSql(filter, SPELLED, () => "?");
      const [comes, direction] = order === "newest" ? ["<", "DESC"] : [">", "ASC"];
      const further = after === null ? "" : `AND id ${comes} ?`;
      const place = after === null ? [] : [after.id];
      const rows = sql(`${JOBS} WHERE ${condition} ${further} ORDER BY id ${direction} LIMIT ?`);
      return jobsOf(rows.all(...values, ...place, limit));
    },

    notes({ ids }: { readonly ids: readonly string[] }): readonly JobNote[] {
      const note = sql(
        `SELECT jobs.id AS id, CASE WHEN error IS NOT NULL THEN (SELECT weft_message(text) FROM results WHERE results.job = jobs.number) END AS message,
           kind, names
         FROM jobs LEFT JOIN waits ON waits.job = jobs.number AND ended_ms IS NULL WHERE jobs.id = ? ORDER BY began_ms LIMIT 1`,
      );
      return ids.flatMap((id) => (note.get(id) as JobNote | undefined) ?? []);
    },

    stats({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): readonly HourCount[] {
      const counts = sql(
        `SELECT deployment AS program, ${STATUS_AT_END} AS status, count(*) AS count, sum(max(0, ${RAN_MS})) AS "runningMs"
         FROM jobs JOIN submissions ON submissions.number = jobs.submission WHERE id >= ? AND id < ? GROUP BY 1, 2 ORDER BY 1, 2`,
      );
      return counts.all(firstId(fromMs), firstId(toMs)) as readonly HourCount[];
    },

    program({ checksum }: { readonly checksum: string }): string | null {
      const kept = sql(
        "SELECT ir FROM programs WHERE checksum = ? UNION ALL SELECT ir FROM deployment_versions WHERE checksum = ? LIMIT 1",
      );
      const program = kept.pluck().get(checksum, checksum) as string | undefined;
      return program === undefined ? null : files.open(program, checksum);
    },

    work({ id }: { readonly id: string }): JobWork | null {
      const work = sql(
        `SELECT s.number, s.label, s.request, j.frame, s.traceparent, s.tracestate, checksum, p.ir AS program FROM jobs j
         JOIN submissions s ON s.number = j.submission JOIN programs p USING (checksum) WHERE j.id = ? AND j.status <> 'expired'`,
      );
      const row = work.get(id) as (JobWork & { readonly number: number; readonly label: string }) | undefined;
      if (row === undefined) return null;
      const { number, label, request, frame, program, ...rest } = row;
      return {
        ...rest,
        request: files.open(request, requestName(row)),
        frame: frame === null ? null : files.open(frame, frameName(id, number)),
        program: files.open(program, row.checksum),
      };
    },

    events({ id, seq }: { readonly id: string; readonly seq: number }): readonly StoredJobEvent[] {
      const row = sql("SELECT moves, last_event AS last FROM jobs WHERE id = ?").get(id) as
        | { readonly moves: string; readonly last: number }
        | undefined;
      if (row === undefined) return [];
      const rest = sql("SELECT seq, kind, data FROM job_events WHERE job_id = ? AND seq > ?").all(id, seq);
      const first = Math.max(seq, row.last - MAX_EVENTS);
      const moves = eventsOfMoves(id, row.moves).filter((event) => event.seq > first);
      return [...moves, ...(rest as StoredJobEvent[])].sort((a, b) => a.seq - b.seq);
    },

    /** The newest time that was written: of a job, wait, question or signal, or by the probe. Null: the store is empty. */
    latest: (): number | null =>
      sql(
        `SELECT max(at) FROM (
           SELECT max(max(queued_ms, coalesce(started_ms, 0), coalesce(finished_ms, 0))) AS at
             FROM (${JOBS} ORDER BY jobs.number DESC LIMIT ${LAST_JOBS})
           UNION ALL SELECT max(max(began_ms, coalesce(ended_ms, 0))) FROM waits
           UNION ALL SELECT max(opened_ms) FROM approvals
           UNION ALL SELECT at_ms FROM (SELECT at_ms FROM signals ORDER BY number DESC LIMIT 1)
           UNION ALL SELECT at_ms FROM probe
         )`,
      )
        .pluck()
        .get() as number | null,

    figures({ now }: { readonly now: number }) {
      const first = sql(
        `${JOBS} WHERE jobs.number = (
           SELECT number FROM jobs INDEXED BY jobs_line WHERE status = 'queued' AND held = 0 ORDER BY rank, number LIMIT 1)`,
      );
      const oldest = (first.get() as Row | undefined)?.queued_ms ?? null;
      return {
        queue_depth: tally.of("queued"),
        jobs_by_state: tally.all(),
        held: sql("SELECT count(*) FROM jobs INDEXED BY jobs_line WHERE status = 'queued' AND held = 1")
          .pluck()
          .get() as number,
        dead_letters: sql(`SELECT count(*) FROM jobs WHERE ${IS_DEAD}`).pluck().get() as number,
        store_bytes: sql(STORE_BYTES).get() as { readonly all: number; readonly free: number },
        oldest_queued_age_ms: oldest === null ? null : Math.max(0, now - oldest),
      };
    },

    isFileUsed: (file: string): boolean =>
      sql("SELECT 1 FROM results WHERE job = (SELECT number FROM jobs WHERE id = ?) AND file = ?").get(
        file.replace(/\.json$/, ""),
        file,
      ) !== undefined,
  };
}
