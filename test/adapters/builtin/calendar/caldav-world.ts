/** A CalDAV server with a store in memory, and accounts on it. What lies in it can be seen and changed from outside. */
import { createHash } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import caldav from "caldav-adapter";
import Koa, { type Context } from "koa";
import type { JsonObject } from "../../../../compiler/json.ts";

export const USER = "ada@example.com";
export const PASSWORD = "canary-password-of-ada";
export const PASSWORD_SECRET = "CALENDAR_PASSWORD";

type StoredCalendar = {
  readonly id: string;
  readonly name: string;
  readonly readonly: boolean;
  readonly timezone: string;
  readonly description: string;
  readonly synctoken: string;
  /** iCalendar text by the name of its object, without suffix. */
  readonly objects: Map<string, string>;
};

type SeenRequest = { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders };

export type CaldavWorld = {
  readonly base: string;
  readonly account: JsonObject;
  calendar(id: string): StoredCalendar;
  add(id: string, facts?: Partial<StoredCalendar>): StoredCalendar;
  /** The next request of a method is answered like this, before anything else happens. */
  fail(method: string, answer: (response: ServerResponse) => void): void;
  /** The next request of a method is done, but its answer is lost. */
  loseAnswer(method: string): void;
  /** Requests of a method; none named: all. */
  seen(method?: string): readonly SeenRequest[];
  close(): Promise<void>;
};

export async function caldavWorld(): Promise<CaldavWorld> {
  const calendars = new Map<string, StoredCalendar>();
  const failures: { readonly method: string; readonly answer: (response: ServerResponse) => void }[] = [];
  const lost: string[] = [];

  const calendarOf = (id: string): StoredCalendar => {
    const found = calendars.get(id);
    if (found === undefined) throw new Error(`no calendar ${id}`);
    return found;
  };
  const nameOf = (eventId: string): string => eventId.replace(/\.ics$/, "");
  const eventOf = ({ objects }: StoredCalendar, name: string) => {
    const ical = objects.get(name);
    return ical === undefined ? null : { eventId: name, ical };
  };
  const eventsOf = (id: string) => {
    const calendar = calendarOf(id);
    return [...calendar.objects.keys()].map((name) => eventOf(calendar, name));
  };

  const app = new Koa();
  app.on("error", () => {});
  app.use(async (ctx, next) => {
    // The server leaves this condition to its store.
    const [, id = "", object = ""] = /^\/dav\/cal\/[^/]+\/([^/]+)\/([^/]+)$/.exec(ctx.path) ?? [];
    const event = calendars.has(id) ? eventOf(calendarOf(id), nameOf(decodeURIComponent(object))) : null;
    const condition = ctx.get("if-match");
    if (ctx.method === "DELETE" && event === null) ctx.status = 404;
    else if (ctx.method === "DELETE" && event !== null && condition !== "*" && condition !== etagOf(event.ical))
      ctx.status = 412;
    else await next();
    if (lost[0] === ctx.method) {
      lost.shift();
      ctx.respond = false;
      ctx.res.destroy();
    }
  });
  app.use(
    caldav({
      caldavRoot: "/dav",
      authRealm: "test",
      authenticate: async (_ctx, { username, password }) =>
        username === USER && password === PASSWORD ? { principalId: "ada", principalName: USER } : null,
      data: {
        getCalendar: (_ctx, { calendarId }) => calendars.get(calendarId) ?? null,
        getCalendarsForPrincipal: () => [...calendars.values()],
        getCalendarId: (_ctx, calendar) => (calendar as unknown as StoredCalendar).id,
        getETag: (_ctx, event) => etagOf((event as unknown as { ical: string }).ical),
        buildICS: (_ctx, event) => (event as unknown as { ical: string }).ical,
        getEvent: (_ctx, { calendarId, eventId }) => eventOf(calendarOf(calendarId), nameOf(eventId)),
        getEventsForCalendar: (_ctx, { calendarId }) => eventsOf(calendarId),
        // Times are the client's to look at.
        getEventsByDate: (_ctx, { calendarId }) => eventsOf(calendarId),
        createEvent: stored,
        updateEvent: stored,
        deleteEvent: (_ctx, { calendarId, eventId }) => calendarOf(calendarId).objects.delete(nameOf(eventId)),
      },
    }),
  );

  function stored(ctx: Context, { calendarId, eventId }: { readonly calendarId: string; readonly eventId: string }) {
    const calendar = calendarOf(calendarId);
    calendar.objects.set(nameOf(eventId), ctx.request.body);
    return eventOf(calendar, nameOf(eventId));
  }

  const serve = app.callback();
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    requests.push({ method, url, headers });
    const failing = failures.findIndex((one) => one.method === method);
    if (failing >= 0) failures.splice(failing, 1)[0]?.answer(response);
    else serve(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const world: CaldavWorld = {
    base,
    account: { url: `${base}/dav/`, user: USER, auth_secret: PASSWORD_SECRET },
    calendar: calendarOf,
    add(id, facts = {}) {
      const common = { name: id, readonly: false, timezone: "", description: "", synctoken: "1" };
      const calendar = { id, objects: new Map(), ...common, ...facts };
      calendars.set(id, calendar);
      return calendar;
    },
    fail: (method, answer) => failures.push({ method, answer }),
    loseAnswer: (method) => lost.push(method),
    seen: (method) => requests.filter((one) => method === undefined || one.method === method),
    close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      return closed;
    },
  };
  world.add("work");
  return world;
}

function etagOf(ical: string): string {
  return `"${createHash("sha256").update(ical).digest("hex").slice(0, 16)}"`;
}

/** A calendar with one event of these lines. */
export function icsOf(...lines: readonly string[]): string {
  const event = ["BEGIN:VEVENT", "DTSTAMP:20270101T000000Z", ...lines, "END:VEVENT"];
  return calendarOf(...event);
}

export function calendarOf(...lines: readonly string[]): string {
  return `${["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", ...lines, "END:VCALENDAR"].join("\r\n")}\r\n`;
}
