/**
 * What the file system says, in the codes of adapters. Causes go to the operator's log; messages name neither files nor folders, so
 * nothing of the host's layout reaches a program.
 */
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { type AdapterCode, adapterError } from "../../errors.ts";

/** What the program was about to do: a refusal of the operating system reads differently for the two. */
export type Purpose = "read" | "write";

const MEANINGS: Readonly<Record<string, readonly [AdapterCode, string]>> = {
  ENOENT: ["ADAPTER_NOT_FOUND", "no such file or folder"],
  ENOTDIR: ["ADAPTER_NOT_A_DIRECTORY", "a part of the path is not a folder"],
  EISDIR: ["ADAPTER_NOT_A_FILE", "the path is a folder"],
  ENXIO: ["ADAPTER_NOT_A_FILE", "the path is not a regular file"],
  ENODEV: ["ADAPTER_NOT_A_FILE", "the path is not a regular file"],
  ELOOP: ["ADAPTER_PATH_ESCAPE", "a symbolic link does not lead to a place below the root"],
  EEXIST: ["ADAPTER_CONFLICT", "the target exists"],
  ENOTEMPTY: ["ADAPTER_CONFLICT", "the folder is not empty"],
  EXDEV: ["ADAPTER_CONFLICT", "source and target lie on different file systems"],
  ENAMETOOLONG: ["ADAPTER_BAD_ARGS", "the path is longer than the file system takes"],
  EILSEQ: ["ADAPTER_BAD_ARGS", "the file system takes no such name"],
  EFBIG: ["ADAPTER_TOO_LARGE", "the file is larger than the file system takes"],
  ENOSPC: ["ADAPTER_QUOTA", "the disk is full"],
  EDQUOT: ["ADAPTER_QUOTA", "the disk quota is used up"],
  EMFILE: ["ADAPTER_BUSY", "too many files are open"],
  ENFILE: ["ADAPTER_BUSY", "too many files are open"],
  EBUSY: ["ADAPTER_BUSY", "the file is in use"],
  ETXTBSY: ["ADAPTER_BUSY", "the file is in use"],
  EAGAIN: ["ADAPTER_BUSY", "the file is in use"],
};
const REFUSED: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"]);

/** `thrown` as the AdapterError that tells it; what did not come from the file system is handed back as it is. */
export function fileError(thrown: unknown, purpose: Purpose): unknown {
  const errno = errnoOf(thrown);
  if (errno === null) return thrown;
  if (REFUSED.has(errno)) {
    const code = purpose === "write" ? "ADAPTER_WRITE_FORBIDDEN" : "ADAPTER_NOT_ALLOWED";
    return adapterError(code, "the operating system refuses access", { cause: thrown });
  }
  const [code, message] = MEANINGS[errno] ?? ["ADAPTER_FAILED", "the file system failed"];
  return adapterError(code, message, { cause: thrown });
}

/** The errno name of a failed system call; null for anything else. */
export function errnoOf(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !("errno" in thrown) || !("code" in thrown)) return null;
  return typeof thrown.errno === "number" && typeof thrown.code === "string" ? thrown.code : null;
}

/** The value, or undefined when the thing does not exist. */
export async function ifPresent<T>(attempt: Promise<T>): Promise<T | undefined> {
  try {
    return await attempt;
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT") return undefined;
    throw thrown;
  }
}

export function pathEscape(): AdapterError {
  return adapterError("ADAPTER_PATH_ESCAPE", "the path leads out of the root");
}

export function notAFile(): AdapterError {
  return adapterError("ADAPTER_NOT_A_FILE", "the path is not a regular file");
}
