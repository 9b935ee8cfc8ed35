/**
 * The Python files that a program imports (python.md F-5, amendment 4): looked for from the folder of the program, as CPython looks from the folder of
 * the script, and nowhere else.
 */
import type { Finding } from "../../../grammar/diagnostic.ts";
import { findingOfFault } from "../../../grammar/python/findings.ts";
import { parseProgram } from "../../../grammar/python/older/older.ts";
import type { Import, ImportFrom, Module } from "../../../grammar/python/tree.ts";
import { nearest } from "../../../grammar/text/nearest.ts";
import { createSource } from "../../../grammar/text/source.ts";
import type { IncludeReader } from "../../options.ts";
import { insteadOf } from "../library/instead.ts";
import { STANDARD_MODULES } from "../library/standard.ts";
import { scopesOf } from "../names/scope-walk.ts";
import type { FileImport, FileModule } from "../names/scopes.ts";
import { certainNames } from "./certain.ts";
import { type Fault, memberOf, shownNames } from "./members.ts";
import type { PythonFile } from "./python-file.ts";
import { importsIn } from "./statements.ts";

export type PythonFiles = {
  readonly main: PythonFile;
  /** Each after those that it imports. */
  readonly others: readonly PythonFile[];
  /** Of files that are not Python. */
  readonly findings: readonly Finding[];
  /** What the import of a file raises may be caught, and the file be imported once more. */
  readonly mayRepeat: boolean;
};

export function loadFiles(module: Module, text: string, reader: IncludeReader | undefined): PythonFiles {
  const loader = new Loader(reader);
  const main = loader.file(module, text, null, "", false);
  return { main, others: loader.others, findings: loader.findings, mayRepeat: loader.mayRepeat };
}

const MOST_FILES = 256;
const MOST_UNITS = 8 * 1024 * 1024;
const MOST_NESTED = 64;

/** Whatever is wrong with it is said where it is. */
const SAID: Fault = { row: "", words: {} };
const BROKEN: FileImport = { runs: [], module: null };

const REASONS = {
  not_found: "it is not there",
  outside_root: "it is outside of the program's folder",
  too_large: "it is too large",
  unreadable: "it is not a file of UTF-8 text",
} as const;

/** What an import names. null: no file, so what is said of other modules is said of it. */
type Found = FileModule | Fault | null;
type Put = (node: object, found: FileImport | Fault) => void;
/** A file whose imports are read. `folders`: names of the folders around it, from the outermost one. */
type Reading = { readonly key: string; readonly path: string | null; readonly folders: readonly string[] };

class Loader {
  readonly others: PythonFile[] = [];
  readonly findings: Finding[] = [];
  mayRepeat = false;
  private readonly reader: IncludeReader | undefined;
  private readonly known = new Map<string, FileModule | Fault>();
  /** Modules that are read, each with its path, from the first one down. */
  private readonly open = new Map<FileModule, string>();
  private units = 0;

  constructor(reader: IncludeReader | undefined) {
    this.reader = reader;
  }

  file(module: Module, text: string, path: string | null, key: string, isFolder: boolean): PythonFile {
    const imports = new Map<object, FileImport>();
    const faults = new Map<object, Fault>();
    const put: Put = (node, found) => {
      if ("row" in found) faults.set(node, found);
      imports.set(node, "row" in found ? BROKEN : found);
    };
    const parts = key.split("/");
    const reading = { key, path, folders: path === null ? [] : isFolder ? parts : parts.slice(0, -1) };
    for (const { node, isPlain } of importsIn(module.body)) {
      const before = imports.size;
      if (node.kind === "Import") this.whole(node, reading, put);
      else this.names(node, reading, put);
      if (!isPlain && imports.size > before) this.mayRepeat = true;
    }
    return { path, key, text, module, scopes: scopesOf(module, imports), imports, faults };
  }

  /** `import lib.mail, helpers as h` */
  private whole({ names }: Import, reading: Reading, put: Put): void {
    for (const alias of names) {
      const parts = alias.name.split(".");
      const found = this.find(parts, reading, []);
      if (found === null) continue;
      if ("row" in found) put(alias, found);
      else if (this.open.has(found)) put(alias, this.circle(found));
      else {
        const module = alias.asname === null ? (this.known.get(parts[0] as string) as FileModule) : found;
        put(alias, { runs: this.runs(parts, reading), module });
      }
    }
  }

  /** `from lib.mail import send` */
  private names(node: ImportFrom, reading: Reading, put: Put): void {
    const parts = [...(node.level > 0 ? reading.folders : []), ...(node.module?.split(".") ?? [])];
    const found = this.from(node, parts, reading);
    if (found === null) return;
    if ("row" in found) {
      put(node, found);
      for (const alias of node.names) put(alias, BROKEN);
      return;
    }
    const runs = [...this.runs(parts, reading)];
    for (const alias of node.names) if (alias.name !== "*") put(alias, this.member(found, alias.name, runs));
    put(node, { runs, module: found });
  }

  private from({ level, names }: ImportFrom, parts: readonly string[], reading: Reading): Found {
    if (level > 1) return { row: "import_above", words: {} };
    if (level > 0 && reading.folders.length === 0) return { row: "import_relative", words: {} };
    const wanted = names.map(({ name }) => name);
    return this.find(parts, reading, wanted);
  }

  /** A name of the file, or a file of its folder, which then runs, too. */
  private member(module: FileModule, name: string, runs: FileModule[]): FileImport | Fault {
    const isFolder = module.code === null || module.code.isFolder;
    const inner = isFolder ? this.module([...module.name.split("."), name]) : null;
    if (inner !== null && "row" in inner) return inner;
    if (inner !== null && this.open.has(inner)) return this.circle(inner);
    if (inner === null && this.open.has(module)) return this.circle(module);
    const member = memberOf(module, name);
    if ("row" in member) return member;
    if (!("file" in member)) return { runs: [], module, member: name };
    runs.push(member.file);
    return { runs: [], module: member.file };
  }

