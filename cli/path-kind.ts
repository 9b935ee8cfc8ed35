/**
 * What stands at a path, without a fault: a path that cannot be looked at (through a file, in a circle, too long, in a closed folder)
 * is as good as none here. Whoever opens it says what is wrong with it.
 */
import { statSync } from "node:fs";
import { dirname } from "node:path";

/** `special`: a pipe or device. */
export type PathKind = "file" | "folder" | "special" | "none";

export function kindOf(path: string): PathKind {
  try {
    const facts = statSync(path);
    return facts.isFile() ? "file" : facts.isDirectory() ? "folder" : "special";
  } catch {
    return "none";
  }
}

/** The folder itself, or that of a file. */
export function folderOf(path: string): string {
  return kindOf(path) === "folder" ? path : dirname(path);
}

/** By whatever name: what is written to the one is lost in the other. */
export function isSameFile(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    const [first, second] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })];
    return first.isFile() && first.dev === second.dev && first.ino === second.ino;
  } catch {
    // Whoever opens them says what is wrong.
    return false;
  }
}
