/**
 * Source → IR and diagnostics: parse, lower, check, assemble. Never throws for what a program's author did; an exception
 * is a bug of the compiler and is not caught.
 *
 * The names of a caller's frame are applied last: a program is compiled without them, and binding a set of names only takes
 * away the findings about reads of those names ("possibly set" is decided name by name, so nothing else can change). That
 * lets one cached compile serve callers with different frames.
 */
import type { Finding } from "../grammar/diagnostic.ts";
import { parse } from "../grammar/parse.ts";
import { isPython } from "../grammar/surface.ts";
import { nearest } from "../grammar/text/nearest.ts";
import { builtinCatalog } from "./catalog/builtin.ts";
import { longWaits } from "./check/calls/long-waits.ts";
import { unhandledCalls } from "./check/calls/unhandled-calls.ts";
import { longSleeps } from "./check/calls/waits.ts";
import { check } from "./check/check.ts";
import { viewProgram } from "./check/program-view.ts";
import { overwrittenInputs } from "./check/variables/overwritten-inputs.ts";
import { finishFindings } from "./diagnostics.ts";
import type { Ir } from "./ir/graph.ts";
import { assembleIr } from "./lower/assemble.ts";
import { isError } from "./lower/findings.ts";
import { lower } from "./lower/lower.ts";
import type { LoweredProgram } from "./lower/lowered.ts";
import type { CompileOptions, CompileRequest, CompileResult, UndeclaredRead } from "./options.ts";
import { compilePython } from "./python/compile.ts";

/** Part of cache keys: another compiler may give another IR for the same source. */
export const COMPILER_VERSION = "1.0.0";

/** A compile that no frame has been applied to yet. */
export type UnboundProgram = {
  /** The result for a caller without a frame. */
  readonly result: CompileResult;
  /** Present also where the only errors are reads that a caller's frame could satisfy. */
  readonly ir: Ir | null;
  /** All of them where a frame's names could take one away, else none: caches keep many programs. */
  readonly findings: readonly Finding[];
  readonly strict: boolean;
};

const MAX_NEAR_INPUTS = 1000;

/** The findings that a declared input takes away, and the word of them that is the input's name. */
const NAME_WORDS: Readonly<Record<string, string>> = {
  WF4001: "name",
  WF4002: "root",
  WF9008: "name",
};

/**
 * Compiles one program. Never throws, whatever the source is: what is wrong with it stands in `diagnostics`. Throws TypeError for
 * arguments of another type than these.
 */
export function compile(source: string, options: CompileRequest = {}): CompileResult {
  const complete = completed(options);
  return bindInputs(compileUnbound(source, complete), complete.inputs ?? []);
}

/** What callers without types can get wrong is said in their words, not in those of the place that trips over it. */
function completed(options: CompileRequest): CompileOptions {
  if (options === null || typeof options !== "object") throw new TypeError("the options of compile must be an object");
  const { catalog = builtinCatalog, includes } = options;
  if (typeof catalog?.adapter !== "function") throw new TypeError("option catalog must be what createCatalog gives");
  for (const name of ["inputs", "allowed_adapters"] as const)
    if (options[name] != null && !Array.isArray(options[name])) throw new TypeError(`option ${name} must be a list`);
  if (includes !== undefined && typeof includes?.read !== "function")
    throw new TypeError("option includes must be an object with a function read");
  return { ...options, catalog };
}

/** Compiles without the caller's names; only included modules, which are checked on their own, see `options.inputs`. */
export function compileUnbound(source: string, options: CompileOptions): UnboundProgram {
  const strict = options.strict !== false;
  if (isPython(source)) {
    const { ir, findings } = compilePython(source, options.catalog, options.includes);
    const all = [...findings, ...lifeFindings(ir, source, options)];
    return { result: finish(all, ir, [], strict), ir, findings: [], strict };
  }
  const file = parse(source);
  const program = lower(file, options);
  const checked = check(program, withoutInputs(options), options.inputs ?? []);
  const findings = program.findings.concat(checked.findings, options.advice === true ? advise(program, options) : []);
  // Reads that a name of the frame may settle yet; those after a loop are found with the blocks.
  const waiting = new Set([
    ...checked.undeclared_reads.map((read) => read.name),
    ...program.findings.flatMap(unsetName),
  ]);
  const broken = findings.some((finding) => isError(finding, strict) && !isReadOf(finding, waiting));
  const ir = broken ? null : assembleIr(program, options.catalog);
  for (const finding of lifeFindings(ir, source, options)) findings.push(finding);
  const result = finish(findings, ir, checked.undeclared_reads, strict);
  return { result, ir, findings: findings.some(isReadOfName) ? findings : [], strict };
}

