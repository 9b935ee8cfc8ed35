/**
 * The adapter `email`: sending over SMTP and reading over IMAP with the operator's accounts (docs/adapters/email.md). This file
 * declares its verbs; the other files of this folder implement them.
 */
import type { Json } from "../../../compiler/json.ts";
import { arg, defineAdapter, type SettingsOf, type VerbContext, verbsFor, z } from "../../definition/define.ts";
import { singleLine } from "../../definition/one-line.ts";
import { adapterError } from "../../errors.ts";
import { Accounts } from "./account.ts";
import { addressList } from "./message/addresses.ts";
import { attachmentList } from "./message/attachments.ts";
import { foundMessage, message } from "./message/message.ts";
import { storedId } from "./message/message-id.ts";
import { MailParser } from "./message/parser.ts";
import { admitsMessage, criteriaOf, searchQuery, searchText } from "./reading/criteria.ts";
import { changeFlags, flagChange, moveMessage } from "./reading/filing.ts";
import { fetchMessage, type Listing, listFolders, listMessages, withSnippet } from "./reading/reading.ts";
import { bodyInput, headerMap } from "./sending/composing.ts";
import { draft } from "./sending/drafting.ts";
import { reply, send } from "./sending/sending.ts";
import { emailSettings, MAX_MESSAGE_BYTES } from "./settings.ts";

const verb = verbsFor<typeof emailSettings, Accounts>();

const MAX_MESSAGES = 100;
const BODY_BYTES = 65_536;
/** Bytes grow by a third in base64, and text in JSON by more. */
const MAX_RESULT_BYTES = 4 * MAX_MESSAGE_BYTES;

const timing = { timeoutMs: 30_000, maxTimeoutMs: 120_000 } as const;
const reading = { ...timing, effect: "io-read", kind: "http", determinism: "external" } as const;
const writing = { ...timing, effect: "io-write", kind: "http", determinism: "external" } as const;
/** Records hold a hash of the arguments instead of what was written to whom. */
const keyed = { ...writing, idempotent: "keyed", record: "hash" } as const;

/** Of files that are attached. */
const OF_FILES = [
  "ADAPTER_PATH_ESCAPE",
  "ADAPTER_EXTENSION_BLOCKED",
  "ADAPTER_NOT_A_FILE",
  "ADAPTER_NOT_A_DIRECTORY",
] as const;

const text = z.string();
const account = text.optional();
const idempotency_key = text.min(1).max(1024).optional();
const folderName = singleLine(500).refine((name) => name !== "", "the name of a folder");
const count = z.number().int().min(1).max(MAX_MESSAGES);

const to = arg("to", addressList);
const subject = arg("subject", singleLine(2_000));
const body = arg("body", bodyInput, { sensitive: true });
const id = arg("id", storedId());
const attachments = arg("attachments", attachmentList.optional(), { sensitive: true });
const folder = arg("folder", folderName.optional());
const limit = arg("limit", count.optional());

const sent = z.strictObject({
  status: z.literal("sent"),
  provider: z.literal("smtp"),
  method: z.literal("smtp"),
  to: addressList,
  subject: text,
  message_id: text,
  attachments: z.number(),
  accepted: z.array(text),
  rejected: z.array(text),
});

const DEFAULT_LISTING: Listing = {
  folder: "INBOX",
  limit: 10,
  criteria: { seen: false },
  sinceUid: 0,
  newestFirst: true,
  markSeen: false,
  contents: false,
  maxBodyBytes: BODY_BYTES,
  admits: () => true,
};

type Call = {
  readonly settings: SettingsOf<typeof emailSettings>;
  readonly instance: Accounts;
  readonly ctx: VerbContext;
};

function sendingOf({ settings, instance, ctx }: Call) {
  return { accounts: instance, settings, ctx };
}

const EXAMPLE_ID = "INBOX;7;41";
const EXAMPLE_MESSAGE = {
  id: EXAMPLE_ID,
  from: "Ada <ada@example.com>",
  to: ["ops@example.com"],
  cc: [],
  subject: "Disk is full",
  body: "Please look.",
  timestamp: "2027-03-01T08:00:00.000Z",
  unread: true,
  message_id: "<1@example.com>",
  in_reply_to: null,
  references: [],
  attachments: [],
  truncated: false,
} as const satisfies Json;
const EXAMPLE_SENT = {
  status: "sent",
  provider: "smtp",
  method: "smtp",
  message_id: "<5f2c@example.com>",
  attachments: 0,
  rejected: [],
} as const;

