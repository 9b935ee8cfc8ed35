/**
 * The adapter `social`: mentions, search and posting with the operator's accounts (docs/adapters/social.md). This file declares
 * its verbs; the other files of this folder implement them.
 */
import type { Json } from "../../../compiler/json.ts";
import { arg, defineAdapter, verbsFor, z } from "../../definition/define.ts";
import { neededHttp } from "../../guard/http/http.ts";
import { type Account, Accounts } from "./accounts.ts";
import { mediaList } from "./media.ts";
import { postId, writtenId } from "./post-id.ts";
import { publish, remove } from "./posting.ts";
import { type Post, VISIBILITIES } from "./provider.ts";
import { socialSettings } from "./settings.ts";

const verb = verbsFor<typeof socialSettings, Accounts>();

const MAX_POSTS = 200;
const MAX_TEXT = 100_000;
const MAX_LIST_BYTES = 8 * 1024 * 1024;

const timing = { timeoutMs: 15_000, maxTimeoutMs: 60_000 } as const;
const common = { ...timing, kind: "http", determinism: "external" } as const;
const SERVER_ERRORS = [
  "ADAPTER_RATE_LIMITED",
  "ADAPTER_UNAVAILABLE",
  "ADAPTER_HTTP_STATUS",
  "ADAPTER_HOST_BLOCKED",
  "ADAPTER_ADDRESS_BLOCKED",
  "ADAPTER_TOO_MANY_REDIRECTS",
] as const;
const WRITE_ERRORS = [...SERVER_ERRORS, "ADAPTER_WRITE_FORBIDDEN", "ADAPTER_NOT_FOUND"] as const;
/** Of files that go with a post. */
const FILE_ERRORS = [
  "ADAPTER_PATH_ESCAPE",
  "ADAPTER_EXTENSION_BLOCKED",
  "ADAPTER_NOT_A_FILE",
  "ADAPTER_NOT_A_DIRECTORY",
] as const;
const reading = { ...common, effect: "io-read", maxResultBytes: MAX_LIST_BYTES, errors: SERVER_ERRORS } as const;
const writing = { ...common, effect: "io-write" } as const;
/** Records hold a hash of the arguments instead of what was written. */
const keyed = { ...writing, idempotent: "keyed", record: "hash", errors: [...WRITE_ERRORS, ...FILE_ERRORS] } as const;

const text = z.string();
const account = text.optional();
const limit = z.number().int().min(1).max(MAX_POSTS).default(20);
const words = text.min(1).max(1_000);

const post = z.strictObject({
  id: text,
  text,
  ts: z.number().int().nullable(),
  author: text.nullable(),
  url: text.nullable(),
  lang: text.nullable(),
  reply_to: text.nullable(),
});
const posts = z.array(post);
const published = z.strictObject({ id: text, url: text.nullable(), created_at: text.nullable() });

const id = arg("id", postId());
const postText = arg(
  "text",
  text.max(MAX_TEXT).refine((given) => given.isWellFormed(), "valid Unicode"),
  {
    sensitive: true,
  },
);
const query = arg("query", words.optional());

const mentionOptions = z.strictObject({ since_id: postId().optional(), limit, account });
const replyOptions = z.strictObject({
  visibility: z.enum(VISIBILITIES).optional(),
  language: text.regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}$/, "the tag of a language").optional(),
  media: mediaList.default([]),
  scheduled_at: z.iso.datetime({ offset: true }).optional(),
  idempotency_key: text.min(1).max(1024).optional(),
  account,
});
const postOptions = replyOptions.extend({ reply_to: postId().optional() });

const EXAMPLE_POST = {
  id: "113",
  text: "@robot is build 42 out?",
  ts: 1_893_456_000,
  author: "ada@social.example",
  url: "https://social.example/@ada/113",
  lang: "en",
  reply_to: null,
} as const satisfies Json;
const EXAMPLE_PUBLISHED = {
  id: "114",
  url: "https://social.example/@robot/114",
  created_at: "2030-01-01T00:05:00.000Z",
} as const;

function mentions(name: string) {
  return verb({
    ...reading,
    summary: "Posts that mention the account, newest first.",
    args: z.tuple([query]),
    options: mentionOptions,
    result: posts,
    examples: [{ source: `R social.${name} {"limit": 5} ->found`, result: [EXAMPLE_POST] }],
    async run({ args: [asked], options, instance, ctx }) {
      const { since_id: since, limit } = options;
      const account = instance.holding(since, options.account);
      const text = asked ?? account.config.query ?? null;
      const found = await account.provider.mentions({ text, sinceId: since?.id ?? null, limit }, ctx);
      return shown(found, account);
    },
  });
}

