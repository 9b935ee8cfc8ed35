/**
 * Trees of files: the entries below a folder whose path fits a pattern. Links are entries, never followed. Only folders that can
 * hold a match are read, and no more than a bound of entries in all.
 */
import type { Dirent } from "node:fs";
import { adapterError } from "../../errors.ts";
import type { PathPattern } from "../../guard/files/glob.ts";
import type { FileRoot, Segments } from "../../guard/files/path.ts";
import { isReserved } from "../../guard/files/reserved.ts";
import { type Folder, inFolder } from "../../guard/files/walk.ts";
import { entriesOf, isTemporary, removeLeftover } from "../../guard/files/write.ts";
import { isMissing } from "./reading.ts";

const MAX_VISITED = 100_000;

export type TreeEntry = {
  /** Below the folder that was walked. */
  readonly path: Segments;
  readonly entry: Dirent;
};

export type TreeWalk = {
  readonly root: FileRoot;
  /** The folder, without links on the way. */
  readonly base: Segments;
  readonly pattern: PathPattern;
  readonly signal: AbortSignal;
  readonly now: number;
  /** Whether temporary files are entries, too. */
  readonly temporaries?: boolean;
};

/** The matching entries, folders before what is in them. Throws ADAPTER_TOO_LARGE when there is more to visit than allowed. */
export async function* treeOf(walk: TreeWalk): AsyncGenerator<TreeEntry> {
  const { pattern } = walk;
  const folders = [{ path: [] as Segments, states: pattern.start }];
  let visited = 0;
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const entries = await entriesAt(walk, next.path, MAX_VISITED - visited);
    visited += entries.length;
    for (const entry of entries) {
      const states = pattern.after(next.states, entry.name);
      const path = [...next.path, entry.name];
      if (pattern.accepts(states)) yield { path, entry };
      if (entry.isDirectory() && pattern.continues(states)) folders.push({ path, states });
    }
  }
}

/** The entries of one folder of the tree; none when it has vanished meanwhile, or is the operator's. */
async function entriesAt(walk: TreeWalk, path: Segments, most: number): Promise<readonly Dirent[]> {
  walk.signal.throwIfAborted();
  try {
    return await inFolder(walk.root, [...walk.base, ...path], { purpose: "read", links: "none" }, (folder) =>
      visibleEntries(folder, walk, most),
    );
  } catch (thrown) {
    if (path.length > 0 && (isMissing(thrown) || isReserved(thrown))) return [];
    throw thrown;
  }
}

async function visibleEntries(folder: Folder, walk: TreeWalk, most: number): Promise<readonly Dirent[]> {
  const entries: Dirent[] = [];
  for await (const entry of entriesOf(folder)) {
    walk.signal.throwIfAborted();
    if (walk.temporaries !== true && isTemporary(entry.name)) {
      await removeLeftover(folder, entry.name, walk.now);
      continue;
    }
    if (entries.length >= most) throw tooManyEntries(MAX_VISITED);
    entries.push(entry);
  }
  return entries;
}

export function tooManyEntries(bound: number) {
  return adapterError("ADAPTER_TOO_LARGE", `there are more than ${bound} entries`, { data: { max_entries: bound } });
}
