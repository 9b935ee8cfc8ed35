/**
 * A lock between processes that share a folder: a file that only one of them can create. A process that dies with it does not block others for long:
 * after a while the lock counts as abandoned and is removed.
 */
import { constants } from "node:fs";
import { link, lstat, open, rename, unlink } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { adapterError } from "../../errors.ts";
import { errnoOf, ifPresent } from "../../guard/files/errors.ts";
import type { Folder } from "../../guard/files/walk.ts";
import type { MailCall } from "./mailbox.ts";

const LOCK = ".lock";
const ABANDONED_AFTER_MS = 10_000;
const MAX_PAUSE_MS = 25;

/** Which file a lock is: a number may be used again, but not with the same time. */
type Identity = { readonly inode: bigint; readonly changed: bigint };

/** Throws ADAPTER_BUSY when the lock was taken away meanwhile. */
export type StillHeld = () => Promise<void>;

/** Runs `work` under the lock of `folder`, which is exclusive among all processes; waits for it until the call ends. */
export async function withLock<T>(folder: Folder, call: MailCall, work: (held: StillHeld) => Promise<T>): Promise<T> {
  const own = await acquire(folder, call);
  const isOwn = async (): Promise<boolean> => sameLock(own, await identityOf(folder.at(LOCK)));
  try {
    return await work(async () => {
      if (!(await isOwn())) throw adapterError("ADAPTER_BUSY", "the lock of the mailbox was lost");
    });
  } finally {
    if (await isOwn()) await ifPresent(unlink(folder.at(LOCK)));
  }
}

async function acquire(folder: Folder, call: MailCall): Promise<Identity> {
  for (let pause = 1; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    call.signal.throwIfAborted();
    const own = await created(folder, call);
    if (own !== null) return own;
    await removeAbandoned(folder, call);
    await delay(pause * (0.5 + call.random() / 2), undefined, { signal: call.signal });
  }
}

/** Identity of a new lock file, which tells people who made it and when; null: there is one already. */
async function created(folder: Folder, call: MailCall): Promise<Identity | null> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(folder.at(LOCK), O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600);
  } catch (thrown) {
    if (errnoOf(thrown) === "EEXIST") return null;
    throw thrown;
  }
  try {
    await handle.writeFile(`${JSON.stringify({ pid: process.pid, at: new Date(call.now()).toISOString() })}\n`);
    const facts = await handle.stat({ bigint: true });
    return { inode: facts.ino, changed: facts.mtimeNs };
  } catch (thrown) {
    await unlink(folder.at(LOCK));
    throw thrown;
  } finally {
    await handle.close();
  }
}

/** Only the lock that was seen to be old is removed: another process may have replaced it meanwhile. */
async function removeAbandoned(folder: Folder, call: MailCall): Promise<void> {
  const seen = await identityOf(folder.at(LOCK));
  // One that lies ahead is from before the clock was set back, and would otherwise be in the way until it is that late again.
  if (seen === undefined || Math.abs(call.now() - Number(seen.changed / 1_000_000n)) <= ABANDONED_AFTER_MS) return;
  const aside = folder.at(`${LOCK}.${call.uuid()}`);
  if (await isMissing(rename(folder.at(LOCK), aside))) return;
  if (!sameLock(seen, await identityOf(aside))) await putBack(aside, folder.at(LOCK));
  await unlink(aside);
}

async function putBack(aside: string, lock: string): Promise<void> {
  try {
    await link(aside, lock);
  } catch (thrown) {
    // Somebody was faster; the one whose lock this was finds out before it writes.
    if (errnoOf(thrown) !== "EEXIST") throw thrown;
  }
}

async function isMissing(attempt: Promise<void>): Promise<boolean> {
  return (await ifPresent(attempt.then(() => true))) === undefined;
}

async function identityOf(path: string): Promise<Identity | undefined> {
  const facts = await ifPresent(lstat(path, { bigint: true }));
  return facts === undefined ? undefined : { inode: facts.ino, changed: facts.mtimeNs };
}

function sameLock(one: Identity, other: Identity | undefined): boolean {
  return other !== undefined && one.inode === other.inode && one.changed === other.changed;
}
