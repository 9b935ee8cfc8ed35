/**
 * From what a program wants to send to the bytes of a message. Every address, header and file was checked before; the library only encodes.
 * Blind recipients are known to the envelope alone and never reach this place.
 */

import { z } from "../../../definition/define.ts";
import { singleLine } from "../../../definition/one-line.ts";
import { adapterError } from "../../../errors.ts";
import type { Mailbox } from "../message/addresses.ts";
import type { LoadedAttachment } from "../message/attachments.ts";
import { loadMailComposer } from "../packages.ts";

/** Headers that say who sent what, how it is built, or who gets it; they are not a program's to write. */
const RESERVED =
  /^(bcc|cc|to|from|sender|reply-to|subject|date|message-id|mime-version|return-path|received|dkim-.*|arc-.*|content-.*|resent-.*|authentication-results|delivered-to)$/i;

const headerName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9-]{0,75}$/, "the name of a header")
  .refine((name) => !RESERVED.test(name), "a header that programs may set");
export const headerMap = z
  .record(headerName, singleLine(900))
  .refine((map) => Object.keys(map).length <= 50, "50 headers");

const MAX_BODY = 20_000_000;
const bodyText = z.string().max(MAX_BODY);
export const bodyInput = z.union(
  [
    bodyText,
    z
      .strictObject({ text: bodyText.optional(), html: bodyText.optional() })
      .refine(({ text, html }) => text !== undefined || html !== undefined, "text or html"),
  ],
  "text, or {text, html}",
);

export type Draft = {
  readonly from: Mailbox;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  readonly subject: string;
  readonly body: z.output<typeof bodyInput>;
  readonly attachments: readonly LoadedAttachment[];
  readonly headers: Readonly<Record<string, string>>;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  readonly messageId: string;
  readonly date: Date;
};

/** Throws ADAPTER_TOO_LARGE. */
export async function composed(draft: Draft, maxBytes: number): Promise<Buffer> {
  const MailComposer = await loadMailComposer();
  const { text, html } = typeof draft.body === "string" ? { text: draft.body, html: undefined } : draft.body;
  const composer = new MailComposer({
    from: { ...draft.from },
    to: draft.to.map((one) => ({ ...one })),
    cc: draft.cc.map((one) => ({ ...one })),
    replyTo: draft.replyTo.map((one) => ({ ...one })),
    subject: draft.subject,
    messageId: draft.messageId,
    date: draft.date,
    headers: Object.entries(draft.headers).map(([key, value]) => ({ key, value })),
    ...(draft.inReplyTo === null ? {} : { inReplyTo: draft.inReplyTo, references: [...draft.references] }),
    ...(text === undefined ? {} : { text: text.toWellFormed() }),
    ...(html === undefined ? {} : { html: html.toWellFormed() }),
    attachments: draft.attachments.map(({ filename, contentType, content }) => ({ filename, contentType, content })),
    newline: "win",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = await composer.compile().build();
  if (message.length > maxBytes)
    throw adapterError("ADAPTER_TOO_LARGE", `the message is larger than ${maxBytes} bytes`, {
      data: { max_bytes: maxBytes },
    });
  return message;
}
