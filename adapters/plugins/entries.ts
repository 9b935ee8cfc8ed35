/**
 * The plugins that an operator names: entries of WF_ADAPTERS and of the operator file, read from text to one shape, and the files they
 * stand for. Nothing is searched for: a path counts from the operator's folder, a package is looked up from there as Node does.
 */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import * as z from "zod/mini";
import { StartFault } from "../operator/start-fault.ts";

type EntryFacts = {
  /** Lower-case hexadecimal; null: not pinned. */
  readonly sha256: string | null;
  /** Names of variables that the process gets besides PATH and LANG. */
  readonly env: readonly string[];
};

export type PluginEntry =
  | (EntryFacts & { readonly module: string; readonly isolation: "in_process" | "process" })
  | (EntryFacts & { readonly command: readonly [string, ...string[]]; readonly isolation: "process" });

const word = z.string().check(z.trim(), z.minLength(1), z.maxLength(4096));
const facts = {
  sha256: z.optional(z.string().check(z.toLowerCase(), z.regex(/^[0-9a-f]{64}$/))),
  env: z.optional(z.array(z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/)))),
};
const entryShape = z.union([
  word,
  z.strictObject({ module: word, isolation: z.optional(z.enum(["in_process", "process"])), ...facts }),
  z.strictObject({ command: z.tuple([word], word), isolation: z.optional(z.literal("process")), ...facts }),
]);

/** The entries of a list, as it was written; `where` names it in faults. Throws StartFault. */
export function readPluginEntries(list: unknown, where: string): readonly PluginEntry[] {
  if (!Array.isArray(list)) throw new StartFault(`${where}: expected a list of plugins`);
  return list.map((one: unknown, place) => {
    const read = entryShape.safeParse(one);
    if (!read.success)
      throw new StartFault(
        `${where}/${place}: expected a module, or an object with module or command, and sha256, isolation and env as fitting`,
      );
    return entryOf(read.data);
  });
}

function entryOf(given: z.output<typeof entryShape>): PluginEntry {
  if (typeof given === "string") return { module: given, sha256: null, isolation: "in_process", env: [] };
  const { sha256 = null, env = [] } = given;
  if ("command" in given) return { command: given.command, sha256, isolation: "process", env };
  return { module: given.module, sha256, isolation: given.isolation ?? "in_process", env };
}

/** The entry as it is shown to the operator. */
export function originOf(entry: PluginEntry): string {
  return "command" in entry ? entry.command.join(" ") : entry.module;
}

const MODULE_FILE = /\.[cm]?js$/;

/** What is wrong with a plugin; it stops the start. */
export function fault(origin: string, message: string): StartFault {
  return new StartFault(`plugin ${origin}: ${message}`);
}

/** The file of a module or package. Throws StartFault when it does not exist, or is not JavaScript. */
export async function moduleFile(module: string, baseFolder: string): Promise<string> {
  const named = isAbsolute(module) || /^\.\.?\//.test(module);
  const file = named ? resolve(baseFolder, module) : await packageFile(module, baseFolder);
  if (file === null || !(await isFile(file)))
    throw fault(module, named ? "the file does not exist" : "the package is not installed");
  if (!MODULE_FILE.test(file))
    throw fault(
      module,
      "must be JavaScript (.js, .mjs or .cjs); a program in another language is an entry with command",
    );
  return file;
}

/** Where a package keeps the module that `import` of its name means; null: it is not installed, or exports nothing by that name. */
async function packageFile(specifier: string, baseFolder: string): Promise<string | null> {
  const [name = "", subpath = ""] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(specifier)?.slice(1) ?? [];
  const require = createRequire(join(baseFolder, "plugins"));
  for (const folder of require.resolve.paths(specifier) ?? []) {
    const text = await readFile(join(folder, name, "package.json"), "utf8").catch(() => null);
    if (text === null) continue;
    const target = exported(membersOf(text)["exports"], `.${subpath}`);
    if (target !== undefined) return target === null ? null : join(folder, name, target);
    // A package that lists no exports: what its `main` says, or the file that is named.
    return resolved(require, specifier);
  }
  return null;
}

