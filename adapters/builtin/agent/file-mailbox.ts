/**
 * A mailbox in a folder: tasks are lines of one file, which any number of processes append to; results are files of their own, which
 * the other side puts there. A task is one write under a lock and then forced to disk, so that no reader meets half a line,
 * and what a killed writer left of one is removed by the next.
 */
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { adapterError } from "../../errors.ts";
import type { FileRoot } from "../../guard/files/path.ts";
import { readFile } from "../../guard/files/read.ts";
import { atPlace, openRegular, type Place } from "../../guard/files/walk.ts";
import { type StillHeld, withLock } from "./lock.ts";
import type { Mailbox, Task } from "./mailbox.ts";
import { atMarker, markSent, sentBefore, sweepMarkers } from "./sent-marker.ts";

const TASKS = ["tasks", "agent_tasks.jsonl"];
const NEW_LINE = 0x0a;
/** An unfinished line that is longer than this was not left by a writer of ours. */
const MAX_TAIL_BYTES = 16 * 1024 * 1024;

export function fileMailbox(root: FileRoot): Mailbox {
  let swept = false;
  return {
    async send(task, call) {
      if (!swept) await sweepMarkers(root, call);
      swept = true;
      // The lock is held for the shortest time: the ways to both files are walked before.
      return atPlace(root, TASKS, { purpose: "write", make: true }, (tasks) =>
        atMarker(root, task.key, (marker) =>
          withLock(tasks.folder, call, (held) =>
            withTaskFile(tasks, (file) => appendOnce(task, file, marker, held, call.signal)),
          ),
        ),
      );
    },
    async result(taskId, maxBytes, signal) {
      try {
        return await readFile(root, `results/${taskId}.json`, maxBytes, signal);
      } catch (thrown) {
        if (!(thrown instanceof AdapterError) || thrown.code !== "ADAPTER_NOT_FOUND") throw thrown;
        throw adapterError("ADAPTER_NOT_FOUND", "the task has no result yet", { retryable: true });
      }
    },
  };
}

async function withTaskFile<T>(place: Place, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const { O_APPEND, O_CREAT, O_RDWR } = constants;
  const file = await openRegular(place, O_RDWR | O_APPEND | O_CREAT, 0o600);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

async function appendOnce(
  task: Task,
  file: FileHandle,
  marker: Place,
  held: StillHeld,
  signal: AbortSignal,
): Promise<string> {
  const before = await sentBefore(marker, file);
  if (before !== null) return before;
  const { end, open } = await endOfLines(file);
  await markSent(marker, task, file, open ? end + 1 : end);
  await held();
  signal.throwIfAborted();
  await appendWhole(file, Buffer.from(`${open ? "\n" : ""}${task.line}\n`, "latin1"), end);
  return task.id;
}

/** One write; what a full disk took of it only in part is taken back. */
async function appendWhole(file: FileHandle, bytes: Uint8Array, end: number): Promise<void> {
  const { bytesWritten } = await file.write(bytes);
  if (bytesWritten < bytes.length) {
    await file.truncate(end);
    throw adapterError("ADAPTER_QUOTA", "the disk is full");
  }
  await file.sync();
}

/** Where the next line goes. `open`: the last line is whole but not ended, as other programs may write it. */
async function endOfLines(file: FileHandle): Promise<{ readonly end: number; readonly open: boolean }> {
  const { size } = await file.stat();
  const tail = await tailOf(file, size);
  if (tail.length === 0) return { end: size, open: false };
  if (tail.length >= MAX_TAIL_BYTES || isJson(tail)) return { end: size, open: true };
  // Half a line of a writer that was killed.
  await file.truncate(size - tail.length);
  return { end: size - tail.length, open: false };
}

/** The bytes after the last line end; of a longer tail than that, the last part. */
async function tailOf(file: FileHandle, size: number): Promise<Buffer> {
  for (let length = 1; ; length *= 256) {
    const bytes = Buffer.alloc(Math.min(length, size));
    await file.read(bytes, 0, bytes.length, size - bytes.length);
    const last = bytes.lastIndexOf(NEW_LINE);
    if (last >= 0) return bytes.subarray(last + 1);
    if (bytes.length === size || bytes.length >= MAX_TAIL_BYTES) return bytes;
  }
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}
