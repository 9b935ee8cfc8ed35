/** What rules about when jobs begin need of PostgreSQL (`../flow-port.ts`). */
import { LINE_RANK, TASK, taskTime } from "../../jobs/postgres/job-rows.ts";
import { LOCKS } from "../../jobs/postgres/schema.ts";
import { type FlowPort, LINE } from "../flow-port.ts";
import { rows, run, value } from "../step.ts";

const GATES = `INSERT INTO weft.flow_gates (id, kind, lim, per_ms)
  SELECT * FROM unnest($1::text[], $2::text[], $3::integer[], $4::float8[])
  ON CONFLICT (id) DO UPDATE SET lim = excluded.lim RETURNING id, number`;
const ADD = `INSERT INTO weft.flow_jobs (job, place, gate, state, rank, keeps, grp, turn)
  SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::integer[], $5::bigint[], $6::integer[], $7::bigint[], $8::bigint[])`;
const LET_GO = `WITH row AS (
    UPDATE weft.jobs SET held = false WHERE id = ANY ($1) AND held AND status = 'queued'
    RETURNING id, ${LINE_RANK} AS rank, why
  )
  SELECT row.id, (SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
    SELECT json_populate_record(NULL::graphile_worker.job_spec, json_build_object(
      'identifier', $2::text, 'payload', json_build_object('job_id', id, 'group',
        (SELECT f.grp FROM weft.flow_jobs f WHERE f.job = row.id AND f.gate = ${LINE})), 'job_key', id, 'max_attempts', 1,
      'priority', CASE WHEN why = 'wake' THEN -1 ELSE 0 END, 'run_at', ${taskTime("rank")})) FROM row
  ))) FROM row`;

export const postgresFlow: FlowPort = {
  lockFlow: () => run(`SELECT pg_advisory_xact_lock(${LOCKS.flow})`),
  *gates(asked) {
    if (asked.length === 0) return new Map();
    const columns = [asked.map(({ id }) => id), asked.map(({ kind }) => kind), asked.map(({ lim }) => lim)];
    const made = yield* rows<{ readonly id: string; readonly number: number }>(
      GATES,
      ...columns,
      asked.map(({ perMs }) => perMs),
    );
    return new Map(made.map(({ id, number }) => [id, number]));
  },
  *addFlowRows(added) {
    if (added.length === 0) return;
    const column = <V>(of: (row: (typeof added)[number]) => V): readonly V[] => added.map(of);
    yield* run(
      ADD,
      ...[column(({ job }) => String(job)), column(({ place }) => place), column(({ gate }) => gate)],
      ...[column(({ state }) => state), column(({ rank }) => rank), column(({ keeps }) => keeps)],
      ...[column(({ grp }) => grp), column(({ turn }) => turn)],
    );
  },
  *frameOf(job) {
    return (yield* value<string>("SELECT frame FROM weft.jobs WHERE id = $1", job)) ?? "{}";
  },
  setFrame: (job, frame) => run("UPDATE weft.jobs SET frame = $2 WHERE id = $1", job, frame),
  *letGo(jobs) {
    if (jobs.length === 0) return [];
    const gone = yield* rows<{ readonly id: string }>(LET_GO, jobs.map(String), TASK);
    return gone.map(({ id }) => id);
  },
};