function resolved(require: NodeJS.Require, specifier: string): string | null {
  try {
    return require.resolve(specifier);
  } catch {
    return null;
  }
}

function membersOf(text: string): { readonly [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

const CONDITIONS: readonly string[] = ["node", "import", "module-sync", "default"];

/** The file under `path` in the `exports` of a package; undefined: it has none, null: none under this path. */
function exported(exports: unknown, path: string): string | null | undefined {
  if (exports === undefined || exports === null) return undefined;
  const bySubpath = typeof exports === "object" && Object.keys(exports).some((key) => key.startsWith("."));
  if (!bySubpath) return path === "." ? target(exports) : null;
  const found = Object.entries(exports).find(([key]) => key === path);
  return found === undefined ? null : target(found[1]);
}

function target(value: unknown): string | null {
  if (typeof value === "string") return value.startsWith("./") ? value : null;
  if (typeof value !== "object" || value === null) return null;
  for (const [key, one] of Object.entries(value)) {
    const found = Array.isArray(value) || CONDITIONS.includes(key) ? target(one) : null;
    if (found !== null) return found;
  }
  return null;
}

/**
 * The files that a command names: its program when it is given with a path, and every argument that is the path of a file. A
 * program found by PATH belongs to the system and is not among them.
 */
export async function commandFiles(command: readonly string[], baseFolder: string): Promise<readonly string[]> {
  const paths = command.filter((one, place) => place > 0 || one.includes("/")).map((one) => resolve(baseFolder, one));
  const there = await Promise.all(paths.map(isFile));
  return paths.filter((_, place) => there[place]);
}

/** Of one file its SHA-256; of several the SHA-256 of the lines of theirs, in order. Null: of none. */
export async function hashOf(files: readonly string[]): Promise<string | null> {
  const hashes = await Promise.all(files.map(async (file) => sha256(await readFile(file))));
  if (hashes.length < 2) return hashes[0] ?? null;
  return sha256(hashes.map((hash) => `${hash}\n`).join(""));
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isFile(),
    () => false,
  );
}

/** The folder that entries of a file count from. */
export function folderOf(file: string): string {
  return dirname(resolve(file));
}

/** Throws StartFault when the entry pins another content. */
export function checkHash(entry: PluginEntry, sha256: string | null): void {
  if (entry.sha256 === null || entry.sha256 === sha256) return;
  const origin = originOf(entry);
  if (sha256 === null) throw fault(origin, "has a sha256, but its command names no file that could be compared");
  throw fault(origin, `its content is not the pinned one: sha256 is ${sha256}, the entry says ${entry.sha256}`);
}

const LOAD_MS = 10_000;

/** Imports the module of a plugin. Throws StartFault when it throws, or takes too long. */
export async function importOf(
  origin: string,
  file: string,
  baseFolder: string,
  timeoutMs: number = LOAD_MS,
): Promise<object> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(fault(origin, `is not loaded after ${timeoutMs / 1000} s`)), timeoutMs);
  });
  const imported: Promise<object> = import(/* @vite-ignore */ pathToFileURL(file).href).catch((cause: unknown) => {
    throw fault(origin, `cannot be imported: ${saidBy(cause, baseFolder)}`);
  });
  try {
    return await Promise.race([imported, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The first line of what an import failed with; places of this machine are shown from the operator's folder on. */
function saidBy(cause: unknown, baseFolder: string): string {
  if (!(cause instanceof Error)) return "it throws";
  const [line = ""] = cause.message.split("\n");
  const missing = /package 'weft-runner['/]/.test(line)
    ? "; it needs that in its own node_modules: npm install weft-runner"
    : "";
  return `${cause.name}: ${line.replaceAll(`${baseFolder}/`, "./").slice(0, 300)}${missing}`;
}
