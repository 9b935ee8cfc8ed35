/** GET /jobs/stats: how many jobs there were by hour, program and state, from the store: also after a restart. */

import * as z from "zod";
import type { ServiceApp } from "../../http/service-app.ts";
import { PROGRAM_NAME } from "../../programs/program-name.ts";
import type { HourCount } from "../../state/store.ts";
import { jsonAnswer, send } from "../../wire/answers.ts";
import { wholeNumber } from "../../wire/common.ts";
import { responses } from "../../wire/responses.ts";
import { JOB_STATUSES } from "../job.ts";
import type { Jobs } from "../jobs.ts";

const HOUR_MS = 3_600_000;
const MOST_HOURS = 168;
/** Programs with the most jobs; others are one. */
const MOST_PROGRAMS = 50;
const OTHERS = "*";
/** Pages that are open ask again and again. */
const KEPT_MS = 30_000;

const Query = z.strictObject({
  program: z.string().regex(PROGRAM_NAME, "must be the name of a deployment").optional(),
  hours: wholeNumber(1, MOST_HOURS).default(MOST_HOURS),
});

const JobStats = z
  .object({
    from: z.string(),
    to: z.string(),
    counts: z.array(
      z.object({
        /** Begin of the hour in which the jobs were queued. */
        hour: z.string(),
        /** Null: jobs of no deployment; `*`: programs that are not among the fifty with the most jobs. */
        program: z.string().nullable(),
        status: z.enum(JOB_STATUSES),
        count: z.int(),
        /** Of all of them that are over, without waits. */
        running_ms: z.int(),
      }),
    ),
  })
  .meta({
    id: "JobStats",
    examples: [
      {
        from: "2030-01-01T00:00:00.000Z",
        to: "2030-01-01T01:00:00.000Z",
        counts: [
          { hour: "2030-01-01T00:00:00.000Z", program: "digest", status: "succeeded", count: 12, running_ms: 480 },
        ],
      },
    ],
  });

export function jobStatsRoute(app: ServiceApp, { store }: Jobs): void {
  const known = new Map<number, { readonly atMs: number; readonly counts: readonly HourCount[] }>();
  /** One hour after the other, so that other calls of the store come in between. */
  const countsOf = async (hour: number, nowMs: number): Promise<readonly HourCount[]> => {
    const kept = known.get(hour);
    if (kept !== undefined && nowMs - kept.atMs < KEPT_MS) return kept.counts;
    const counts = await store.stats(hour * HOUR_MS, (hour + 1) * HOUR_MS);
    known.set(hour, { atMs: nowMs, counts });
    return counts;
  };
  app.route({
    method: "GET",
    url: "/jobs/stats",
    schema: {
      operationId: "jobStats",
      summary: "Jobs of the last hours, by hour, program and state",
      querystring: Query,
      response: responses({ 200: JobStats }, ["store_unavailable"]),
    },
    handler: async ({ query: { program, hours } }, reply) => {
      const nowMs = store.now();
      const last = Math.floor(nowMs / HOUR_MS);
      for (const hour of known.keys()) if (hour <= last - MOST_HOURS || hour > last) known.delete(hour);
      const found: (HourCount & { readonly hour: number })[] = [];
      for (let hour = last - hours + 1; hour <= last; hour++)
        for (const one of await countsOf(hour, nowMs))
          if (program === undefined || one.program === program) found.push({ hour, ...one });
      return send(
        reply,
        jsonAnswer(200, {
          from: time(last - hours + 1),
          to: new Date(nowMs).toISOString(),
          counts: gathered(found).map(({ hour, runningMs, ...one }) => ({
            hour: time(hour),
            ...one,
            running_ms: runningMs,
          })),
        }),
      );
    },
  });
}

const time = (hour: number): string => new Date(hour * HOUR_MS).toISOString();

type Counted = HourCount & { readonly hour: number };

/** Programs beyond the first fifty become one. */
function gathered(found: readonly Counted[]): readonly Counted[] {
  const totals = new Map<string | null, number>();
  for (const { program, count } of found) totals.set(program, (totals.get(program) ?? 0) + count);
  if (totals.size <= MOST_PROGRAMS) return found;
  const most = new Set(
    [...totals]
      .sort((a, b) => b[1] - a[1])
      .slice(0, MOST_PROGRAMS)
      .map(([program]) => program),
  );
  const kept: Counted[] = [];
  const others = new Map<string, Counted>();
  for (const one of found) {
    if (most.has(one.program)) {
      kept.push(one);
      continue;
    }
    const key = `${one.hour} ${one.status}`;
    const before = others.get(key) ?? { ...one, program: OTHERS, count: 0, runningMs: 0 };
    others.set(key, {
      ...before,
      count: before.count + one.count,
      runningMs: before.runningMs + one.runningMs,
    });
  }
  return [...kept, ...others.values()].sort((a, b) => a.hour - b.hour);
}
