/**
 * Reading what a command was pointed at: source or IR, from a file or standard input, bounded in size and strictly UTF-8.
 * Every fault has a kind that scripts can test for.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import { isBytecode } from "../../compiler/bytecode/encode.ts";
import { readUtf8 } from "../../grammar/text/text-bytes.ts";
import { type CliFault, inputFault, shortageFault, systemCode, usageFault } from "../session/faults.ts";
import type { CliIo } from "../session/io.ts";
import { jsonPlace } from "./json-place.ts";

export const MAX_SOURCE_BYTES = 1024 * 1024;
export const MAX_IR_BYTES = 8 * 1024 * 1024;
const MAX_BYTECODE_BYTES = 64 * 1024 * 1024;
const MAX_SIBLINGS = 20;

export type ProgramInput = {
  /** As the user named it; `<stdin>` for standard input. */
  readonly name: string;
  /** Absolute path, null for standard input. */
  readonly path: string | null;
  readonly content:
    | { readonly kind: "source"; readonly text: string }
    /** `fault`: where a file named .json stops being JSON; `value` is then its text. */
    | { readonly kind: "ir"; readonly value: unknown; readonly fault: string | null }
    | { readonly kind: "bytecode"; readonly bytes: Uint8Array };
};

/** The program of a command: `-`, a path, or nothing where standard input is a pipe. */
export async function readProgram(io: CliIo, cwd: string, file: string | undefined): Promise<ProgramInput> {
  if (file === undefined && io.stdin.terminal) throw usageFault("missing FILE; use - for standard input");
  if (file === undefined || file === "-") return parseInput("<stdin>", null, await readStdin(io));
  const path = resolve(cwd, file);
  return parseInput(file, path, readBytes(path, file, MAX_IR_BYTES));
}

/** Standard input, up to one byte more than may be read. */
export async function readStdin(io: CliIo, limit = MAX_IR_BYTES): Promise<Uint8Array> {
  try {
    return await io.stdin.read(limit);
  } catch (cause) {
    throw systemCode(cause) === null ? cause : openFault(cause, "", "<stdin>");
  }
}

/** A UTF-8 text file such as a frame. */
export function readTextFile(cwd: string, file: string, limit: number): string {
  return decode(file, readAtMost(cwd, file, limit));
}

/**
 * The same of a file that was found and not named by the user: only a regular one, because opening a pipe waits for its writer.
 * `path`: where `file`, which is what messages call it, leads to.
 */
export function readFoundFile(path: string, file: string, limit: number): string {
  let bytes: Uint8Array | null;
  try {
    bytes = readRegular(path, limit);
  } catch (cause) {
    throw systemCode(cause) === null ? cause : openFault(cause, path, file);
  }
  if (bytes === null) throw inputFault("path_not_a_file", notAFile(file));
  if (bytes.length > limit) throw tooLarge(file, limit);
  return decode(file, bytes);
}

/** Up to one byte more than `limit` of a regular file; null: there is something else. Throws the system's error. */
export function readRegular(path: string, limit: number, flags = 0): Uint8Array | null {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  try {
    return fstatSync(descriptor).isFile() ? readDescriptor(descriptor, limit) : null;
  } finally {
    closeSync(descriptor);
  }
}

/** A UTF-8 text of at most `limit` bytes: a file, or standard input for `-`. */
export async function readText(io: CliIo, cwd: string, file: string, limit: number): Promise<string> {
  const { name, bytes } = await readNamed(io, cwd, file, limit);
  return decode(name, bytes);
}

/** At most `limit` bytes of a file, or of standard input for `-`, and what it is called in messages. */
export async function readNamed(io: CliIo, cwd: string, file: string, limit: number) {
  if (file !== "-") return { name: file, bytes: readAtMost(cwd, file, limit) };
  const name = "<stdin>";
  const bytes = await readStdin(io, limit);
  if (bytes.length > limit) throw tooLarge(name, limit);
  return { name, bytes };
}

function readAtMost(cwd: string, file: string, limit: number): Uint8Array {
  const bytes = readBytes(resolve(cwd, file), file, limit);
  if (bytes.length > limit) throw tooLarge(file, limit);
  return bytes;
}

