/** GET /result/{id}/events: what happens to a job, as server-sent events (docs/jobs.md, events of a job). */
import { PassThrough } from "node:stream";
import type { FastifyRequest } from "fastify";
import * as z from "zod";
import type { Cancellation, Clock } from "../../vm/run.ts";
import { lineSafe } from "../../vm/values/json-line.ts";
import { single } from "../http/request-context.ts";
import type { ServiceApp } from "../http/service-app.ts";
import { existing, jobIdIn } from "../jobs/answers/documents.ts";
import { isTerminal, type StoredJobEvent } from "../jobs/job.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { JobEvents } from "../schemas/jobs.ts";
import type { Services } from "../services.ts";
import { ResumingHeaders } from "../wire/headers.ts";
import { responses } from "../wire/responses.ts";

/** A reader that leaves so much unread for so long is dropped. */
const MAX_UNREAD_BYTES = 64 * 1024;
const MAX_UNREAD_MS = 10_000;
/** Characters of events that are written together. */
const MAX_TOGETHER = 16 * 1024;

export function resultEventsRoute(app: ServiceApp, { clock }: Services, jobs: Jobs): void {
  app.route({
    method: "GET",
    url: "/result/:id/events",
    schema: {
      operationId: "streamEvents",
      summary: "Events of a job as they happen",
      params: z.object({ id: z.string() }),
      // The place to begin at stands in a header; what looks like one in the query would be lost.
      querystring: z.strictObject({}),
      headers: ResumingHeaders,
      response: responses({ 200: { "text/event-stream": JobEvents }, 204: null }, [
        "job_not_found",
        "job_expired",
        "store_unavailable",
      ]),
    },
    handler: async (request, reply) => {
      const id = jobIdIn(request.params);
      const job = existing(await jobs.store.find(id));
      const resumed = lastSeen(request);
      if (resumed !== null && isTerminal(job.status) && !(await hasMore(jobs, id, resumed)))
        // A stream that only ends would be opened anew for ever: this status is what ends an EventSource.
        return reply.code(204).send();
      reply.header("content-type", "text/event-stream; charset=utf-8").header("x-accel-buffering", "no");
      if (request.method === "HEAD") return reply.send("");
      const stream = new PassThrough({ writableHighWaterMark: MAX_UNREAD_BYTES });
      // A client that connects after the end and has seen no event receives the last one.
      const from = resumed ?? (isTerminal(job.status) ? await lastStatusBefore(jobs, id) : 0);
      void tell(stream, jobs, id, from, request.call.caller, clock);
      return reply.send(stream);
    },
  });
}

/** `Last-Event-ID`; null when it is absent or no number of ours. */
function lastSeen({ headers }: Pick<FastifyRequest, "headers">): number | null {
  const given = single(headers["last-event-id"]) ?? "";
  return /^[0-9]{1,15}$/.test(given) ? Number(given) : null;
}

/** Of a job that is over, all events are written. */
async function hasMore({ watching }: Jobs, id: string, seen: number): Promise<boolean> {
  return (await watching.written(id, seen)).length > 0;
}

/** The number after which the last status and the end follow. */
async function lastStatusBefore({ watching }: Jobs, id: string): Promise<number> {
  const status = (await watching.written(id, 0)).findLast(({ kind }) => kind === "status");
  return status === undefined ? 0 : status.seq - 1;
}

/** Writes events until there are no more, or the reader is gone or dropped. */
export async function tell(
  stream: PassThrough,
  { watching, times }: Pick<Jobs, "watching" | "times">,
  id: string,
  from: number,
  caller: Cancellation,
  clock: Clock,
): Promise<void> {
  // Headers go out with the first byte.
  stream.write(": weft\n\n");
  try {
    for await (const events of watching.events(id, from, times.keepAliveMs, caller)) {
      for (const text of events.length === 0 ? [": keep-alive\n\n"] : textsOf(events)) {
        if (stream.destroyed) return;
        if (!stream.write(text) && !(await drained(stream, clock))) return;
      }
    }
    stream.end();
  } catch {
    // The store is gone: the reader comes back with the number it saw last.
    stream.end();
  }
}

/** Joins events into few strings: a thousand new listeners receive a thousand events each, and a write costs more than an event. */
function* textsOf(events: readonly StoredJobEvent[]): Generator<string, void> {
  let text = "";
  for (const event of events) {
    text += eventText(event);
    if (text.length < MAX_TOGETHER) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}

function eventText({ seq, kind, data }: StoredJobEvent): string {
  return `id: ${seq}\nevent: ${kind}\ndata: ${lineSafe(data)}\n\n`;
}

/** False: the reader did not read, and was dropped. */
function drained(stream: PassThrough, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (read: boolean): void => {
      stop();
      stream.off("drain", resumed).off("close", gone);
      resolve(read);
    };
    const resumed = (): void => finish(true);
    const gone = (): void => finish(false);
    const stop = clock.wait(MAX_UNREAD_MS, () => stream.destroy());
    stream.once("drain", resumed).once("close", gone);
  });
}
