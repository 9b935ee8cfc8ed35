/** Events in either database: next to the jobs that they start. */
import type { Delivery, EventStore } from "../events/event.ts";
import type { FlowQueued } from "../jobs/flow/flow-watch.ts";
import type { Job } from "../jobs/job.ts";
import type { Ask } from "./port.ts";
import type { eventChanges, eventReads } from "./rules/events/all.ts";
import type { Delivered } from "./rules/events/deliver.ts";
import type { QueuedJobs } from "./rules/flow/enqueue.ts";

type Asks = {
  readonly read: Ask<typeof eventReads>;
  readonly change: Ask<Pick<typeof eventChanges, "emitEvent" | "wakeForEvent">>;
  readonly deliver: (delivery: Delivery) => Promise<Delivered>;
  /** Hears of jobs that were queued, and of what rules did then. */
  readonly queued: (ids: readonly string[]) => void;
  readonly flowed: (queued: FlowQueued) => void;
  /** Hears of a job that was woken. */
  readonly told: (job: Job) => void;
};

export function eventStore({ read, change, deliver, queued, flowed, told }: Asks): EventStore {
  return {
    emit: (event) => change("emitEvent", event),
    due: (most) => read("dueEvents", most),
    next: () => read("nextEvent", null),
    subscribers: (name, after, most) => read("eventSubscribers", { name, after, most }),
    names: (most) => read("eventNames", most),
    heard: (patterns, most) => read("heardEvents", { patterns, most }),
    async deliver(delivery) {
      const { state, queued: all, outcomes } = await deliver(delivery);
      for (const one of all) flowed(one);
      if (all.length > 0) queued(all.flatMap(idsOf));
      return { state, outcomes };
    },
    async wake({ number, name }) {
      const { woken, more } = await change("wakeForEvent", { number, name });
      for (const job of woken) told(job);
      return { woken, more };
    },
    list: (listing) => read("listEvents", listing),
    find: (id, most) => read("findEvent", { id, most }),
  };
}

function idsOf({ submission }: QueuedJobs): readonly string[] {
  return submission.jobs.map(({ id }) => id);
}
