/**
 * Verbs that take a name away: move and delete. A link is moved or deleted itself, never what it leads to, and a tree is deleted
 * only when nothing in it is protected by a setting.
 */
import { link, rename, rmdir, unlink } from "node:fs/promises";
import { adapterError } from "../../errors.ts";
import { notAFile, pathEscape } from "../../guard/files/errors.ts";
import { PathPattern } from "../../guard/files/glob.ts";
import { parsePath, type Segments } from "../../guard/files/path.ts";
import { atPlace, type Place } from "../../guard/files/walk.ts";
import { isMissing } from "./reading.ts";
import { admitExtension, conflict, type FsCall, requireDelete, requireWrite } from "./settings.ts";
import { treeOf } from "./tree.ts";

const ALL_BELOW = new PathPattern(["**"]);

export type Deleted = { readonly ok: true; readonly deleted: boolean };

export async function move(from: string, to: string, overwrite: boolean, call: FsCall): Promise<{ readonly ok: true }> {
  const { instance, settings } = call;
  const source = parsePath(from);
  const target = parsePath(to);
  requireWrite(settings);
  if (source.length === 0 || target.length === 0) throw pathEscape();
  return atPlace(instance.root, source, { purpose: "write", links: "keep" }, (moved) => {
    const { facts } = moved;
    if (facts === undefined) throw adapterError("ADAPTER_NOT_FOUND", "no such file or folder");
    if (!facts.isDirectory()) for (const path of [source, target]) admitExtension(settings, path);
    return atPlace(instance.root, target, { purpose: "write", make: true, links: "keep" }, async (place) => {
      if (facts.isDirectory() && startsWith(place.path, moved.path))
        throw conflict("a folder cannot be moved into itself");
      await renamed(moved, place, overwrite);
      return { ok: true };
    });
  });
}

function startsWith(path: Segments, start: Segments): boolean {
  return start.every((segment, index) => path[index] === segment);
}

async function renamed(from: Place, to: Place, overwrite: boolean): Promise<void> {
  if (to.facts !== undefined && !overwrite) throw conflict("the target exists");
  const [source, target] = [from.folder.at(from.name), to.folder.at(to.name)];
  if (!overwrite && from.facts?.isFile() === true) {
    // Unlike rename, a second name is refused by the file system when somebody else was faster.
    await link(source, target);
    await unlink(source);
  } else await rename(source, target);
  await to.folder.handle.sync();
  await from.folder.handle.sync();
}

export async function remove(path: string, recursive: boolean, call: FsCall): Promise<Deleted> {
  const segments = parsePath(path);
  const { instance, settings } = call;
  requireDelete(settings);
  if (segments.length === 0) throw pathEscape();
  try {
    const deleted = await atPlace(instance.root, segments, { purpose: "write", links: "keep" }, async (place) => {
      if (place.facts === undefined) return false;
      if (!place.facts.isDirectory()) admitExtension(settings, segments);
      else if (!recursive) throw notAFile();
      else await emptyFolder(place.path, call);
      await unlinked(place);
      await place.folder.handle.sync();
      return true;
    });
    return { ok: true, deleted };
  } catch (thrown) {
    if (isMissing(thrown)) return { ok: true, deleted: false };
    throw thrown;
  }
}

/** Deletes what is in a folder. Nothing is deleted when there is a file in it that may not be. */
async function emptyFolder(base: Segments, { instance: { root }, settings, ctx }: FsCall): Promise<void> {
  const walk = { root, base, pattern: ALL_BELOW, signal: ctx.signal, now: ctx.now(), temporaries: true };
  const paths: Segments[] = [];
  for await (const { path, entry } of treeOf(walk)) {
    if (entry.isFile()) admitExtension(settings, path);
    paths.push(path);
  }
  // Folders come before what is in them, so the other way round every folder is empty when its turn comes.
  for (const path of paths.reverse()) {
    ctx.signal.throwIfAborted();
    await atPlace(root, [...base, ...path], { purpose: "write", links: "none" }, unlinked);
  }
}

async function unlinked({ folder, name, facts }: Place): Promise<void> {
  if (facts === undefined) return;
  await (facts.isDirectory() ? rmdir(folder.at(name)) : unlink(folder.at(name)));
}
