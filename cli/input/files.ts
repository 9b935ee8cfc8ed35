/** Writing results and finding programs: atomic writes through a temporary name, folders and simple globs to files. */
import { randomUUID } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CliFault, EXIT, shortageFault, systemCode, usageFault } from "../session/faults.ts";
import { descriptorOf, isStream, writeAll } from "./descriptor.ts";
import type { ProgramInput } from "./input.ts";
import { isSameFile, kindOf } from "./path-kind.ts";
import { isPythonProgram, NEVER_ENTERED } from "./python-files.ts";

const MAX_FOLDER_DEPTH = 32;
const MAX_FILES = 10_000;

/**
 * Writes all or nothing: readers see the old file or the new one, never half of it. `mode` is for new files; an existing one keeps
 * its own. A link is followed, so its target changes.
 */
export function writeAtomically(cwd: string, file: string, content: string | Uint8Array, mode = 0o644): void {
  refuseDash(file);
  const descriptor = descriptorOf(resolve(cwd, file));
  const target = followed(resolve(cwd, file));
  if (descriptor !== null || kindOf(target) === "special") {
    writeThrough(descriptor ?? target, file, content);
    return;
  }
  // A name that no other process uses: in containers all have the same process id, and a killed one leaves its file.
  const temporary = join(dirname(target), `.wf.${randomUUID()}.tmp`);
  try {
    // To rename over it needs no permission of the file, but who made it read-only meant something.
    if (kindOf(target) === "file") accessSync(target, constants.W_OK);
    const descriptor = openSync(temporary, "wx", modeOf(target) ?? mode);
    try {
      writeAll(descriptor, content);
      if (fstatSync(descriptor).isFile()) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, target);
  } catch (cause) {
    try {
      unlinkSync(temporary);
    } catch {
      // It was never made.
    }
    throw writeFault(cause, file);
  }
}

/**
 * Throws CliFault when a result could not be written, or would be written over the source of its program or over another result. Asked before the result is
 * made: what a run has done cannot be taken back.
 */
export function checkOutputs(
  cwd: string,
  { path, name, content }: ProgramInput,
  ...outputs: readonly (string | undefined)[]
): void {
  const targets = new Set<string>();
  for (const output of outputs) {
    if (output === undefined) continue;
    requireWritable(cwd, output);
    if (descriptorOf(resolve(cwd, output)) !== null) continue;
    const target = followed(resolve(cwd, output));
    if (targets.has(target) && kindOf(target) !== "special")
      throw usageFault(`${output} is named for two results; give each a file of its own`);
    targets.add(target);
    if (path !== null && content.kind === "source" && isSameFile(path, resolve(cwd, output)))
      throw usageFault(`${name} is the program itself; write to another file`);
  }
}

function requireWritable(cwd: string, file: string): void {
  refuseDash(file);
  const descriptor = descriptorOf(resolve(cwd, file));
  if (descriptor !== null) {
    if (!isStream(descriptor)) throw writeFault(Object.assign(new Error("no stream"), { code: "EBADF" }), file);
    return;
  }
  const target = followed(resolve(cwd, file));
  const kind = kindOf(target);
  if (kind === "folder") throw writeFault(Object.assign(new Error("a folder"), { code: "EISDIR" }), file);
  try {
    accessSync(kind === "special" ? target : dirname(target), constants.W_OK);
  } catch (cause) {
    throw writeFault(cause, file);
  }
}

/** Where programs and frames are read, it stands for a stream: no file gets that name by accident. */
function refuseDash(file: string): void {
  if (file === "-")
    throw usageFault(
      "'-' is not a file name here; omit the flag to write to standard output, or use ./- for a file of that name",
    );
}

/** The fault of a file that cannot be written; a defect stays one. */
export function writeFault(cause: unknown, file: string): unknown {
  const code = systemCode(cause);
  if (code === null) return cause;
  const shortage = shortageFault(cause);
  if (shortage !== null) return shortage;
  const why = Object.hasOwn(UNWRITABLE, code) ? `: ${UNWRITABLE[code]}` : "";
  return new CliFault(`${file} cannot be written (${code})${why}`, { error: "output_error", exitCode: EXIT.usage });
}

/** What the codes of the system mean for a file that is to be written. */
const UNWRITABLE: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "a file stands where its folder should be",
  EEXIST: "a file stands where its folder should be",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left",
  EBADF: "it is not open for writing",
  EPIPE: "its reader is gone",
};

/** Pipes, devices and open streams cannot be replaced by a rename. `target`: a path or the number of a stream. */
function writeThrough(target: string | number, file: string, content: string | Uint8Array): void {
  try {
    if (typeof target === "number") writeAll(target, content);
    else writeFileSync(target, content);
  } catch (cause) {
    throw writeFault(cause, file);
  }
}

