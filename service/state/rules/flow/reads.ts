/** What is asked about jobs that wait for a place, and what is forgotten of rules that are not used. */
import type { HeldBy } from "../../../jobs/flow/job-flow.ts";
import { TIME, WAITS } from "../../flow-port.ts";
import type { Port } from "../../port.ts";
import { row, run, type Step } from "../../step.ts";

type Waiting = {
  readonly gate: number;
  readonly rank: number;
  readonly kind: string | null;
  readonly next: number | null;
  readonly holder: string | null;
};

/** What holds a job back; null: nothing does. */
export function* heldBy({ jobKey }: Port, id: string): Step<HeldBy | null> {
  const found = yield* row<Waiting>(
    `SELECT f.gate, f.rank, g.kind, g.next_ms AS next, g.holder FROM weft.flow_jobs f LEFT JOIN weft.flow_gates g ON g.number = f.gate
     WHERE f.job = (SELECT ${jobKey} FROM weft.jobs WHERE id = $1 AND held) AND f.state = ${WAITS} AND f.gate >= ${TIME}`,
    id,
  );
  if (found === undefined) return null;
  if (found.gate === TIME) return { kind: "time", until: found.rank };
  if (found.holder !== null) return { kind: "unique", until: null };
  return { kind: found.kind === "tokens" ? "rate" : "concurrency", until: null };
}

/** Rules of which no job is left; a bucket that is full is like a new one, and so is a key whose time is over. */
export function* forgetFlow(port: Port, _input: null): Step<void> {
  yield* port.lockFlow();
  const gone = `NOT EXISTS (SELECT 1 FROM weft.jobs j WHERE j.${port.jobKey} = flow_jobs.job)`;
  yield* run(`DELETE FROM weft.flow_jobs WHERE ${gone}`);
  const unused = "NOT EXISTS (SELECT 1 FROM weft.flow_jobs f WHERE f.gate = flow_gates.number)";
  const past = "kind IN ('places', 'tokens') AND at_ms <= $1";
  yield* run(`DELETE FROM weft.flow_gates WHERE ${past} AND used = 0 AND ${unused}`, port.now());
  const waits = `EXISTS (SELECT 1 FROM weft.jobs j WHERE j.id = flow_gates.holder AND j.status = 'queued' AND j.held)`;
  yield* run(`DELETE FROM weft.flow_gates WHERE kind = 'burst' AND NOT ${waits}`);
  const alone = "NOT EXISTS (SELECT 1 FROM weft.flow_jobs f WHERE f.grp = flow_turns.grp)";
  const had = "turn < (SELECT at_ms FROM weft.flow_gates g WHERE g.number = flow_turns.grp)";
  yield* run(`DELETE FROM weft.flow_turns WHERE ${alone} OR ${had}`);
  const empty = "NOT EXISTS (SELECT 1 FROM weft.flow_turns t WHERE t.grp = flow_gates.number)";
  const none = "NOT EXISTS (SELECT 1 FROM weft.flow_jobs f WHERE f.grp = flow_gates.number)";
  yield* run(`DELETE FROM weft.flow_gates WHERE kind = 'turns' AND ${empty} AND ${none}`);
}
