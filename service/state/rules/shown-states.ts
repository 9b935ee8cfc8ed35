/** What jobs show of themselves, the latest of each job. */
import type { ShownJob, ShownStates } from "../../jobs/answers/shown-states.ts";
import { packed, unpacked } from "../../jobs/durable/journal-rows.ts";
import type { Claim } from "../../jobs/job.ts";
import { claimOf } from "../../jobs/job.ts";
import type { Ask, Port } from "../port.ts";
import { row, run, type Step } from "../step.ts";
import { heldJob } from "./held-job.ts";

/** `text`: JSON of `{progress, state}`. */
type StateWrite = { readonly writer: Claim; readonly text: string };
type StoredState = { readonly at: number; readonly data: Uint8Array };

const WRITE = `INSERT INTO weft.job_states (job, at_ms, data) VALUES ($1, $2, $3)
  ON CONFLICT (job) DO UPDATE SET at_ms = excluded.at_ms, data = excluded.data`;

export const shownStateReads = {
  *jobState(_: Port, id: string): Step<ShownJob | null> {
    const found = yield* row<StoredState>(`SELECT at_ms AS at, data FROM weft.job_states WHERE job = $1`, id);
    return found === undefined ? null : { atMs: Number(found.at), text: unpacked(found.data) };
  },
};

export const shownStateChanges = {
  /** Nothing is written where another claim has the job. */
  *writeJobState(port: Port, { writer, text }: StateWrite): Step<null> {
    if ((yield* heldJob(port, writer)) !== null) yield* run(WRITE, writer.id, port.now(), packed(text));
    return null;
  },
};

/** With the rounds of the job that are over. */
export function* forgetJobState(id: string): Step<void> {
  yield* run("DELETE FROM weft.job_states WHERE job = $1", id);
  yield* run("DELETE FROM weft.job_rounds WHERE job = $1", id);
}

export function shownStates(asks: {
  readonly read: Ask<typeof shownStateReads>;
  readonly change: Ask<typeof shownStateChanges>;
}): ShownStates {
  return {
    write: async (job, text) => void (await asks.change("writeJobState", { writer: claimOf(job), text })),
    find: (id) => asks.read("jobState", id),
  };
}
