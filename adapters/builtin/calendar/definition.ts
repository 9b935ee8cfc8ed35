/**
 * The adapter `calendar`: events on CalDAV servers and in iCalendar feeds, with the operator's accounts (docs/adapters/calendar.md). This file
 * declares its verbs; the other files of this folder implement them.
 */
import type { Json } from "../../../compiler/json.ts";
import { arg, defineAdapter, verbsFor, z } from "../../definition/define.ts";
import { neededHttp } from "../../guard/http/http.ts";
import { eventPatch, newEvent } from "./changing.ts";
import { event } from "./events/event.ts";
import { eventId } from "./events/event-id.ts";
import { DAY_MS } from "./events/time.ts";
import { Places } from "./places.ts";
import { busyTimes, getEvent, listCalendars, listEvents } from "./reading.ts";
import { calendarSettings, time } from "./settings.ts";
import { createEvent, deleteEvent, updateEvent } from "./writing.ts";

const verb = verbsFor<typeof calendarSettings, Places>();

const MAX_EVENTS = 1_000;
const MAX_LIST_BYTES = 8 * 1024 * 1024;
const COMING_DAYS = 14;
const COMING_EVENTS = 10;

const timing = { timeoutMs: 15_000, maxTimeoutMs: 60_000 } as const;
const common = { ...timing, kind: "http", determinism: "external" } as const;
const SERVER_ERRORS = [
  "ADAPTER_RATE_LIMITED",
  "ADAPTER_UNAVAILABLE",
  "ADAPTER_HTTP_STATUS",
  "ADAPTER_HOST_BLOCKED",
  "ADAPTER_ADDRESS_BLOCKED",
  "ADAPTER_BAD_URL",
  "ADAPTER_TOO_MANY_REDIRECTS",
  "ADAPTER_ENCODING",
] as const;
const reading = { ...common, effect: "io-read", maxResultBytes: MAX_LIST_BYTES, errors: SERVER_ERRORS } as const;
const WRITE_ERRORS = [...SERVER_ERRORS, "ADAPTER_WRITE_FORBIDDEN", "ADAPTER_CONFLICT", "ADAPTER_QUOTA"] as const;
const writing = { ...common, effect: "io-write", errors: WRITE_ERRORS } as const;

const text = z.string();
const calendar = text.min(1).max(500);
const etag = text.regex(/^[\x21-\x7e]{1,500}$/, "the etag of an event").optional();
/** What happens to events that cannot be read. */
const unreadable = z.enum(["skip", "fail"]).default("skip");
const id = arg("id", eventId());
const from = arg("from", time);
const to = arg("to", time);

const EXAMPLE_EVENT = {
  id: "work;5f2c",
  uid: "5f2c",
  recurrence_id: null,
  title: "Review",
  start: "2027-03-01T09:00:00+01:00",
  end: "2027-03-01T10:00:00+01:00",
  all_day: false,
  time_zone: "Europe/Berlin",
  location: null,
  description: null,
  status: null,
  organizer: null,
  attendees: [],
  rrule: null,
  calendar: "work",
  etag: '"1"',
  url: "https://cal.example/ada/work/5f2c.ics",
} as const satisfies Json;

