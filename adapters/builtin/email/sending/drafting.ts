/**
 * The verb that stores a draft for a person to look at. A new version is stored before the one it replaces is deleted, so that no failure
 * in between loses both; a call that is made again finds the draft it stored before.
 */
import type { ImapFlow } from "imapflow";
import type { JsonObject } from "../../../../compiler/json.ts";
import { adapterError } from "../../../errors.ts";
import type { Account } from "../account.ts";
import { refusedCommand } from "../mail-errors.ts";
import { type AddressList, parseAddresses } from "../message/addresses.ts";
import { type StoredId, writtenId } from "../message/message-id.ts";
import { type Keyed, once } from "../once.ts";
import { removeStored } from "../reading/filing.ts";
import type { OpenFolder } from "../reading/imap.ts";
import { refuseStale } from "../reading/reading.ts";
import { askedFor, type Content, messageFor, type Sending } from "./sending.ts";

export type DraftRequest = Content & {
  readonly to: AddressList;
  readonly replaces: StoredId | undefined;
  readonly account: string | undefined;
};

export async function draft(request: DraftRequest, call: Sending): Promise<JsonObject> {
  const { replaces } = request;
  const { accounts, settings, ctx } = call;
  const account = accounts.get(request.account ?? replaces?.account);
  const folder = account.config.drafts;
  const to = await parseAddresses(request.to, "to");
  account.admitRecipients(to, settings);
  const { replaces: _replaces, ...rest } = request;
  const replaced = replaces === undefined ? null : [String(replaces.uidValidity), replaces.uid];
  const keyed: Keyed = { verb: "draft", asked: askedFor({ ...rest, replaced }, account) };
  return once(keyed, ctx, async (again) => {
    const parcel = { ...request, to, cc: [], replyTo: [], headers: {}, inReplyTo: null, references: [] };
    const { message, messageId } = await messageFor(account, keyed, parcel, call);
    const id = await account.imap.inFolder({ path: folder, change: true }, ctx.signal, async (open) => {
      if (replaces !== undefined) refuseForeign(open, replaces, account);
      const uid = (again ? await uidOf(open.client, messageId) : undefined) ?? (await append(open, message, messageId));
      if (replaces !== undefined) await removeStored(open, replaces);
      return idOf(open, uid, account);
    });
    return { status: "draft", id, message_id: messageId };
  });
}

/** Only drafts of this account are replaced; any other message would be lost. */
function refuseForeign(open: OpenFolder, replaced: StoredId, account: Account): void {
  if (replaced.folder !== open.folder.path || replaced.account !== account.name)
    throw adapterError("ADAPTER_BAD_ARGS", "draft_id is not the id of a draft of this account");
  refuseStale(open, replaced);
}

async function append({ client, folder }: OpenFolder, message: Buffer, messageId: string): Promise<number | undefined> {
  const stored = await client.append(folder.path, message, ["\\Draft", "\\Seen"]);
  if (stored === false) throw refusedCommand();
  return stored.uid ?? uidOf(client, messageId);
}

async function uidOf(client: ImapFlow, messageId: string): Promise<number | undefined> {
  const found = await client.search({ header: { "message-id": messageId } }, { uid: true });
  return Array.isArray(found) ? found.at(-1) : undefined;
}

function idOf({ folder }: OpenFolder, uid: number | undefined, account: Account): string | null {
  if (uid === undefined) return null;
  return writtenId({ folder: folder.path, uidValidity: folder.uidValidity, uid, account: account.name });
}