function followed(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function modeOf(path: string): number | null {
  try {
    return statSync(path).mode & 0o777;
  } catch {
    return null;
  }
}

/** `folder`: below which the file was found; null: the user named the file. */
export type FoundFile = { readonly file: string; readonly folder: string | null };

/** Called with each `.py` file of a folder that is left out. */
export type LeftOut = (file: string) => void;

/**
 * The files a list of operands means: files as given, folders with every `.wf` below them and every `.py` that is a program, globs with `*`, `?` and
 * `**`. What is found without being named is a file: opening a pipe would wait for its writer.
 */
export function expandFiles(cwd: string, operands: readonly string[], leftOut: LeftOut = () => {}): string[] {
  return findFiles(cwd, operands, leftOut)
    .filter(({ file, folder }) => folder === null || kindOf(resolve(cwd, file)) === "file")
    .map(({ file }) => file);
}

/** The same with links whatever they lead to, which is not looked at. */
export function findFiles(cwd: string, operands: readonly string[], leftOut: LeftOut = () => {}): readonly FoundFile[] {
  const files = new Map<string, FoundFile>();
  for (const operand of operands) {
    const isGlob = /[*?]/.test(operand);
    const folder = isGlob ? baseOf(operand) : isFolder(cwd, operand) ? operand : null;
    const found = folder === null ? [operand] : isGlob ? matchGlob(cwd, operand) : programsBelow(cwd, operand, leftOut);
    if (found.length === 0)
      throw usageFault(
        isGlob ? `no program matches ${operand}` : `${operand} has no file that ends in .wf${OR_PYTHON}`,
      );
    for (const file of found) if (!files.has(file)) files.set(file, { file, folder });
  }
  return [...files.values()];
}

function isFolder(cwd: string, operand: string): boolean {
  return operand !== "" && operand !== "-" && kindOf(resolve(cwd, operand)) === "folder";
}

const OR_PYTHON = ", and no .py with @api, @cron, or an import of weft and a function main";

function programsBelow(cwd: string, folder: string, leftOut: LeftOut): string[] {
  return walk(cwd, folder, NEVER_ENTERED).filter((file) => {
    if (!file.endsWith(".py")) return file.endsWith(".wf");
    const isProgram = isPythonProgram(resolve(cwd, file), file);
    if (!isProgram) leftOut(file);
    return isProgram;
  });
}

/** The folder before the first part with a wildcard. */
function baseOf(pattern: string): string {
  const parts = pattern.split("/");
  const base = parts.slice(0, parts.findIndex(isPattern)).join("/");
  return base === "" ? (pattern.startsWith("/") ? "/" : ".") : base;
}

const isPattern = (part: string): boolean => /[*?]/.test(part);

function matchGlob(cwd: string, pattern: string): string[] {
  const parts = pattern.split("/");
  const fixed = parts.findIndex(isPattern);
  const root = baseOf(pattern);
  const prefix = root === "." ? "" : root === "/" ? "/" : `${root}/`;
  const tail = parts.slice(fixed);
  return walk(cwd, root)
    .map((file) => (root === "." ? file.replace(/^\.\//, "") : file))
    .filter((file) => matchParts(file.slice(prefix.length).split("/"), tail));
}

/** Segment by segment; `**` is any number of folders. Table of reachable pattern places, so it is never exponential. */
function matchParts(names: readonly string[], pattern: readonly string[]): boolean {
  let places = closure(new Set([0]), pattern);
  for (const name of names) {
    const next = new Set<number>();
    for (const place of places) {
      const part = pattern[place];
      if (part === "**") next.add(place);
      else if (part !== undefined && matchName(name, part)) next.add(place + 1);
    }
    places = closure(next, pattern);
  }
  return places.has(pattern.length);
}

function closure(places: Set<number>, pattern: readonly string[]): Set<number> {
  for (const place of places) if (pattern[place] === "**") places.add(place + 1);
  return places;
}

/** `*` and `?` within one name, by greedy matching with one step back. */
function matchName(name: string, pattern: string): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let mark = 0;
  while (at < name.length) {
    if (pattern[place] === "*") {
      star = place;
      place += 1;
      mark = at;
    } else if (place < pattern.length && (pattern[place] === "?" || pattern[place] === name[at])) {
      place += 1;
      at += 1;
    } else if (star !== -1) {
      place = star + 1;
      mark += 1;
      at = mark;
    } else return false;
  }
  while (pattern[place] === "*") place += 1;
  return place === pattern.length;
}

const PACKAGES: ReadonlySet<string> = new Set(["node_modules"]);

/** Files and links below a folder in sorted order; hidden entries, pipes, devices and what is named `never` are left out. */
export function walk(cwd: string, folder: string, never = PACKAGES): string[] {
  const files: string[] = [];
  const pending: { path: string; depth: number }[] = [{ path: folder, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { path, depth } = next;
    let entries: ReturnType<typeof readEntries>;
    try {
      entries = readEntries(resolve(cwd, path));
    } catch {
      continue;
    }
    const below: { path: string; depth: number }[] = [];
    for (const entry of entries) {
      if (entry.name.startsWith(".") || never.has(entry.name)) continue;
      const child = path === "/" ? `/${entry.name}` : `${path.replace(/\/+$/, "")}/${entry.name}`;
      if (entry.isDirectory() && depth < MAX_FOLDER_DEPTH) below.push({ path: child, depth: depth + 1 });
      else if (entry.isFile() || entry.isSymbolicLink()) files.push(child);
      if (files.length > MAX_FILES) throw usageFault(`more than ${MAX_FILES} files below ${folder}`);
    }
    for (const folder of below.reverse()) pending.push(folder);
  }
  return files.sort();
}

function readEntries(path: string) {
  return readdirSync(path, { withFileTypes: true });
}