  /** The modules of a dotted name that is found, from the outermost one. Folders around the file that reads run before it. */
  private runs(parts: readonly string[], { key }: Reading): readonly FileModule[] {
    return parts
      .map((_part, at) => this.known.get(parts.slice(0, at + 1).join(".")) as FileModule)
      .filter((one) => one.code !== null && key !== one.key && !key.startsWith(`${one.key}/`));
  }

  /** `wanted`: names that are imported of it. */
  private find(parts: readonly string[], { key }: Reading, wanted: readonly string[]): Found {
    const [top = ""] = parts;
    if (top === "weft" || this.reader === undefined) return null;
    if (STANDARD_MODULES.has(top)) {
      const path = pathsOf([top]).find((one) => this.reader?.read(one, null).ok === true);
      return path === undefined ? null : { row: "import_hides", words: { path, module: top } };
    }
    let found: Found = null;
    for (let at = 1; at <= parts.length; at++) {
      const some = parts.slice(0, at);
      found = this.module(some) ?? this.folder(some, at < parts.length ? [parts[at] as string] : wanted);
      if (found === null) return this.missing(some);
      if ("row" in found) return found;
      const isAround = key === found.key || key.startsWith(`${found.key}/`);
      if (this.open.has(found) && !isAround) return this.circle(found);
    }
    return found;
  }

  /** The file of a dotted name whose outer ones are known; null: it does not exist. */
  private module(parts: readonly string[]): Found {
    const name = parts.join(".");
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const outer = this.outer(parts);
    if ((outer !== null && outer.code?.isFolder === false) || !parts.every(isName)) return null;
    for (const [at, path] of pathsOf(parts).entries()) {
      const read = this.reader?.read(path, null);
      if (read === undefined || (!read.ok && read.reason === "not_found")) continue;
      if (read.ok) return this.opened(parts, path, read.text, at === 0);
      const fault = { row: "import_unreadable", words: { path, reason: REASONS[read.reason] } };
      this.known.set(name, fault);
      return fault;
    }
    return null;
  }

  /** A folder without code of its own. Where its names are not known, it is one if it has what is wanted of it. */
  private folder(parts: readonly string[], wanted: readonly string[]): FileModule | null {
    if (!parts.every(isName)) return null;
    const names = this.reader?.namesIn?.(parts.join("/"));
    const has = (name: string): boolean =>
      isName(name) && pathsOf([...parts, name]).some((path) => this.reader?.read(path, null).ok === true);
    if (names === undefined ? !wanted.some(has) : names.length === 0) return null;
    return this.added(parts, null);
  }

  private added(parts: readonly string[], code: FileModule["code"]): FileModule {
    const made = { name: parts.join("."), key: parts.join("/"), code, members: new Map<string, FileModule>() };
    this.known.set(made.name, made);
    this.outer(parts)?.members.set(parts.at(-1) as string, made);
    return made;
  }

  private outer(parts: readonly string[]): FileModule | null {
    const found = this.known.get(parts.slice(0, -1).join("."));
    return found === undefined || "row" in found ? null : found;
  }

  private opened(parts: readonly string[], path: string, text: string, isFolder: boolean): FileModule | Fault {
    this.units += text.length;
    if (this.open.size >= MOST_NESTED || this.others.length >= MOST_FILES || this.units > MOST_UNITS)
      return { row: "import_too_many", words: { files: String(MOST_FILES), levels: String(MOST_NESTED) } };
    const { module, faults, text: parsed } = parseProgram(text);
    if (module === null) {
      const source = createSource(text, path);
      this.findings.push(...faults.map((fault) => findingOfFault(source, fault)));
      this.known.set(parts.join("."), SAID);
      return SAID;
    }
    const made = this.added(parts, null) as { -readonly [M in keyof FileModule]: FileModule[M] };
    this.open.set(made, path);
    const file = this.file(module, parsed, path, made.key, isFolder);
    this.open.delete(made);
    this.others.push(file);
    const { module: scope, of } = file.scopes;
    made.code = { path, isFolder, scope, of, certain: certainNames(module, file.scopes) };
    return made;
  }

  private circle(module: FileModule): Fault {
    const paths = [...this.open];
    const from = paths.findIndex(([one]) => one === module);
    const way = [...paths.slice(from), paths[from] as [FileModule, string]].map(([, path]) => path);
    return { row: "import_circle", words: { module: module.name, circle: way.join(" -> ") } };
  }

  private missing(parts: readonly string[]): Fault | null {
    const outer = parts.slice(0, -1);
    const module = parts.join(".");
    const found = (this.reader?.namesIn?.(outer.join("/")) ?? []).map((one) => one.replace(/\.py$/, ""));
    const names = found.filter((name) => isName(name) && name !== "__init__");
    const near = nearest(parts.at(-1) as string, names);
    if (near !== null) return { row: "import_missing_near", words: { module, near: [...outer, near].join(".") } };
    if (insteadOf(parts[0] as string) !== undefined) return null;
    if (names.length > 0) return { row: "import_missing", words: { module, names: shownNames(names) } };
    return outer.length === 0 ? null : { row: "unknown_module", words: { module } };
  }
}

/** Where CPython looks for a module, a folder first. */
function pathsOf(parts: readonly string[]): readonly string[] {
  const place = parts.join("/");
  return [`${place}/__init__.py`, `${place}.py`];
}

function isName(word: string): boolean {
  return /^[\p{L}_][\p{L}\p{Nd}_]*$/u.test(word);
}
