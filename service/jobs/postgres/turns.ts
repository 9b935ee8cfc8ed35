/** Turns of the jobs of a group in the line (`fair`): a task that would claim one of them claims the one whose turn it is. */
import { LINE, TAKEN, WAITS } from "../../state/flow-port.ts";
import type { Statements } from "./database.ts";

const TAKE = `WITH next AS (
    SELECT f.job, f.grp, f.turn FROM weft.flow_jobs f JOIN weft.jobs j ON j.id = f.job AND j.status = 'queued' AND NOT j.held
    WHERE f.gate = ${LINE} AND f.state = ${WAITS}
      AND f.grp = coalesce($2::bigint, (SELECT grp FROM weft.flow_jobs WHERE job = $1 AND gate = ${LINE}))
    ORDER BY f.turn, f.rank, f.job LIMIT 1 FOR UPDATE OF f SKIP LOCKED
  )
  UPDATE weft.flow_jobs f SET state = ${TAKEN} FROM next WHERE f.job = next.job AND f.gate = ${LINE}
  RETURNING next.job, next.grp, next.turn`;
const HAD = "UPDATE weft.flow_gates SET at_ms = $2 WHERE number = $1 AND at_ms < $2";

/**
 * The job of the group of this one that is to be claimed; null: it is of no group, or the others have theirs already. `group`: as its task has it. This one
 * may be over by then, claimed by the task of another.
 */
export async function takeTurn(on: Statements, id: string, group: number | null): Promise<string | null> {
  const [next] = await on.query(TAKE, [id, group]);
  if (next === undefined) return null;
  await on.query(HAD, [next["grp"], next["turn"]]);
  return next["job"];
}
