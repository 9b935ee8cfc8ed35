/**
 * Include lines → modules (docs/language.md, includes). Every module is checked as a program of its own first; its errors
 * are reported in place and counted at the include line. Reading files is the host's reader's business; messages name
 * paths as written and never content.
 */
import type { IncludeLine, SourceFile } from "../../../grammar/ast.ts";
import type { Finding } from "../../../grammar/diagnostic.ts";
import { parse } from "../../../grammar/parse.ts";
import { counted } from "../../../grammar/text/english.ts";
import type { CompileOptions, IncludeReader } from "../../options.ts";
import { sinkFor } from "../findings.ts";
import type { Module } from "../lowered.ts";
import { contractFault, defaultAlias, isAlias, pathSeenFromMain } from "./rules.ts";

export type LoadedIncludes = {
  /** In the order of their include lines, each followed by its own; prefixes as seen from the including file. */
  readonly modules: readonly Module[];
  /** Aliases, with their prefix, whose files could not be included. */
  readonly failed: ReadonlySet<string>;
  readonly findings: readonly Finding[];
  /** Levels of files below this one. */
  readonly height: number;
};

/** Errors, in the mode of the compile, of a file as a program of its own. */
export type ModuleCheck = (file: SourceFile, includes: LoadedIncludes) => readonly Finding[];

const INCLUDE_LIMITS = { depth: 16, files: 256, bytes: 8 * 1024 * 1024, statements: 100_000 } as const;
/** Errors of a module that are kept: no more diagnostics are shown. A module with more of them is not merged. */
const MAX_ERRORS = 1000;

type LoadedModule = {
  readonly file: SourceFile;
  readonly includes: LoadedIncludes;
  /** The first ones; `errorCount` is the number of all. */
  readonly errors: readonly Finding[];
  readonly errorCount: number;
  /** With the files below it. */
  readonly bytes: number;
  readonly statements: number;
};

type OpenFile = { readonly file: string | null; readonly identity: string | null };

type Loader = {
  readonly reader: IncludeReader;
  readonly check: ModuleCheck;
  /** Files read so far, by identity and name: a file is checked on its own once. */
  readonly loaded: Map<string, LoadedModule>;
  /** Over all places where files are merged, so that repeated includes cannot multiply. */
  files: number;
  bytes: number;
  statements: number;
};

/** What becomes of one include line. */
type Outcome = { readonly module: LoadedModule | null; readonly findings: readonly Finding[] };

export function loadIncludes(main: SourceFile, options: CompileOptions, check: ModuleCheck): LoadedIncludes {
  if (options.includes === undefined) return refuseIncludes(main);
  const loader: Loader = { reader: options.includes, check, loaded: new Map(), files: 0, bytes: 0, statements: 0 };
  return loadFileIncludes(main, [{ file: main.file, identity: null }], loader);
}

function includeLines(file: SourceFile): readonly IncludeLine[] {
  return file.lines.filter((line) => line.kind === "include");
}

function refuseIncludes(main: SourceFile): LoadedIncludes {
  const findings: Finding[] = [];
  const failed = new Set<string>();
  for (const line of includeLines(main)) {
    sinkFor(findings).report("WF3017", line.word.span);
    if (line.path !== null) failed.add(line.alias?.text ?? defaultAlias(line.path.text));
  }
  return { modules: [], failed, findings, height: 0 };
}

/** `open` are the files from the main one down to this one. */
function loadFileIncludes(file: SourceFile, open: readonly OpenFile[], loader: Loader): LoadedIncludes {
  const modules: Module[] = [];
  const failed = new Set<string>();
  const findings: Finding[] = [];
  let height = 0;
  for (const line of includeLines(file)) {
    if (line.path === null) continue;
    const alias = line.alias?.text ?? defaultAlias(line.path.text);
    if (!isAlias(alias)) sinkFor(findings).report("WF3011", (line.alias ?? line.path).span);
    const outcome = loadModule(line, line.path.text, open, loader);
    for (const finding of outcome.findings) findings.push(qualified(finding, alias));
    if (outcome.module === null || alias === "") {
      failed.add(alias);
      continue;
    }
    const { includes } = outcome.module;
    height = Math.max(height, includes.height + 1);
    modules.push({ file: outcome.module.file, prefix: `${alias}/`, included_at: line.span });
    for (const module of includes.modules) modules.push({ ...module, prefix: `${alias}/${module.prefix}` });
    for (const inner of includes.failed) failed.add(`${alias}/${inner}`);
  }
  return { modules, failed, findings, height };
}

/** Label ids of a module's own findings, as the including file sees them. */
function qualified(finding: Finding, alias: string): Finding {
  return finding.label_id == null ? finding : { ...finding, label_id: `${alias}/${finding.label_id}` };
}

