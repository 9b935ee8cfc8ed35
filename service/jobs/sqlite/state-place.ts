/**
 * Which files a running store has open. A cleaner of temporary files, or a person, may remove or replace the state directory: the open
 * files then still accept writes that are lost, and the path may belong to another service.
 */
import { statSync } from "node:fs";
import { join } from "node:path";

/** Device and inode of a path as a string; null when the path does not exist. */
export type PathIdentity = string | null;
/** The directory and `weft.db` in it. */
export type StateIdentity = { readonly folder: PathIdentity; readonly database: PathIdentity };

class StateLost extends Error {
  readonly code = "STATE_LOST";
  constructor() {
    super("the state directory was removed or replaced");
    this.name = "StateLost";
  }
}

export function stateIdentity(stateDir: string): StateIdentity {
  return { folder: pathIdentity(stateDir), database: pathIdentity(join(stateDir, "weft.db")) };
}

/** Throws StateLost when the paths lead to other files than `known`. */
export function sameState(stateDir: string, known: StateIdentity): void {
  const { folder, database } = stateIdentity(stateDir);
  if (folder === null || folder !== known.folder || database !== known.database) throw new StateLost();
}

/** Watches the files of a database that is open. Create it after the first statement: SQLite makes its side files then. */
export class OpenState {
  readonly #files: ReadonlyMap<string, PathIdentity>;

  constructor(stateDir: string) {
    const database = join(stateDir, "weft.db");
    const paths = [stateDir, database, `${database}-wal`, `${database}-shm`];
    this.#files = new Map(paths.map((path) => [path, pathIdentity(path)]));
  }

  /** Throws StateLost. */
  check(): void {
    for (const [path, known] of this.#files) if (pathIdentity(path) !== known) throw new StateLost();
  }
}

function pathIdentity(path: string): PathIdentity {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}
