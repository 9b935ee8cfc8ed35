/**
 * The id of an event: the calendar's name, the name of its object there (in a feed the UID), and for one occurrence of a series the start
 * that it would have had; each percent-encoded, with semicolons between.
 */
import { z } from "zod";
import { DAY_MS, isoTime, type Moment } from "./time.ts";

export type EventId = {
  readonly calendar: string;
  readonly object: string;
  /** As `recurrenceKey` gives it; null: the event as a whole. */
  readonly recurrence: string | null;
};

const MAX_LENGTH = 2_000;
const RECURRENCE = /^\d{8}(T\d{6}Z)?$/;

export function writtenId({ calendar, object, recurrence }: EventId): string {
  return [calendar, object, ...(recurrence === null ? [] : [recurrence])].map(encodeURIComponent).join(";");
}

/** `20270301T080000Z`, or `20270301` of whole days. */
export function recurrenceKey({ utc, wall, allDay }: Moment): string {
  const text = isoTime(allDay ? Math.floor(wall / DAY_MS) * DAY_MS : utc).replace(/[-:]/g, "");
  return allDay ? text.slice(0, 8) : `${text.slice(0, 15)}Z`;
}

function readId(text: string): EventId | null {
  const parts = text.split(";");
  if (parts.length > 3 || text.length > MAX_LENGTH) return null;
  try {
    const [calendar = "", object = "", recurrence = null] = parts.map(decodeURIComponent);
    if (calendar === "" || object === "") return null;
    return recurrence !== null && !RECURRENCE.test(recurrence) ? null : { calendar, object, recurrence };
  } catch {
    return null;
  }
}

/** An id as an argument. */
export function eventId() {
  return z.string().transform((text, check) => {
    const id = readId(text);
    if (id !== null) return id;
    check.addIssue({ code: "custom", message: "the id of an event" });
    return z.NEVER;
  });
}
