/**
 * What was sent under which key: one small file per key, written before its line is appended and saying where the line will be.
 * Whether it really got there is read from the task file, so a process that dies in between neither loses a task nor
 * sends it twice.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, unlink } from "node:fs/promises";
import { z } from "zod";
import { ifPresent } from "../../guard/files/errors.ts";
import type { FileRoot } from "../../guard/files/path.ts";
import { atPlace, type Folder, inFolder, openRegular, type Place } from "../../guard/files/walk.ts";
import { entriesOf } from "../../guard/files/write.ts";
import type { MailCall, Task } from "./mailbox.ts";

const FOLDER = ["tasks", ".sent"];
const LAST_SWEEP = ".swept";
const KEPT_MS = 7 * 86_400_000;
const SWEEP_EVERY_MS = 3_600_000;
/** Markers looked at in one sweep: it must not become the work. */
const MAX_SWEPT = 1000;
const MAX_MARKER_BYTES = 4096;

const whole = z.number().int().nonnegative();
const markerSchema = z.strictObject({
  task_id: z.string(),
  file: z.string(),
  at: whole,
  bytes: whole,
  sha256: z.string(),
});
type Marker = z.output<typeof markerSchema>;

/** Calls `use` with the place of the marker of a key. */
export function atMarker<T>(root: FileRoot, key: string, use: (place: Place) => Promise<T>): Promise<T> {
  return atPlace(root, [...FOLDER, sha256(key)], { purpose: "write", make: true }, use);
}

/** The id under which the task with this key went out, if it did. `file` is the open task file. */
export async function sentBefore(place: Place, file: FileHandle): Promise<string | null> {
  const marker = await readMarker(place);
  if (marker === null) return null;
  const { ino, size } = await file.stat({ bigint: true });
  const rotated = String(ino) !== marker.file || size < BigInt(marker.at);
  const arrived = rotated || (size >= BigInt(marker.at + marker.bytes) && (await lineArrived(marker, file)));
  return arrived ? marker.task_id : null;
}

/** Notes that the line of a task is about to be appended at byte `at` of the task file. */
export async function markSent(place: Place, task: Task, file: FileHandle, at: number): Promise<void> {
  const { ino } = await file.stat({ bigint: true });
  const marker: Marker = {
    task_id: task.id,
    file: String(ino),
    at,
    bytes: task.line.length,
    sha256: sha256(task.line),
  };
  const handle = await openRegular(place, constants.O_WRONLY | constants.O_CREAT, 0o600);
  try {
    await handle.truncate();
    await handle.writeFile(JSON.stringify(marker));
  } finally {
    await handle.close();
  }
}

/** null: nothing was noted, or a process died while it noted something, before it sent anything. */
async function readMarker(place: Place): Promise<Marker | null> {
  // Opened whatever the walk has seen: the marker may have been made since.
  const handle = await ifPresent(openRegular(place, constants.O_RDONLY));
  try {
    return handle === undefined ? null : markerSchema.parse(JSON.parse(await textOf(handle)));
  } catch {
    return null;
  } finally {
    await handle?.close();
  }
}

async function textOf(handle: FileHandle): Promise<string> {
  const bytes = Buffer.alloc(MAX_MARKER_BYTES);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
  return bytes.toString("utf8", 0, bytesRead);
}

/** Removes what is older than a week, of as many markers as one sweep looks at; which ones is left to chance. */
export async function sweepMarkers(root: FileRoot, call: MailCall): Promise<void> {
  await inFolder(root, FOLDER, { purpose: "write", make: true }, async (folder) => {
    const now = call.now();
    if (Math.abs(now - (await changedAt(folder, LAST_SWEEP))) < SWEEP_EVERY_MS) return;
    await touch(root, now);
    const names: string[] = [];
    for await (const { name } of entriesOf(folder)) if (name !== LAST_SWEEP) names.push(name);
    const start = Math.floor(call.random() * names.length);
    for (const name of [...names.slice(start), ...names.slice(0, start)].slice(0, MAX_SWEPT)) {
      call.signal.throwIfAborted();
      if (now - (await changedAt(folder, name)) > KEPT_MS) await ifPresent(unlink(folder.at(name)));
    }
  });
}

async function touch(root: FileRoot, now: number): Promise<void> {
  await atPlace(root, [...FOLDER, LAST_SWEEP], { purpose: "write" }, async (place) => {
    const handle = await openRegular(place, constants.O_WRONLY | constants.O_CREAT, 0o600);
    try {
      await handle.utimes(now / 1000, now / 1000);
    } finally {
      await handle.close();
    }
  });
}

/** Milliseconds since 1970; 0 when the file does not exist. */
async function changedAt(folder: Folder, name: string): Promise<number> {
  return (await ifPresent(lstat(folder.at(name))))?.mtimeMs ?? 0;
}

async function lineArrived(marker: Marker, file: FileHandle): Promise<boolean> {
  const line = Buffer.alloc(marker.bytes);
  const { bytesRead } = await file.read(line, 0, line.length, marker.at);
  return bytesRead === line.length && sha256(line) === marker.sha256;
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
