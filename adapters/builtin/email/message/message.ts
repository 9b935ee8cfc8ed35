/**
 * A received message as programs see it. Its content is untrusted: it is parsed within limits, its headers are cleaned, and one
 * that cannot be parsed still has what the server says of it. The parser reads windows-1252 as Latin-1 where the platform does, hence
 * `asWindows1252` around every text.
 */
import type { FetchMessageObject, MailboxObject } from "imapflow";
import type { Attachment, Email } from "postal-mime";
import { asWindows1252 } from "../../../content/charset.ts";
import { readDate } from "../../../content/written-date.ts";
import { z } from "../../../definition/define.ts";
import { firstBytes, onOneLine } from "../../../definition/one-line.ts";
import { checkedMailbox, type Mailbox, writtenMailbox } from "./addresses.ts";
import { writtenId } from "./message-id.ts";
import type { MailParser } from "./parser.ts";

const SNIPPET = 100;
const MESSAGE_ID = /^<[^<>\s]{1,500}>$/;

const attachment = z.strictObject({
  filename: z.string().nullable(),
  content_type: z.string(),
  size: z.number(),
  content: z.strictObject({ $base64: z.string() }).optional(),
});

export const message = z.strictObject({
  id: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  body: z.string(),
  body_html: z.string().optional(),
  timestamp: z.string().nullable(),
  unread: z.boolean(),
  message_id: z.string().nullable(),
  in_reply_to: z.string().nullable(),
  references: z.array(z.string()),
  attachments: z.array(attachment),
  truncated: z.boolean(),
});
export const foundMessage = message.extend({ snippet: z.string() });
export type Message = z.output<typeof message>;

export type MessageView = {
  readonly parser: Pick<MailParser, "parse">;
  readonly account: string;
  /** Most bytes of a message that were asked for. */
  readonly maxMessageBytes: number;
  readonly maxBodyBytes: number;
  /** Whether attachments bring their bytes. */
  readonly contents: boolean;
};

/** What to ask the server for; at most `maxBytes` of a message. */
export function wanted(maxBytes: number) {
  return { uid: true, flags: true, envelope: true, internalDate: true, size: true, source: { maxLength: maxBytes } };
}

/** The parts of a message that answering it needs. */
export type Original = {
  readonly from: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly subject: string;
  readonly messageId: string | null;
  readonly references: readonly string[];
};

/** null: it is too broken to be parsed. */
export function parsed(fetched: FetchMessageObject, parser: Pick<MailParser, "parse">): Promise<Email | null> {
  return parser.parse(fetched.source ?? new Uint8Array());
}

export async function messageOf(
  fetched: FetchMessageObject,
  folder: MailboxObject,
  view: MessageView,
): Promise<Message> {
  const email = await parsed(fetched, view.parser);
  const original = originalOf(email, fetched);
  const body = firstBytes(bodyOf(email), view.maxBodyBytes);
  const html = firstBytes(asWindows1252(email?.html ?? ""), view.maxBodyBytes);
  // Some servers only estimate sizes, so a size alone does not tell.
  const received = fetched.source?.length ?? 0;
  const partial = received >= view.maxMessageBytes && (fetched.size ?? 0) > received;
  return {
    id: writtenId({ folder: folder.path, uidValidity: folder.uidValidity, uid: fetched.uid, account: view.account }),
    from: original.from.map(writtenMailbox).join(", "),
    to: original.to.map(writtenMailbox),
    cc: original.cc.map(writtenMailbox),
    subject: original.subject,
    body: body.text,
    ...(email?.html === undefined ? {} : { body_html: html.text.toWellFormed() }),
    timestamp: timestampOf(email, fetched),
    unread: fetched.flags?.has("\\Seen") !== true,
    message_id: original.messageId,
    in_reply_to: idsIn(email?.inReplyTo)[0] ?? null,
    references: [...original.references],
    attachments: (email?.attachments ?? []).map((one) => attachmentOf(one, view.contents)),
    truncated: email === null || partial || body.cut || html.cut,
  };
}

/** The beginning of a message's text on one line. */
export function snippetOf({ body }: Message): string {
  return onOneLine(
    [
      ...body
        .slice(0, 10 * SNIPPET)
        .replace(/\s+/g, " ")
        .trim(),
    ]
      .slice(0, SNIPPET)
      .join(""),
  );
}

/** Headers as the message has them, else as the server read them. */
export function originalOf(email: Email | null, { envelope = {} }: FetchMessageObject): Original {
  return {
    from: email === null ? mailboxes(envelope.from) : mailboxes(email.from === undefined ? [] : [email.from]),
    replyTo: mailboxes(email === null ? envelope.replyTo : email.replyTo),
    to: mailboxes(email === null ? envelope.to : email.to),
    cc: mailboxes(email === null ? envelope.cc : email.cc),
    subject: onOneLine(asWindows1252((email === null ? envelope.subject : email.subject) ?? "")),
    messageId: idsIn(email === null ? envelope.messageId : email.messageId)[0] ?? null,
    references: idsIn(email?.references),
  };
}

type Written = { readonly name?: string | undefined; readonly address?: string | undefined };
type WrittenGroup = Written & { readonly group?: readonly Written[] | undefined };

/** Those that are addresses, groups taken apart. */
function mailboxes(written: readonly WrittenGroup[] | undefined): readonly Mailbox[] {
  return (written ?? [])
    .flatMap((one): readonly Written[] => one.group ?? [one])
    .map(({ name = "", address }) => checkedMailbox({ name: asWindows1252(name), address }))
    .filter((one) => one !== undefined);
}

function idsIn(header: string | undefined): string[] {
  return (header ?? "").split(/\s+/).filter((one) => MESSAGE_ID.test(one));
}

function bodyOf(email: Email | null): string {
  return asWindows1252(email?.text ?? "")
    .replace(/\r\n?/g, "\n")
    .trimEnd()
    .toWellFormed();
}

function timestampOf(email: Email | null, { internalDate }: FetchMessageObject): string | null {
  // The parser reads a date without a zone as one of this machine.
  const written = email?.headers.find(({ key }) => key === "date")?.value ?? "";
  const times = [readDate(written), internalDate].map((one) => new Date(one ?? Number.NaN));
  const time = times.find((one) => !Number.isNaN(one.getTime()) && one.getUTCFullYear() >= 0);
  return time?.toISOString() ?? null;
}

function attachmentOf(one: Attachment, contents: boolean): z.output<typeof attachment> {
  // Parsed without `attachmentEncoding`, contents are bytes.
  const bytes = typeof one.content === "string" ? Buffer.from(one.content) : Buffer.from(new Uint8Array(one.content));
  return {
    filename: one.filename === null ? null : onOneLine(asWindows1252(one.filename)),
    content_type: onOneLine(one.mimeType),
    size: bytes.length,
    ...(contents ? { content: { $base64: bytes.toString("base64") } } : {}),
  };
}
