/**
 * Roots and the paths below them: which texts are paths at all, and which folders may be a root. A root is resolved once, when it
 * is opened; everything later is compared with what it was then. Walking below a root is `walk.ts`. Knows nothing of any
 * adapter's own rules (extensions, quotas).
 */
import { lstat, realpath, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname, isAbsolute, resolve } from "node:path";
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { adapterError } from "../../errors.ts";
import { errnoOf, fileError, ifPresent, pathEscape } from "./errors.ts";
import { makeFolderSoon } from "./make-folder.ts";
import { isWithin, realTarget } from "./real-path.ts";
import { type Reserved, refuseReserved } from "./reserved.ts";

export { isWithin, MAX_LINKS, realTarget } from "./real-path.ts";

const MAX_SEGMENT_BYTES = 255;
const MAX_PATH_BYTES = 4096;
const HOME_FOLDERS = /^(\/root|\/var\/root|\/(home|Users)(\/[^/]+)?)$/;

/** A file or a circle of links where there should be a folder. */
const UNUSABLE: ReadonlySet<string> = new Set(["ENOTDIR", "EEXIST", "ELOOP", "ENAMETOOLONG"]);

/** The parts of a path below a root; none: the root itself. */
export type Segments = readonly string[];

/**
 * The parts of a path that a program wrote, without empty and `.` parts.
 * Throws ADAPTER_BAD_ARGS for an invalid path, ADAPTER_PATH_ESCAPE for one outside the root.
 */
export function parsePath(text: string): Segments {
  if (text === "") throw badPath("a path is not empty");
  if (text.includes("\0")) throw badPath("a path holds no NUL character");
  if (!text.isWellFormed()) throw badPath("a path is valid Unicode");
  if (text.includes("\\")) throw badPath("a path is written with /, not with back-slashes");
  if (Buffer.byteLength(text) > MAX_PATH_BYTES) throw badPath(`a path has at most ${MAX_PATH_BYTES} bytes`);
  if (text.startsWith("/") || /^[A-Za-z]:/.test(text)) throw pathEscape();
  const segments = text.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) throw pathEscape();
  if (segments.some((segment) => Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)) {
    throw badPath(`a name in a path has at most ${MAX_SEGMENT_BYTES} bytes`);
  }
  return segments;
}

function badPath(message: string): AdapterError {
  return adapterError("ADAPTER_BAD_ARGS", message);
}

/** A folder that paths cannot leave. */
export type FileRoot = {
  readonly real: string;
  /** What the folder was when the root was opened. */
  readonly device: bigint;
  readonly inode: bigint;
  /** Whether others than the owner's group may write there. */
  readonly worldWritable: boolean;
  /** Folders below the root are reached through descriptors, so that swapping one of them leads nowhere else (Linux). */
  readonly byDescriptor: boolean;
  /** What lies below and may not be reached; null: everything may. */
  readonly reserved: Reserved | null;
  /** Real paths of the folders that were swept of leftovers already. */
  readonly swept: Set<string>;
};

export type RootOptions = {
  /** Name of the setting that holds the path, for messages. */
  readonly setting: string;
  /** The state directory: a root is neither it nor a folder around it. */
  readonly stateDir: string | null;
  /** A root written below this folder must really lie there. */
  readonly within?: string | null;
  /** Makes the folder (mode 0700) when it is missing. */
  readonly create: boolean;
  /** Folders with other uses; the root must not be one of them. */
  readonly reserved?: Reserved;
  /** Folders inside reserved ones in which a root may lie. */
  readonly open?: readonly string[];
};

/** Resolves a root. Throws ADAPTER_BAD_SETTINGS for a folder that may not be one, ADAPTER_NOT_CONFIGURED for a missing one. */
export async function openRoot(path: string, options: RootOptions): Promise<FileRoot> {
  if (!isAbsolute(path)) throw badRoot(options, "is not an absolute path");
  try {
    // Looked at before anything is made, and again afterwards, when all of it exists.
    await admitRoot(path, await realTarget(path), options);
    if (options.create) await makeFolderSoon(path);
    const real = await ifPresent(realpath(path));
    if (real === undefined)
      throw adapterError("ADAPTER_NOT_CONFIGURED", `the folder of ${options.setting} does not exist`);
    await admitRoot(path, real, options);
    const facts = await stat(real, { bigint: true });
    if (!facts.isDirectory()) throw badRoot(options, "is not a folder");
    const byDescriptor = process.platform === "linux" && (await ifPresent(lstat("/proc/self/fd"))) !== undefined;
    const worldWritable = (facts.mode & 0o002n) !== 0n;
    const { reserved = null } = options;
    return { real, device: facts.dev, inode: facts.ino, worldWritable, byDescriptor, reserved, swept: new Set() };
  } catch (thrown) {
    if (UNUSABLE.has(errnoOf(thrown) ?? "")) throw badRoot(options, "does not lead to a folder");
    throw fileError(thrown, "read");
  }
}

async function admitRoot(path: string, real: string, options: RootOptions): Promise<void> {
  if (dirname(real) === real) throw badRoot(options, "is the root of a file system");
  if (HOME_FOLDERS.test(real) || real === homeFolder()) throw badRoot(options, "is a home folder");
  const { stateDir, within, setting, reserved, open = [] } = options;
  if (stateDir !== null && isWithin(real, await realTarget(stateDir)))
    throw badRoot(options, "holds the state directory");
  if (
    typeof within === "string" &&
    isWithin(resolve(within), resolve(path)) &&
    !isWithin(await realTarget(within), real)
  ) {
    throw badRoot(options, "leaves its bound through a symbolic link");
  }
  if (reserved !== undefined) await refuseReserved(real, setting, reserved, open);
}

function badRoot({ setting }: RootOptions, what: string): AdapterError {
  return adapterError("ADAPTER_BAD_SETTINGS", `${setting} ${what}`);
}

function homeFolder(): string | null {
  try {
    return userInfo().homedir;
  } catch {
    // A user id without an account has no home.
    return null;
  }
}
