/** GET /jobs/events: changes of all jobs as server-sent events. It begins with now and repeats nothing. */
import { PassThrough } from "node:stream";
import * as z from "zod";
import { lineSafe } from "../../../vm/values/json-line.ts";
import type { ServiceApp } from "../../http/service-app.ts";
import { JobsFeed } from "../../schemas/jobs.ts";
import type { Services } from "../../services.ts";
import { responses } from "../../wire/responses.ts";
import type { FeedEvent } from "../answers/feed.ts";
import type { Jobs } from "../jobs.ts";

/** A reader that leaves more than this unread is dropped: it comes back, and reads the list. */
const MAX_UNREAD_BYTES = 64 * 1024;

export function jobsEventsRoute(app: ServiceApp, { clock }: Pick<Services, "clock">, { feed, times }: Jobs): void {
  app.route({
    method: "GET",
    url: "/jobs/events",
    schema: {
      operationId: "streamJobs",
      summary: "Changes of all jobs as they happen",
      querystring: z.strictObject({}),
      response: responses({ 200: { "text/event-stream": JobsFeed } }, []),
    },
    handler: async (request, reply) => {
      reply.header("content-type", "text/event-stream; charset=utf-8").header("x-accel-buffering", "no");
      if (request.method === "HEAD") return reply.send("");
      const stream = new PassThrough({ writableHighWaterMark: MAX_UNREAD_BYTES });
      const { caller } = request.call;
      let stopQuiet = (): void => {};
      const keepAlive = (): void => {
        stopQuiet = clock.wait(times.keepAliveMs, () => write(": keep-alive\n\n"));
      };
      const write = (text: string): void => {
        stopQuiet();
        if (stream.destroyed) return;
        if (stream.write(text)) keepAlive();
        else stream.destroy();
      };
      const forget = feed.listen(
        (events) => write(events.map(eventText).join("")),
        () => stream.end(),
      );
      const leave = (): void => void stream.destroy();
      caller.addEventListener("abort", leave);
      stream.once("close", () => {
        stopQuiet();
        forget();
        caller.removeEventListener("abort", leave);
      });
      // Headers go out with the first byte.
      write(": weft\n\n");
      return reply.send(stream);
    },
  });
}

function eventText(event: FeedEvent): string {
  return `event: ${"skipped" in event ? "skipped" : "job"}\ndata: ${lineSafe(JSON.stringify(event))}\n\n`;
}
