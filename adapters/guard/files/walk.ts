/**
 * The walk from a root to a place below it. Folders are opened one by one and held while the next is looked up, so that on Linux
 * the walk cannot be diverted by replacing a folder with a link; elsewhere paths are used, and what was opened is
 * compared with the root afterwards. Links are followed only when their real target lies inside the root.
 */
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { adapterError } from "../../errors.ts";
import { errnoOf, fileError, ifPresent, notAFile, type Purpose, pathEscape } from "./errors.ts";
import { type FileRoot, isWithin, MAX_LINKS, realTarget, type Segments } from "./path.ts";
import { refuseReservedEntry } from "./reserved.ts";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** A folder that is held open. */
export type Folder = {
  readonly handle: FileHandle;
  readonly real: string;
  /** The path by which system calls reach the entry `name`. */
  at(name: string): string;
};

/** An entry of a folder, existing or not, for as long as `atPlace` holds the folder. */
export type Place = {
  readonly root: FileRoot;
  readonly folder: Folder;
  /** `.` for the root itself. */
  readonly name: string;
  /** Where it really is below the root. */
  readonly path: Segments;
  /** undefined: it does not exist. Never those of a link, unless the walk was to keep it. */
  readonly facts: Stats | undefined;
};

export type Walk = {
  readonly purpose: Purpose;
  /** Makes missing folders on the way (mode 0700). */
  readonly make?: boolean;
  /**
   * `follow` (default); `keep`: a link in last place is the place itself, provided that it leads to the inside; `none`: no link on
   * the way, one in last place is the place itself wherever it leads.
   */
  readonly links?: "follow" | "keep" | "none";
};

/**
 * Calls `use` with the place of `path` and lets its folder go afterwards. Rejects with ADAPTER_PATH_ESCAPE, ADAPTER_NOT_FOUND or
 * ADAPTER_NOT_A_DIRECTORY when the way there does not exist; what the file system says inside `use` is mapped too.
 */
export async function atPlace<T>(
  root: FileRoot,
  path: Segments,
  walk: Walk,
  use: (place: Place) => Promise<T>,
): Promise<T> {
  const walker = new Walker(root, walk);
  return walker.during(async () => use(await walker.go(path)));
}

/** As `atPlace`, for what is in the folder at `path`, which `use` is also told. Rejects with ADAPTER_NOT_A_DIRECTORY for a file. */
export async function inFolder<T>(
  root: FileRoot,
  path: Segments,
  walk: Walk,
  use: (folder: Folder, path: Segments) => Promise<T>,
): Promise<T> {
  const walker = new Walker(root, walk);
  return walker.during(async () => {
    const place = await walker.go(path);
    return use(await walker.enter(place), place.path);
  });
}

class Walker {
  readonly #root: FileRoot;
  readonly #walk: Walk;
  #folder: Folder | undefined;
  #links = 0;

  constructor(root: FileRoot, walk: Walk) {
    this.#root = root;
    this.#walk = walk;
  }

  async go(path: Segments): Promise<Place> {
    const root = this.#root;
    let folder = await this.#hold(await openFolder(root, root.real));
    await sameRoot(root, folder);
    for (const [index, name] of path.entries()) {
      const last = index === path.length - 1;
      const facts = await ifPresent(lstat(folder.at(name)));
      if (facts?.isSymbolicLink() === true && !(last && this.#walk.links === "none")) {
        const target = await this.#target(folder, name);
        if (!last || this.#walk.links !== "keep") return this.go([...target, ...path.slice(index + 1)]);
      }
      const place = { root, folder, name, path: path.slice(0, index + 1), facts };
      await this.#refuseReserved(place, last);
      if (last) return place;
      folder = await this.enter(place);
    }
    return { root, folder, name: ".", path, facts: await folder.handle.stat() };
  }

  async #refuseReserved({ root, folder, name, facts }: Place, last: boolean): Promise<void> {
    if (root.reserved === null) return;
    const moved = last && this.#walk.purpose === "write" && this.#walk.links === "keep";
    const entry = { folder: folder.real, name, facts };
    await refuseReservedEntry(root.reserved, entry, { moved, folderFacts: () => folder.handle.stat() });
  }

  /** Holds the folder at a place. */
  async enter({ folder, name, path, facts }: Place): Promise<Folder> {
    if (path.length === 0) return folder;
    if (facts === undefined) await this.#make(folder, name);
    else if (!facts.isDirectory()) throw notAFolder();
    return this.#hold(await openFolder(this.#root, folder.at(name), join(this.#root.real, ...path)));
  }

  /** What `work` throws reads as an AdapterError; no folder is held afterwards. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      throw fileError(thrown, this.#walk.purpose);
    } finally {
      await this.#folder?.handle.close();
    }
  }

  /** One folder is held at a time: below it the ones above are not needed any more. */
  async #hold(folder: Folder): Promise<Folder> {
    const before = this.#folder;
    this.#folder = folder;
    await before?.handle.close();
    return folder;
  }

