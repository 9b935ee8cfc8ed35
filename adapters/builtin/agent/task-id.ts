/**
 * Names of tasks: which texts are one, and new ones. They become names of files that other programs make, too, so only what is
 * harmless as a file name everywhere is a task id.
 */
import { adapterError } from "../../errors.ts";

const TASK_ID = /^(?!.*\.\.)[A-Za-z0-9._-]{1,128}$/;

export function isTaskId(text: string): boolean {
  return TASK_ID.test(text);
}

/** The id as a string; it may be given as a whole number. Throws ADAPTER_PATH_ESCAPE for a path, ADAPTER_BAD_ARGS for any other invalid id. */
export function taskIdOf(value: unknown): string {
  const text = typeof value === "string" || Number.isSafeInteger(value) ? String(value) : "";
  if (/[/\\]/.test(text)) throw adapterError("ADAPTER_PATH_ESCAPE", "a task id must not be a path");
  if (!isTaskId(text))
    throw adapterError("ADAPTER_BAD_ARGS", "a task id has 1 to 128 of A-Z a-z 0-9 . _ -, and no two dots in a row");
  return text;
}

/** A UUID of version 7, whose order is that of time, from the random bits of one of version 4. */
export function newTaskId(now: number, uuid: string): string {
  const time = Math.max(0, Math.trunc(now)).toString(16).padStart(12, "0").slice(-12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${uuid.slice(15)}`;
}
