/** A runner service as a batch uses it: blocks of frames become jobs, and results come back in their order. */
import * as z from "zod/mini";
import { keepElementTexts, keepMemberText } from "../../../vm/inputs/exact-text.ts";
import { jobService } from "../../jobs/client.ts";
import { asking, MEBIBYTE } from "../../session/asking.ts";

/** A job that is over. `result`: the body of a run, with its exact text. */
export type GivenResult =
  | { readonly job_id: string; readonly result: object; readonly duration_ms?: number | undefined }
  | { readonly job_id: string; readonly error: string; readonly message: string };

export interface BulkJobs {
  /** Queues a job for each frame of the request, a JSON text: their ids in order, null for one that a rule dropped. A request of the same key queues nothing again for a day. */
  queue(request: string, key: string): Promise<readonly (string | null)[]>;
  /** Results of the jobs at the beginning of the list that are over within some seconds. */
  results(ids: readonly string[], waitS: number): Promise<readonly GivenResult[]>;
  /** Ids of the jobs of a name, in the order of their frames; empty: none exists. */
  named(name: string): Promise<readonly string[]>;
}

/** Eight MiB of results, and one of any size. */
const MOST_BYTES = 280 * MEBIBYTE;
const PAGE = "200";

const Queued = z.looseObject({ job_ids: z.array(z.nullable(z.string())) });
const Results = z.looseObject({ results: z.array(z.looseObject({})) });
const Given = z.union([
  z.looseObject({ job_id: z.string(), result: z.looseObject({}), duration_ms: z.optional(z.number()) }),
  z.looseObject({ job_id: z.string(), error: z.string(), message: z.string() }),
]);

/** `signal` ends what is under way. Throws CliFault for an invalid address. */
export function bulkJobs(server: string, signal: AbortSignal): BulkJobs {
  const ask = asking(server, signal);
  const jobs = jobService(server, signal);
  return {
    async queue(text, key) {
      return (await ask(Queued, "POST", "/enqueue", { text, headers: { "idempotency-key": key } })).job_ids;
    },
    async results(job_ids, wait_s) {
      const answer = await ask(Results, "POST", "/results", { body: { job_ids, wait_s }, most: MOST_BYTES });
      keepElementTexts(answer, "results", answer.results);
      return answer.results.map((one) => {
        const given = z.parse(Given, one);
        if ("result" in given) keepMemberText(one, "result", given.result);
        return given;
      });
    },
    async named(name) {
      const found: { readonly id: string; readonly index: number }[] = [];
      let cursor: string | undefined;
      do {
        const page = await jobs.list({ name, order: "oldest", limit: PAGE, cursor });
        for (const { job_id: id, index } of page.jobs) found.push({ id, index: index ?? 0 });
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      return found.toSorted((a, b) => a.index - b.index).map(({ id }) => id);
    },
  };
}
