/**
 * Files and folders that belong to one use: the service's own, and those that the operator names in the settings of an adapter. No
 * program reaches one of them by another way. What exists is compared by device and inode, so that links, hard links and other paths
 * to it lead nowhere; what does not exist yet, by its name in its folder.
 */
import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isObject } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { adapterError } from "../../errors.ts";
import { ifPresent } from "./errors.ts";
import { isWithin, realTarget } from "./real-path.ts";

/** `use`: name of the adapter that the place belongs to, or `service`. Absolute paths. */
export type ReservedPlace = { readonly path: string; readonly use: string };

type Identity = Pick<Stats, "dev" | "ino">;

/** Files that SQLite keeps next to a database. */
const COMPANIONS = ["", "-wal", "-shm", "-journal"];

/** The places of a host that one use may not reach. */
export class Reserved {
  readonly #identities = new Set<string>();
  readonly #paths = new Set<string>();
  /** Folders by name of a reserved entry in them that may not exist yet. */
  readonly #names = new Map<string, Set<string>>();
  readonly #around = new Set<string>();

  async add(path: string): Promise<void> {
    const real = await realTarget(resolve(path));
    for (const suffix of COMPANIONS) {
      const facts = await ifPresent(stat(real + suffix));
      if (facts !== undefined) this.#identities.add(identity(facts));
      this.#paths.add(real + suffix);
    }
    let above = dirname(real);
    for (let facts = await ifPresent(stat(above)); ; above = dirname(above), facts = await ifPresent(stat(above))) {
      if (facts !== undefined) {
        this.#around.add(identity(facts));
        if (above === dirname(real)) this.#addNames(basename(real), facts);
      }
      if (above === dirname(above)) return;
    }
  }

  #addNames(name: string, folder: Identity): void {
    for (const suffix of COMPANIONS) {
      const folders = this.#names.get(name + suffix) ?? new Set();
      this.#names.set(name + suffix, folders.add(identity(folder)));
    }
  }

  /** Whether an entry is reserved. `path`: its real path. `folder`: facts of the folder that it is in, asked for only when needed. */
  async holds(path: string, facts: Identity | undefined, folder: () => Promise<Identity>): Promise<boolean> {
    if (this.#paths.has(path) || (facts !== undefined && this.#identities.has(identity(facts)))) return true;
    const folders = this.#names.get(basename(path));
    return folders?.has(identity(await folder())) ?? false;
  }

  /** Whether something reserved lies below a folder. */
  isAround(folder: Identity): boolean {
    return this.#around.has(identity(folder));
  }
}

function identity({ dev, ino }: Identity): string {
  return `${dev}:${ino}`;
}

/** What `use` may not reach. A place that the operator gave to several uses belongs to each of them. */
export async function reservedFor(places: readonly ReservedPlace[], use: string): Promise<Reserved> {
  const own = new Set<string>();
  for (const place of places) if (place.use === use) own.add(await realTarget(resolve(place.path)));
  const reserved = new Reserved();
  for (const { path } of places) if (!own.has(await realTarget(resolve(path)))) await reserved.add(path);
  return reserved;
}

/** Where callers may choose places: the data root, which may lie in the state directory. */
export function opened(dataRoot: string | null): readonly string[] {
  return dataRoot === null ? [] : [dataRoot];
}

/**
 * Refuses a place that is reserved for another use, or lies in a folder that is. `real`: the real path, which need not exist. `open`:
 * folders inside reserved ones where callers may choose places, such as the data root in the state directory.
 * Throws ADAPTER_BAD_SETTINGS.
 */
export async function refuseReserved(
  real: string,
  setting: string,
  reserved: Reserved,
  open: readonly string[],
): Promise<void> {
  const roots = await Promise.all(open.map((one) => realTarget(resolve(one))));
  for (let path = real; ; path = dirname(path)) {
    const [facts, above] = await Promise.all([ifPresent(stat(path)), ifPresent(stat(dirname(path)))]);
    if (await reserved.holds(path, facts, async () => above ?? { dev: -1, ino: -1 }))
      throw adapterError("ADAPTER_BAD_SETTINGS", `${setting} is a place that the operator keeps for another use`);
    if (roots.includes(path) || path === dirname(path)) return;
  }
}

/** The entry of a walk, refused with ADAPTER_NOT_ALLOWED when it is reserved; `moved`: it may be deleted or renamed as a whole. */
export async function refuseReservedEntry(
  reserved: Reserved,
  entry: { readonly folder: string; readonly name: string; readonly facts: Stats | undefined },
  walk: { readonly moved: boolean; folderFacts(): Promise<Identity> },
): Promise<void> {
  const { folder, name, facts } = entry;
  const held = await reserved.holds(join(folder, name), facts, walk.folderFacts);
  const around = walk.moved && facts?.isDirectory() === true && reserved.isAround(facts);
  if (!held && !around) return;
  const data = { reserved: true };
  throw adapterError("ADAPTER_NOT_ALLOWED", "the operator keeps this place for another use", { data });
}

/** Whether a walk ended at a reserved entry. */
export function isReserved(thrown: unknown): boolean {
  return thrown instanceof AdapterError && isObject(thrown.data) && thrown.data["reserved"] === true;
}

/** The folder that a path must really lie in: the operator's own place for the setting, or the data root; null: neither holds it. */
export function boundOf(path: string, granted: string | undefined, dataRoot: string | null): string | null {
  const bounds = [granted ?? null, dataRoot].filter((one) => one !== null);
  return bounds.find((one) => isWithin(resolve(one), resolve(path))) ?? null;
}
