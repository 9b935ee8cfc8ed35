/**
 * Verbs that change where messages are and how they are marked. A message is taken away only after its copy is known to be stored, and
 * never together with others that somebody marked for deletion.
 */
import type { JsonObject } from "../../../../compiler/json.ts";
import { AdapterError } from "../../../../vm/errors/failures.ts";
import { type VerbContext, z } from "../../../definition/define.ts";
import { adapterError } from "../../../errors.ts";
import type { Account, Accounts } from "../account.ts";
import { refusedCommand } from "../mail-errors.ts";
import { type StoredId, writtenId } from "../message/message-id.ts";
import { once } from "../once.ts";
import type { OpenFolder } from "./imap.ts";
import { refuseStale, store, withMessage } from "./reading.ts";

const SYSTEM_FLAGS: ReadonlyMap<string, string> = new Map([
  ["seen", "\\Seen"],
  ["answered", "\\Answered"],
  ["flagged", "\\Flagged"],
  ["draft", "\\Draft"],
]);

/** `seen`, `answered`, `flagged`, `draft`, or a keyword of one's own. */
export const flagName = z
  .string()
  .regex(/^\\?[A-Za-z0-9$_.-]{1,64}$/, "the name of a flag")
  .refine((name) => !/^\\?(deleted|recent)$/i.test(name), "a flag that programs may set")
  .refine((name) => !name.startsWith("\\") || SYSTEM_FLAGS.has(name.slice(1).toLowerCase()), "the name of a flag");

export const flagChange = z.union(
  [
    z.array(flagName).min(1).max(50),
    z.strictObject({ add: z.array(flagName).max(50).default([]), remove: z.array(flagName).max(50).default([]) }),
  ],
  "a list of flags, or {add, remove}",
);

export function wireFlag(name: string): string {
  return SYSTEM_FLAGS.get(name.replace("\\", "").toLowerCase()) ?? name;
}

function programFlag(flag: string): string {
  return flag.startsWith("\\") ? flag.slice(1).toLowerCase() : flag;
}

export async function changeFlags(
  accounts: Accounts,
  id: StoredId,
  change: z.output<typeof flagChange>,
  ctx: VerbContext,
): Promise<JsonObject> {
  const { add, remove } = "add" in change ? change : { add: change, remove: [] };
  const known = { change: true, maxBytes: 1 };
  return withMessage(accounts.get(id.account), id, known, ctx, async (open, { uid }) => {
    await store(open, [uid], add.map(wireFlag), "add");
    await store(open, [uid], remove.map(wireFlag), "remove");
    const after = await open.client.fetchOne(String(uid), { flags: true }, { uid: true });
    const flags = after ? [...(after.flags ?? [])] : [];
    return {
      ok: true,
      flags: flags
        .map(programFlag)
        .filter((one) => one !== "recent")
        .sort(),
    };
  });
}

export async function moveMessage(
  accounts: Accounts,
  id: StoredId,
  folder: string,
  ctx: VerbContext,
): Promise<JsonObject> {
  const asked = [id.account, id.folder, String(id.uidValidity), id.uid, folder];
  return once({ verb: "move", asked }, ctx, async (again) => {
    try {
      return await moved(accounts.get(id.account), id, folder, ctx);
    } catch (thrown) {
      // What an attempt before has moved is no longer where it was.
      if (again && thrown instanceof AdapterError && thrown.code === "ADAPTER_NOT_FOUND") return { ok: true, id: null };
      throw thrown;
    }
  });
}

function moved(account: Account, id: StoredId, folder: string, ctx: VerbContext): Promise<JsonObject> {
  return withMessage(account, id, { change: true, maxBytes: 1 }, ctx, async (open, { uid }) => {
    const { client } = open;
    const range = String(uid);
    const moves = client.capabilities.has("MOVE");
    const done = moves
      ? await client.messageMove(range, folder, { uid: true })
      : await client.messageCopy(range, folder, { uid: true });
    if (!done) throw adapterError("ADAPTER_NOT_FOUND", "the server did not move the message; is there such a folder?");
    if (!moves) await expunge(open, uid);
    const { uidValidity, uidMap, destination } = done;
    const copy = uidMap?.get(uid);
    if (uidValidity === undefined || copy === undefined) return { ok: true, id: null };
    return { ok: true, id: writtenId({ folder: destination, uidValidity, uid: copy, account: account.name }) };
  });
}

/** Deletes one message and no other: where the server can only delete all marked messages, it stays marked when others are marked as well. */
async function expunge(open: OpenFolder, uid: number): Promise<void> {
  const { client } = open;
  await store(open, [uid], ["\\Deleted"], "add");
  if (!client.capabilities.has("UIDPLUS")) {
    const marked = await client.search({ deleted: true }, { uid: true });
    if (!Array.isArray(marked) || marked.some((one) => one !== uid)) return;
  }
  if (!(await client.messageDelete(String(uid), { uid: true }))) throw refusedCommand();
}

/** Deletes the message of an id, if it is still there. */
export async function removeStored(open: OpenFolder, id: StoredId): Promise<void> {
  refuseStale(open, id);
  const found = await open.client.search({ uid: String(id.uid) }, { uid: true });
  if (Array.isArray(found) && found.includes(id.uid)) await expunge(open, id.uid);
}
