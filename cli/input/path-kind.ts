/**
 * Returns what is at a path without throwing: a path that cannot be examined (through a file, in a circle, too long, in a closed folder)
 * counts as missing. Opening it reports the reason.
 */
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { descriptorOf } from "./descriptor.ts";

/** `special`: a pipe, a device or a stream that is open already. */
export type PathKind = "file" | "folder" | "special" | "none";

export function kindOf(path: string): PathKind {
  try {
    const facts = statSync(path);
    if (facts.isDirectory()) return "folder";
    return facts.isFile() && descriptorOf(path) === null ? "file" : "special";
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
    // Opening the path reports the reason.
    return false;
  }
}