/** Bytes of a program; `path` null: they have no place in the file system. */
export function parseInput(name: string, path: string | null, bytes: Uint8Array): ProgramInput {
  if (isBytecode(bytes)) {
    if (bytes.length > MAX_BYTECODE_BYTES) throw tooLarge(name, MAX_BYTECODE_BYTES);
    return { name, path, content: { kind: "bytecode", bytes } };
  }
  if (bytes.length > MAX_IR_BYTES) throw tooLarge(name, MAX_IR_BYTES);
  const text = decode(name, bytes);
  if (text.replace(/^\uFEFF/, "").trim() === "") {
    throw inputFault(
      "empty_source",
      `${name} is empty; the smallest program is two lines: def main(): and     return 1`,
    );
  }
  const ir = readIr(name, text);
  if (ir !== null) return { name, path, content: { kind: "ir", ...ir } };
  if (bytes.length > MAX_SOURCE_BYTES) throw tooLarge(name, MAX_SOURCE_BYTES);
  return { name, path, content: { kind: "source", text } };
}

/** The parsed IR, or null for source text. What is not JSON in a .json file is handed on as text: the IR reader refuses it. */
function readIr(name: string, text: string): { readonly value: unknown; readonly fault: string | null } | null {
  const named = name.toLowerCase().endsWith(".json");
  const body = text.replace(/^\uFEFF/, "");
  if (!named && !body.trimStart().startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(body);
    const versioned = value !== null && typeof value === "object" && Object.hasOwn(value, "ir_version");
    return named || versioned ? { value, fault: null } : null;
  } catch {
    return named ? { value: body, fault: `it is not JSON at ${jsonPlace(body)}` } : null;
  }
}

export function tooLarge(name: string, limit: number): CliFault {
  return inputFault("source_too_large", `${name} is larger than ${limit / 1024 / 1024} MiB`, { limit_bytes: limit });
}

export function decode(name: string, bytes: Uint8Array): string {
  const read = readUtf8(bytes);
  if (!read.ok) throw inputFault("unicode_decode_error", `${name} ${read.fault}`);
  return read.text;
}

/** At most `limit` + 1 bytes of a regular file or pipe. */
function readBytes(path: string, name: string, limit: number): Uint8Array {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY);
  } catch (cause) {
    throw openFault(cause, path, name);
  }
  try {
    if (fstatSync(descriptor).isDirectory()) throw inputFault("path_not_a_file", notAFile(name));
    const bytes = readDescriptor(descriptor, limit);
    if (bytes.length <= limit || !isBytecode(bytes)) return bytes;
    // All three variants of the code are in it, so it may be larger than the IR it was made from.
    return Buffer.concat([bytes, readDescriptor(descriptor, MAX_BYTECODE_BYTES - bytes.length)]);
  } catch (cause) {
    throw systemCode(cause) === null ? cause : openFault(cause, path, name);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads an open file up to one byte more than `limit`. */
export function readDescriptor(descriptor: number, limit: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  let total = 0;
  while (total <= limit) {
    const chunk = new Uint8Array(Math.min(65_536, limit + 1 - total));
    const count = readSync(descriptor, chunk, 0, chunk.length, null);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    total += count;
  }
  return Buffer.concat(chunks);
}

function notAFile(name: string): string {
  return name === "" ? "the name of the file is empty" : `${name} is not a file`;
}

/** The fault of a file that cannot be opened. */
export function openFault(cause: unknown, path: string, name: string): CliFault {
  const code = systemCode(cause);
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") {
    const ending = extname(path) || ".wf";
    const siblings = siblingFiles(path, ending);
    const kind = ending === ".wf" ? "programs" : `${ending} files`;
    const hint = siblings.length === 0 ? "" : `; ${kind} there: ${siblings.join(", ")}`;
    return inputFault("path_not_found", `${name} does not exist${hint}`, { siblings });
  }
  if (code === "EACCES" || code === "EPERM")
    return inputFault("permission_denied", `${name} cannot be read: permission denied`);
  if (code === "EISDIR") return inputFault("path_not_a_file", notAFile(name));
  return shortageFault(cause) ?? inputFault("unreadable", `${name} cannot be read${code === null ? "" : ` (${code})`}`);
}

function siblingFiles(path: string, ending: string): string[] {
  try {
    return readdirSync(dirname(path))
      .filter((entry) => entry.endsWith(ending))
      .sort()
      .slice(0, MAX_SIBLINGS);
  } catch {
    return [];
  }
}
