/**
 * The settings of social: the accounts that the operator declared, which of them a caller keeps, and whether anything may be posted.
 * Servers and names of secrets are the operator's alone; texts of secrets never stand here.
 */
import { readUrl } from "../../compiler/read-url.ts";
import { type SettingsOf, setting, z } from "../define.ts";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const accountName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, "a name of letters, digits, _ and -");
const serverUrl = z
  .url({ protocol: /^https?$/ })
  .refine((text) => new URL(text).username === "" && new URL(text).hash === "", "an address without user and fragment");

const account = z
  .strictObject({
    provider: z.enum(["mastodon", "rss", "activitypub", "http"]),
    /** The server; of rss the feed, of activitypub the actor. */
    base_url: serverUrl,
    token_secret: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]*$/, "the name of a secret")
      .optional(),
    /** What mentions must contain when a call does not say. */
    query: z.string().min(1).max(1000).optional(),
    /** Of one post, in code points. */
    max_post_chars: z.number().int().positive().default(500),
    allow_post: z.boolean().default(true),
  })
  .refine(
    ({ provider, token_secret }) => provider !== "mastodon" || token_secret !== undefined,
    "mastodon needs token_secret",
  )
  .refine(({ base_url, token_secret }) => token_secret === undefined || isSafeForTokens(base_url), {
    error: "a token goes to an https address, or to this machine",
    path: ["base_url"],
  });

/** An address that is none is refused by its own rule. */
function isSafeForTokens(address: string): boolean {
  const url = readUrl(address);
  if (url === null) return true;
  const { protocol, hostname } = url;
  return protocol === "https:" || LOOPBACK.test(hostname);
}

export const socialSettings = {
  accounts: setting.operator(z.record(accountName, account).default({})),
  allow_accounts: setting.list(),
  allow_post: setting.allow(true),
};
export type SocialSettings = SettingsOf<typeof socialSettings>;
export type AccountConfig = z.output<typeof account>;