export const calendarAdapter = defineAdapter<typeof calendarSettings, Places>({
  apiVersion: 1,
  concurrent: true,
  name: "calendar",
  version: "1.0.0",
  summary: "Events in the operator's calendars.",
  support: "extension_ecosystem",
  lane: "canonical",
  privilege: "network",
  sandboxSafe: false,
  networkFacing: true,
  durable: false,
  maturity: "beta",
  needs: ["http"],
  settings: calendarSettings,
  open: ({ settings, host }) => new Places(settings, neededHttp(host.http, "calendar needs")),
  close: (instance) => instance.close(),
  verbs: {
    G: verb({
      ...reading,
      summary: "The next events: those of 14 days, at most 10.",
      args: z.tuple([]),
      result: z.array(event).describe("events"),
      examples: [{ source: "R calendar.G ->coming", result: [EXAMPLE_EVENT] }],
      run({ instance, ctx }) {
        const now = ctx.now();
        const range = { from: new Date(now).toISOString(), to: new Date(now + COMING_DAYS * DAY_MS).toISOString() };
        return listEvents(
          { ...range, calendars: undefined, limit: COMING_EVENTS, expand: true, onUnreadable: "skip" as const },
          instance,
          ctx,
        );
      },
    }),
    list: verb({
      ...reading,
      summary: "The events of a time, by start.",
      args: z.tuple([from, to]),
      options: z.strictObject({
        calendar: calendar.optional(),
        limit: z.number().int().min(1).max(MAX_EVENTS).default(100),
        expand: z.boolean().default(true),
        unreadable,
      }),
      result: z.array(event).describe("events"),
      examples: [{ source: 'R calendar.list "2027-03-01" "2027-03-08" ->events', result: [EXAMPLE_EVENT] }],
      run({ args: [from, to], options: { calendar: name, limit, expand, unreadable }, instance, ctx }) {
        const calendars = name === undefined ? undefined : [name];
        return listEvents({ from, to, calendars, limit, expand, onUnreadable: unreadable }, instance, ctx);
      },
    }),
    get: verb({
      ...reading,
      summary: "An event by its id, or null.",
      args: z.tuple([id]),
      result: event.nullable().describe("an event, or null"),
      examples: [{ source: 'R calendar.get "work;5f2c" ->e', result: EXAMPLE_EVENT }],
      run: ({ args: [id], instance, ctx }) => getEvent(id, instance, ctx),
    }),
    create: verb({
      ...writing,
      summary: "Makes an event.",
      idempotent: "keyed",
      args: z.tuple([arg("event", newEvent)]),
      options: z.strictObject({
        calendar: calendar.optional(),
        idempotency_key: text.min(1).max(1024).optional(),
        notify: z.boolean().default(false),
      }),
      result: event.describe("the event"),
      examples: [
        {
          source:
            'R calendar.create {"title": "Review", "start": "2027-03-01T09:00:00+01:00", "end": "2027-03-01T10:00:00+01:00"} ->e',
          result: EXAMPLE_EVENT,
        },
      ],
      run({ args: [change], options: { calendar, notify }, instance, ctx }) {
        return createEvent({ change, calendar, notify }, instance, ctx);
      },
    }),
    update: verb({
      ...writing,
      summary: "Changes an event, or one occurrence of a series.",
      idempotent: true,
      args: z.tuple([id, arg("patch", eventPatch)]),
      options: z.strictObject({ etag, scope: z.enum(["all", "this"]).default("all") }),
      result: event.describe("the event"),
      errors: [...WRITE_ERRORS, "ADAPTER_NOT_FOUND"],
      examples: [
        {
          source: 'R calendar.update "work;5f2c" {"title": "Review 2"} ->e',
          result: { ...EXAMPLE_EVENT, title: "Review 2" },
        },
      ],
      run({ args: [id, change], options: { etag, scope }, instance, ctx }) {
        return updateEvent({ id, change, etag, scope }, instance, ctx);
      },
    }),
    delete: verb({
      ...writing,
      summary: "Deletes an event, or one occurrence of a series.",
      idempotent: true,
      args: z.tuple([id]),
      options: z.strictObject({ etag }),
      result: z.strictObject({ deleted: z.boolean() }).describe("`{deleted}`; false when there was none"),
      examples: [{ source: 'R calendar.delete "work;5f2c" ->d', result: { deleted: true } }],
      run: ({ args: [id], options: { etag }, instance, ctx }) => deleteEvent({ id, etag }, instance, ctx),
    }),
    freebusy: verb({
      ...reading,
      summary: "When something is in the calendars, joined; without what is transparent or cancelled.",
      args: z.tuple([from, to]),
      options: z.strictObject({ calendars: z.array(calendar).min(1).max(50).optional(), unreadable }),
      result: z.array(z.strictObject({ start: text, end: text })),
      examples: [
        {
          source: 'R calendar.freebusy "2027-03-01" "2027-03-02" ->busy',
          result: [{ start: "2027-03-01T08:00:00.000Z", end: "2027-03-01T09:00:00.000Z" }],
        },
      ],
      run({ args: [from, to], options: { calendars, unreadable }, instance, ctx }) {
        return busyTimes({ from, to, calendars, onUnreadable: unreadable }, instance, ctx);
      },
    }),
    calendars: verb({
      ...reading,
      summary: "The calendars that there are.",
      args: z.tuple([]),
      result: z.array(
        z.strictObject({ name: text, url: text.nullable(), read_only: z.boolean(), time_zone: text.nullable() }),
      ),
      examples: [
        {
          source: "R calendar.calendars ->all",
          result: [
            { name: "work", url: "https://cal.example/ada/work/", read_only: false, time_zone: "Europe/Berlin" },
          ],
        },
      ],
      run: ({ instance, ctx }) => listCalendars(instance, ctx),
    }),
  },
});
