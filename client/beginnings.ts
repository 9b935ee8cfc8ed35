/** What begins runs by itself: schedules and events. */
import type {
  Backfilled,
  BackfillRequest,
  EventAccepted,
  EventDetail,
  EventList,
  EventRequest,
  NextTimes,
  Schedule,
  ScheduleChange,
  ScheduleList,
  ScheduleRun,
} from "./api-types.ts";
import { type EventFilter, type Keyed, keyed } from "./options.ts";
import { at, scheduleAt } from "./paths.ts";
import type { Call, Wire } from "./wire.ts";

export class BeginningsClient {
  readonly #wire: Wire;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** Takes an event in, which starts jobs of the programs that hear of it. With an `id` of its own the same event is not taken twice. */
  emit(request: EventRequest, { key, signal }: Keyed = {}): Promise<EventAccepted> {
    const repeatable = key !== undefined || request.id != null;
    return this.#wire.json("POST", "/events", { body: request, headers: keyed(key), signal, repeatable });
  }

  /** Recent events, the newest first. */
  recentEvents(query: EventFilter = {}, { signal }: Call = {}): Promise<EventList> {
    return this.#wire.json("GET", "/events", { query, signal, repeatable: true });
  }

  /** An event with what it started. */
  emittedEvent(id: string, { signal }: Call = {}): Promise<EventDetail> {
    return this.#wire.json("GET", at("events", id), { signal, repeatable: true });
  }

  schedules(
    query: { readonly program?: string; readonly limit?: number; readonly cursor?: string } = {},
    { signal }: Call = {},
  ): Promise<ScheduleList> {
    return this.#wire.json("GET", "/schedules", { query, signal, repeatable: true });
  }

  /** `id`: as `schedules` says it, `digest/nightly`. */
  schedule(id: string, { signal }: Call = {}): Promise<Schedule> {
    return this.#wire.json("GET", scheduleAt(id), { signal, repeatable: true });
  }

  nextTimes(id: string, { count, signal }: Call & { readonly count?: number } = {}): Promise<NextTimes> {
    return this.#wire.json("GET", `${scheduleAt(id)}/next`, { query: { count }, signal, repeatable: true });
  }

  /** Pauses or resumes a schedule. */
  changeSchedule(id: string, change: ScheduleChange, { signal }: Call = {}): Promise<Schedule> {
    return this.#wire.json("PATCH", scheduleAt(id), { body: change, signal, repeatable: true });
  }

  /** Queues a job of a schedule now. Not repeated after a connection that broke. */
  runSchedule(id: string, { signal }: Call = {}): Promise<ScheduleRun> {
    return this.#wire.json("POST", `${scheduleAt(id)}/run`, { signal, repeatable: false });
  }

  /** Queues jobs of a schedule for past times; a time that has a job gets no second one. */
  backfill(id: string, request: BackfillRequest, { signal }: Call = {}): Promise<Backfilled> {
    return this.#wire.json("POST", `${scheduleAt(id)}/backfill`, { body: request, signal, repeatable: true });
  }
}
