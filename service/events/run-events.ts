/** What a durable job may do with events. */
import { createHash } from "node:crypto";
import type { EventDesk } from "../../vm/durable/approvals.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import { exactJson } from "../../vm/inputs/exact-text.ts";
import { failed, stored } from "../jobs/durable/desk-answers.ts";
import { type ClaimedJob, claimOf } from "../jobs/job.ts";
import type { RunPlan } from "../run/plan.ts";
import type { Services } from "../services.ts";
import type { EventStore } from "./event.ts";
import { acceptsEvent } from "./event-job.ts";

export type RunEventsDeps = {
  readonly services: Pick<Services, "config" | "events" | "metrics">;
  readonly store: EventStore;
  /** There is an event to deliver. */
  readonly emitted: () => void;
};

export function runEvents(
  { services, store, emitted }: RunEventsDeps,
  job: ClaimedJob,
  { prepared: { admission } }: Pick<RunPlan, "prepared">,
): EventDesk {
  const { config, events, metrics } = services;
  return {
    accepts: (name) => acceptsEvent(admission, name),
    async emit({ place, name, data, key, maxHops }) {
      const text = exactJson(data);
      const { signalMaxBytes, eventsMax } = config.jobs;
      if (Buffer.byteLength(text) > signalMaxBytes)
        throw failed(
          "ADAPTER_TOO_LARGE",
          `the data of an event may have ${signalMaxBytes} bytes (WF_SIGNAL_MAX_BYTES)`,
        );
      const id = createHash("sha256").update(`${job.id}\n${place}`, "utf8").digest("hex").slice(0, 32);
      const from = { writer: claimOf(job), maxHops };
      const done = await stored(
        store.emit({ id, name, key, data: text, atMs: null, isGiven: true, from, mostKept: eventsMax }),
      );
      if (done.state === "stale") throw failed("ADAPTER_CANCELLED", "the run is about to end");
      if (done.state === "full") throw new AdapterError("ADAPTER_QUOTA", TOO_MANY, { retryable: true });
      if (done.state !== "kept")
        throw failed(
          "ADAPTER_QUOTA",
          `events that cause each other may be ${maxHops} one after the other (event.max_event_hops)`,
        );
      if (!done.isNew) return id;
      metrics.programEvents.taken("run");
      events.note("info", "event_emitted", { event_id: id }, { trace_id: job.traceId, job_id: job.id });
      emitted();
      return id;
    },
  };
}

export const TOO_MANY = "too many events are not delivered yet, or are kept (WF_EVENTS_MAX)";
