/**
 * Diagnostics in the forms that only a command line has: human text with source lines, GitHub annotations and SARIF 2.1.0. The JSON
 * of every surface is `compiler/diagnostic-document.ts`.
 */

import { DIAGNOSTIC_CODES } from "../../compiler/diagnostic-codes.ts";
import { isGuess } from "../../compiler/fixes/guessed-fixes.ts";
import type { Diagnostic, Severity } from "../../grammar/diagnostic.ts";
import type { TextOf } from "../session/faults.ts";
import type { Paint } from "./terminal/colour.ts";
import { visible } from "./terminal/columns.ts";
import { snippet } from "./terminal/snippet.ts";

export type HumanOptions = {
  readonly name: string;
  readonly textOf: TextOf;
  readonly paint: Paint;
  readonly width: number;
  /** How fixes can be applied, said once. */
  readonly fixHint: string | null;
};

const PAINT_OF: Readonly<Record<Severity, "error" | "warning" | "hint">> = {
  error: "error",
  warning: "warning",
  hint: "hint",
};

export function humanDiagnostics(diagnostics: readonly Diagnostic[], options: HumanOptions): string {
  let fixHint = options.fixHint;
  const blocks: string[] = [];
  for (const diagnostic of diagnostics) {
    blocks.push(humanDiagnostic(diagnostic, { ...options, fixHint }));
    if (diagnostic.fix !== null && !isGuess(diagnostic)) fixHint = null;
  }
  return blocks.join("\n");
}

function humanDiagnostic(diagnostic: Diagnostic, options: HumanOptions): string {
  const { paint } = options;
  const tone = paint[PAINT_OF[diagnostic.severity]];
  const span = diagnostic.span;
  const file = visible(span?.file ?? options.name);
  const where = span === null ? file : `${file}:${span.line}:${span.column}`;
  const lines = [`${where} ${tone(diagnostic.severity)} ${paint.bold(diagnostic.code)} ${visible(diagnostic.message)}`];
  const text = span === null ? null : options.textOf(span.file);
  if (span !== null && text !== null) {
    const to = span.end_line === span.line ? span.end_column - 1 : Number.MAX_SAFE_INTEGER;
    const line = { line: span.line, from: span.column - 1, to };
    lines.push(...snippet(text, line, { width: options.width, before: 0, paint: tone, dim: paint.dim }));
  }
  for (const related of diagnostic.related) {
    const place = `${visible(related.span.file ?? options.name)}:${related.span.line}:${related.span.column}`;
    lines.push(`   = note: ${visible(related.message)} at ${place}`);
  }
  if (diagnostic.suggestion !== null && diagnostic.suggestion !== diagnostic.fix?.title) {
    lines.push(`   = help: ${visible(diagnostic.suggestion)}`);
  }
  if (isGuess(diagnostic)) lines.push(`   = perhaps: ${visible(diagnostic.fix?.title ?? "")}`);
  else if (diagnostic.fix !== null) {
    lines.push(`   = fix: ${visible(diagnostic.fix.title)}${options.fixHint === null ? "" : `  (${options.fixHint})`}`);
  }
  return `${lines.join("\n")}\n`;
}

/** Workflow commands of GitHub Actions, one per line. GitHub knows paths as git writes them, without `./` in front. */
export function githubDiagnostics(diagnostics: readonly Diagnostic[], path: string): string {
  const level = { error: "error", warning: "warning", hint: "notice" } as const;
  return diagnostics
    .map((diagnostic) => {
      const span = diagnostic.span;
      const place =
        span === null
          ? ""
          : `,line=${span.line},col=${span.column},endLine=${span.end_line},endColumn=${span.end_column}`;
      const file = property((span?.file ?? path).replace(/^\.\//u, ""));
      return `::${level[diagnostic.severity]} file=${file}${place},title=${diagnostic.code}::${data(sentence(diagnostic))}\n`;
    })
    .join("");
}

const sentence = (diagnostic: Diagnostic): string =>
  visible(diagnostic.suggestion === null ? diagnostic.message : `${diagnostic.message}. ${diagnostic.suggestion}`);
const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (text: string): string => data(visible(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");

export function sarif(
  files: readonly { readonly path: string; readonly diagnostics: readonly Diagnostic[] }[],
  version: string,
) {
  const used = [...new Set(files.flatMap((file) => file.diagnostics.map((diagnostic) => diagnostic.code)))].sort();
  const level = { error: "error", warning: "warning", hint: "note" } as const;
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "weft", version, rules: used.map((id) => ({ id, name: ruleName(id) })) } },
        columnKind: "utf16CodeUnits",
        results: files.flatMap((file) =>
          file.diagnostics.map((diagnostic) => ({
            ruleId: diagnostic.code,
            level: level[diagnostic.severity],
            message: { text: sentence(diagnostic) },
            locations: [{ physicalLocation: location(diagnostic, file.path) }],
          })),
        ),
      },
    ],
  };
}

function ruleName(code: string): string {
  return Object.hasOwn(DIAGNOSTIC_CODES, code) ? (DIAGNOSTIC_CODES[code]?.name ?? code) : code;
}

function location(diagnostic: Diagnostic, path: string) {
  const span = diagnostic.span;
  const artifactLocation = { uri: (span?.file ?? path).split("/").map(encodeURIComponent).join("/") };
  if (span === null) return { artifactLocation };
  return {
    artifactLocation,
    region: { startLine: span.line, startColumn: span.column, endLine: span.end_line, endColumn: span.end_column },
  };
}