function lifeFindings(ir: Ir | null, source: string, { lifetime_s }: CompileOptions): readonly Finding[] {
  return ir === null || lifetime_s === undefined ? [] : longWaits(ir, source, lifetime_s);
}

/** They are applied later. */
function withoutInputs(options: CompileOptions): CompileOptions {
  if (options.inputs === undefined) return options;
  const { inputs: _applied_later, ...others } = options;
  return others;
}

/** The result for a caller whose frame holds these names. */
export function bindInputs(unbound: UnboundProgram, inputs: readonly string[]): CompileResult {
  if (unbound.findings.length === 0) return unbound.result;
  const names = new Set(inputs);
  const bound = withNearInputs(withoutReadsOf(unbound.findings, names), inputs);
  if (bound.every((finding, at) => finding === unbound.findings[at]) && bound.length === unbound.findings.length)
    return unbound.result;
  const undeclared = unbound.result.undeclared_reads.filter((read) => !names.has(read.name));
  return finish(bound, unbound.ir, undeclared, unbound.strict);
}

function withoutReadsOf(findings: readonly Finding[], names: ReadonlySet<string>): readonly Finding[] {
  return names.size === 0 ? findings : findings.filter((finding) => !isReadOf(finding, names));
}

/** A name that is nearly that of an input is a misspelling of it, not a text. */
function withNearInputs(findings: readonly Finding[], inputs: readonly string[]): readonly Finding[] {
  if (inputs.length === 0 || inputs.length > MAX_NEAR_INPUTS) return findings;
  return findings.map((finding) => {
    const name =
      finding.code === "WF4001" && finding.fix?.title.startsWith("quote ") ? finding.words?.["name"] : undefined;
    const near = name === undefined ? null : nearest(name, inputs);
    if (near === null || finding.fix == null) return finding;
    const edits = finding.fix.edits.map(({ span }) => ({ span, new_text: near }));
    return { ...finding, suggestion: `did you mean '${near}'?`, fix: { title: `replace with ${near}`, edits } };
  });
}

function isReadOf(finding: Finding, names: ReadonlySet<string>): boolean {
  const name = nameRead(finding);
  return name !== undefined && names.has(name);
}

function unsetName(finding: Finding): readonly string[] {
  return finding.code === "WF4001" ? [finding.words?.["name"] ?? ""] : [];
}

function isReadOfName(finding: Finding): boolean {
  return nameRead(finding) !== undefined;
}

/** The name that an input would have to bear to take the finding away. */
function nameRead({ code, words }: Finding): string | undefined {
  const word = NAME_WORDS[code];
  return word === undefined ? undefined : words?.[word];
}

function finish(
  findings: readonly Finding[],
  ir: Ir | null,
  undeclared_reads: readonly UndeclaredRead[],
  strict: boolean,
): CompileResult {
  const diagnostics = finishFindings(findings, { strict });
  const ok = !diagnostics.some((diagnostic) => diagnostic.severity === "error");
  return { ok, ir: ok ? ir : null, diagnostics, undeclared_reads };
}

/**
 * Advice that is given on request only (option `advice`, `wf lint`): inputs that are overwritten unread, calls whose failure nothing
 * handles, long pauses in programs that wait. It is about habits, so it is never more than a hint.
 */
function advise(program: LoweredProgram, options: CompileOptions): Finding[] {
  const view = viewProgram(program);
  return [
    ...overwrittenInputs(view, options.inputs ?? []),
    ...unhandledCalls(view, options.catalog),
    ...longSleeps(view),
  ];
}
