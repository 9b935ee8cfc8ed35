/**
 * The settings of social: the accounts that the operator declared, which of them a caller keeps, and whether anything may be posted.
 * Servers and names of secrets are the operator's alone; texts of secrets never stand here.
 */
import { type SettingsOf, setting, z } from "../../definition/define.ts";
import { isSafeForCredentials, secretName, serverUrl } from "../../definition/server-url.ts";
import { endpoints } from "./endpoints.ts";

const accountName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, "a name of letters, digits, _ and -");

const account = z
  .strictObject({
    provider: z.enum(["mastodon", "rss", "activitypub", "http"]),
    /** The server; of rss the feed, of activitypub the actor. */
    base_url: serverUrl,
    token_secret: secretName.optional(),
    /** What mentions must contain when a call does not say. */
    query: z.string().min(1).max(1000).optional(),
    /** Of one post, in code points. */
    max_post_chars: z.number().int().positive().default(500),
    allow_post: z.boolean().default(true),
    /** Of the provider http: its requests. */
    endpoints: endpoints.optional(),
  })
  .refine(({ provider, endpoints }) => (provider === "http") === (endpoints !== undefined), {
    error: "endpoints go with the provider http",
    path: ["endpoints"],
  })
  .refine(
    ({ provider, token_secret }) => provider !== "mastodon" || token_secret !== undefined,
    "mastodon needs token_secret",
  )
  .refine(({ base_url, token_secret }) => token_secret === undefined || isSafeForCredentials(base_url), {
    error: "a token goes to an https address, or to this machine",
    path: ["base_url"],
  });

export const socialSettings = {
  accounts: setting.configures(z.record(accountName, account).default({})).describe("account by name, see above"),
  allow_accounts: setting.list().describe("names of accounts"),
  allow_post: setting
    .allow(true)
    .describe("whether `post`, `reply` and `delete` are allowed; that of the account must allow it too"),
};
export type SocialSettings = SettingsOf<typeof socialSettings>;
export type AccountConfig = z.output<typeof account>;
