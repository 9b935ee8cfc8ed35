/** Prints whatever stopped a command: one JSON document under --json, else short text on stderr. Gives the exit code. */
import { diagnosticDocument } from "../../compiler/diagnostic-document.ts";
import type { CliEnvironment } from "../session/environment.ts";
import { CliFault, CompileFault, EXIT, shortageFault } from "../session/faults.ts";
import type { CliIo } from "../session/io.ts";
import type { Screen } from "../session/screen.ts";
import { humanDiagnostics } from "./diagnostics.ts";
import { visible } from "./terminal/columns.ts";
import { counted } from "./terminal/table.ts";

export function printFault(cause: unknown, io: CliIo, environment: CliEnvironment, screen: Screen): number {
  if (cause instanceof CompileFault) return printCompileFault(cause, io, screen);
  const fault = cause instanceof CliFault ? cause : shortageFault(cause);
  if (fault !== null) return printCliFault(fault, io, screen);
  return printDefect(cause, io, environment, screen);
}

/** The JSON form of a fault. */
export function faultDocument(fault: CliFault | CompileFault, io: CliIo): object {
  const trace_id = io.uuid();
  if (fault instanceof CliFault)
    return { ok: false, trace_id, error: fault.error, message: fault.message, ...fault.members };
  return {
    ok: false,
    trace_id,
    error: "compile_error",
    message: `${fault.program} does not compile: ${counted(errorsOf(fault), "error")}`,
    diagnostics: fault.diagnostics.map(diagnosticDocument),
  };
}

const errorsOf = ({ diagnostics }: CompileFault): number =>
  diagnostics.filter(({ severity }) => severity === "error").length;

function printCompileFault(fault: CompileFault, io: CliIo, screen: Screen): number {
  const errors = errorsOf(fault);
  if (screen.json) screen.document(faultDocument(fault, io));
  const shown = fault.diagnostics.filter((diagnostic) => diagnostic.severity !== "hint" || screen.verbose);
  const options = {
    name: fault.program,
    textOf: fault.textOf,
    paint: screen.errorPaint,
    width: screen.width,
    fixHint: null,
  };
  screen.err(
    `${humanDiagnostics(shown, options)}\n${counted(errors, "error")}${fault.forRun ? "; nothing was executed" : ""}\n`,
  );
  return EXIT.failed;
}

function printCliFault(fault: CliFault, io: CliIo, screen: Screen): number {
  if (screen.json) screen.document(faultDocument(fault, io));
  printFaultLines(fault, screen);
  return fault.exitCode;
}

/** What people read of a fault: its kind and message, then its notes. */
export function printFaultLines(fault: CliFault, screen: Screen): void {
  const kind = fault.members["error_kind"];
  const head =
    fault.error === "usage_error"
      ? ""
      : `${screen.errorPaint.error("error")} ${screen.errorPaint.bold(visible(typeof kind === "string" ? kind : fault.error))}  `;
  screen.err(`${head}${visible(fault.message)}\n`);
  for (const note of fault.notes) screen.err(`${visible(note)}\n`);
}

function printDefect(cause: unknown, io: CliIo, environment: CliEnvironment, screen: Screen): number {
  const incident = io.uuid();
  const message = `internal error ${incident}; please report`;
  if (screen.json) screen.document({ ok: false, trace_id: incident, error: "internal_error", message });
  screen.err(`${message}\n`);
  if (environment.debug) screen.err(`${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}\n`);
  return EXIT.defect;
}
