/**
 * The events of a calendar as series: an event with its exceptions. What calendars in the wild leave out is made up for: events without
 * UID, and several events with the same one.
 */
import { createHash } from "node:crypto";
import { type Component, componentsOf, propertyOf, textOf } from "./events/ical.ts";

export type Series = {
  /** Its name in a feed: the UID, with a suffix where several events have the same one. */
  readonly key: string;
  /** null: only exceptions are known. */
  readonly master: Component | null;
  readonly exceptions: readonly Component[];
};

/** They say when something was written, which may be every time that it is asked for. */
const STAMPS: ReadonlySet<string> = new Set(["dtstamp", "created", "last-modified", "sequence"]);

/** The events of a calendar. One that was revised counts in its last revision only. */
export function seriesIn(calendar: Component): readonly Series[] {
  const byUid = new Map<string, Component[]>();
  for (const event of componentsOf(calendar, "vevent")) {
    const uid = nameOf(event);
    const events = byUid.get(uid);
    if (events === undefined) byUid.set(uid, [event]);
    else events.push(event);
  }
  return [...byUid].flatMap(([uid, events]) => seriesOf(uid, events));
}

/** The UID, or what stands for one. */
export function nameOf(event: Component): string {
  return textOf(event, "uid") ?? `no-uid-${digestOf(event)}`;
}

function seriesOf(uid: string, events: readonly Component[]): readonly Series[] {
  if (events.length === 1 && events[0] !== undefined && !isException(events[0]))
    return [{ key: uid, master: events[0], exceptions: [] }];
  const masters = lastRevisions(
    events.filter((event) => !isException(event)),
    () => "",
  );
  const exceptions = lastRevisions(events.filter(isException), recurrenceText);
  const first =
    masters.find((one) => propertyOf(one, "rrule") !== null || propertyOf(one, "rdate") !== null) ?? masters[0];
  if (first === undefined) return [{ key: uid, master: null, exceptions }];
  const others = masters.filter((one) => one !== first);
  return [
    { key: uid, master: first, exceptions },
    ...others.map((master) => ({ key: `${uid}~${digestOf(master)}`, master, exceptions: [] })),
  ];
}

/** Of the events that a key makes one, those of the highest SEQUENCE; those that say the same count once. */
function lastRevisions(events: readonly Component[], keyOf: (event: Component) => string): readonly Component[] {
  if (events.length < 2) return events;
  const last = new Map<string, number>();
  for (const event of events) last.set(keyOf(event), Math.max(last.get(keyOf(event)) ?? 0, sequenceOf(event)));
  const kept = events.filter((event) => sequenceOf(event) === last.get(keyOf(event)));
  return [...new Map(kept.map((event) => [digestOf(event), event])).values()];
}

function isException(event: Component): boolean {
  return propertyOf(event, "recurrence-id") !== null;
}

function recurrenceText(event: Component): string {
  return JSON.stringify(propertyOf(event, "recurrence-id"));
}

function sequenceOf(event: Component): number {
  const sequence = Number(propertyOf(event, "sequence")?.[3] ?? 0);
  return Number.isSafeInteger(sequence) && sequence > 0 ? sequence : 0;
}

function digestOf([name, properties, inside]: Component): string {
  const told = [name, properties.filter(([one]) => !STAMPS.has(one)), inside];
  return createHash("sha256").update(JSON.stringify(told), "utf8").digest("hex").slice(0, 12);
}
