/**
 * Verbs that send or prepare mail. The order is fixed: what settings forbid, then the ledger, then the message and its files, the day's
 * quota, and the server last; so nothing that is refused leaves a trace outside, and nothing is sent twice under one key.
 */
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import type { VerbContext } from "../../../definition/define.ts";
import { adapterError } from "../../../errors.ts";
import type { Account, Accounts } from "../account.ts";
import { type AddressList, type Mailbox, parseAddresses, writtenMailbox } from "../message/addresses.ts";
import { type AttachmentList, loadAttachments } from "../message/attachments.ts";
import { type Original, originalOf, parsed } from "../message/message.ts";
import type { StoredId } from "../message/message-id.ts";
import { type Keyed, messageIdFor, once, withinQuota } from "../once.ts";
import { withMessage } from "../reading/reading.ts";
import type { EmailSettings } from "../settings.ts";
import { composed, type Draft } from "./composing.ts";

export type Sending = { readonly accounts: Accounts; readonly settings: EmailSettings; readonly ctx: VerbContext };

/** What a message says, before it is bytes. */
export type Content = Pick<Draft, "subject" | "body"> & { readonly attachments: AttachmentList };

export type SendRequest = Content & {
  readonly to: AddressList;
  readonly cc: AddressList | undefined;
  readonly bcc: AddressList | undefined;
  readonly replyTo: AddressList | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly account: string | undefined;
};

export type ReplyRequest = Omit<Content, "subject"> & {
  readonly id: StoredId;
  readonly all: boolean;
  readonly account: string | undefined;
};

type Recipients = {
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly bcc: readonly Mailbox[];
};
type Threading = Pick<Draft, "inReplyTo" | "references">;
type Parcel = Content & Recipients & Threading & Pick<Draft, "replyTo" | "headers">;

const NO_THREAD: Threading = { inReplyTo: null, references: [] };

export async function send(request: SendRequest, call: Sending): Promise<JsonObject> {
  const account = sender(request.account, call);
  const { to, subject } = request;
  const recipients = {
    to: await parseAddresses(to, "to"),
    cc: await parseAddresses(request.cc, "cc"),
    bcc: await parseAddresses(request.bcc, "bcc"),
  };
  account.admitRecipients(everybody(recipients), call.settings);
  const replyTo = await parseAddresses(request.replyTo, "reply_to");
  const keyed: Keyed = { verb: "send", asked: askedFor(request, account) };
  const parcel = { ...request, ...recipients, ...NO_THREAD, replyTo };
  return sendOnce(account, keyed, call, async () => ({ parcel, answer: { to, subject } }));
}

export async function reply(request: ReplyRequest, call: Sending): Promise<JsonObject> {
  const account = sender(request.account ?? request.id.account, call);
  const { id, all } = request;
  const { id: _id, ...rest } = request;
  const asked = askedFor({ ...rest, id: [id.account, id.folder, String(id.uidValidity), id.uid] }, account);
  const keyed: Keyed = { verb: "reply", asked };
  return sendOnce(account, keyed, call, async () => {
    const original = await originalAt(id, call);
    const recipients = answered(original, await account.from(), all);
    account.admitRecipients(everybody(recipients), call.settings);
    const subject = /^re:/i.test(original.subject) ? original.subject : `Re: ${original.subject}`.trim();
    const thread = threadOf(original);
    const parcel = { ...request, ...recipients, ...thread, subject, replyTo: [], headers: {} };
    const to = recipients.to.map(writtenMailbox).join(", ");
    return { parcel, answer: { to, subject, in_reply_to: thread.inReplyTo, reply_all: all } };
  });
}

/** The account to send from. Throws ADAPTER_WRITE_FORBIDDEN. */
function sender(name: string | undefined, { accounts, settings }: Sending): Account {
  const account = accounts.get(name);
  if (!settings.allow_send) throw adapterError("ADAPTER_WRITE_FORBIDDEN", "sending mail is not allowed");
  return account;
}

type Prepared = { readonly parcel: Parcel; readonly answer: JsonObject };

