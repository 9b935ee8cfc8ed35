/** Events as programs see them. */

import { z } from "zod";
import type { JsonObject } from "../../../../compiler/json.ts";
import { recurrenceKey, writtenId } from "./event-id.ts";
import { type Component, type Property, parameterOf, propertiesOf, propertyOf, textOf } from "./ical.ts";
import type { Occurrence } from "./occurrences.ts";
import { ruleText } from "./recurrence.ts";
import { type Moment, writtenTime } from "./time.ts";

const text = z.string();

export const event = z.strictObject({
  id: text,
  uid: text,
  /** When this occurrence of a series would have started. */
  recurrence_id: text.nullable(),
  title: text,
  /** RFC 3339; of whole days a date. */
  start: text,
  /** The first moment, or day, that is not part of it. */
  end: text,
  all_day: z.boolean(),
  /** null: the time holds wherever one is. */
  time_zone: text.nullable(),
  location: text.nullable(),
  description: text.nullable(),
  status: text.nullable(),
  organizer: text.nullable(),
  attendees: z.array(z.strictObject({ email: text, name: text.nullable(), status: text })),
  rrule: text.nullable(),
  calendar: text,
  etag: text.nullable(),
  url: text.nullable(),
});

/** Where an event stands. */
export type Stored = {
  readonly calendar: string;
  /** The name of its object. */
  readonly object: string;
  readonly etag: string | null;
  readonly url: string | null;
};

/** `master`: the event whose series it is of. */
export function shownEvent(
  { component, recurrence, start, end }: Occurrence,
  { calendar, object, etag, url }: Stored,
  master: Component | null,
): JsonObject {
  const rule = propertyOf(master ?? component, "rrule");
  const organizer = propertyOf(component, "organizer");
  return {
    id: writtenId({ calendar, object, recurrence: recurrence === null ? null : recurrenceKey(recurrence) }),
    uid: textOf(component, "uid") ?? "",
    recurrence_id: recurrence === null ? null : writtenTime(recurrence),
    title: textOf(component, "summary") ?? "",
    start: writtenTime(start),
    end: writtenTime(end),
    all_day: start.allDay,
    time_zone: zoneOf(start),
    location: textOf(component, "location"),
    description: textOf(component, "description"),
    status: textOf(component, "status")?.toLowerCase() ?? null,
    organizer: organizer === null ? null : addressOf(organizer),
    attendees: propertiesOf(component, "attendee").map(attendeeOf),
    rrule: rule === null ? null : ruleText(rule),
    calendar,
    etag,
    url,
  };
}

function zoneOf({ allDay, floating, zone }: Moment): string | null {
  return allDay || floating ? null : zone.name;
}

function attendeeOf(property: Property) {
  const status = parameterOf(property, "partstat") ?? "NEEDS-ACTION";
  return { email: addressOf(property), name: parameterOf(property, "cn"), status: status.toLowerCase() };
}

function addressOf([, , , value]: Property): string {
  return String(value).replace(/^mailto:/i, "");
}
