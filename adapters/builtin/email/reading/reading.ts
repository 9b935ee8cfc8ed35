/**
 * Verbs that look at mail: lists and searches of a folder, one message, the folders. They open folders read-only and fetch without the
 * server's mark of having been read; only `mark_seen` changes anything.
 */
import type { FetchMessageObject, ListResponse, SearchObject } from "imapflow";
import type { JsonObject } from "../../../../compiler/json.ts";
import type { VerbContext } from "../../../definition/define.ts";
import { adapterError } from "../../../errors.ts";
import type { Account, Accounts } from "../account.ts";
import { refusedCommand } from "../mail-errors.ts";
import { type Message, messageOf, snippetOf, wanted } from "../message/message.ts";
import type { StoredId } from "../message/message-id.ts";
import type { EmailSettings } from "../settings.ts";
import type { OpenFolder } from "./imap.ts";

/** Messages that one search looks into for what the server cannot search for. */
const MAX_EXAMINED = 200;

export type Listing = {
  readonly folder: string;
  readonly limit: number;
  readonly criteria: SearchObject;
  /** Only later ones; 0: all. */
  readonly sinceUid: number;
  readonly newestFirst: boolean;
  readonly markSeen: boolean;
  readonly contents: boolean;
  readonly maxBodyBytes: number;
  /** What the server cannot decide. */
  admits(message: Message): boolean;
};

/** Messages of a folder that fit, in order of their arrival. */
export async function listMessages(
  account: Account,
  listing: Listing,
  settings: EmailSettings,
  ctx: VerbContext,
): Promise<readonly Message[]> {
  const use = { path: listing.folder, change: listing.markSeen };
  return account.imap.inFolder(use, ctx.signal, async (open) => {
    const found = await matching(open, listing);
    const messages: Message[] = [];
    const uids: number[] = [];
    for (const uid of found.slice(0, MAX_EXAMINED)) {
      if (messages.length >= listing.limit) break;
      const fetched = await fetchOne(open, uid, settings.max_message_bytes);
      // Deleted since the search.
      if (fetched === null) continue;
      const message = await messageOf(fetched, open.folder, viewOf(account, settings, listing));
      if (!listing.admits(message)) continue;
      messages.push(message);
      uids.push(uid);
    }
    if (listing.markSeen && uids.length > 0) await store(open, uids, ["\\Seen"], "add");
    return messages;
  });
}

async function matching(open: OpenFolder, { criteria, sinceUid, newestFirst }: Listing): Promise<readonly number[]> {
  const range = sinceUid === 0 ? {} : { uid: `${sinceUid + 1}:*` };
  const query = { ...criteria, ...range };
  const found = await open.client.search(Object.keys(query).length === 0 ? { all: true } : query, { uid: true });
  if (!Array.isArray(found)) throw refusedCommand();
  // A range up to the last message always holds that one.
  const uids = found.filter((uid) => uid > sinceUid).sort((a, b) => a - b);
  return newestFirst ? uids.reverse() : uids;
}

async function fetchOne({ client }: OpenFolder, uid: number, maxBytes: number): Promise<FetchMessageObject | null> {
  const fetched = await client.fetchOne(String(uid), wanted(maxBytes), { uid: true });
  return fetched ? fetched : null;
}

function viewOf(
  account: Account,
  settings: EmailSettings,
  { contents, maxBodyBytes }: Pick<Listing, "contents" | "maxBodyBytes">,
) {
  return {
    parser: account.parser,
    account: account.name,
    maxMessageBytes: settings.max_message_bytes,
    contents,
    maxBodyBytes,
  };
}

/** Adds what `search` shows besides. */
export function withSnippet(message: Message): Message & { readonly snippet: string } {
  return { ...message, snippet: snippetOf(message) };
}

/** Calls `work` with the message of an id. Throws ADAPTER_CONFLICT for an id of before, ADAPTER_NOT_FOUND without such a message. */
export async function withMessage<T>(
  account: Account,
  id: StoredId,
  facts: { readonly change: boolean; readonly maxBytes: number },
  ctx: VerbContext,
  work: (open: OpenFolder, fetched: FetchMessageObject) => Promise<T>,
): Promise<T> {
  return account.imap.inFolder({ path: id.folder, change: facts.change }, ctx.signal, async (open) => {
    refuseStale(open, id);
    const fetched = await fetchOne(open, id.uid, facts.maxBytes);
    if (fetched === null) throw adapterError("ADAPTER_NOT_FOUND", "unknown message");
    return work(open, fetched);
  });
}

export function refuseStale({ folder }: OpenFolder, id: StoredId): void {
  if (folder.uidValidity !== id.uidValidity)
    throw adapterError("ADAPTER_CONFLICT", "the server has numbered its messages anew; the id is no longer valid");
}

export function fetchMessage(
  accounts: Accounts,
  id: StoredId,
  contents: boolean,
  settings: EmailSettings,
  ctx: VerbContext,
): Promise<Message> {
  const account = accounts.get(id.account);
  const maxBytes = settings.max_message_bytes;
  const view = viewOf(account, settings, { contents, maxBodyBytes: maxBytes });
  return withMessage(account, id, { change: false, maxBytes }, ctx, (open, fetched) =>
    messageOf(fetched, open.folder, view),
  );
}

export async function listFolders(account: Account, ctx: VerbContext): Promise<readonly JsonObject[]> {
  const statusQuery = { messages: true, unseen: true };
  const folders = await account.imap.use(false, ctx.signal, (client) => client.list({ statusQuery }));
  return folders
    .filter((one) => !one.flags.has("\\Noselect") && !one.flags.has("\\NonExistent"))
    .map(({ path, status }: ListResponse) => ({
      name: path,
      total: status?.messages ?? null,
      unseen: status?.unseen ?? null,
    }));
}

/** Changes flags of messages. Throws ADAPTER_FAILED when the server refuses. */
export async function store(
  { client }: OpenFolder,
  uids: readonly number[],
  flags: readonly string[],
  change: "add" | "remove",
): Promise<void> {
  if (flags.length === 0) return;
  const how = { uid: true };
  const done =
    change === "add"
      ? await client.messageFlagsAdd([...uids], [...flags], how)
      : await client.messageFlagsRemove([...uids], [...flags], how);
  if (!done) throw refusedCommand();
}
