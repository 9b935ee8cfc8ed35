/** A file of the Python form to IR: parsed, lowered, and refused as a whole where it cannot be exact. One pass, without pieces. */
import type { Finding } from "../../grammar/diagnostic.ts";
import { filled, findingOfFault } from "../../grammar/python/findings.ts";
import { parseProgram } from "../../grammar/python/older/older.ts";
import { createSource, type Source, spanOf } from "../../grammar/text/source.ts";
import type { AdapterCatalog } from "../catalog.ts";
import { IR_VERSION, type Ir } from "../ir/graph.ts";
import type { IncludeReader } from "../options.ts";
import { measured } from "../policy/measured.ts";
import { PYTHON_WARNINGS } from "./codes.ts";
import { compileExpression } from "./expression.ts";
import { type LoweredProgram, lowerProgram } from "./file.ts";
import { loadFiles } from "./imports/files.ts";
import type { Refusal } from "./refusal.ts";
import { REFUSALS } from "./refusals.ts";

export type CompiledPython = { readonly ir: Ir | null; readonly findings: readonly Finding[] };

/** `includes`: reads the files that it imports. */
export function compilePython(text: string, catalog: AdapterCatalog, includes?: IncludeReader): CompiledPython {
  const { module, faults, text: parsed } = parseProgram(text);
  if (module === null) {
    const source = createSource(text, null);
    return { ir: null, findings: faults.map((fault) => findingOfFault(source, fault)) };
  }
  const files = loadFiles(module, parsed, includes);
  const lowered = lowerProgram(files, catalog);
  const refused = [
    ...files.findings,
    ...lowered.refusals.flatMap((file) => findingsOf(file, text)),
    ...expressionFindings(text, lowered.expressions, catalog),
  ];
  if (refused.some(({ code }) => !PYTHON_WARNINGS.has(code))) return { ir: null, findings: refused };
  const { entry, labels, nodes, edges, endpoints, declarations, unknown } = lowered;
  const parts = { ir_version: IR_VERSION, entry, labels, nodes, edges, endpoints, declarations };
  return { ir: measured(parts, catalog), findings: [...refused, ...notes(text, unknown)] };
}

type Refused = LoweredProgram["refusals"][number];

/** `text`: of the program itself. */
function findingsOf({ of, refusals }: Refused, text: string): readonly Finding[] {
  const source = of.path === null ? createSource(text, null) : createSource(of.text, of.path);
  return refusals.map((refusal) => findingOf(source, refusal));
}

function expressionFindings(
  text: string,
  expressions: LoweredProgram["expressions"],
  catalog: AdapterCatalog,
): readonly Finding[] {
  const source = createSource(text, null);
  return expressions.flatMap(({ at, option, text: written }) => {
    const { problem } = compileExpression(written, "value", catalog);
    return problem === null ? [] : [findingOf(source, { at, row: "decorator_expression", words: { option, problem } })];
  });
}

/** Annotations that name no type. They stop nothing. */
function notes(text: string, unknown: LoweredProgram["unknown"]): readonly Finding[] {
  if (unknown.length === 0) return [];
  const source = createSource(text, null);
  return unknown.map(({ at, name }) => findingOf(source, { at, row: "annotation_unknown", words: { name } }));
}

function findingOf(source: Source, { at, row, words, fix = null }: Refusal): Finding {
  const found = REFUSALS[row];
  if (found === undefined) throw new Error(`no refusal ${row}`);
  const { code, sentence, instead } = found;
  return {
    code,
    span: spanOf(source, at.start, at.end),
    words: { what: filled(sentence, words) },
    suggestion: instead === null ? null : filled(instead, words),
    fix:
      fix === null
        ? null
        : {
            title: fix.title,
            edits: fix.edits.map(({ start, end, text }) => ({ span: spanOf(source, start, end), new_text: text })),
          },
  };
}
