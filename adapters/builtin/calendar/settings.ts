/**
 * The settings of calendar: the accounts and feeds that the operator declared, which of their calendars a caller keeps, and whether
 * anything may be written. Addresses and names of secrets are the operator's alone; texts of secrets never stand here.
 */
import { type SettingsOf, setting, z } from "../../definition/define.ts";
import { isSafeForCredentials, secretName, serverUrl } from "../../definition/server-url.ts";
import { namedZone } from "./events/time.ts";

const placeName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, "a name of letters, digits, _ and -");

export const zoneName = z.string().refine((name) => namedZone(name) !== null, "the name of a time zone");
export const time = z.union(
  [z.iso.date(), z.iso.datetime({ offset: true })],
  "a date, or a time with its offset (RFC 3339)",
);
export const emailAddress = z.email().max(254);

const account = z
  .strictObject({
    /** The server, the principal, the home of the calendars, or one calendar. */
    url: serverUrl,
    user: z
      .string()
      .regex(/^[^:\p{Cc}]{1,200}$/u, "a name without colon")
      .optional(),
    auth_secret: secretName.optional(),
    /** Names of those that are used, the first one for new events; absent: all. */
    calendars: z.array(z.string().min(1)).nonempty().readonly().optional(),
    /** For dates, for times that name no zone, and for new events; absent: that of the calendar, else UTC. */
    time_zone: zoneName.optional(),
    /** Who invites; absent: the user, when that is an address. */
    organizer: emailAddress.optional(),
  })
  .refine(
    ({ user, auth_secret }) => (user === undefined) === (auth_secret === undefined),
    "user and auth_secret go together",
  )
  .refine(({ url, auth_secret }) => auth_secret === undefined || isSafeForCredentials(url), {
    error: "a password goes to an https address, or to this machine",
    path: ["url"],
  });

export const calendarSettings = {
  accounts: setting.configures(z.record(placeName, account).default({})).describe("account by name, see above"),
  feeds: setting
    .configures(z.record(placeName, serverUrl).default({}))
    .describe("address of an iCalendar feed by name"),
  calendars: setting.list().describe("names of calendars and feeds"),
  allow_write: setting.allow(true).describe("whether `create`, `update` and `delete` are allowed"),
};
export type CalendarSettings = SettingsOf<typeof calendarSettings>;
export type AccountConfig = z.output<typeof account>;
