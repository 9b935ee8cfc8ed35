/**
 * The settings of email: the accounts that the operator declared, which of them and of their recipients a caller keeps, and how large a
 * message may be. Servers, users and names of secrets are the operator's alone; texts of secrets never stand here.
 */

import { type SettingsOf, setting, z } from "../../definition/define.ts";
import { singleLine } from "../../definition/one-line.ts";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;
const DEFAULT_MESSAGE_BYTES = 10 * 1024 * 1024;
/** Most bytes of one message that the setting can be raised to. */
export const MAX_MESSAGE_BYTES = 50 * 1024 * 1024;

const accountName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, "a name of letters, digits, _ and -");
const secretName = z.string().regex(/^[A-Z][A-Z0-9_]*$/, "the name of a secret");

const mailServer = z
  .strictObject({
    host: z.string().min(1),
    port: z.number().int().min(1).max(65_535).optional(),
    /** `implicit`: TLS from the first byte; `starttls`: the connection is upgraded, or not used. */
    tls: z.enum(["implicit", "starttls"]).default("implicit"),
    user: z.string().min(1).optional(),
    auth_secret: secretName.optional(),
    oauth2_secret: secretName.optional(),
    /** No TLS at all; for servers on the same machine. */
    allow_plain: z.boolean().default(false),
    /** Certificates in PEM that are trusted besides the usual ones. */
    ca_file: z.string().startsWith("/").optional(),
  })
  .refine(({ allow_plain, host }) => !allow_plain || LOOPBACK.test(host), "allow_plain is for loopback hosts only")
  .refine(
    ({ user, auth_secret, oauth2_secret }) =>
      [auth_secret, oauth2_secret].filter((one) => one !== undefined).length === (user === undefined ? 0 : 1),
    "user goes with one of auth_secret and oauth2_secret",
  );

const account = z.strictObject({
  smtp: mailServer.optional(),
  imap: mailServer.refine(({ user }) => user !== undefined, "imap needs a user").optional(),
  /** The sender of every message: an address, or `Name <address>`. */
  from: singleLine(320),
  /** Addresses, or `*@domain`; absent: any. */
  allow_recipients: z.array(z.string()).readonly().optional(),
  max_recipients: z.number().int().positive().default(20),
  /** Messages sent in one day (UTC). */
  daily_quota: z.number().int().positive().default(500),
  drafts: z.string().min(1).default("Drafts"),
  /** Folder in which a copy of what is sent is kept; absent: none. */
  sent: z.string().min(1).optional(),
});

export const emailSettings = {
  accounts: setting.configures(z.record(accountName, account).default({})).describe("account by name, see above"),
  allow_accounts: setting.list().describe("names of accounts"),
  allow_recipients: setting
    .list()
    .describe("addresses, or `*@domain`; this list and that of the account must allow a recipient"),
  allow_send: setting.allow(true).describe("whether `send` and `reply` are allowed"),
  max_message_bytes: setting
    .most(DEFAULT_MESSAGE_BYTES, MAX_MESSAGE_BYTES)
    .describe("of a message sent, and read of one received"),
};
export type EmailSettings = SettingsOf<typeof emailSettings>;
export type AccountConfig = z.output<typeof account>;
export type MailServer = z.output<typeof mailServer>;
