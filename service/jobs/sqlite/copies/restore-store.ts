/** `wf restore`: the files of a copy in an empty state directory. What is to become of its open jobs, `service/state/copies/restored.ts` says. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { STEPS } from "../tables/schema.ts";
import { asFault, BackupFault, DATABASE, MANIFEST, type Manifest, RESULTS, sha256Of } from "./backup-store.ts";

const Document = z.object({
  format: z.literal(1),
  made_ms: z.int(),
  weft: z.string(),
  schema: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  files: z.int(),
});

/** Rejects with BackupFault before anything is written. */
export async function checkedBackup(from: string): Promise<Manifest> {
  const damaged = (why: string): BackupFault =>
    new BackupFault("backup_damaged", `${from} is not a whole copy: ${why}`);
  let text: string;
  try {
    text = readFileSync(join(from, MANIFEST), "utf8");
  } catch {
    throw damaged(`it has no ${MANIFEST}`);
  }
  const read = Document.safeParse(parsed(text));
  if (!read.success) throw damaged(`${MANIFEST} cannot be read`);
  const manifest = read.data;
  if (manifest.schema > STEPS.length)
    throw damaged(`it was made by Weft ${manifest.weft}, which is newer than this one`);
  if (!existsSync(join(from, DATABASE)) || (await sha256Of(join(from, DATABASE))) !== manifest.sha256)
    throw damaged(`${DATABASE} is not the file that was copied`);
  if (textsIn(from).length !== manifest.files) throw damaged("large results are missing");
  return manifest;
}

/** `stateDir`: without a job store. Rejects with BackupFault. */
export async function restoreFiles(from: string, stateDir: string): Promise<Manifest> {
  const manifest = await checkedBackup(from);
  if (existsSync(join(stateDir, DATABASE)))
    throw new BackupFault("restore_not_empty", `${stateDir} has a job store: name a state directory without one`);
  try {
    mkdirSync(join(stateDir, RESULTS), { recursive: true, mode: 0o700 });
    for (const name of textsIn(from)) copyFileSync(join(from, RESULTS, name), join(stateDir, RESULTS, name));
    copyFileSync(join(from, DATABASE), join(stateDir, DATABASE));
  } catch (thrown) {
    throw asFault(thrown);
  }
  return manifest;
}

function textsIn(from: string): readonly string[] {
  const folder = join(from, RESULTS);
  return existsSync(folder) ? readdirSync(folder) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
