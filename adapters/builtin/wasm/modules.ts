/**
 * The modules of one run: which names are configured, where their files lie, and each of them admitted and compiled. A
 * file is read once per run; what it holds is compiled once per host, by content. Contents are checked before anything
 * of them runs.
 */
import { createHash } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { type FileHandle, open, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { HostPlaces } from "../../definition/host-services.ts";
import type { PreparedModule, WasmPool } from "../../engine/wasm/pool.ts";
import { webAssembly } from "../../engine/wasm/types.ts";
import { adapterError } from "../../errors.ts";
import { pathEscape } from "../../guard/files/errors.ts";
import { readRange, WHOLE } from "../../guard/files/read.ts";
import { opened, refuseReserved, reservedFor } from "../../guard/files/reserved.ts";
import { confirmInside } from "../../guard/files/walk.ts";
import { admit, MAX_MODULE_BYTES } from "./admission.ts";
import { refused } from "./reader.ts";

const FILE_NAME = /^([A-Za-z0-9_][A-Za-z0-9_.-]{0,99})\.wasm$/;
const MAX_FILES = 1000;

export type ModulePlace = { readonly file: string; readonly sha256: string | null };
export type LoadedModule = PreparedModule & { readonly sha256: string; readonly key: string };

export type ModuleSources = {
  readonly modules: Readonly<Record<string, string | { readonly file: string; readonly sha256: string }>>;
  readonly folder: string | undefined;
  /** Names that may be used; undefined: all. */
  readonly allowed: readonly string[] | undefined;
  /** What is named inside of it must really lie there. */
  readonly dataRoot: string | null;
  /** Absent: nothing is. */
  readonly reserved: HostPlaces["reserved"];
  readonly maxPages: number;
  readonly pool: WasmPool;
};

export class ModuleSet {
  readonly #sources: ModuleSources;
  readonly #loaded = new Map<string, Promise<LoadedModule>>();
  #places: Promise<ReadonlyMap<string, ModulePlace>> | null = null;

  constructor(sources: ModuleSources) {
    this.#sources = sources;
  }

  /** Names of configured modules that may be used, in order. */
  async names(): Promise<readonly string[]> {
    return [...(await this.#configured()).keys()].filter((name) => this.#allows(name)).sort();
  }

  /** Throws ADAPTER_MODULE_BLOCKED, ADAPTER_NOT_FOUND or ADAPTER_WASM_MODULE. */
  async module(name: string): Promise<LoadedModule> {
    if (!this.#allows(name)) throw adapterError("ADAPTER_MODULE_BLOCKED", "the module is not on module_allowlist");
    const place = (await this.#configured()).get(name);
    if (place === undefined) throw missing();
    let loaded = this.#loaded.get(name);
    if (loaded === undefined) {
      loaded = this.#load(place);
      this.#loaded.set(name, loaded);
      loaded.catch(() => this.#loaded.delete(name));
    }
    return loaded;
  }

  #allows(name: string): boolean {
    return this.#sources.allowed?.includes(name) ?? true;
  }

  #configured(): Promise<ReadonlyMap<string, ModulePlace>> {
    this.#places ??= placesOf(this.#sources);
    return this.#places;
  }

  async #load({ file, sha256: expected }: ModulePlace): Promise<LoadedModule> {
    const { dataRoot, reserved, maxPages, pool } = this.#sources;
    if (reserved !== undefined) {
      const real = await realpath(file).catch(unreadable);
      await refuseReserved(real, "the module's file", await reservedFor(reserved, "wasm"), opened(dataRoot));
    }
    const bytes = await contentOf(file, dataRoot);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    if (expected !== null && expected !== sha256) throw refused("hash_mismatch");
    const key = `${sha256}:${maxPages}`;
    const prepared = await pool.prepared(key, () => compiled(bytes, maxPages));
    return { ...prepared, sha256, key };
  }
}

async function placesOf({ modules, folder }: ModuleSources): Promise<ReadonlyMap<string, ModulePlace>> {
  const places = new Map<string, ModulePlace>();
  for (const entry of folder === undefined ? [] : await filesIn(folder)) {
    const name = FILE_NAME.exec(entry)?.[1];
    if (name !== undefined) places.set(name, { file: join(folder ?? "", entry), sha256: null });
  }
  for (const [name, place] of Object.entries(modules)) {
    places.set(name, typeof place === "string" ? { file: place, sha256: null } : place);
  }
  return places;
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw adapterError("ADAPTER_BAD_SETTINGS", "modules_dir cannot be read", { cause });
  });
  return names.sort().slice(0, MAX_FILES);
}

async function compiled(bytes: Uint8Array, maxPages: number): Promise<PreparedModule> {
  const admitted = admit(bytes, maxPages);
  try {
    return { module: await webAssembly.compile(admitted.bytes), exports: admitted.exports };
  } catch (cause) {
    throw cause instanceof webAssembly.CompileError ? refused("malformed", cause) : cause;
  }
}

/**
 * The bytes of a regular file, as many as it had when it was opened. A path inside the data root may have come from a caller, so no link may
 * lead it out of there, not even one that was put there a moment ago.
 */
async function contentOf(file: string, dataRoot: string | null): Promise<Uint8Array> {
  const real = await realpath(file).catch(unreadable);
  const root = dataRoot !== null && file.startsWith(`${dataRoot}/`) ? await realpath(dataRoot) : null;
  if (root !== null && !real.startsWith(`${root}/`)) throw pathEscape();
  let handle: FileHandle | undefined;
  try {
    // Without waiting: the name may be a pipe.
    handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW).catch(unreadable);
    if (root !== null) await confirmInside({ real: root, byDescriptor: existsSync("/proc/self/fd") }, handle, real);
    const facts = await handle.stat();
    if (!facts.isFile()) throw adapterError("ADAPTER_NOT_A_FILE", "the module's path is not a regular file");
    if (facts.size > MAX_MODULE_BYTES) throw refused("too_large");
    return await readRange({ handle, facts }, WHOLE, MAX_MODULE_BYTES, new AbortController().signal);
  } finally {
    await handle?.close();
  }
}

function missing(cause?: unknown) {
  return adapterError("ADAPTER_NOT_FOUND", "no such module is configured", { cause });
}

function unreadable(cause: unknown): never {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ENOTDIR") throw missing(cause);
  if (code === "EMFILE" || code === "ENFILE") throw adapterError("ADAPTER_BUSY", "too many files are open", { cause });
  throw adapterError("ADAPTER_NOT_ALLOWED", "the module's file cannot be read", { cause });
}
