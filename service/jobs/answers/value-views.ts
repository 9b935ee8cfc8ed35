/** Who looked at the values of a job: values may be somebody's secrets, so the log says it. */
import { BoundedMap } from "../../../compiler/bounded-map.ts";
import type { Services } from "../../services.ts";
import type { EventContext } from "../../telemetry/events.ts";

/** A page that is open asks every few seconds, which is one view. */
const ONE_VIEW_MS = 60_000;
const MAX_REMEMBERED = 10_000;

export class ValueViews {
  readonly #services: Pick<Services, "events" | "clock">;
  /** When each caller last asked, in milliseconds. */
  readonly #last = new BoundedMap<number>({ max: MAX_REMEMBERED });

  constructor(services: Pick<Services, "events" | "clock">) {
    this.#services = services;
  }

  /** `by`: address of the caller. */
  note(job: string, by: string, context: EventContext): void {
    const key = `${job} ${by}`;
    const now = this.#services.clock.now();
    const last = this.#last.get(key);
    this.#last.set(key, now);
    if (last !== undefined && now - last < ONE_VIEW_MS) return;
    this.#services.events.note("info", "values_viewed", { by }, { ...context, job_id: job });
  }
}
