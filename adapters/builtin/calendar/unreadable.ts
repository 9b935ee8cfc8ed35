/**
 * Events that cannot be read: they never keep a program from the others. A call leaves them out and says so in a warning of the run, or
 * fails when it is asked to. Reasons are fixed texts; the names are those of objects, or UIDs in a feed.
 */
import type { AdapterError } from "../../../vm/errors/failures.ts";
import type { VerbContext } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";

export type OnUnreadable = "skip" | "fail";

export type UnreadableEvent = { readonly calendar: string; readonly object: string; readonly reason: string };

/** Maximum number of them that an error or warning names. */
const MAX_NAMED = 100;
const MAX_NAMED_IN_WARNING = 5;
const MAX_NAME = 100;

/** What one call could not read. */
export class UnreadableEvents {
  readonly #leftOut = new Map<string, UnreadableEvent>();
  readonly #zoneless = new Map<string, UnreadableEvent>();
  #read = 0;

  /** An event is in the answer, or outside of its window. */
  countRead(): void {
    this.#read += 1;
  }

  /** An event is not in the answer. */
  leaveOut(event: UnreadableEvent): void {
    this.#leftOut.set(JSON.stringify(event), event);
  }

  /** The answer treats an event as if it had no time zone, because its time zone is unknown. */
  markZoneless(event: UnreadableEvent): void {
    this.#zoneless.set(JSON.stringify(event), event);
  }

  /** Throws ADAPTER_BAD_DATA when the event of this name is left out. */
  refuse(object: string): void {
    const event = [...this.#leftOut.values()].find((one) => one.object === object);
    if (event !== undefined) throw badEvents([event]);
  }

  /** Throws ADAPTER_BAD_DATA when there are any and `mode` says so, and when there is nothing else. */
  report(mode: OnUnreadable, { run, log }: Pick<VerbContext, "run" | "log">): void {
    const leftOut = [...this.#leftOut.values()];
    const zoneless = [...this.#zoneless.values()];
    if (leftOut.length > 0 && this.#read === 0) throw badEvents(leftOut);
    if (mode === "fail" && leftOut.length + zoneless.length > 0) throw badEvents([...leftOut, ...zoneless]);
    for (const [word, events] of Object.entries({
      calendar_events_left_out: leftOut,
      calendar_zone_unknown: zoneless,
    })) {
      if (events.length === 0) continue;
      run.warn(`${word}: ${named(events)}`);
      log(word, { count: events.length });
    }
  }
}

/** `object` in its data is the first one; `objects` are all, where there are more. */
export function badEvents(events: readonly UnreadableEvent[]): AdapterError {
  const objects = events.slice(0, MAX_NAMED).map(({ object }) => object);
  const [object = ""] = objects;
  const data = objects.length > 1 ? { object, objects } : { object };
  return adapterError("ADAPTER_BAD_DATA", events[0]?.reason ?? "the event cannot be read", { data });
}

function named(events: readonly UnreadableEvent[]): string {
  const names = events.slice(0, MAX_NAMED_IN_WARNING).map(({ calendar, object, reason }) => {
    return `${JSON.stringify(object.slice(0, MAX_NAME))} of ${JSON.stringify(calendar)} (${reason})`;
  });
  const more = events.length - names.length;
  return `${names.join(", ")}${more === 0 ? "" : `, and ${more} more`}`;
}
