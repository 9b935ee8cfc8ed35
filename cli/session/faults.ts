/**
 * Faults a user can fix: wrong flags, unreadable files, programs that do not compile. They are thrown inside the command
 * line and printed in one place (`output/fault.ts`). Anything else that is thrown is a defect and ends with code 70.
 */

import type { JsonObject } from "../../compiler/json.ts";
import type { Diagnostic } from "../../grammar/diagnostic.ts";

/** Finds the text of a file by its name in spans: null is the program itself. */
export type TextOf = (file: string | null) => string | null;

export const EXIT = {
  success: 0,
  failed: 1,
  usage: 2,
  policy: 3,
  defect: 70,
  interrupted: 130,
  terminated: 143,
} as const;

export type FaultDetails = {
  readonly error: string;
  readonly exitCode: number;
  /** Further members of the JSON document. */
  readonly members?: JsonObject;
  /** Further lines of the human form. */
  readonly notes?: readonly string[];
};

export class CliFault extends Error {
  readonly error: string;
  readonly exitCode: number;
  readonly members: JsonObject;
  readonly notes: readonly string[];
  constructor(message: string, details: FaultDetails) {
    super(message);
    this.name = "CliFault";
    this.error = details.error;
    this.exitCode = details.exitCode;
    this.members = details.members ?? {};
    this.notes = details.notes ?? [];
  }
}

export function usageFault(message: string, notes: readonly string[] = []): CliFault {
  return new CliFault(message, { error: "usage_error", exitCode: EXIT.usage, notes });
}

export type InputFaultKind =
  | "path_not_found"
  | "path_not_a_file"
  | "empty_source"
  | "unicode_decode_error"
  | "source_too_large"
  | "arrow_damaged"
  | "arrow_unsupported"
  | "permission_denied"
  | "unreadable";

export function inputFault(kind: InputFaultKind, message: string, members: JsonObject = {}): CliFault {
  return new CliFault(message, {
    error: "input_error",
    exitCode: EXIT.usage,
    members: { error_kind: kind, ...members },
  });
}

const DELETED_FOLDER = inputFault(
  "path_not_found",
  "the working folder does not exist any more; change to another one, or pass --cwd with an absolute path",
);

/** The code with which the system refused something. */
export function systemCode(cause: unknown): string | null {
  if (!(cause instanceof Error) || !("code" in cause) || typeof cause.code !== "string") return null;
  return /^E[A-Z0-9]+$/.test(cause.code) ? cause.code : null;
}

/** What any step may meet, loading a part of this command line too: no defect, and nothing that the step could say more about. */
export function shortageFault(cause: unknown): CliFault | null {
  const code = systemCode(cause);
  if (cause instanceof Error && "syscall" in cause && cause.syscall === "uv_cwd") return DELETED_FOLDER;
  if (code !== "EMFILE" && code !== "ENFILE") return null;
  const whose = code === "EMFILE" ? "this process" : "this machine";
  return new CliFault(`${whose} may not open more files (${code}); raise the limit: ulimit -n 1024`, {
    error: "too_many_open_files",
    exitCode: EXIT.usage,
  });
}

/** A program with at least one diagnostic of severity error; its texts are at hand to show the lines. */
export class CompileFault extends Error {
  readonly diagnostics: readonly Diagnostic[];
  readonly program: string;
  readonly textOf: TextOf;
  /** The program was to be run. */
  readonly forRun: boolean;
  constructor(diagnostics: readonly Diagnostic[], program: string, textOf: TextOf, forRun = false) {
    super("the program does not compile");
    this.name = "CompileFault";
    this.diagnostics = diagnostics;
    this.program = program;
    this.textOf = textOf;
    this.forRun = forRun;
  }
}

/** Of several exit codes the one that wins: 2, then 3, then 1, then 0. */
export function worstExit(codes: readonly number[]): number {
  for (const code of [EXIT.usage, EXIT.policy, EXIT.failed]) if (codes.includes(code)) return code;
  return codes.find((code) => code !== EXIT.success) ?? EXIT.success;
}
