/** Probes of files, folders and disks below the probe roots. Nothing is opened for reading: what the file system says of it is enough. */
import { constants, type Stats } from "node:fs";
import { access, lstat, statfs } from "node:fs/promises";
import { badArguments } from "../../definition/bind.ts";
import { adapterError } from "../../errors.ts";
import { errnoOf, ifPresent } from "../../guard/files/errors.ts";
import { PathPattern } from "../../guard/files/glob.ts";
import { parsePath } from "../../guard/files/path.ts";
import { atPlace, inFolder, type Place } from "../../guard/files/walk.ts";
import { entriesOf, isTemporary } from "../../guard/files/write.ts";
import { described, isMissing } from "../fs/reading.ts";
import { atProbePlace } from "./probe-places.ts";
import type { ExtrasCall } from "./settings.ts";

const READ = { purpose: "read" } as const;

type FileFacts = {
  readonly exists: boolean;
  readonly type: string | null;
  readonly size: number | null;
  readonly mtime: string | null;
};
const NO_FILE: FileFacts = { exists: false, type: null, size: null, mtime: null };

/** With `executable` only a file that this process may execute counts. */
export async function fileExists(path: string, executable: boolean, { instance }: ExtrasCall): Promise<FileFacts> {
  try {
    return await atProbePlace(path, instance, (root, segments) =>
      atPlace(root, segments, READ, async (place) => {
        const facts = existing(place);
        if (executable && !(facts.isFile() && (await mayExecute(place)))) return NO_FILE;
        return { exists: true, ...described(facts) };
      }),
    );
  } catch (thrown) {
    if (isMissing(thrown)) return NO_FILE;
    throw thrown;
  }
}

function existing({ facts }: Place): Stats {
  if (facts === undefined) throw adapterError("ADAPTER_NOT_FOUND", "no such file or folder");
  return facts;
}

async function mayExecute({ folder, name }: Place): Promise<boolean> {
  try {
    await access(folder.at(name), constants.X_OK);
    return true;
  } catch (thrown) {
    if (errnoOf(thrown) === "EACCES") return false;
    throw thrown;
  }
}

type NewestFile = { readonly name: string; readonly facts: Stats };

/** The regular file of a folder that was changed last and fits `pattern`; null without one. */
export async function newestFile(
  path: string,
  pattern: string,
  { instance, ctx }: ExtrasCall,
): Promise<NewestFile | null> {
  const fits = namePattern(pattern);
  return atProbePlace(path, instance, (root, segments) =>
    inFolder(root, segments, READ, async (folder) => {
      let newest: NewestFile | null = null;
      for await (const entry of entriesOf(folder)) {
        ctx.signal.throwIfAborted();
        if (!entry.isFile() || isTemporary(entry.name) || !fits(entry.name)) continue;
        const facts = await ifPresent(lstat(folder.at(entry.name)));
        if (facts !== undefined && (newest === null || isNewer({ name: entry.name, facts }, newest)))
          newest = { name: entry.name, facts };
      }
      return newest;
    }),
  );
}

/** Of two that were changed at once, the one whose name comes first. */
function isNewer(one: NewestFile, other: NewestFile): boolean {
  const difference = one.facts.mtimeMs - other.facts.mtimeMs;
  return difference > 0 || (difference === 0 && one.name < other.name);
}

function namePattern(text: string): (name: string) => boolean {
  const parts = parsePath(text);
  if (parts.length !== 1 || parts[0] === "**")
    throw badArguments([{ path: "/options/pattern", expected: "a pattern of names, without folders", got: "string" }]);
  const pattern = new PathPattern(parts);
  return (name) => pattern.accepts(pattern.after(pattern.start, name));
}

type DiskFacts = { readonly total: number; readonly free: number; readonly used_ratio: number | null };

/** The file system on which `path` lies: bytes in all, and bytes that an ordinary process may still fill. */
export async function disk(path: string, { instance }: ExtrasCall): Promise<DiskFacts> {
  return atProbePlace(path, instance, (root, segments) =>
    atPlace(root, segments, READ, async (place) => {
      existing(place);
      const { bsize, blocks, bavail } = await statfs(place.folder.at(place.name));
      // A file system without blocks (proc) has no share that is used.
      const used = blocks === 0 ? null : (blocks - bavail) / blocks;
      return { total: blocks * bsize, free: bavail * bsize, used_ratio: used };
    }),
  );
}
