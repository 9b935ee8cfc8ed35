/**
 * `wf backup`: a copy of a job store while a service uses it. The database is copied in one reading, and large texts before and after it, so that
 * each that a row names is there. The copy has its name only when it is whole and on the disk.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import Database from "better-sqlite3";
import { StartFault } from "../../../../adapters/operator/start-fault.ts";
import { failure } from "../batch.ts";
import { STEPS } from "../tables/schema.ts";

export const DATABASE = "weft.db";
export const RESULTS = "results";
/** What a copy says of itself. */
export const MANIFEST = "backup.json";

export type Manifest = {
  readonly format: 1;
  /** Milliseconds since 1970: nothing that came later is in the copy. */
  readonly made_ms: number;
  readonly weft: string;
  readonly schema: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly files: number;
};

/** A code, and a sentence with what to do. */
export class BackupFault extends Error {
  readonly code: "backup_exists" | "backup_failed" | "backup_no_space" | "backup_damaged" | "restore_not_empty";
  constructor(code: BackupFault["code"], message: string) {
    super(message);
    this.name = "BackupFault";
    this.code = code;
  }
}

/** All pages at once: a service that writes would make the copy begin anew. */
const ALL_PAGES = 0x7fffffff;

/** `to`: a folder that is not there. Rejects with BackupFault or StartFault; nothing with the name `to` is left then. */
export async function backupStore(
  stateDir: string,
  to: string,
  { now, version }: { readonly now: number; readonly version: string },
): Promise<Manifest> {
  if (!existsSync(join(stateDir, DATABASE))) throw new StartFault(`the state directory ${stateDir} has no job store`);
  if (existsSync(to)) throw new BackupFault("backup_exists", `${to} exists: name a folder that is not there`);
  const begun = `${resolve(to)}.begun-${process.pid}-${now}`;
  try {
    mkdirSync(join(begun, RESULTS), { recursive: true, mode: 0o700 });
    refuseWithoutRoom(join(stateDir, DATABASE), begun);
    copyTexts(stateDir, begun);
    await copyDatabase(join(stateDir, DATABASE), join(begun, DATABASE));
    copyTexts(stateDir, begun);
    checkDatabase(join(begun, DATABASE));
    const manifest: Manifest = {
      format: 1,
      made_ms: now,
      weft: version,
      schema: STEPS.length,
      bytes: statSync(join(begun, DATABASE)).size,
      sha256: await sha256Of(join(begun, DATABASE)),
      files: readdirSync(join(begun, RESULTS)).length,
    };
    writeFileSync(join(begun, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    for (const name of [DATABASE, MANIFEST, ".", RESULTS]) synced(join(begun, name));
    renameSync(begun, to);
    synced(dirname(resolve(to)));
    return manifest;
  } catch (thrown) {
    rmSync(begun, { recursive: true, force: true });
    throw asFault(thrown);
  }
}

async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new Database(from, { readonly: true, fileMustExist: true });
  try {
    // Made first, so that only its owner can read it at any time.
    closeSync(openSync(to, "wx", 0o600));
    await source.backup(to, { progress: () => ALL_PAGES });
  } finally {
    source.close();
  }
}

/** A disk that fills while the copy is made ends it as well; this says so before it is begun. */
function refuseWithoutRoom(database: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const needed = statSync(database).size;
  if (bavail * bsize < needed)
    throw new BackupFault("backup_no_space", `the copy needs ${needed} bytes, and ${bavail * bsize} are free there`);
}

/** Files that are there already stay: a text never changes. */
function copyTexts(stateDir: string, to: string): void {
  const folder = join(stateDir, RESULTS);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const target = join(to, RESULTS, name);
    if (!name.endsWith(".json") || existsSync(target)) continue;
    try {
      copyFileSync(join(folder, name), target);
      synced(target);
    } catch (thrown) {
      // Its job expired meanwhile.
      if (failure(thrown).code !== "ENOENT") throw thrown;
    }
  }
}

function checkDatabase(path: string): void {
  const copy = new Database(path);
  try {
    // It is one file: a copy needs no log.
    copy.pragma("journal_mode = DELETE");
    const found = copy.pragma("integrity_check(1)", { simple: true });
    if (found !== "ok") throw new BackupFault("backup_damaged", `the job store is damaged: ${String(found)}`);
  } finally {
    copy.close();
  }
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

function synced(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

const NO_SPACE = /^(?:ENOSPC|EDQUOT|EFBIG|SQLITE_FULL|SQLITE_IOERR_WRITE)$/;

export function asFault(thrown: unknown): unknown {
  if (thrown instanceof BackupFault || thrown instanceof StartFault) return thrown;
  const { code, message } = failure(thrown);
  if (code === "") return thrown;
  if (NO_SPACE.test(code))
    return new BackupFault("backup_no_space", `the copy has no room there (${code}); what was begun is removed`);
  return new BackupFault("backup_failed", `the copy could not be made (${code}): ${message}`);
}