  /** The parts of the place below the root to which a link leads. */
  async #target(folder: Folder, name: string): Promise<Segments> {
    this.#links += 1;
    if (this.#walk.links === "none" || this.#links > MAX_LINKS) throw pathEscape();
    const real = await realTarget(join(folder.real, name));
    if (!isWithin(this.#root.real, real)) throw pathEscape();
    return relative(this.#root.real, real)
      .split(sep)
      .filter((segment) => segment !== "");
  }

  async #make(folder: Folder, name: string): Promise<void> {
    if (this.#walk.make !== true) throw adapterError("ADAPTER_NOT_FOUND", "no such file or folder");
    await makeFolder(folder, name);
  }
}

/** Makes a folder (mode 0700) durably. Another process may have made it meanwhile. */
export async function makeFolder(folder: Folder, name: string): Promise<void> {
  try {
    await mkdir(folder.at(name), { mode: 0o700 });
  } catch (thrown) {
    if (errnoOf(thrown) === "EEXIST") return;
    throw thrown;
  }
  await folder.handle.sync();
}

async function openFolder(root: FileRoot, path: string, real: string = path): Promise<Folder> {
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
  try {
    await confirmInside(root, handle, real);
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
  const below = root.byDescriptor ? `/proc/self/fd/${handle.fd}` : real;
  return { handle, real, at: (name) => join(below, name) };
}

async function sameRoot(root: FileRoot, folder: Folder): Promise<void> {
  const facts = await folder.handle.stat({ bigint: true });
  if (facts.dev !== root.device || facts.ino !== root.inode) throw pathEscape();
}

/** Compares where a descriptor really leads with the root, before any byte moves. Throws ADAPTER_PATH_ESCAPE. */
export async function confirmInside(
  root: Pick<FileRoot, "real" | "byDescriptor">,
  handle: FileHandle,
  path: string,
): Promise<void> {
  if (root.byDescriptor) {
    if (!isWithin(root.real, await readlink(`/proc/self/fd/${handle.fd}`))) throw pathEscape();
    return;
  }
  const real = await realpath(path);
  const [opened, named] = await Promise.all([handle.stat({ bigint: true }), stat(real, { bigint: true })]);
  if (!isWithin(root.real, real) || opened.dev !== named.dev || opened.ino !== named.ino) throw pathEscape();
}

/**
 * Opens the regular file at a place, with `flags` besides those that keep links and devices out, and compares it with the root.
 * The caller closes it. Throws ADAPTER_NOT_A_FILE, ADAPTER_PATH_ESCAPE, or the errno.
 */
export async function openRegular(place: Place, flags: number, mode?: number): Promise<FileHandle> {
  const { root, folder, name, facts } = place;
  // Opening a device or FIFO may already have an effect, so what is known to be one is not opened at all.
  if (facts !== undefined && !facts.isFile()) throw notAFile();
  const handle = await open(folder.at(name), flags | O_NOFOLLOW | O_NONBLOCK, mode);
  try {
    if (!(await handle.stat()).isFile()) throw notAFile();
    await confirmInside(root, handle, join(folder.real, name));
    return handle;
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

function notAFolder(): AdapterError {
  return adapterError("ADAPTER_NOT_A_DIRECTORY", "the path is not a folder");
}
