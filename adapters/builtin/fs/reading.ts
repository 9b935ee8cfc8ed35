/**
 * Verbs about single files that change nothing: read, readlines, exists, stat. Sizes are compared with the settings before a byte is
 * read. Listings stand in `listing.ts`.
 */
import type { Stats } from "node:fs";
import type { Json } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { adapterError } from "../../errors.ts";
import { parsePath } from "../../guard/files/path.ts";
import { type OpenFile, readRange, sha256Of, tooLarge, WHOLE, withFile } from "../../guard/files/read.ts";
import { atPlace } from "../../guard/files/walk.ts";
import { admitExtension, type FsCall } from "./settings.ts";

export type ReadOptions = {
  readonly encoding: "utf8" | "latin1" | "base64";
  readonly offset: number;
  readonly length?: number | undefined;
  readonly lossy: boolean;
  readonly keep_bom: boolean;
};

export async function read(path: string, options: ReadOptions, call: FsCall): Promise<Json> {
  const range = { offset: options.offset, length: options.length ?? WHOLE.length };
  const bytes = await withAdmitted(path, call, (file) =>
    readRange(file, range, call.settings.max_read_bytes, call.ctx.signal),
  );
  switch (options.encoding) {
    case "utf8":
      return decoded(bytes, { ...options, keepBom: options.keep_bom || options.offset > 0 });
    case "latin1":
      return bytes.toString("latin1");
    case "base64":
      return { $base64: bytes.toString("base64") };
  }
}

/** Lines end with a line feed, alone or after a carriage return; what follows the last one is a line unless it is empty. */
export async function readLines(path: string, maxLines: number | undefined, call: FsCall): Promise<readonly string[]> {
  const { settings, ctx } = call;
  const bytes = await withAdmitted(path, call, (file) => readRange(file, WHOLE, settings.max_read_bytes, ctx.signal));
  const lines = decoded(bytes, { lossy: false, keepBom: false }).split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return maxLines === undefined ? lines : lines.slice(0, maxLines);
}

export async function exists(path: string, { instance }: FsCall): Promise<boolean> {
  try {
    return await atPlace(instance.root, parsePath(path), { purpose: "read" }, async ({ facts }) => facts !== undefined);
  } catch (thrown) {
    if (isMissing(thrown)) return false;
    throw thrown;
  }
}

export async function stat(path: string, options: { readonly sha256: boolean }, call: FsCall): Promise<Json> {
  const { instance, settings, ctx } = call;
  return atPlace(instance.root, parsePath(path), { purpose: "read" }, async (place) => {
    const { facts } = place;
    if (facts === undefined) throw adapterError("ADAPTER_NOT_FOUND", "no such file or folder");
    if (!options.sha256 || !facts.isFile()) return described(facts);
    admitExtension(settings, parsePath(path));
    admitExtension(settings, place.path);
    return withFile(place, async (file) => {
      if (file.facts.size > settings.max_read_bytes) throw tooLarge(settings.max_read_bytes);
      return { ...described(file.facts), sha256: await sha256Of(file, ctx.signal) };
    });
  });
}

/** Opens the file at `path` when its extension is allowed, as it was written and as it really is. */
export function withAdmitted<T>(path: string, call: FsCall, use: (file: OpenFile) => Promise<T>): Promise<T> {
  const segments = parsePath(path);
  const { instance, settings } = call;
  return atPlace(instance.root, segments, { purpose: "read" }, async (place) => {
    if (place.facts?.isDirectory() !== true) {
      admitExtension(settings, segments);
      admitExtension(settings, place.path);
    }
    return withFile(place, use);
  });
}

/** Whether a walk failed because the place does not exist. */
export function isMissing(thrown: unknown): boolean {
  if (!(thrown instanceof AdapterError)) return false;
  return thrown.code === "ADAPTER_NOT_FOUND" || thrown.code === "ADAPTER_NOT_A_DIRECTORY";
}

/** A folder entry as programs see it. */
export function described(facts: Stats): { readonly type: string; readonly size: number; readonly mtime: string } {
  return { type: typeOf(facts), size: facts.size, mtime: changedAt(facts) };
}

const YEAR_0_MS = -62_167_219_200_000;
const YEAR_9999_END_MS = 253_402_300_799_999;

/** When an entry was changed; some file systems keep times that neither RFC 3339 nor this platform can write, the nearest stands for them. */
export function changedAt({ mtimeMs }: Pick<Stats, "mtimeMs">): string {
  return new Date(Math.min(Math.max(mtimeMs, YEAR_0_MS), YEAR_9999_END_MS)).toISOString();
}

function typeOf(facts: Stats): "file" | "directory" | "symlink" | "other" {
  if (facts.isFile()) return "file";
  if (facts.isDirectory()) return "directory";
  return facts.isSymbolicLink() ? "symlink" : "other";
}

/** A byte order mark belongs to the file, not to its text: programs would find it in the first key or the first line. */
function decoded(
  bytes: Uint8Array,
  { lossy, keepBom }: { readonly lossy: boolean; readonly keepBom: boolean },
): string {
  try {
    return new TextDecoder("utf-8", { fatal: !lossy, ignoreBOM: keepBom }).decode(bytes);
  } catch {
    throw adapterError("ADAPTER_ENCODING", "the file is not valid UTF-8");
  }
}
