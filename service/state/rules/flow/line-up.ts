/** A job that begins another round: it gives back what it has of the rules, and passes their gates once more. */
import { BEGIN_BY, LATER, TAKEN, TIME } from "../../flow-port.ts";
import type { Found } from "../../job-port.ts";
import { rows, run, type Step } from "../../step.ts";
import { advance, fill, giveBack, type Moving, nextTime } from "./advance.ts";

type Turn = { readonly gate: number; readonly turn: number; readonly first: number };

/**
 * The rules keep the values of their keys. The key of a rule `unique` stays the job's own: it is not over. `later`: how much further back in line it is.
 * When rules have more to do, in milliseconds; null: at no time.
 */
export function* lineUpAgain(moving: Moving, { job, key }: Found, later: number): Step<number | null> {
  const own = yield* rows<{ readonly number: number }>("SELECT number FROM weft.flow_gates WHERE holder = $1", job.id);
  const but = [TIME, BEGIN_BY, ...own.map(({ number }) => number)].join(", ");
  // The time by which a job must begin is that of its first round.
  yield* run(`DELETE FROM weft.flow_jobs WHERE job = $1 AND gate = ${BEGIN_BY}`, key);
  yield* giveBack(moving, [key], `state = ${TAKEN} AND keeps < 2 AND gate NOT IN (${but})`);
  yield* run(
    `UPDATE weft.flow_jobs SET state = ${LATER}, rank = rank + $2::bigint WHERE job = $1 AND gate NOT IN (${but})`,
    ...[key, later],
  );
  const turns = yield* rows<Turn>(
    `SELECT f.gate, f.turn, g.at_ms AS first FROM weft.flow_jobs f JOIN weft.flow_gates g ON g.number = f.grp
     WHERE f.job = $1 AND f.turn IS NOT NULL AND f.gate NOT IN (${but})`,
    key,
  );
  for (const { gate, turn, first } of turns)
    yield* run(
      "UPDATE weft.flow_jobs SET turn = $3 WHERE job = $1 AND gate = $2",
      key,
      gate,
      Math.max(turn + 1, first),
    );
  yield* advance(moving, [key]);
  return (yield* fill(moving)) ? 0 : yield* nextTime(moving.now);
}