export const emailAdapter = defineAdapter<typeof emailSettings, Accounts>({
  apiVersion: 1,
  concurrent: true,
  name: "email",
  version: "1.0.0",
  summary: "Mail of the operator's accounts: sending, reading, filing.",
  support: "extension_ecosystem",
  lane: "canonical",
  privilege: "network",
  sandboxSafe: false,
  networkFacing: true,
  durable: false,
  maturity: "beta",
  needs: ["files", "store"],
  settings: emailSettings,
  settingAliases: { accounts: "allow_accounts" },
  open: ({ settings, secret, host }) => new Accounts(settings, { secret, parser: new MailParser(host.parsers) }),
  async check({ instance, signal }) {
    for (const name of instance.names) await instance.get(name).test(signal);
  },
  close: (instance) => instance.close(),
  verbs: {
    send: verb({
      ...keyed,
      summary: "Sends a message.",
      args: z.tuple([
        to,
        subject,
        body,
        arg("cc", addressList.optional()),
        arg("bcc", addressList.optional()),
        arg("provider", text.optional()),
        attachments,
      ]),
      options: z.strictObject({
        reply_to: addressList.optional(),
        headers: headerMap.default({}),
        account,
        idempotency_key,
      }),
      result: sent,
      errors: [...OF_FILES, "ADAPTER_WRITE_FORBIDDEN"],
      examples: [
        {
          source: 'R email.send ["ops@example.com"] "Nightly report" {"text": txt, "html": page} ->m',
          result: {
            ...EXAMPLE_SENT,
            to: ["ops@example.com"],
            subject: "Nightly report",
            accepted: ["ops@example.com"],
          },
        },
      ],
      run({ args: [to, subject, body, cc, bcc, provider, attachments = []], options, ...call }) {
        if (provider !== undefined && provider.toLowerCase() !== "smtp")
          throw adapterError("ADAPTER_NOT_CONFIGURED", "unknown provider; mail is sent over smtp only");
        const { reply_to: replyTo, headers, account } = options;
        return send({ to, cc, bcc, subject, body, attachments, replyTo, headers, account }, sendingOf(call));
      },
    }),
    read: verb({
      ...reading,
      summary: "Messages of a folder, newest first, unread ones unless asked otherwise; reading marks none of them.",
      args: z.tuple([
        folder,
        limit,
        arg("unread_only", z.boolean().optional()),
        arg("from", searchText.optional()),
        arg("subject_contains", searchText.optional()),
        arg("include_attachments", z.boolean().optional()),
      ]),
      options: z.strictObject({
        since_uid: z.number().int().min(0).default(0),
        mark_seen: z.boolean().default(false),
        max_body_bytes: z.number().int().min(0).max(MAX_MESSAGE_BYTES).default(BODY_BYTES),
        order: z.enum(["newest", "oldest"]).default("newest"),
        account,
      }),
      result: z.array(message),
      maxResultBytes: MAX_RESULT_BYTES,
      examples: [{ source: 'R email.read "INBOX" 5 true "ada@example.com" ->mail', result: [EXAMPLE_MESSAGE] }],
      run({ args, options, settings, instance, ctx }) {
        const [folder = "INBOX", limit = 10, unreadOnly = true, from, subject, contents = false] = args;
        const criteria = {
          ...(unreadOnly ? { seen: false } : {}),
          ...(from === undefined ? {} : { from }),
          ...(subject === undefined ? {} : { subject }),
        };
        const listing: Listing = {
          ...DEFAULT_LISTING,
          folder,
          limit,
          criteria,
          contents,
          sinceUid: options.since_uid,
          newestFirst: options.order === "newest",
          markSeen: options.mark_seen,
          maxBodyBytes: options.max_body_bytes,
        };
        return listMessages(instance.get(options.account), listing, settings, ctx);
      },
    }),
    G: verb({
      ...reading,
      summary: "The newest unread messages of the inbox.",
      args: z.tuple([]),
      result: z.array(message),
      maxResultBytes: MAX_RESULT_BYTES,
      examples: [{ source: "R email.G ->mail", result: [EXAMPLE_MESSAGE] }],
      run: ({ settings, instance, ctx }) => listMessages(instance.get(), DEFAULT_LISTING, settings, ctx),
    }),
    search: verb({
      ...reading,
      summary: "Messages of a folder that fit a text or conditions, newest first.",
      args: z.tuple([arg("query", searchQuery), limit, folder]),
      result: z.array(foundMessage),
      maxResultBytes: MAX_RESULT_BYTES,
      examples: [
        {
          source: 'R email.search {"subject": "disk", "unseen": true} 5 ->found',
          result: [{ ...EXAMPLE_MESSAGE, snippet: "Please look." }],
        },
      ],
      async run({ args: [query, limit = 20, folder = "INBOX"], settings, instance, ctx }) {
        const account = instance.get(typeof query === "string" ? undefined : query.account);
        const listing: Listing = {
          ...DEFAULT_LISTING,
          folder,
          limit,
          criteria: criteriaOf(query),
          admits: (message) => admitsMessage(query, message),
        };
        return (await listMessages(account, listing, settings, ctx)).map(withSnippet);
      },
    }),
    fetch: verb({
      ...reading,
      summary: "One message in full.",
      args: z.tuple([id]),
      options: z.strictObject({ attachments: z.boolean().default(false) }),
      result: message,
      maxResultBytes: MAX_RESULT_BYTES,
      errors: ["ADAPTER_CONFLICT"],
      examples: [{ source: `R email.fetch "${EXAMPLE_ID}" {"attachments": true} ->mail`, result: EXAMPLE_MESSAGE }],
      run: ({ args: [id], options, settings, instance, ctx }) =>
        fetchMessage(instance, id, options.attachments, settings, ctx),
    }),
    reply: verb({
      ...keyed,
      summary: "Answers a message.",
      args: z.tuple([id, body, arg("reply_all", z.boolean().optional()), attachments]),
      options: z.strictObject({ account, idempotency_key }),
      result: sent.extend({ in_reply_to: text.nullable(), reply_all: z.boolean() }),
      errors: [...OF_FILES, "ADAPTER_WRITE_FORBIDDEN"],
      examples: [
        {
          source: `R email.reply "${EXAMPLE_ID}" "Thank you." ->m`,
          result: {
            ...EXAMPLE_SENT,
            to: "Ada <ada@example.com>",
            subject: "Re: Disk is full",
            accepted: ["ada@example.com"],
            in_reply_to: "<1@example.com>",
            reply_all: false,
          },
        },
      ],
      run({ args: [id, body, all = false, attachments = []], options, ...call }) {
        return reply({ id, body, all, attachments, account: options.account }, sendingOf(call));
      },
    }),
    draft: verb({
      ...keyed,
      summary: "Stores a draft, or a new version of one.",
      destructive: false,
      args: z.tuple([to, subject, body, arg("draft_id", storedId().optional())]),
      options: z.strictObject({ attachments: attachmentList.default([]), account, idempotency_key }),
      result: z.strictObject({ status: z.literal("draft"), id: text.nullable(), message_id: text }),
      errors: OF_FILES,
      examples: [
        {
          source: 'R email.draft "ada@example.com" "Offer" "Dear Ada, …" ->d',
          result: { status: "draft", id: "Drafts;3;12", message_id: "<5f2c@example.com>" },
        },
      ],
      run({ args: [to, subject, body, replaces], options: { attachments, account }, ...call }) {
        return draft({ to, subject, body, replaces, attachments, account }, sendingOf(call));
      },
    }),
    move: verb({
      ...writing,
      summary: "Moves a message to another folder.",
      idempotent: true,
      args: z.tuple([id, arg("folder", folderName)]),
      result: z
        .strictObject({ ok: z.literal(true), id: text.nullable() })
        .describe("`{ok, id}`; the new id, null when the server does not tell"),
      errors: ["ADAPTER_CONFLICT"],
      examples: [{ source: `R email.move "${EXAMPLE_ID}" "Archive" ->m`, result: { ok: true, id: "Archive;2;9" } }],
      run: ({ args: [id, folder], instance, ctx }) => moveMessage(instance, id, folder, ctx),
    }),
    flag: verb({
      ...writing,
      summary: "Marks a message, or takes marks away.",
      destructive: false,
      idempotent: true,
      args: z.tuple([id, arg("flags", flagChange)]),
      result: z.strictObject({ ok: z.literal(true), flags: z.array(text) }),
      errors: ["ADAPTER_CONFLICT"],
      examples: [
        {
          source: `R email.flag "${EXAMPLE_ID}" {"add": ["seen", "billing"]} ->f`,
          result: { ok: true, flags: ["billing", "seen"] },
        },
      ],
      run: ({ args: [id, flags], instance, ctx }) => changeFlags(instance, id, flags, ctx),
    }),
    folders: verb({
      ...reading,
      summary: "The folders of an account, with how many messages they hold.",
      args: z.tuple([]),
      options: z.strictObject({ account }),
      result: z.array(z.strictObject({ name: text, total: z.number().nullable(), unseen: z.number().nullable() })),
      examples: [{ source: "R email.folders ->all", result: [{ name: "INBOX", total: 12, unseen: 3 }] }],
      run: ({ options, instance, ctx }) => listFolders(instance.get(options.account), ctx),
    }),
  },
});
