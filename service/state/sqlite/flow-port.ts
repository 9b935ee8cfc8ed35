/** What rules about when jobs begin need of SQLite (`../flow-port.ts`). One process has the file, so nothing is to be locked. */
import type { QueueRoom } from "../../jobs/sqlite/queue-room.ts";
import type { Sql } from "../../jobs/sqlite/tables/job-rows.ts";
import { frameName } from "../../jobs/sqlite/tables/submission-rows.ts";
import type { TextFiles } from "../../jobs/sqlite/tables/text-files.ts";
import type { FlowPort } from "../flow-port.ts";
import type { JobKey } from "../job-port.ts";
import { direct } from "../step.ts";

const GATE = `INSERT INTO flow_gates (id, kind, lim, per_ms) VALUES (?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET lim = excluded.lim RETURNING number`;
const ROW = "INSERT INTO flow_jobs (job, place, gate, state, rank, keeps, grp, turn) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
const LET_GO = "UPDATE jobs SET held = 0 WHERE number = ? AND held = 1 AND status = 'queued' RETURNING id";

export type FlowPortDeps = {
  readonly sql: Sql;
  readonly files: Pick<TextFiles, "seal" | "open">;
  /** Of a database in memory. */
  readonly room: Pick<QueueRoom, "entered"> | null;
};
type FrameRow = { readonly id: string; readonly submission: number; readonly frame: string | null };

export function sqliteFlow({ sql, files, room }: FlowPortDeps): FlowPort {
  const frameRow = (job: JobKey): FrameRow =>
    sql("SELECT id, submission, frame FROM jobs WHERE number = ?").get(job) as FrameRow;
  return {
    lockFlow: () => direct(() => {}),
    gates: (asked) =>
      direct(() => {
        const put = sql(GATE).pluck();
        return new Map(asked.map(({ id, kind, lim, perMs }) => [id, put.get(id, kind, lim, perMs) as number]));
      }),
    addFlowRows: (rows) =>
      direct(() => {
        const add = sql(ROW);
        // Numbers are given again when their jobs are forgotten.
        for (const job of new Set(rows.map((row) => row.job))) sql("DELETE FROM flow_jobs WHERE job = ?").run(job);
        for (const { job, place, gate, state, rank, keeps, grp, turn } of rows)
          add.run(job, place, gate, state, rank, keeps, grp, turn);
      }),
    frameOf: (job) =>
      direct(() => {
        const { id, submission, frame } = frameRow(job);
        return frame === null ? "{}" : files.open(frame, frameName(id, submission));
      }),
    setFrame: (job, frame) =>
      direct(() => {
        const { id, submission } = frameRow(job);
        sql("UPDATE jobs SET frame = ? WHERE number = ?").run(files.seal(frame, frameName(id, submission)), job);
        room?.entered(id);
      }),
    letGo: (jobs) =>
      direct(() => {
        const go = sql(LET_GO).pluck();
        return jobs.flatMap((job) => (go.get(job) as string | undefined) ?? []);
      }),
  };
}