/** Composes and sends what `prepare` gives, unless the ledger knows the answer; the copy comes when nothing can be lost any more. */
async function sendOnce(
  account: Account,
  keyed: Keyed,
  call: Sending,
  prepare: () => Promise<Prepared>,
): Promise<JsonObject> {
  const { ctx } = call;
  const { smtp } = account;
  const sent: { message?: Buffer } = {};
  const result = await once(keyed, ctx, async (): Promise<JsonObject> => {
    const { parcel, answer } = await prepare();
    const { message, messageId, from } = await messageFor(account, keyed, parcel, call);
    const to = [...new Set(everybody(parcel).map(({ address }) => address))];
    const { accepted, rejected } = await withinQuota(account, ctx, () =>
      smtp.send({ from: from.address, to }, message, ctx.signal),
    );
    sent.message = message;
    return {
      status: "sent",
      provider: "smtp",
      method: "smtp",
      message_id: messageId,
      attachments: parcel.attachments.length,
      accepted: [...accepted],
      rejected: [...rejected],
      ...answer,
    };
  });
  if (sent.message !== undefined) await keepCopy(account, sent.message, ctx);
  return result;
}

export async function messageFor(
  account: Account,
  keyed: Keyed,
  parcel: Omit<Parcel, "bcc">,
  { settings, ctx }: Sending,
): Promise<{ readonly message: Buffer; readonly messageId: string; readonly from: Mailbox }> {
  const from = await account.from();
  const messageId = messageIdFor(keyed, from, ctx);
  const maxBytes = settings.max_message_bytes;
  const attachments = await loadAttachments(parcel.attachments, maxBytes, ctx);
  const date = new Date(ctx.now());
  const message = await composed({ ...parcel, from, attachments, messageId, date }, maxBytes);
  return { message, messageId, from };
}

/** The message is sent; that its copy could not be kept is worth a warning and no more. */
async function keepCopy(account: Account, message: Buffer, ctx: VerbContext): Promise<void> {
  const { sent, imap } = account.config;
  if (sent === undefined || imap === undefined) return;
  try {
    await account.imap.use(true, ctx.signal, (client) => client.append(sent, message, ["\\Seen"]));
  } catch {
    ctx.run.warn("email_copy_not_kept: the message was sent, but no copy could be stored in the folder of sent mail");
  }
}

/** What a ledger compares: the call as it was made, account included. */
export function askedFor(request: { readonly [member: string]: unknown }, account: Account): Json {
  // Made of checked arguments, which are JSON; members that were not given drop out.
  return JSON.parse(JSON.stringify({ ...request, account: account.name })) as Json;
}

function everybody({ to, cc, bcc }: Recipients): readonly Mailbox[] {
  return [...to, ...cc, ...bcc];
}

function originalAt(id: StoredId, { accounts, settings, ctx }: Sending): Promise<Original> {
  const facts = { change: false, maxBytes: settings.max_message_bytes };
  const account = accounts.get(id.account);
  return withMessage(account, id, facts, ctx, async (_open, fetched) =>
    originalOf(await parsed(fetched, account.parser), fetched),
  );
}

/** Who gets an answer: where answers are wanted, else the sender; with `all` everybody but oneself. */
function answered(original: Original, self: Mailbox, all: boolean): Recipients {
  const to = original.replyTo.length > 0 ? original.replyTo : original.from;
  if (to.length === 0) throw adapterError("ADAPTER_BAD_DATA", "the message has no sender that could be answered");
  if (!all) return { to, cc: [], bcc: [] };
  const taken = new Set([...to.map(({ address }) => address), self.address]);
  const cc: Mailbox[] = [];
  for (const one of [...original.to, ...original.cc]) {
    if (!taken.has(one.address)) cc.push(one);
    taken.add(one.address);
  }
  return { to, cc, bcc: [] };
}

const MAX_REFERENCES = 20;

function threadOf({ messageId, references }: Original): Threading {
  if (messageId === null) return NO_THREAD;
  return { inReplyTo: messageId, references: [...references.slice(-MAX_REFERENCES), messageId] };
}
