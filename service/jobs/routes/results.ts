/**
 * POST /results: the results of many jobs, in the order of their ids. The answer has those at the beginning of the list that are over, so a caller that
 * gathers a batch in its order asks again for the rest, and neither side holds more than a part (docs/adr/0032-results-in-bulk.md).
 */
import type { Cancellation, Clock } from "../../../vm/run.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import { JobResults, ResultsRequest } from "../../schemas/jobs.ts";
import type { Services } from "../../services.ts";
import type { FoundJob } from "../../state/store.ts";
import { jsonAnswer, send } from "../../wire/answers.ts";
import { ServiceFault } from "../../wire/errors.ts";
import { refusalsOfBodies, responses } from "../../wire/responses.ts";
import { existing, jobIdIn, withResult } from "../answers/documents.ts";
import { isTerminal } from "../job.ts";
import type { Jobs } from "../jobs.ts";

/** Units of text after which no further result is added to an answer; the last one may be of any size. */
const MOST_UNITS = 8 * 1024 * 1024;
/** Jobs that are read at the same time. */
const AHEAD = 16;

export function resultsRoute(app: ServiceApp, services: Services, jobs: Jobs): void {
  app.route({
    method: "POST",
    url: "/results",
    schema: {
      operationId: "getResults",
      summary: "Results of many jobs, in the order of their ids",
      body: ResultsRequest,
      response: responses({ 200: JobResults }, [...refusalsOfBodies, "store_unavailable"]),
    },
    handler: async ({ body, validationError, call }, reply) => {
      if (validationError !== undefined) throw validationError;
      services.unsent.checkRoom();
      const { job_ids: ids, wait_s: waitS } = body;
      const parts = await gathered(services, jobs, { ids, ms: (waitS ?? 0) * 1000, caller: call.caller });
      return send(reply, { ...jsonAnswer(200, {}), body: `{"results":[${parts.join(",")}]}\n` });
    },
  });
}

type Asked = { readonly ids: readonly string[]; readonly ms: number; readonly caller: Cancellation };

/** The JSON of each result. */
async function gathered({ unsent, clock }: Services, jobs: Jobs, { ids, ms, caller }: Asked): Promise<string[]> {
  const over = await overBy(clock.now() + ms, { ids, jobs, clock, caller });
  const open = ids.findIndex((id) => !over.has(id));
  const ended = open < 0 ? ids : ids.slice(0, open);
  const look = (id: string): Promise<Looked> => {
    const found = looked(jobs, id);
    // It may fail before its turn comes.
    found.catch(() => {});
    return found;
  };
  const begun = ended.slice(0, AHEAD).map(look);
  const room = unsent.gather();
  const parts: string[] = [];
  try {
    for (let at = 0, units = 0; at < ended.length && units < MOST_UNITS; at += 1) {
      const found = await begun.shift();
      if (found === undefined) break;
      const next = ended[at + AHEAD];
      if (next !== undefined) begun.push(look(next));
      const text = await partOf(found, (id) => unsent.inTurn(() => jobs.store.result(id), caller));
      if (text === null) break;
      room.add(text.length);
      units += text.length;
      parts.push(text);
    }
    return parts;
  } finally {
    room.end();
  }
}

type Waiting = Pick<Asked, "ids" | "caller"> & { readonly jobs: Jobs; readonly clock: Pick<Clock, "now"> };

/**
 * Those of the jobs that are over when all are, or when the time is. Jobs begin in their order, so the last one that is open is waited for: to look for each
 * change of each job would cost a database more than the jobs themselves.
 */
async function overBy(end: number, { ids, jobs, clock, caller }: Waiting): Promise<ReadonlySet<string>> {
  for (;;) {
    const over = await jobs.store.families.over(ids);
    const last = ids.findLast((id) => !over.has(id));
    const left = end - clock.now();
    if (last === undefined || left <= 0) return over;
    const job = await jobs.watching.reached(last, "over", left, caller);
    // Too many wait, the caller went away, or the time is over.
    if (job !== null && !isTerminal(job.status)) return jobs.store.families.over(ids);
  }
}

/** A job, or why it is missing. */
type Looked = { readonly id: string } & ({ readonly job: FoundJob } | { readonly refused: ServiceFault });

/** Rejects with ServiceFault `store_unavailable`. */
async function looked({ store }: Jobs, id: string): Promise<Looked> {
  return given(id, async () => ({ id, job: existing(await store.find(jobIdIn({ id }))) }));
}

/** Null: the job is not over. */
async function partOf(found: Looked, fetched: (id: string) => Promise<string | null>): Promise<string | null> {
  if ("job" in found && !isTerminal(found.job.status)) return null;
  const { id } = found;
  const whole =
    "refused" in found ? found : await given(id, async () => ({ id, job: await withResult(found.job, fetched) }));
  if ("refused" in whole)
    return JSON.stringify({ job_id: id, error: whole.refused.error, message: whole.refused.message });
  const { status, startedMs, finishedMs, result } = whole.job;
  const duration = startedMs === null || finishedMs === null ? {} : { duration_ms: finishedMs - startedMs };
  const head = JSON.stringify({ job_id: id, status, ...duration });
  return `${head.slice(0, -1)},"result":${result}}`;
}

/** A job that is gone is an answer, too. */
async function given(id: string, find: () => Promise<Looked>): Promise<Looked> {
  try {
    return await find();
  } catch (cause) {
    const isGone = cause instanceof ServiceFault && (cause.error === "job_not_found" || cause.error === "job_expired");
    if (isGone) return { id, refused: cause };
    throw cause;
  }
}