function loadModule(line: IncludeLine, path: string, open: readonly OpenFile[], loader: Loader): Outcome {
  const findings: Finding[] = [];
  const sink = sinkFor(findings);
  const span = line.path?.span ?? line.span;
  const refuse = (code: string, words: Readonly<Record<string, string>>): Outcome => {
    sink.report(code, span, { words });
    return { module: null, findings };
  };
  if (open.length > INCLUDE_LIMITS.depth) return refuse("WF3019", limitWords("depth"));
  if (loader.files >= INCLUDE_LIMITS.files) return refuse("WF3019", limitWords("files"));
  const from = open.at(-1) ?? { file: null, identity: null };
  const read = loader.reader.read(path, from.identity);
  if (!read.ok) {
    if (read.reason === "outside_root") return refuse("WF3018", { path });
    if (read.reason === "too_large") return refuse("WF3019", limitWords("bytes"));
    return refuse("WF3012", {
      path,
      places: read.searched === 1 ? "the one place" : `one of the ${read.searched} places`,
    });
  }
  const cycle = open.findIndex((one) => one.identity === read.identity);
  const name = pathSeenFromMain(path, read.identity, from);
  if (cycle >= 0) {
    const between = [
      ...open.slice(cycle + 1).map((one) => one.file ?? ""),
      ...(cycle === open.length - 1 ? [name] : []),
    ];
    return refuse("WF3013", { a: open[cycle]?.file ?? name, b: between.join(" -> ") });
  }
  const module = openModule(read.identity, name, read.text, open, loader);
  if (typeof module === "string") return refuse("WF3019", limitWords(module));
  if (open.length + module.includes.height > INCLUDE_LIMITS.depth) return refuse("WF3019", limitWords("depth"));
  if (loader.files > INCLUDE_LIMITS.files) return refuse("WF3019", limitWords("files"));
  // What its own include lines are found to be stands in no merged file: it is reported here, warnings too.
  for (const finding of new Set([...module.errors, ...module.includes.findings])) findings.push(finding);
  const fault = contractFault(module.file);
  if (fault !== null) {
    const { reason, suggestion, related } = fault;
    sink.report("WF3014", span, { words: { path, reason }, suggestion, related });
  }
  if (module.errorCount > 0)
    sink.report("WF3016", span, { words: { path, errors: counted(module.errorCount, "error") } });
  return { module: module.errorCount > MAX_ERRORS ? null : module, findings };
}

function limitWords(what: keyof typeof INCLUDE_LIMITS): { what: string; limit: string } {
  if (what === "bytes") return { what: "a total size of", limit: "8 MiB" };
  const named = { depth: "a depth of", files: "a file count of", statements: "a number of statements of" };
  return { what: named[what], limit: String(INCLUDE_LIMITS[what]) };
}

/** Parses and checks the file, unless that was done already for another include line. Else the bound that is passed. */
function openModule(
  identity: string,
  name: string,
  text: string,
  open: readonly OpenFile[],
  loader: Loader,
): LoadedModule | "bytes" | "statements" {
  const key = `${identity}\n${name}`;
  const known = loader.loaded.get(key);
  if (known !== undefined) {
    loader.files += 1 + known.includes.modules.length;
    loader.bytes += known.bytes;
    loader.statements += known.statements;
    return passedBound(loader) ?? known;
  }
  const before = { bytes: loader.bytes, statements: loader.statements };
  loader.files += 1;
  loader.bytes += new TextEncoder().encode(text).length;
  if (loader.bytes > INCLUDE_LIMITS.bytes) return "bytes";
  const file = parse(text, { file: name });
  loader.statements += statementsOf(file);
  const passed = passedBound(loader);
  // Before the checks: what they find takes far more memory than the file.
  if (passed !== null) return passed;
  const includes = loadFileIncludes(file, [...open, { file: name, identity }], loader);
  const errors = loader.check(file, includes);
  const module = {
    file,
    includes,
    errors: errors.slice(0, MAX_ERRORS),
    errorCount: errors.length,
    bytes: loader.bytes - before.bytes,
    statements: loader.statements - before.statements,
  };
  loader.loaded.set(key, module);
  return module;
}

function passedBound(loader: Loader): "bytes" | "statements" | null {
  if (loader.bytes > INCLUDE_LIMITS.bytes) return "bytes";
  return loader.statements > INCLUDE_LIMITS.statements ? "statements" : null;
}

function statementsOf(file: SourceFile): number {
  return file.lines.reduce((count, line) => count + 1 + (line.kind === "label" ? line.steps.length : 0), 0);
}