export const socialAdapter = defineAdapter<typeof socialSettings, Accounts>({
  apiVersion: 1,
  concurrent: true,
  name: "social",
  version: "1.0.0",
  summary: "Mentions, search and posts of the operator's social accounts.",
  support: "extension_ecosystem",
  lane: "canonical",
  privilege: "network",
  sandboxSafe: false,
  networkFacing: true,
  durable: false,
  maturity: "beta",
  needs: ["http", "files", "store"],
  settings: socialSettings,
  settingAliases: { accounts: "allow_accounts" },
  open: ({ settings, host }) => new Accounts(settings, neededHttp(host.http, "social needs")),
  close: (instance) => instance.close(),
  verbs: {
    G: mentions("G"),
    mentions: mentions("mentions"),
    search: verb({
      ...reading,
      summary: "Posts that hold a text.",
      args: z.tuple([arg("text", words)]),
      options: z.strictObject({ limit, since: z.iso.datetime({ offset: true }).optional(), account }),
      result: posts,
      examples: [{ source: 'R social.search "build 42" {"limit": 5} ->found', result: [EXAMPLE_POST] }],
      async run({ args: [text], options: { limit, since, account: asked }, instance, ctx }) {
        const account = instance.get(asked);
        const sinceMs = since === undefined ? null : Date.parse(since);
        return shown(await account.provider.search({ text, sinceMs, limit }, ctx), account);
      },
    }),
    timeline: verb({
      ...reading,
      summary: "The latest posts that the account sees, newest first.",
      args: z.tuple([]),
      options: z.strictObject({ account, limit }),
      result: posts,
      examples: [{ source: 'R social.timeline {"limit": 5} ->latest', result: [EXAMPLE_POST] }],
      async run({ options, instance, ctx }) {
        const account = instance.get(options.account);
        return shown(await account.provider.timeline(options.limit, ctx), account);
      },
    }),
    post: verb({
      ...keyed,
      summary: "Posts a text.",
      args: z.tuple([postText]),
      options: postOptions,
      result: published,
      examples: [
        { source: 'R social.post "Build 42 is out" {"visibility": "unlisted"} ->p', result: EXAMPLE_PUBLISHED },
      ],
      run({ args: [text], options, settings, instance, ctx }) {
        const { reply_to: replyTo } = options;
        return publish({ verb: "post", text, replyTo, ...draftOf(options) }, { accounts: instance, settings, ctx });
      },
    }),
    reply: verb({
      ...keyed,
      summary: "Replies to a post; by default only to people who can see that post.",
      args: z.tuple([id, postText]),
      options: replyOptions,
      result: published,
      examples: [{ source: 'R social.reply "113" "@ada@social.example Yes." ->p', result: EXAMPLE_PUBLISHED }],
      run({ args: [replyTo, text], options, settings, instance, ctx }) {
        return publish({ verb: "reply", text, replyTo, ...draftOf(options) }, { accounts: instance, settings, ctx });
      },
    }),
    get: verb({
      ...reading,
      summary: "A post by its id, or null.",
      args: z.tuple([id]),
      result: post.nullable().describe("a post, or null"),
      examples: [{ source: 'R social.get "113" ->p', result: EXAMPLE_POST }],
      async run({ args: [{ account: asked, id }], instance, ctx }) {
        const account = instance.get(asked);
        const found = await account.provider.get(id, ctx);
        return found === null ? null : shownPost(found, account);
      },
    }),
    delete: verb({
      ...writing,
      summary: "Deletes a post of the account.",
      idempotent: true,
      args: z.tuple([id]),
      result: z.strictObject({ deleted: z.boolean() }).describe("`{deleted}`; false when there was none"),
      errors: WRITE_ERRORS,
      examples: [{ source: 'R social.delete "114" ->d', result: { deleted: true } }],
      run: ({ args: [id], settings, instance, ctx }) => remove(id, { accounts: instance, settings, ctx }),
    }),
    profile: verb({
      ...reading,
      summary: "Name and figures of an account of the operator.",
      args: z.tuple([arg("account", text.optional())]),
      result: z.strictObject({
        name: text,
        url: text.nullable(),
        followers: z.number().nullable(),
        posts: z.number().nullable(),
      }),
      examples: [
        {
          source: "R social.profile ->me",
          result: { name: "robot", url: "https://social.example/@robot", followers: 42, posts: 7 },
        },
      ],
      run: ({ args: [asked], instance, ctx }) => instance.get(asked).provider.profile(ctx),
    }),
  },
});

function draftOf({ account, visibility, language, media, scheduled_at }: z.output<typeof replyOptions>) {
  return { account, visibility, language, media, scheduledAt: scheduled_at };
}

function shown(found: readonly Post[], account: Account) {
  return found.map((one) => shownPost(one, account));
}

function shownPost({ id, text, ts, author, url, lang, replyTo }: Post, { name }: Account) {
  const reply_to = replyTo === null ? null : writtenId(name, replyTo);
  return { id: writtenId(name, id), text, ts, author, url, lang, reply_to };
}
