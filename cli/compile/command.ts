/** `wf compile FILE`: the IR of a program, its bytecode, a listing of it, its canonical source, or what its endpoints are as OpenAPI. */

import { disassemble } from "../../compiler/bytecode/disassemble.ts";
import { encodeProgram } from "../../compiler/bytecode/encode.ts";
import { canonicalJson } from "../../compiler/ir/canonical.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Json } from "../../compiler/json.ts";
import { openApiOf } from "../../compiler/openapi/document.ts";
import { format } from "../../grammar/print/print.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { oneOf, WeftCommand } from "../commands/base.ts";
import { isStrict, modeFlag } from "../commands/flags/compile-mode.ts";
import { includeRootsFor } from "../commands/flags/include-roots.ts";
import { listOf } from "../grant/limit-flags.ts";
import { checkOutputs, writeAtomically } from "../input/files.ts";
import type { LoadedProgram } from "../input/loaded-program.ts";
import { visibleLines } from "../output/terminal/columns.ts";
import { jsonIndented, jsonLine } from "../output/terminal/json.ts";
import { bytecodeOf, loadProgram } from "../run/load-program.ts";
import { showDiagnostics } from "../run/prepare-program.ts";
import { CliFault, EXIT, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";

const FORMATS = ["ir", "bytecode", "disasm", "canonical-source", "openapi"] as const;

export class CompileCommand extends WeftCommand {
  static override paths = [["compile"], ["emit"]];
  static override usage = Command.Usage({
    description: "Compile a program and print its IR. The same source always gives the same bytes.",
    details: "FILE",
    examples: [
      ["the IR", "wf compile hello.wf"],
      ["to a file, on one line", "wf compile hello.wf --compact -o hello.json"],
      ["bytecode as a listing", "wf compile hello.wf --format disasm"],
      ["its endpoints as an OpenAPI document", "wf compile orders.wf --format openapi -o openapi.json"],
    ],
  });
  static override readonly notes = [
    "`--format bytecode` needs `-o`. `--format openapi` describes the endpoints that the program declares, as OpenAPI 3.1.",
    'With `--json`: the IR itself, `{ok, format, text, checksum}` for the other text forms, `{ok, path, format, checksum}` with `-o`. Errors go to stderr, and with `--json` also to stdout as `{"ok":false,…,"diagnostics":[…]}`; exit 1.',
  ];
  static override readonly pages = ["ir.md", "bytecode.md", "programs.md#openapi-of-a-file"];

  file = Option.String({ required: false });
  out = Option.String("-o,--out", { description: "<FILE> write to a file instead of stdout" });
  format = Option.String("--format", "ir", {
    description: "<ir|bytecode|disasm|canonical-source|openapi> output format (default: ir)",
  });
  strict = modeFlag("strict", "strict");
  loose = modeFlag("loose", "strict");
  compact = Option.Boolean("--compact", false, { description: "print the IR or OpenAPI document on one line" });
  canonical = Option.Boolean("--canonical", false, {
    description: "print the IR or OpenAPI document as canonical JSON",
  });
  includeSource = Option.Boolean("--include-source", false, {
    description: "include the source text in the IR as member source",
  });
  input = Option.Array("--input", { description: "<NAME> variable that the frame will contain (repeatable)" });
  includeRoot = Option.Array("--include-root", { description: "<DIR> additional folder for includes (repeatable)" });

  async execute(): Promise<number> {
    const session = this.session();
    const kind = oneOf("--format", this.format, FORMATS);
    if (kind === "bytecode" && this.out === undefined)
      throw usageFault("--format bytecode is binary; name a file with -o");
    if (this.includeSource && kind !== "ir") throw usageFault("--include-source goes with --format ir");
    const program = await loadProgram(session, this.file, {
      strict: isStrict(this, "strict"),
      inputs: listOf(this.input),
      includeRoots: includeRootsFor(session, this.file, this.includeRoot),
    });
    if (kind !== "canonical-source") checkOutputs(session.cwd, program.input, this.out);
    showDiagnostics(session, program);
    const content = this.contentOf(session, program, kind);
    if (this.out !== undefined) {
      writeAtomically(session.cwd, this.out, content);
      if (this.json) session.screen.document({ ok: true, path: this.out, format: kind, checksum: program.ir.checksum });
    } else if (this.json && kind !== "ir") {
      session.screen.document({ ok: true, format: kind, text: content, checksum: program.ir.checksum });
    } else if (typeof content === "string") print(session, kind, content);
    return EXIT.success;
  }

  private contentOf(session: Session, program: LoadedProgram, kind: (typeof FORMATS)[number]): string | Uint8Array {
    if (kind === "ir") return this.jsonText(this.includeSource ? withSource(program) : program.ir);
    if (kind === "openapi") return this.jsonText(apiOf(session, program.ir));
    if (kind === "disasm") return lines(disassemble(bytecodeOf(session, program.ir)));
    if (kind === "bytecode") return encodeProgram(bytecodeOf(session, program.ir));
    if (program.input.content.kind !== "source")
      throw usageFault("--format canonical-source needs a source program: IR contains no source");
    const formatted = format(program.input.content.text);
    if (formatted.ok) return formatted.text;
    throw new CliFault("the program cannot be formatted", { error: "compile_error", exitCode: EXIT.failed });
  }

  private jsonText(document: Json): string {
    if (this.canonical) return `${canonicalJson(document)}\n`;
    return this.compact ? jsonLine(document) : `${jsonIndented(document)}\n`;
  }
}

/** Readers of IR ignore the member. */
function withSource({ ir, input: { content } }: LoadedProgram): Json {
  if (content.kind !== "source") throw usageFault("--include-source needs a source program: IR contains no source");
  return { ...ir, source: content.text };
}

/** Says which endpoints have no place in the document. */
function apiOf({ screen }: Session, ir: Ir): Json {
  const api = openApiOf(ir);
  if (api === null)
    throw new CliFault("the program has too many endpoints, labels and inputs for an OpenAPI document", {
      error: "result_too_large",
      exitCode: EXIT.failed,
      notes: ["split the program, or declare fewer inputs"],
    });
  for (const { endpoint, reason } of api.leftOut) screen.warning(`line ${endpoint.line}: left out: ${reason}`);
  return api.document;
}

/** A listing is for people, wherever it goes; others read source and IR as they are. */
function print({ screen }: Session, kind: (typeof FORMATS)[number], content: string): void {
  if (kind === "disasm") screen.out(visibleLines(content));
  else screen.text(content);
}

export function lines(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
