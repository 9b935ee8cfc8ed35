/**
 * The settings of fs and the rules they stand for: what may be written or deleted, which extensions a file may have, and how much
 * one run may write.
 */
import { extname } from "node:path";
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { type SettingsOf, setting, type VerbContext } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import type { FileRoot, Segments } from "../../guard/files/path.ts";

/** Most bytes of one file that the settings can be raised to. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

export const fsSettings = {
  sandbox_root: setting
    .place()
    .describe(
      "the folder, else the data root; made with mode 0700 when missing. Never `/`, a home folder, the state directory or a folder around it",
    ),
  allow_extensions: setting
    .list("extension")
    .describe('extensions of files, such as `.txt`; `""` allows names without one'),
  allow_write: setting
    .allow(true)
    .describe("whether `write`, `mkdir`, `copy` and `move` are allowed; `delete` needs it, too"),
  allow_delete: setting.allow(false).describe("whether `delete` is allowed"),
  max_read_bytes: setting.most(1_000_000, MAX_FILE_BYTES).describe("bytes that one call reads of a file"),
  max_write_bytes: setting
    .most(1_000_000, MAX_FILE_BYTES)
    .describe("bytes of a file that is written; with `append` those that it has already count"),
  max_total_write_bytes: setting.most(100_000_000).describe("bytes that one run writes"),
  max_entries: setting.most(10_000).describe("entries in one answer of `list` and `glob`"),
};
export type FsSettings = SettingsOf<typeof fsSettings>;

/** The files of one run. */
export type FsInstance = {
  readonly root: FileRoot;
  /** They bind other adapters of the run that read its files, too. */
  readonly settings: FsSettings;
  /** Bytes this run has written, and those it is writing. */
  written: number;
};

/** What every verb is given besides its arguments. */
export type FsCall = { readonly settings: FsSettings; readonly instance: FsInstance; readonly ctx: VerbContext };

export function requireWrite(settings: FsSettings): void {
  if (!settings.allow_write) throw adapterError("ADAPTER_WRITE_FORBIDDEN", "writing is not allowed here");
}

export function requireDelete(settings: FsSettings): void {
  if (!settings.allow_delete) throw adapterError("ADAPTER_DELETE_FORBIDDEN", "deleting is not allowed here");
  requireWrite(settings);
}

/** Refuses a file whose extension is not on the list. A name such as `.profile` has none. */
export function admitExtension(settings: FsSettings, path: Segments): void {
  if (settings.allow_extensions === undefined) return;
  if (settings.allow_extensions.includes(extname(path.at(-1) ?? "").toLowerCase())) return;
  throw adapterError("ADAPTER_EXTENSION_BLOCKED", "files with this extension are not allowed here");
}

/** Counts `bytes` towards what the run may write; they are given back when `write` fails. */
export async function spending<T>(bytes: number, call: FsCall, write: () => Promise<T>): Promise<T> {
  const { instance, settings } = call;
  const bound = settings.max_total_write_bytes;
  if (instance.written + bytes > bound) {
    const message = `the run may write ${bound} bytes (fs.max_total_write_bytes) and has written ${instance.written}`;
    throw adapterError("ADAPTER_QUOTA", message, { data: { max_bytes: bound } });
  }
  instance.written += bytes;
  try {
    return await write();
  } catch (thrown) {
    instance.written -= bytes;
    throw thrown;
  }
}

export function conflict(message: string): AdapterError {
  return adapterError("ADAPTER_CONFLICT", message);
}
