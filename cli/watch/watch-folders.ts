/**
 * Watching folders with all that is below them, by one watcher for each folder. Where Node.js watches recursively itself, on Linux, it reads a
 * folder anew for every file that comes into it: a thousand new files held the thread for seconds.
 */
import { type FSWatcher, lstatSync, readdirSync, watch } from "node:fs";
import { join, sep } from "node:path";
import { NEVER_ENTERED } from "../input/python-files.ts";

/** `path`: of what changed, below its folder; null: perhaps anything. */
export type Noticed = (path: string | null) => void;

/** Returns the way to stop. Throws what the system says of a folder that cannot be watched. `failed`: a watcher has ended by itself. */
export function watchFolders(
  folders: readonly string[],
  noticed: Noticed,
  failed: (cause: Error) => void = () => {},
): () => void {
  const watchers = new Map<string, FSWatcher>();
  const close = (): void => {
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
  /** False: it was not watched. */
  const leave = (place: string): boolean => {
    if (!watchers.has(place)) return false;
    for (const [other, watcher] of watchers)
      if (other === place || other.startsWith(place + sep)) {
        watcher.close();
        watchers.delete(other);
      }
    return true;
  };
  const enter = (root: string, below: string): void => {
    const place = join(root, below);
    if (watchers.has(place)) return;
    const watcher = watch(place, (kind, name) => {
      const path = name === null ? null : below === "" ? name : `${below}/${name}`;
      const isFolderNow = kind === "rename" && path !== null && isEntered(name ?? "") && isFolder(join(root, path));
      const wasFolder = kind === "rename" && path !== null && leave(join(root, path));
      if (isFolderNow) tryEnter(root, path);
      noticed(isFolderNow || wasFolder ? null : path);
    });
    watchers.set(place, watcher);
    watcher.on("error", (cause) => {
      watcher.close();
      watchers.delete(place);
      // What watches the folder above notices that this one is gone.
      if (below === "") failed(cause);
    });
    for (const entry of readdirSync(place, { withFileTypes: true }))
      if (entry.isDirectory() && isEntered(entry.name))
        tryEnter(root, below === "" ? entry.name : `${below}/${entry.name}`);
  };
  /** One that is gone by now, or may not be read, has no programs either. */
  const tryEnter = (root: string, below: string): void => {
    try {
      enter(root, below);
    } catch {}
  };
  try {
    for (const folder of folders) enter(folder, "");
  } catch (cause) {
    close();
    throw cause;
  }
  return close;
}

function isEntered(name: string): boolean {
  return !name.startsWith(".") && !NEVER_ENTERED.has(name);
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}
