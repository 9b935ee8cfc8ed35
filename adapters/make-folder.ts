/**
 * Folders for their owner alone, with those above them. Node's own way (`recursive`) never comes back where the system says that a
 * folder is missing that is there, as Linux does below /proc; and such places come from settings.
 */
import { mkdirSync, statSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

const OWNER_ONLY = 0o700;

/** Makes `path` and what is missing above it. Throws what the system says, EEXIST for a file in its place. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, OWNER_ONLY);
  } catch (thrown) {
    if (isThere(thrown) && statSync(path).isDirectory()) return;
    if (!isMissingAbove(thrown, path)) throw thrown;
    makeFolder(dirname(path));
    makeLast(path);
  }
}

function makeLast(path: string): void {
  try {
    mkdirSync(path, OWNER_ONLY);
  } catch (thrown) {
    // Another process may have been faster.
    if (!isThere(thrown) || !statSync(path).isDirectory()) throw thrown;
  }
}

/** `makeFolder` without holding the thread. */
export async function makeFolderSoon(path: string): Promise<void> {
  try {
    await mkdir(path, OWNER_ONLY);
  } catch (thrown) {
    if (isThere(thrown) && (await stat(path)).isDirectory()) return;
    if (!isMissingAbove(thrown, path)) throw thrown;
    await makeFolderSoon(dirname(path));
    await mkdir(path, OWNER_ONLY).catch(async (again: unknown) => {
      if (!isThere(again) || !(await stat(path)).isDirectory()) throw again;
    });
  }
}

function isThere(thrown: unknown): boolean {
  return codeOf(thrown) === "EEXIST";
}

function isMissingAbove(thrown: unknown, path: string): boolean {
  return codeOf(thrown) === "ENOENT" && dirname(path) !== path;
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
}
