/** Who may look at the values of a job, and who looked: values may be somebody's secrets, so the log says it. */
import { BoundedMap } from "../../../compiler/bounded-map.ts";
import type { Services } from "../../services.ts";
import type { EventContext } from "../../telemetry/events.ts";
import { ServiceFault } from "../../wire/errors.ts";

/** A page that is open asks every few seconds, which is one view. */
const ONE_VIEW_MS = 60_000;
const MAX_REMEMBERED = 10_000;

type Used = Pick<Services, "config" | "events" | "clock">;

export class ValueViews {
  readonly #services: Used;
  /** When each caller last asked, in milliseconds. */
  readonly #last = new BoundedMap<number>({ max: MAX_REMEMBERED });

  constructor(services: Used) {
    this.#services = services;
  }

  /** Whether values are shown, which is noted then. Throws ServiceFault where the operator does not allow it. */
  asked(query: { readonly values?: "0" | "1" | undefined }, job: string, by: string, context: EventContext): boolean {
    if (query.values !== "1") return false;
    if (!this.#services.config.jobs.journalValues)
      throw new ServiceFault("values_hidden", "values of journals are not shown here (WF_JOURNAL_VALUES)");
    this.note(job, by, context);
    return true;
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
