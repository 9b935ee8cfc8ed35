/**
 * From what the user named to a runnable IR: source is compiled, IR is normalised, and either one that fails becomes a fault.
 */
import type { Program } from "../../compiler/bytecode/program.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { normalize } from "../../compiler/ir/supplied/normalize.ts";
import type { Diagnostic } from "../../grammar/diagnostic.ts";
import { RUNTIME_CODES, surfaceWord } from "../../vm/errors/error-codes.ts";
import { FatalFailure } from "../../vm/errors/failures.ts";
import { createIncludeReader } from "../input/include-reader.ts";
import { type ProgramInput, readProgram } from "../input/input.ts";
import type { LoadedProgram } from "../input/loaded-program.ts";
import { CliFault, CompileFault, EXIT, type TextOf, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";

export type LoadOptions = {
  readonly strict: boolean;
  /** The user asked for strict mode by name: with IR that deserves a warning. */
  readonly strictGiven?: boolean;
  readonly inputs?: readonly string[];
  readonly includeRoots?: readonly string[];
  readonly allowedAdapters?: readonly string[] | null;
  /** Also note what means something else than in the predecessor (WF9021). */
  readonly compatNotes?: boolean;
  /** Also give the advice of `wf lint`. */
  readonly advice?: boolean;
  /** Seconds that jobs of the program live: also warn of waits that are longer. */
  readonly lifetimeS?: number;
  /** The program was to be run, so one that does not compile is said not to have been. */
  readonly forRun?: boolean;
};

export async function loadProgram(
  session: Session,
  file: string | undefined,
  options: LoadOptions,
): Promise<LoadedProgram> {
  const input = await readProgram(session.io, session.cwd, file);
  return compileInput(session, input, options);
}

export function compileInput(session: Session, input: ProgramInput, options: LoadOptions): LoadedProgram {
  if (input.content.kind === "bytecode")
    throw bytecodeFault(input.name, "can only be listed (wf disasm); give the source or its IR");
  return input.content.kind === "ir"
    ? loadIr(session, input, input.content, options)
    : compileSource(session, input, input.content.text, options);
}

export function bytecodeFault(name: string, what: string): CliFault {
  return new CliFault(`${name} is bytecode, which ${what}`, { error: "invalid_ir", exitCode: EXIT.failed });
}

export type SourceCheck = {
  readonly ir: Ir | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly cached: boolean;
  readonly textOf: TextOf;
};

/** Compiles a text as the file it came from, and keeps whatever came of it. */
export function checkSource(session: Session, input: ProgramInput, text: string, options: LoadOptions): SourceCheck {
  const includes = createIncludeReader(session.cwd, input.path, options.includeRoots ?? []);
  const result = session.host.compile(text, {
    strict: options.strict,
    inputs: options.inputs ?? [],
    allowed_adapters: options.allowedAdapters ?? null,
    compat_notes: options.compatNotes === true,
    advice: options.advice === true,
    ...(options.lifetimeS === undefined ? {} : { lifetime_s: options.lifetimeS }),
    ...(includes === undefined ? {} : { includes }),
  });
  const texts = new Map<string | null, string | null>([[null, text]]);
  const textOf: TextOf = (file) => {
    const known = texts.get(file);
    if (known !== undefined) return known;
    const included = file === null ? undefined : includes?.read(file, null);
    const found = included?.ok === true ? included.text : null;
    texts.set(file, found);
    return found;
  };
  return { ir: result.ok ? result.ir : null, diagnostics: result.diagnostics, cached: result.cached, textOf };
}

/** How many errors strict mode, which is that of `wf check`, finds in a program; none in IR. */
export function strictErrors(session: Session, { input }: LoadedProgram, options: LoadOptions): number {
  if (input.content.kind !== "source") return 0;
  const { diagnostics } = checkSource(session, input, input.content.text, { ...options, strict: true });
  return diagnostics.filter(({ severity }) => severity === "error").length;
}

function compileSource(session: Session, input: ProgramInput, text: string, options: LoadOptions): LoadedProgram {
  const started = session.io.clock.now();
  const { ir, diagnostics, cached, textOf } = checkSource(session, input, text, options);
  if (ir === null) throw new CompileFault(diagnostics, input.name, textOf, options.forRun === true);
  return { input, ir, diagnostics, warnings: [], compileMs: session.io.clock.now() - started, cached, textOf };
}

function loadIr(
  session: Session,
  input: ProgramInput,
  { value, fault }: { readonly value: unknown; readonly fault: string | null },
  options: LoadOptions,
): LoadedProgram {
  const started = session.io.clock.now();
  const result = normalize(value, session.host.catalog);
  if (!result.ok) {
    const first = result.issues[0];
    throw new CliFault(
      fault !== null
        ? `${input.name}: ${fault}`
        : first === undefined
          ? `${input.name} cannot be used`
          : `${input.name}: ${first.path === "" ? "the IR" : first.path}: ${first.message}`,
      {
        error: result.status,
        exitCode: EXIT.failed,
        members: { issues: result.issues.map((issue) => ({ ...issue })) },
        notes: result.issues.slice(1, 20).map((issue) => `${issue.path}: ${issue.message}`),
      },
    );
  }
  const warnings = [...result.warnings];
  if (options.strictGiven === true) warnings.push("strict_ignored: strict has no effect on IR");
  return {
    input,
    ir: result.ir,
    diagnostics: [],
    warnings,
    compileMs: session.io.clock.now() - started,
    cached: false,
    textOf: () => null,
  };
}

/** The bytecode of a program. A program that cannot be loaded, because a label is missing or it has none, is a usage error. */
export function bytecodeOf(session: Session, ir: Ir): Program {
  if (Object.values(ir.labels).some(({ python }) => python !== undefined))
    throw usageFault("bytecode is listed for the opcode form; 'wf compile' shows the IR of a program in Python");
  try {
    return session.host.program(ir);
  } catch (cause) {
    if (!(cause instanceof FatalFailure) || RUNTIME_CODES[cause.code].class !== "load") throw cause;
    throw new CliFault(cause.message, { error: surfaceWord(cause.code, cause.data), exitCode: EXIT.failed });
  }
}

/** Adapters a program names, in order of the alphabet. Computed names are left out: only the run knows them. */
export function adaptersOf(ir: Ir): string[] {
  const names = new Set<string>();
  for (const node of ir.nodes) {
    if ("adapter" in node.data && typeof node.data.adapter === "string") names.add(node.data.adapter);
  }
  return [...names].sort();
}
