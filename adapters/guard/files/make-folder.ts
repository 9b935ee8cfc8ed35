/**
 * Folders, with those above them. Node's own way (`recursive`) never comes back where the system says that a folder is missing that is
 * there, as Linux does below /proc; and such places come from settings.
 */
import { mkdirSync, statSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

const OWNER_ONLY = 0o700;
/** Less what the umask takes: for folders that people work in. */
export const EVERYBODY = 0o777;

/** Makes `path` and what is missing above it. Throws what the system says, EEXIST for a file in its place. */
export function makeFolder(path: string, mode = OWNER_ONLY): void {
  const make = (): Error | null => {
    try {
      mkdirSync(path, mode);
      return null;
    } catch (thrown) {
      return isThere(thrown) && statSync(path).isDirectory() ? null : missingAbove(thrown, path);
    }
  };
  if (make() === null) return;
  makeFolder(dirname(path), mode);
  const fault = make();
  if (fault !== null) throw fault;
}

/** `makeFolder` without holding the thread. */
export async function makeFolderSoon(path: string): Promise<void> {
  const make = async (): Promise<Error | null> => {
    try {
      await mkdir(path, OWNER_ONLY);
      return null;
    } catch (thrown) {
      return isThere(thrown) && (await stat(path)).isDirectory() ? null : missingAbove(thrown, path);
    }
  };
  if ((await make()) === null) return;
  await makeFolderSoon(dirname(path));
  const fault = await make();
  if (fault !== null) throw fault;
}

function isThere(thrown: unknown): boolean {
  return codeOf(thrown) === "EEXIST";
}

/** The fault when the folder above may be what is missing. Throws any other. */
function missingAbove(thrown: unknown, path: string): Error {
  if (thrown instanceof Error && codeOf(thrown) === "ENOENT" && dirname(path) !== path) return thrown;
  throw thrown;
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
}
