/**
 * Jobs that start jobs. A child is queued in the transaction that notes whose child it is and which call started it: so a call that is made again,
 * because its process died, finds the child that it started.
 */
import type { ChildStarted, NewChild } from "../../../jobs/families/families.ts";
import type { Claim } from "../../../jobs/job.ts";
import { isOfThisRound } from "../../../jobs/retention/retention.ts";
import type { Port } from "../../port.ts";
import { row, run, type Step, value } from "../../step.ts";
import { type QueuedJobs, queueJobs } from "../flow/enqueue.ts";
import { heldJob } from "../held-job.ts";

export type StartRequest = NewChild & { readonly writer: Claim };
export type Started = { readonly answer: ChildStarted; readonly queued: QueuedJobs | null };

export type Place = { readonly root: string; readonly depth: number; readonly parent: string | null };

const KNOWN = "SELECT job FROM weft.families WHERE parent = $1 AND key = $2";
const ADD = `INSERT INTO weft.families (job, parent, root, depth, key, detached, shares, started_ms)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

export function* startChild(port: Port, request: StartRequest): Step<Started> {
  const { writer, key, submission, maxJobs, maxDepth, maxQueued, detached, shares } = request;
  const place = yield* placeOf(writer.id);
  // Before rows of jobs, as everywhere.
  if (submission.flow !== undefined) yield* port.lockFlow();
  // The jobs of a family are counted by one process at a time.
  yield* port.lockKey(`family ${place.root}`);
  const held = yield* heldJob(port, writer);
  if (held === null) return notStarted("stale");
  const known = yield* value<string>(KNOWN, writer.id, key);
  if (known !== undefined) return { answer: { state: "started", id: known, isNew: false }, queued: null };
  if (held.job.status === "cancelling") return notStarted("stale");
  if (place.depth + 1 > maxDepth) return notStarted("too_deep");
  const count = `SELECT count(*) FROM weft.families f WHERE f.root = $1 AND ${isOfThisRound("weft.")}`;
  if (((yield* value<number>(count, place.root)) ?? 0) >= maxJobs) return notStarted("too_many");
  const queued = yield* queueJobs(port, submission, maxQueued);
  const { answer } = queued;
  const id = submission.jobs[0]?.id ?? "";
  if (answer.state === "taken" || (answer.state === "queued" && answer.ids !== undefined && answer.ids[0] !== id))
    return { answer: { state: "taken" }, queued };
  if (answer.state !== "queued") return { answer: { state: answer.state === "dropped" ? "dropped" : "full" }, queued };
  yield* run(ADD, id, writer.id, place.root, place.depth + 1, key, detached, shares, port.now());
  return { answer: { state: "started", id, isNew: true }, queued };
}

function notStarted(state: "stale" | "too_deep" | "too_many"): Started {
  return { answer: { state }, queued: null };
}

/** Where in its family a job is. One that no other job started begins a family. */
export function* placeOf(id: string): Step<Place> {
  const found = yield* row<Place>("SELECT root, depth, parent FROM weft.families WHERE job = $1", id);
  return found ?? { root: id, depth: 0, parent: null };
}
